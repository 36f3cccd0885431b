/* Copies the points of one material, and adds the material index as a field. */
#include "point_choice.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int next_material(const dlp_Points *points, int last)
{
    int next = -1;
    for (int64_t i = 0; points->material && i < points->count; i++) {
        const int material = points->material[i];
        next = material > last && (next < 0 || material < next) ? material : next;
    }
    return next;
}

static bool in_list(const char *list, const char *name)
{
    for (const char *at = list; *at; at += strcspn(at, ","), at += *at == ',') {
        if (strcspn(at, ",") == strlen(name) && strncmp(at, name, strlen(name)) == 0) {
            return true;
        }
    }
    return false;
}

static bool wants_material(const dlp_Points *points, const char *list, int selected)
{
    const bool requested = list && in_list(list, "material"), included = !list || strcmp(list, "all") == 0;
    const bool several = selected < 0 && next_material(points, next_material(points, -1)) >= 0;
    return points->material && (requested || (included && several));
}

static void choose_fields(PointChoice *choice, const dlp_Points *points, const char *list)
{
    const bool all = list && strcmp(list, "all") == 0;
    for (int f = 0; f < points->field_count; f++) {
        if (all || in_list(list ? list : DEFAULT_FIELDS, points->fields[f].name)) {
            choice->fields[choice->points.field_count++] = points->fields[f];
        }
    }
    choice->points.fields = choice->fields;
}

/* Append the values of the points of one material to the copies. */
static const float *copy_selected(const dlp_Points *points, const float *values, int material, float **end)
{
    const float *begin = *end;
    for (int64_t i = 0; i < points->count; i++) {
        if (points->material[i] == material) {
            *(*end)++ = values[i];
        }
    }
    return begin;
}

static void select_points(PointChoice *choice, const dlp_Points *points, int material, float **end)
{
    for (int a = 0; a < 3; a++) {
        choice->points.position[a] = copy_selected(points, points->position[a], material, end);
    }
    choice->points.count = *end - choice->points.position[2];
    for (int f = 0; f < choice->points.field_count; f++) {
        for (int c = 0; c < choice->fields[f].components; c++) {
            choice->fields[f].component[c] = copy_selected(points, choice->fields[f].component[c], material, end);
        }
    }
    choice->points.material = NULL; /* all points have the same material */
}

static void add_material(PointChoice *choice, const dlp_Points *points, int selected, float **end)
{
    dlp_PointField *field = &choice->fields[choice->points.field_count++];
    *field = (dlp_PointField){.components = 1, .component = {*end}};
    snprintf(field->name, sizeof field->name, "material");
    for (int64_t i = 0; i < choice->points.count; i++) {
        *(*end)++ = selected < 0 ? (float)points->material[i] : (float)selected;
    }
}

bool points_choose(PointChoice *choice, const dlp_Points *points, const char *list, int material)
{
    *choice = (PointChoice){.points = *points};
    choice->points.field_count = 0;
    choose_fields(choice, points, list);
    const bool add = wants_material(points, list, material) && choice->points.field_count < DLP_SURFACE_FIELDS_MOST;
    int64_t rows = add ? 1 : 0;
    if (material >= 0) {
        rows += 3;
        for (int f = 0; f < choice->points.field_count; f++) {
            rows += choice->fields[f].components;
        }
    }
    if (rows == 0 || points->count == 0) {
        return true;
    }
    choice->copies = malloc((size_t)(rows * points->count) * sizeof(float));
    if (!choice->copies) {
        return false;
    }
    float *end = choice->copies;
    if (material >= 0) {
        select_points(choice, points, material, &end);
    }
    if (add) {
        add_material(choice, points, material, &end);
    }
    return true;
}

void points_release(PointChoice *choice)
{
    free(choice->copies);
    *choice = (PointChoice){0};
}

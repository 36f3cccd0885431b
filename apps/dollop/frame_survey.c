/* Reads a sample of the frames to find their bounding box, field range and frame rate. */
#include "frame_survey.h"

#include "apps/shared/messages.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const dlp_PointField *point_field(const dlp_Points *points, const char *name)
{
    for (int f = 0; f < points->field_count; f++) {
        if (strcmp(points->fields[f].name, name) == 0) {
            return &points->fields[f];
        }
    }
    return NULL;
}

float point_value(const dlp_PointField *field, int64_t i)
{
    double sum = 0.0;
    if (field->components == 1) {
        return field->component[0][i];
    }
    for (int c = 0; c < field->components; c++) {
        sum += (double)field->component[c][i] * (double)field->component[c][i];
    }
    return (float)sqrt(sum);
}

static ExitCode report_unknown_field(const dlp_Points *points, const char *name, const FolderPath *path)
{
    char known[1024] = "";
    for (int f = 0; f < points->field_count; f++) {
        const size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", used > 0 ? ", " : "", points->fields[f].name);
    }
    message_error("%s has no field '%s'; available fields: %s", path->text, name, known);
    return EXIT_USAGE;
}

static void extend_box(FrameSurvey *survey, dlp_Vec3 lower, dlp_Vec3 upper)
{
    survey->lower = (dlp_Vec3){fmin(survey->lower.x, lower.x), fmin(survey->lower.y, lower.y),
                               fmin(survey->lower.z, lower.z)};
    survey->upper = (dlp_Vec3){fmax(survey->upper.x, upper.x), fmax(survey->upper.y, upper.y),
                               fmax(survey->upper.z, upper.z)};
}

/* Maximum distance (m) of a mesh from its origin along any axis. */
static double mesh_extent(const dlp_FrameScene *scene, int mesh)
{
    double largest = 0.0;
    for (int64_t n = 0; mesh >= 0 && mesh < scene->mesh_count && n < 3 * scene->meshes[mesh].vertex_count; n++) {
        largest = fmax(largest, fabs((double)scene->meshes[mesh].position[n]));
    }
    return largest;
}

/* Solids that are not larger than the fluid belong in the picture: a plate, a ball, a paddle. */
static void extend_by_solids(FrameSurvey *survey, const dlp_FrameScene *scene)
{
    const dlp_Vec3 lower = survey->lower, upper = survey->upper;
    const double fluid_extent = fmax(fmax(upper.x - lower.x, upper.y - lower.y), upper.z - lower.z);
    for (int i = 0; i < scene->solid_count; i++) {
        const dlp_ShapeDef *shape = &scene->solids[i].shape;
        const dlp_Vec3 turn = shape->rotation;
        dlp_Vec3 half = {shape->radius, shape->radius, shape->radius};
        if (!scene->solids[i].visible || shape->kind == DLP_SHAPE_PLANE || shape->kind == DLP_SHAPE_CONTAINER) {
            continue;
        }
        if (shape->kind == DLP_SHAPE_BOX) {
            half = (dlp_Vec3){0.5 * shape->size.x, 0.5 * shape->size.y, 0.5 * shape->size.z};
        } else if (shape->kind == DLP_SHAPE_MESH) {
            half.x = half.y = half.z = mesh_extent(scene, shape->mesh);
        } else if (shape->kind != DLP_SHAPE_SPHERE) {
            half.z = 0.5 * shape->length + (shape->kind == DLP_SHAPE_CAPSULE ? shape->radius : 0.0);
        }
        double largest = fmax(fmax(half.x, half.y), half.z);
        if (turn.x != 0.0 || turn.y != 0.0 || turn.z != 0.0) {
            largest = sqrt(half.x * half.x + half.y * half.y + half.z * half.z);
            half = (dlp_Vec3){largest, largest, largest};
        }
        if (largest < fluid_extent) {
            const dlp_Vec3 at = shape->position;
            extend_box(survey, (dlp_Vec3){at.x - half.x, at.y - half.y, at.z - half.z},
                       (dlp_Vec3){at.x + half.x, at.y + half.y, at.z + half.z});
        }
    }
}

/* Extend the box and the range of the field by a frame. The first frame is kept. `time`: time of the frame (s). */
static ExitCode survey_frame(FrameSurvey *survey, const FolderPath *path, const char *name, double *time)
{
    dlp_Frame *frame = NULL;
    const ExitCode opened = frame_open(path, &frame);
    if (opened != EXIT_DONE) {
        return opened;
    }
    const dlp_FileInfo info = dlp_frame_info(frame);
    const dlp_Points points = dlp_frame_points(frame);
    const dlp_PointField *field = name ? point_field(&points, name) : NULL;
    ExitCode code = name && !field ? report_unknown_field(&points, name, path) : EXIT_DONE;
    if (points.count > 0) {
        const dlp_FrameScene scene = dlp_frame_scene(frame);
        const double half = 0.5 * info.spacing; /* positions are the centres of particles */
        extend_box(survey, (dlp_Vec3){info.lower.x - half, info.lower.y - half, info.lower.z - half},
                   (dlp_Vec3){info.upper.x + half, info.upper.y + half, info.upper.z + half});
        extend_by_solids(survey, &scene);
    }
    for (int64_t i = 0; field && i < points.count; i++) {
        const double value = (double)point_value(field, i);
        survey->low = fmin(survey->low, value);
        survey->high = fmax(survey->high, value);
    }
    *time = info.time;
    if (survey->first) {
        dlp_frame_destroy(frame);
    } else {
        survey->first = frame;
    }
    return code;
}

ExitCode frames_survey(FrameSurvey *survey, const FrameList *list, const char *field)
{
    enum { SAMPLES_MAX = 12 };
    const int64_t samples = list->count < SAMPLES_MAX ? list->count : SAMPLES_MAX;
    ExitCode code = EXIT_DONE;
    double last = 0.0;
    *survey = (FrameSurvey){.lower = {HUGE_VAL, HUGE_VAL, HUGE_VAL},
                            .upper = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL},
                            .low = HUGE_VAL,
                            .high = -HUGE_VAL};
    for (int64_t i = 0; i < samples && code == EXIT_DONE; i++) {
        code = survey_frame(survey, &list->frames[samples > 1 ? i * (list->count - 1) / (samples - 1) : 0], field,
                            &last);
    }
    if (!(survey->lower.x <= survey->upper.x)) { /* no particles in any frame */
        survey->lower = (dlp_Vec3){-0.5, -0.5, -0.5};
        survey->upper = (dlp_Vec3){0.5, 0.5, 0.5};
    }
    if (survey->low > 0.0 && survey->low < 0.5 * survey->high) {
        survey->low = 0.0;
    }
    const double duration = survey->first ? last - dlp_frame_info(survey->first).time : 0.0;
    if (code == EXIT_DONE && duration > 0.0) {
        survey->frame_rate = (double)(list->count - 1) / duration;
    }
    return code;
}

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

static void extend_box(FrameBox *box, dlp_Vec3 lower, dlp_Vec3 upper)
{
    box->lower = (dlp_Vec3){fmin(box->lower.x, lower.x), fmin(box->lower.y, lower.y), fmin(box->lower.z, lower.z)};
    box->upper = (dlp_Vec3){fmax(box->upper.x, upper.x), fmax(box->upper.y, upper.y), fmax(box->upper.z, upper.z)};
}

/* Half the extent (m) of a solid around its position along each axis; if it is rotated, the same along all, because it may spin. */
static dlp_Vec3 solid_half(const dlp_FrameScene *scene, const dlp_ShapeDef *shape)
{
    const dlp_Vec3 turn = shape->rotation;
    dlp_ShapeDef upright = *shape;
    dlp_Vec3 lower = {0, 0, 0}, upper = {0, 0, 0};
    upright.position = upright.rotation = (dlp_Vec3){0, 0, 0};
    dlp_shape_bounds(&upright, scene->meshes, scene->mesh_count, &lower, &upper);
    const dlp_Vec3 half = {fmax(-lower.x, upper.x), fmax(-lower.y, upper.y), fmax(-lower.z, upper.z)};
    const double diagonal = sqrt(half.x * half.x + half.y * half.y + half.z * half.z);
    const double around = shape->kind == DLP_SHAPE_SPHERE ? shape->radius : diagonal;
    return turn.x != 0.0 || turn.y != 0.0 || turn.z != 0.0 ? (dlp_Vec3){around, around, around} : half;
}

/* Solids that are not larger than the fluid belong in the picture: a plate, a ball, a paddle. All of them cast shadows. */
static void extend_by_solids(FrameSurvey *survey, const dlp_FrameScene *scene)
{
    const dlp_Vec3 lower = survey->shown.lower, upper = survey->shown.upper;
    const double fluid_extent = fmax(fmax(upper.x - lower.x, upper.y - lower.y), upper.z - lower.z);
    for (int i = 0; i < scene->solid_count; i++) {
        const dlp_ShapeDef *shape = &scene->solids[i].shape;
        const dlp_Vec3 half = solid_half(scene, shape), at = shape->position;
        dlp_Vec3 lowest, highest;
        if (!scene->solids[i].visible ||
            !dlp_shape_bounds(shape, scene->meshes, scene->mesh_count, &lowest, &highest)) {
            continue;
        }
        extend_box(&survey->casters, lowest, highest);
        if (shape->kind == DLP_SHAPE_CONTAINER) {
            continue;
        }
        survey->floor = fmin(survey->floor, lowest.z);
        if (fmax(fmax(half.x, half.y), half.z) < fluid_extent) {
            extend_box(&survey->shown, (dlp_Vec3){at.x - half.x, at.y - half.y, at.z - half.z},
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
        const dlp_Vec3 lower = {info.lower.x - half, info.lower.y - half, info.lower.z - half},
                       upper = {info.upper.x + half, info.upper.y + half, info.upper.z + half};
        extend_box(&survey->shown, lower, upper);
        extend_box(&survey->casters, lower, upper);
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
    enum { SAMPLES_MAX = 24 };
    static const FrameBox nothing = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    const int64_t samples = list->count < SAMPLES_MAX ? list->count : SAMPLES_MAX;
    ExitCode code = EXIT_DONE;
    double last = 0.0;
    *survey = (FrameSurvey){
        .shown = nothing, .casters = nothing, .floor = HUGE_VAL, .low = HUGE_VAL, .high = -HUGE_VAL};
    for (int64_t i = 0; i < samples && code == EXIT_DONE; i++) {
        code = survey_frame(survey, &list->frames[samples > 1 ? i * (list->count - 1) / (samples - 1) : 0], field,
                            &last);
    }
    if (!(survey->shown.lower.x <= survey->shown.upper.x)) { /* no particles in any frame */
        survey->shown = survey->casters = (FrameBox){{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}};
    }
    survey->floor = fmin(survey->floor, survey->shown.lower.z);
    if (survey->low > 0.0 && survey->low < 0.5 * survey->high) {
        survey->low = 0.0;
    }
    const double duration = survey->first ? last - dlp_frame_info(survey->first).time : 0.0;
    if (code == EXIT_DONE && duration > 0.0) {
        survey->frame_rate = (double)(list->count - 1) / duration;
    }
    return code;
}

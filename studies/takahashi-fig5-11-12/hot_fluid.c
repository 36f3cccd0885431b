#include "hot_fluid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

dlp_World *hot_world(StudyRun *run)
{
    dlp_WorldDef def = study_world_def(run, "links");
    def.spacing = HOT_SPACING;
    return study_world(run, &def);
}

dlp_MaterialId hot_material(StudyRun *run, dlp_World *world, const StudyValue *own, int count)
{
    enum { MOST = 24 };
    static const StudyValue common[] = {{"density", HOT_DENSITY},
                                        {"smoothing", 0.05},
                                        {"extension_rate", HOT_SLOW},
                                        {"reference_temperature", HOT_COLD},
                                        {"viscosity_lines", DLP_LINES_FLUIDITY},
                                        {"conductivity", HOT_CONDUCTIVITY},
                                        {"heat_capacity", HOT_CAPACITY}};
    enum { COMMON = sizeof common / sizeof common[0] };
    /* Only their ratio matters, because the rate is given. */
    static const dlp_ViscosityKey keys[] = {{HOT_COLD, HOT_FAST / HOT_SLOW}, {HOT_WARM, 1}};
    StudyValue all[MOST];
    memcpy(all, common, sizeof common);
    for (int i = 0; i < count && COMMON + i < MOST; i++) {
        all[COMMON + i] = own[i];
    }
    const dlp_MaterialId id = study_material(run, world, all, COMMON + count);
    if (world && study_going(run)) {
        study_keep(run, world, dlp_world_set_material_viscosities(world, id, keys, 2));
    }
    return id;
}

void hot_plane(StudyRun *run, dlp_World *world, dlp_Vec3 position, dlp_Vec3 rotation, double temperature,
               double stickiness)
{
    dlp_SolidDef plane = dlp_default_solid_def();
    plane.shape.position = position;
    plane.shape.rotation = rotation;
    plane.temperature = temperature;
    plane.stickiness = stickiness;
    plane.friction = 1;
    study_solid(run, world, &plane);
}

void hot_ball(StudyRun *run, dlp_World *world, dlp_MaterialId material, dlp_Vec3 center, double radius,
              double temperature)
{
    dlp_FluidDef ball = dlp_default_fluid_def();
    ball.material = material;
    ball.shape.kind = DLP_SHAPE_SPHERE;
    ball.shape.position = center;
    ball.shape.radius = radius;
    ball.temperature = temperature;
    study_fluid(run, world, &ball);
}

bool hot_see(StudyRun *run, const dlp_World *world, dlp_ParticleView *view)
{
    if (world && study_going(run)) {
        study_keep(run, world, dlp_world_view(world, 0, view));
        return study_going(run);
    }
    return false;
}

HotState hot_state(StudyRun *run, const dlp_World *world, double limit)
{
    dlp_ParticleView view;
    HotState state = {0};
    if (!hot_see(run, world, &view) || view.count == 0) {
        return state;
    }
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < view.count; i++) {
        const double above = (double)view.temperature[i] - HOT_COLD;
        sum += above;
        squares += above * above;
        state.cold += (double)view.temperature[i] < limit;
    }
    const double count = (double)view.count;
    state.cold /= count;
    state.mean = HOT_COLD + sum / count;
    state.spread = sqrt(fmax(0, squares / count - sum / count * (sum / count)));
    return state;
}

void hot_panel(StudyRun *run, StudyPicture *picture, const dlp_World *world, const char *name)
{
    enum { BLUE, ORANGE, GREEN, RED, PURPLE, CYAN, SHADES = 5 };
    static const uint8_t palette[SHADES] = {BLUE, CYAN, GREEN, ORANGE, RED};
    dlp_ParticleView view;
    if (!hot_see(run, world, &view)) {
        return;
    }
    uint64_t first = UINT64_MAX;
    uint8_t *colors = calloc((size_t)view.count + 1, 1);
    for (int64_t i = 0; i < view.count; i++) {
        first = view.id[i] < first ? view.id[i] : first;
    }
    for (int64_t i = 0; colors && i < view.count; i++) {
        const double part = ((double)view.temperature[i] - HOT_COLD) / (HOT_WARM - HOT_COLD);
        const uint64_t place = view.id[i] - first; /* nothing is ever removed, so ids have no gaps */
        if (place < (uint64_t)view.count) {
            colors[place] = palette[(int)fmax(0, fmin(SHADES - 1, floor(part * SHADES)))];
        }
    }
    study_panel(picture, world, colors, "%s, %.1f s", name, dlp_world_time(world));
    free(colors);
}

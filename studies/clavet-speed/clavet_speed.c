/* Clavet et al. 2005, section 7.3: the time of a step and of a surface, with one step per frame as in the paper. */
#include "studies/study_output.h"
#include "studies/study_world.h"

#include <math.h>
#include <string.h>
#include <time.h>

#define SPACING 0.01        /* m */
#define DT      (1.0 / 120) /* s */
enum { FRAMES_MOST = 64 };

/* A dam break in a tank. */
typedef struct Case {
    const char *name;
    int counts[3]; /* particles along x, y, z */
    int threads;
    bool springs;  /* clay instead of a liquid    */
    bool surface;  /* is extracted for each frame */
    double paper;  /* frames per second in 2005; NaN: not given */
    double wanted; /* frames per second; 0: no target       */
} Case;

static const Case cases[] = {
    {"liquid", {40, 20, 25}, 1, false, false, NAN, 0}, {"liquid", {40, 20, 25}, 2, false, false, NAN, 60},
    {"liquid", {40, 20, 25}, 2, false, true, 0.5, 15}, {"clay", {40, 20, 25}, 2, true, false, NAN, 0},
    {"clay", {40, 20, 25}, 2, true, true, 0.5, 0},     {"liquid", {10, 10, 10}, 2, false, true, 10, 60},
    {"clay", {10, 10, 10}, 2, true, true, 10, 60},     {"liquid", {40, 32, 25}, 1, false, false, NAN, 0},
};
enum { CASES = sizeof cases / sizeof cases[0] };

typedef struct Timing {
    double step, surface; /* s, medians                         */
    double relaxation;    /* s per step, of the stages of section 4 */
    double neighbors;     /* s per step, of search and sorting  */
    double busy;          /* s per step, CPU time of this process on all cores */
    double triangles;
} Timing;

static dlp_World *make_world(StudyRun *run, const Case *c)
{
    const double wide = 2 * c->counts[0] * SPACING, deep = c->counts[1] * SPACING;
    dlp_WorldDef def = study_world_def(run, "springs");
    dlp_SolidDef tank = dlp_default_solid_def();
    tank.friction = 0.0;
    def.spacing = SPACING;
    def.threads = c->threads;
    dlp_World *world = study_world(run, &def);
    tank.shape.kind = DLP_SHAPE_CONTAINER;
    tank.shape.size = (dlp_Vec3){wide, deep, 2};
    tank.shape.position = (dlp_Vec3){wide / 2, deep / 2, 1};
    study_solid(run, world, &tank);
    const dlp_MaterialId material = c->springs ? STUDY_MATERIAL(run, world, {"modulus", 200}, {"plasticity", 10},
                                                                {"yield_ratio", 0.05}, {"sigma", 5})
                                               : STUDY_MATERIAL(run, world, {"sigma", 5});
    study_block(run, world, &(StudyBlock){.material = material, .counts = {c->counts[0], c->counts[1], c->counts[2]}});
    return world;
}

static double seconds_of(const dlp_World *world, const char *const *starts)
{
    dlp_StageTime time;
    double seconds = 0;
    for (int i = 0; dlp_world_stage_time(world, i, &time); i++) {
        for (const char *const *start = starts; *start; start++) {
            seconds += strncmp(time.name, *start, strlen(*start)) == 0 ? time.seconds : 0;
        }
    }
    return seconds;
}

/* The paper's own surface, eq. 13, without smoothing of particles or mesh. */
static dlp_Surface *make_surface(StudyRun *run, const Case *c)
{
    dlp_SurfaceDef def = dlp_default_surface_def();
    dlp_Surface *surface = NULL;
    dlp_Error error;
    def.field = DLP_SURFACE_BLOBS;
    def.smoothing = 0;
    def.rounds = 0;
    def.spacing = SPACING;
    def.threads = c->threads;
    if (c->surface && study_going(run) && dlp_surface_create(&def, &surface, &error) != DLP_OK) {
        study_fail(run, error.code, "%s", error.text);
    }
    return surface;
}

/* Builds the surface; returns its seconds and its number of triangles. */
static double build(StudyRun *run, const dlp_World *world, dlp_Surface *surface, double *triangles)
{
    dlp_ParticleView view;
    dlp_Mesh mesh;
    dlp_Error error;
    const double begun = study_clock();
    if (!surface || !study_going(run)) {
        return 0;
    }
    study_keep(run, world, dlp_world_view(world, 0, &view));
    const dlp_Points points = {.count = view.count, .position = {view.position[0], view.position[1], view.position[2]}};
    if (dlp_surface_build(surface, &points, &mesh, &error) != DLP_OK) {
        study_fail(run, error.code, "%s", error.text);
        return 0;
    }
    *triangles = (double)mesh.triangle_count;
    return study_clock() - begun;
}

static double cpu_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static Timing time_frames(StudyRun *run, const Case *c, int warm_up, int frames, StudyPicture *picture)
{
    static const char *const relaxation[] = {"springs density", "springs relax", NULL};
    static const char *const neighbors[] = {"sort", "neighbors", NULL};
    double step[FRAMES_MOST], busy[FRAMES_MOST], surface_seconds[FRAMES_MOST];
    Timing timing = {0};
    int frame = 0;
    dlp_World *world = make_world(run, c);
    dlp_Surface *surface = make_surface(run, c);
    for (int n = 0; n < warm_up && study_step(run, world, DT); n++) {}
    timing.relaxation = world ? -seconds_of(world, relaxation) / frames : 0;
    timing.neighbors = world ? -seconds_of(world, neighbors) / frames : 0;
    while (frame < frames && study_going(run)) {
        const double begun = study_clock(), worked = cpu_seconds();
        study_step(run, world, DT);
        step[frame] = study_clock() - begun;
        busy[frame] = cpu_seconds() - worked;
        surface_seconds[frame++] = build(run, world, surface, &timing.triangles);
    }
    timing.relaxation += world ? seconds_of(world, relaxation) / frames : 0;
    timing.neighbors += world ? seconds_of(world, neighbors) / frames : 0;
    timing.step = study_median(step, frame);
    timing.busy = study_median(busy, frame);
    timing.surface = study_median(surface_seconds, frame);
    study_panel(picture, world, NULL, "%s, %lld particles", c->name,
                world ? (long long)dlp_world_particle_count(world) : 0);
    dlp_surface_destroy(surface);
    dlp_world_destroy(world);
    return timing;
}

static StudyTable *make_table(StudyRun *run)
{
    static const char *const columns[][2] = {
        {"material", ""},     {"particles", ""},    {"threads", ""},   {"step", "ms"},    {"processor time", "ms"},
        {"relaxation", "ms"}, {"neighbours", "ms"}, {"surface", "ms"}, {"triangles", ""}, {"frames per second", "1/s"},
        {"paper", "1/s"},     {"target", "1/s"}};
    StudyTable *table = study_table(run, "frames", "One step per frame, with and without its surface; medians");
    study_columns(table, columns, sizeof columns / sizeof columns[0]);
    return table;
}

static void run(StudyRun *run)
{
    const int warm_up = run->quick ? 1 : 12, frames = run->quick ? 2 : 16;
    StudyTable *table = make_table(run);
    StudyPicture *picture = study_picture(run, "blocks", "After the timed frames", STUDY_VIEW_RAISED);
    int targets = 0, met = 0;
    study_ground(picture);
    study_plan(run, CASES * (warm_up + frames));
    for (int n = 0; n < CASES && study_going(run); n++) {
        const Case *c = &cases[n];
        study_case(run, "%s%s, %d threads", c->name, c->surface ? " with its surface" : "", c->threads);
        const Timing timing = time_frames(run, c, warm_up, frames, c->surface ? picture : NULL);
        const double rate = 1 / (timing.step + timing.surface);
        const double row[] = {(double)c->counts[0] * c->counts[1] * c->counts[2],
                              c->threads,
                              1000 * timing.step,
                              1000 * timing.busy,
                              1000 * timing.relaxation,
                              1000 * timing.neighbors,
                              c->surface ? 1000 * timing.surface : NAN,
                              c->surface ? timing.triangles : NAN,
                              rate,
                              c->paper,
                              c->wanted > 0 ? c->wanted : NAN};
        study_word(table, "%s", c->name);
        for (size_t k = 0; k < sizeof row / sizeof row[0]; k++) {
            study_number(table, row[k]);
        }
        targets += c->wanted > 0;
        met += c->wanted > 0 && rate >= c->wanted;
    }
    study_verdict(run, met == targets, "%d of %d target rates are met", met, targets);
}

const Study clavet_speed_study = {
    .name = "clavet-speed",
    .paper = "Clavet et al. 2005, section 7.3",
    .claim =
        "In 2005 a frame of 20,000 particles took 2 s with its surface, and 1,000 of them ran at 10 frames per second. Now 20,000 "
        "run at 60 frames per second, with their surface at 15, on two threads.",
    .run = run,
};

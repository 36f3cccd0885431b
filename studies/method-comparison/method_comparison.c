/* All methods on the same two scenes, with materials in physical units, default parameters and automatic time steps: a block of honey
 * that becomes a viscous gravity current (Huppert 1982), and a block of jelly that sags under its own weight. */
#include "studies/study_output.h"
#include "studies/study_world.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#define GRAVITY      9.81         /* m/s2                                                           */
#define HEIGHT       0.1          /* m, of both blocks; the honey is twice as wide                  */
#define FRAME        (1.0 / 24)   /* s                                                              */
#define DENSITY      1400.0       /* kg/m3, of honey                                                */
#define VISCOSITY    10.0         /* Pa s, of honey                                                 */
#define JELLY        1000.0       /* kg/m3                                                          */
#define MODULUS      5000.0       /* Pa, of jelly                                                   */
#define FRONT        1.411        /* factor of a plane current, Huppert 1982                        */
#define WANTED       0.03         /* largest error of method physical, of either answer             */
#define WANTED_QUICK 0.08         /* the same with 8 and 6 particles high */
#define COLLAPSED    0.2          /* of the height, lost by a cube that does not hold together */
#define SHORT_STEP   (FRAME / 42) /* s, 1 ms */
#define JELLY_WORK   0.1          /* cost of a frame of jelly over that of honey; for the progress display */
#define CLOSE        0.1          /* error up to which a result is said to be close to the answer   */
enum {
    PICTURE_FRAME = 12, /* 0.5 s */
    DEPTH = 10,         /* particles across the honey, which is periodic */
    BANDS = 8
};

/* Frames of each run, 2 s: the current has then forgotten its start within about 1 %, and the jelly oscillates ten times in the second
 * half. */
static int frames_of(const StudyRun *run)
{
    return run->quick ? 24 : 48;
}

/* What a method can do with the two materials. */
typedef struct Method {
    const char *name;
    bool viscous, elastic;
    double work; /* cost of a frame of honey, relative to pbf; for the progress display */
} Method;

static const Method methods[] = {
    {"physical", true, true, 1.1}, {"conformation", true, true, 1.7}, {"springs", true, true, 2.7},
    {"links", true, true, 1.9},    {"mps", true, true, 4.6},          {"blend", true, true, 3.3},
    {"pbf", false, false, 1},
};
enum { METHODS = (int)(sizeof methods / sizeof methods[0]) };

typedef struct Result {
    double error;   /* relative, against the known answer; NaN: none          */
    double value;   /* m, half length of the honey or sag of the jelly        */
    double density; /* inside the fluid at the end, over that at the start    */
    double seconds; /* processor time                                         */
    int64_t steps;
    int frames;  /* completed */
    bool broken; /* ended by NaN or infinity */
} Result;

/* One step: automatic, but not beyond `end` (s), or of length dt. False if the method broke down, or if the study should end. */
static bool run_step(StudyRun *run, dlp_World *world, double end, double dt, Result *result)
{
    if (!world || !study_going(run)) {
        return false;
    }
    const clock_t begin = clock();
    const dlp_Result code = dt > 0 ? dlp_world_step(world, dt) : dlp_world_advance(world, end);
    result->seconds += (double)(clock() - begin) / CLOCKS_PER_SEC;
    result->steps = dlp_world_step_count(world);
    if (code == DLP_ERROR_NOT_FINITE) {
        return false;
    }
    study_keep(run, world, code);
    return study_going(run);
}

/* Automatic steps to the end of the next frame. */
static bool run_frame(StudyRun *run, dlp_World *world, Result *result)
{
    const double end = (result->frames + 1) * FRAME;
    while (world && dlp_world_time(world) < end) {
        if (!run_step(run, world, end, 0, result)) {
            return false;
        }
    }
    study_advance(run, 1);
    result->frames++;
    return study_going(run);
}

static dlp_World *make_world(StudyRun *run, const Method *method, double spacing, double friction, double depth)
{
    dlp_WorldDef def = study_world_def(run, method->name);
    def.threads = 1; /* times are compared on one thread */
    def.spacing = spacing;
    def.gravity = (dlp_Vec3){0, 0, -GRAVITY};
    def.periodic_size = (dlp_Vec3){0, depth, 0};
    dlp_World *world = study_world(run, &def);
    study_floor(run, world, friction);
    return world;
}

/* Kernel sum of the particles within a radius R, with the kernel (1 - r^2/R^2)^2, and the distance of their centroid, in R. */
typedef struct Surrounding {
    double sum, offset;
} Surrounding;

static Surrounding surrounding_of(const StudyParticles *particles, int64_t i, double radius, double depth)
{
    double sum = 0, moment[3] = {0};
    for (int64_t j = 0; j < particles->count; j++) {
        double r[3];
        for (int a = 0; a < 3; a++) {
            r[a] = (double)particles->position[j][a] - (double)particles->position[i][a];
        }
        r[1] -= depth > 0 ? depth * round(r[1] / depth) : 0;
        const double q = 1 - (r[0] * r[0] + r[1] * r[1] + r[2] * r[2]) / (radius * radius);
        if (q > 0) {
            sum += q * q;
            for (int a = 0; a < 3; a++) {
                moment[a] += q * q * r[a] / radius;
            }
        }
    }
    return (Surrounding){sum, sqrt(moment[0] * moment[0] + moment[1] * moment[1] + moment[2] * moment[2]) / sum};
}

/* Mean kernel sum of the particles away from surfaces; NaN if there are none. Each method defines its own density; this is the same
 * measure for all. */
static double inner_density(StudyRun *run, const dlp_World *world, double depth)
{
    enum { EVERY = 5 /* one particle in five is a sufficient sample */ };
    const double balanced = 0.02; /* centroid of an inner particle; at a free face it is 0.3 */
    StudyParticles particles = {0};
    const double radius = world ? 3 * dlp_world_def(world).spacing : 0;
    double sum = 0;
    int64_t count = 0;
    study_read(run, world, &particles);
    for (int64_t i = 0; i < particles.count; i += EVERY) {
        const Surrounding around = surrounding_of(&particles, i, radius, depth);
        if ((double)particles.position[i][2] > radius && around.offset < balanced) {
            sum += around.sum;
            count++;
        }
    }
    study_particles_free(&particles);
    return sum / (double)count;
}

/* Half the length of the plane current (m) whose particles are as far from the middle as these, root mean square: that of Huppert's
 * profile (1 - (x/length)^2)^(1/3) is sqrt(3/11) of its length. A few particles that run ahead do not count more than others. */
static double current_length(StudyRun *run, const dlp_World *world)
{
    StudyParticles particles = {0};
    double sum = 0;
    study_read(run, world, &particles);
    for (int64_t i = 0; i < particles.count; i++) {
        sum += (double)particles.position[i][0] * (double)particles.position[i][0];
    }
    const double mean = sum / (double)particles.count;
    study_particles_free(&particles);
    return sqrt(11.0 / 3 * mean);
}

static double known_length(double t)
{
    const double area = HEIGHT * HEIGHT; /* m2, of one half */
    return FRONT * pow(GRAVITY * area * area * area * t / (3 * VISCOSITY / DENSITY), 0.2);
}

typedef struct HoneyOutput {
    StudyTable *table;
    StudyPicture *picture;
    StudyPlot *plot;
} HoneyOutput;

static void show(StudyRun *run, const HoneyOutput *output, const dlp_World *world, const int counts[3],
                 const char *caption)
{
    uint8_t *colors = study_bands(run, counts, 0, BANDS);
    study_panel(output->picture, world, colors, "%s", caption);
    free(colors);
}

static Result run_honey(StudyRun *run, const HoneyOutput *output, const Method *method, int n, bool is_first)
{
    Result result = {0};
    const double spacing = HEIGHT / n, depth = DEPTH * spacing;
    const int counts[3] = {2 * n, DEPTH, n}, frames = frames_of(run);
    study_case(run, "honey, %s", method->name);
    study_weigh(run, method->work);
    dlp_World *world = make_world(run, method, spacing, 1, depth);
    const dlp_MaterialId material = method->viscous
                                        ? STUDY_MATERIAL(run, world, {"density", DENSITY}, {"viscosity", VISCOSITY})
                                        : STUDY_MATERIAL(run, world, {"density", DENSITY});
    study_block(run, world,
                &(StudyBlock){.material = material, .counts = {2 * n, DEPTH, n}, .corner = {-HEIGHT, 0, 0}});
    StudySeries *series = study_series(output->plot, "%s", method->name);
    const double density = inner_density(run, world, depth);
    if (is_first) {
        show(run, output, world, counts, "at the start");
    }
    while (result.frames < frames && run_frame(run, world, &result)) {
        result.value = current_length(run, world);
        result.error = result.value / known_length(result.frames * FRAME) - 1;
        study_point(series, result.frames * FRAME, 1 + result.error);
        if (result.frames == PICTURE_FRAME) {
            show(run, output, world, counts, method->name);
        }
    }
    result.broken = result.frames < frames;
    result.density = inner_density(run, world, depth) / density;
    dlp_world_destroy(world);
    return result;
}

static const char *honey_words(const Method *method, const Result *result)
{
    if (result->broken) {
        return "breaks down";
    }
    if (!method->viscous) {
        return "has no viscosity: flows away like water";
    }
    if (fabs(result->error) <= WANTED) {
        return "spreads as known";
    }
    return fabs(result->error) <= CLOSE ? "close" : result->error > 0 ? "spreads too far" : "spreads too little";
}

static HoneyOutput make_honey_output(StudyRun *run, int n)
{
    const HoneyOutput output = {
        .table = study_table(run, "honey", "A block of honey on a floor at the end, one thread"),
        .picture = study_picture(run, "honey_picture", "Right half of a block of honey (10 Pa s) after 0.5 s",
                                 STUDY_VIEW_SIDE),
        .plot = study_plot(run, "length_plot", "Spreading of a block of honey", "time, s",
                           "length over that of Huppert"),
    };
    static const char *const columns[][2] = {
        {"method", ""},           {"half length", "m"},    {"known", "m"},         {"error", "%"},
        {"time per frame", "ms"}, {"steps per frame", ""}, {"density inside", ""}, {"result", ""}};
    study_columns(output.table, columns, sizeof columns / sizeof columns[0]);
    study_ground(output.picture);
    study_window(output.picture, (dlp_Vec3){0, 0, 0}, (dlp_Vec3){0.35, DEPTH * HEIGHT / n, HEIGHT});
    study_range_y(output.plot, 0.5, 1.5);
    return output;
}

static void add_honey_row(StudyTable *table, const Method *method, const Result *result)
{
    study_word(table, "%s", method->name);
    study_number(table, result->value);
    study_number(table, known_length(result->frames * FRAME));
    study_number(table, 100 * result->error);
    study_number(table, 1000 * result->seconds / fmax(result->frames, 1));
    study_number(table, (double)result->steps / fmax(result->frames, 1));
    study_number(table, result->density);
    study_word(table, "%s", honey_words(method, result));
}

/* Mean height of the topmost layer above the lowest one (m). */
static double layer_distance(StudyRun *run, const dlp_World *world, int n)
{
    StudyParticles particles = {0};
    double sum = 0;
    study_read(run, world, &particles);
    const int64_t layer = (int64_t)n * n;
    for (int64_t i = 0; i < layer && particles.count > layer; i++) {
        sum += (double)particles.position[particles.count - 1 - i][2] - (double)particles.position[i][2];
    }
    study_particles_free(&particles);
    return sum / (double)layer;
}

/* The shortening (m) between two heights of a neo-Hookean bar under its own weight, free to widen: each part supports the weight above
 * it, G (1/stretch^2 - stretch) = density gravity (height - z). */
static double known_sag(double bottom, double top)
{
    enum { PARTS = 1000 };
    double sag = 0;
    for (int i = 0; i < PARTS; i++) {
        const double z = bottom + (top - bottom) * (i + 0.5) / PARTS;
        const double load = JELLY * GRAVITY * (HEIGHT - z) / MODULUS;
        double stretch = 1;
        for (int turn = 0; turn < 20; turn++) {
            stretch -= (load - 1 / (stretch * stretch) + stretch) / (2 / (stretch * stretch * stretch) + 1);
        }
        sag += (1 - stretch) * (top - bottom) / PARTS;
    }
    return sag;
}

/* Automatic steps, or steps of dt (s). The sag is a mean over time, because a cube with little damping still oscillates. */
static Result run_jelly(StudyRun *run, const Method *method, int n, double dt)
{
    Result result = {0};
    double sum = 0, weight = 0;
    study_case(run, "jelly, %s, %s", method->name, dt > 0 ? "short steps" : "automatic steps");
    study_weigh(run, JELLY_WORK * method->work);
    dlp_World *world = make_world(run, method, HEIGHT / n, 0, 0);
    const dlp_MaterialId material = STUDY_MATERIAL(run, world, {"density", JELLY}, {"modulus", MODULUS});
    study_cube(run, world, material, n, 0);
    const double distance = layer_distance(run, world, n);
    const int frames = frames_of(run);
    while (world && result.frames < frames && run_step(run, world, (result.frames + 1) * FRAME, dt, &result)) {
        const double time = dlp_world_time(world), length = dlp_world_step_length(world);
        if (time > 0.5 * frames * FRAME) {
            sum += length * (distance - layer_distance(run, world, n));
            weight += length;
        }
        if (time >= (result.frames + 1 - 1e-6) * FRAME) {
            study_advance(run, 1);
            result.frames++;
        }
    }
    result.broken = result.frames < frames;
    result.value = sum / weight;
    result.error = result.value / known_sag(0.5 * HEIGHT / n, HEIGHT * (1 - 0.5 / n)) - 1;
    dlp_world_destroy(world);
    return result;
}

static const char *jelly_words(const Result *result)
{
    if (result->broken) {
        return "breaks down";
    }
    if (result->value > COLLAPSED * HEIGHT) {
        return "collapses";
    }
    if (fabs(result->error) <= WANTED) {
        return "sags as known";
    }
    return fabs(result->error) <= CLOSE ? "close" : result->error > 0 ? "too soft" : "too stiff";
}

static void add_jelly_row(StudyRun *run, StudyTable *table, const Method *method, int n, double *error)
{
    study_word(table, "%s", method->name);
    if (!method->elastic) {
        const double nothing[] = {NAN, NAN, NAN, NAN, NAN, NAN};
        study_numbers(table, nothing, sizeof nothing / sizeof nothing[0]);
        study_word(table, "has no elasticity");
        return;
    }
    const Result result = run_jelly(run, method, n, 0), fine = run_jelly(run, method, n, SHORT_STEP);
    study_number(table, 1000 * result.value);
    study_number(table, 1000 * known_sag(0.5 * HEIGHT / n, HEIGHT * (1 - 0.5 / n)));
    study_number(table, 100 * result.error);
    study_number(table, 1000 * result.seconds / fmax(result.frames, 1));
    study_number(table, (double)result.steps / fmax(result.frames, 1));
    study_number(table, 100 * fine.error);
    study_word(table, "%s", jelly_words(&result));
    *error = result.error;
}

static StudyTable *make_jelly_table(StudyRun *run)
{
    static const char *const columns[][2] = {{"method", ""},
                                             {"sag", "mm"},
                                             {"known", "mm"},
                                             {"error", "%"},
                                             {"time per frame", "ms"},
                                             {"steps per frame", ""},
                                             {"error, steps of 1 ms", "%"},
                                             {"result", ""}};
    StudyTable *table = study_table(run, "jelly",
                                    "A cube of jelly on a slippery floor, mean over the second half, one thread");
    study_columns(table, columns, sizeof columns / sizeof columns[0]);
    return table;
}

static void run(StudyRun *run)
{
    const int n = run->quick ? 8 : 24, cube = run->quick ? 6 : 12; /* particles high */
    const HoneyOutput honey = make_honey_output(run, n);
    StudyTable *jelly = make_jelly_table(run);
    double work = 0, honey_errors[METHODS] = {0}, jelly_errors[METHODS] = {0};
    for (int i = 0; i < METHODS; i++) {
        work += frames_of(run) * methods[i].work * (1 + (methods[i].elastic ? 2 * JELLY_WORK : 0));
    }
    study_plan(run, work);
    for (int i = 0; i < METHODS && study_going(run); i++) {
        const Result result = run_honey(run, &honey, &methods[i], n, i == 0);
        add_honey_row(honey.table, &methods[i], &result);
        honey_errors[i] = result.error;
    }
    for (int i = 0; i < METHODS && study_going(run); i++) {
        add_jelly_row(run, jelly, &methods[i], cube, &jelly_errors[i]);
    }
    const double bound = study_bound(run, WANTED, WANTED_QUICK);
    study_verdict(run, fabs(honey_errors[0]) <= bound && fabs(jelly_errors[0]) <= bound,
                  "method %s is off by %.1f %% in the length of the honey and by %.1f %% in the sag of the jelly",
                  methods[0].name, 100 * honey_errors[0], 100 * jelly_errors[0]);
}

const Study method_comparison_study = {
    .name = "method-comparison",
    .paper = "known answer",
    .claim =
        "All methods on the same scenes: with the default method a block of honey spreads (Huppert 1982) and a cube of jelly sags as "
        "its material says, within 3 %.",
    .run = run,
};

/* Films that run down a vertical wall. A periodic film of a few layers reaches the speed of Nusselt's solution; a patch of three layers with
 * edges runs down a sticky wall and must not open holes as long as it is a layer thick on average. */
#include "studies/study_output.h"
#include "studies/study_world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GRAVITY    9.81   /* m/s2 */
#define DENSITY    1000.0 /* kg/m3 */
#define SPACING    5e-3   /* m */
#define VISCOSITY  10.0   /* Pa s */
#define SPEED_MOST 0.03   /* target of the errors of flow rate and speed */
#define HOLE_REACH 1.5    /* spacings, around a point of the wall, within which there is fluid */
#define HOLES_MOST 0.0    /* target of the fraction of the patch in holes */
#define PATCH_DT   2e-3   /* s */
#define PATCH_END  3.0    /* s */
enum {
    ALONG = 8 /* spacings, along and across a periodic film */,
    STEPS = 40 /* in a viscous time */,
    TIMES = 5,
    PATCH_ALONG = 24,
    PATCH_ACROSS = 24,
    PATCH_LAYERS = 3,
    PATCH_EVERY = 10,
    CELLS = 512
};

typedef struct Film {
    int layers;
    double viscosity; /* Pa s */
    bool quick;
} Film;

static const Film films[] = {
    {2, VISCOSITY, true}, {3, VISCOSITY, true}, {5, VISCOSITY, true}, {8, VISCOSITY, false},
    {2, 100, false},      {3, 100, false},      {5, 100, false},
};
enum { FILMS = sizeof films / sizeof films[0] };

/* The wall is the plane y = 0, the fluid at y > 0; gravity acts along -z. */
static void add_wall(StudyRun *run, dlp_World *world, double stickiness)
{
    dlp_SolidDef wall = dlp_default_solid_def();
    wall.friction = 1;
    wall.stickiness = stickiness;
    wall.shape.kind = DLP_SHAPE_PLANE;
    wall.shape.rotation.x = -0.5 * 3.14159265358979323846; /* its normal z becomes y */
    study_solid(run, world, &wall);
}

static dlp_World *make_film(StudyRun *run, double viscosity, const int counts[3], bool periodic)
{
    dlp_WorldDef def = study_world_def(run, "physical");
    def.spacing = SPACING;
    def.gravity = (dlp_Vec3){0, 0, -GRAVITY};
    def.periodic_size = periodic ? (dlp_Vec3){counts[0] * SPACING, 0, counts[2] * SPACING} : (dlp_Vec3){0, 0, 0};
    dlp_World *world = study_world(run, &def);
    add_wall(run, world, 1e4);
    const dlp_MaterialId material = STUDY_MATERIAL(run, world, {"density", DENSITY}, {"viscosity", viscosity});
    study_block(run, world,
                &(StudyBlock){.material = material, .counts = {counts[0], counts[1], counts[2]}, .corner = {0, 0, 0}});
    return world;
}

/* Against Nusselt's solution u = rho g (h y - y^2 / 2) / eta. A particle stands for a layer one spacing thick, whose mean speed is that at its
 * middle less rho g d^2 / (24 eta). */
typedef struct Speeds {
    double flow;    /* flow rate over rho g h^3 / (3 eta) */
    double outer;   /* speed of the outer layer over its known mean */
    double deficit; /* what the outer layer lacks, in rho g d^2 / eta */
    double thick;   /* spacings, distance of the outer layer plus a half */
} Speeds;

static Speeds read_speeds(StudyRun *run, const dlp_World *world, const Film *film)
{
    const double h = film->layers * SPACING, scale = DENSITY * GRAVITY / film->viscosity;
    StudyParticles particles = {0};
    double speed = 0, outer = 0, outer_known = 0, outer_y = 0, outer_count = 0;
    study_read(run, world, &particles);
    for (int64_t i = 0; i < particles.count; i++) {
        const double y = (double)particles.position[i][1], u = -(double)particles.velocity[i][2];
        speed += u;
        if (y > h - SPACING) {
            outer += u;
            outer_known += scale * (h * y - y * y / 2 - SPACING * SPACING / 24);
            outer_y += y;
            outer_count++;
        }
    }
    const double mean = scale * h * h / 3 * (double)particles.count;
    const Speeds speeds = {speed / mean, outer / outer_known,
                           (outer_known - outer) / outer_count / (scale * SPACING * SPACING),
                           outer_y / outer_count / SPACING + 0.5};
    study_particles_free(&particles);
    return speeds;
}

static Speeds run_film(StudyRun *run, const Film *film, StudyPlot *plot)
{
    const int counts[3] = {ALONG, film->layers, ALONG};
    const double h = film->layers * SPACING,
                 time = DENSITY * h * h / film->viscosity; /* s, 1 / 2.5 of it settles a film by e */
    const double dt = fmin(time / STEPS, 5e-3);
    study_case(run, "%d layers, %g Pa s", film->layers, film->viscosity);
    study_weigh(run, film->layers);
    dlp_World *world = make_film(run, film->viscosity, counts, true);
    StudySeries *series = study_series(plot, "%d layers, %g Pa s", film->layers, film->viscosity);
    const int steps = (int)ceil(TIMES * time / dt);
    Speeds speeds = {0};
    for (int step = 1; step <= steps && study_step(run, world, dt); step++) {
        speeds = read_speeds(run, world, film);
        study_point(series, dlp_world_time(world) / time, speeds.flow);
    }
    dlp_world_destroy(world);
    return speeds;
}

/* Points of the wall, a grid of half a spacing: which have fluid within HOLE_REACH, and which lie inside the outline of the patch, that is
 * between fluid on all four sides. */
typedef struct Patch {
    double area;  /* m2, inside the outline */
    double holes; /* fraction of it without fluid */
    double thick; /* spacings, volume over area */
    double local; /* spacings, largest thickness that the film should have at a hole; 0 without holes */
} Patch;

/* A window of the wall, 256 spacings wide and high: its lower corner. Particles that leave it do not count. */
typedef struct Window {
    double x, z; /* m */
} Window;

static Window window_of(const StudyParticles *particles)
{
    double highest = -INFINITY;
    for (int64_t i = 0; i < particles->count; i++) {
        highest = fmax(highest, (double)particles->position[i][2]);
    }
    return (Window){(PATCH_ACROSS - 0.5 * CELLS) * SPACING / 2, highest + (4 - 0.5 * CELLS) * SPACING};
}

static void cover(uint8_t (*covered)[CELLS], double x, double z)
{
    const double cell = SPACING / 2;
    const int reach = (int)ceil(2 * HOLE_REACH), cx = (int)(x / cell), cz = (int)(z / cell);
    for (int i = cx - reach; i <= cx + reach; i++) {
        for (int k = cz - reach; k <= cz + reach; k++) {
            const double dx = (i + 0.5) * cell - x, dz = (k + 0.5) * cell - z;
            if (i >= 0 && k >= 0 && i < CELLS && k < CELLS && dx * dx + dz * dz < pow(HOLE_REACH * SPACING, 2)) {
                covered[i][k] = 1;
            }
        }
    }
}

/* Marks, in bit `mark`, the cells that have covered ones before and behind them along a row. */
static void mark_between(uint8_t (*covered)[CELLS], int row, bool along_x, uint8_t mark)
{
    int first = CELLS, last = -1;
    for (int n = 0; n < CELLS; n++) {
        const uint8_t cell = along_x ? covered[n][row] : covered[row][n];
        first = (cell & 1) && n < first ? n : first;
        last = (cell & 1) ? n : last;
    }
    for (int n = first; n <= last; n++) {
        *(along_x ? &covered[n][row] : &covered[row][n]) |= mark;
    }
}

/* m, of a film that drains from an edge at `below` above (Jeffreys). */
static double jeffreys(double viscosity, double below, double time)
{
    return fmin(PATCH_LAYERS * SPACING, sqrt(viscosity * fmax(below, 0) / (DENSITY * GRAVITY * time)));
}

static Patch measure_patch(const StudyParticles *particles, double viscosity, double time)
{
    enum { COVERED = 1, ALONG_X = 2, ALONG_Z = 4, INSIDE = ALONG_X | ALONG_Z };
    static uint8_t covered[CELLS][CELLS];
    const double size = CELLS * SPACING / 2;
    const Window window = window_of(particles);
    double inside = 0, empty = 0, volume = 0, local = 0;
    memset(covered, 0, sizeof covered);
    for (int64_t i = 0; i < particles->count; i++) {
        const double x = (double)particles->position[i][0] - window.x, z = (double)particles->position[i][2] - window.z;
        if (x > 0 && z > 0 && x < size && z < size) {
            cover(covered, x, z);
            volume += pow(SPACING, 3);
        }
    }
    for (int row = 0; row < CELLS; row++) {
        mark_between(covered, row, true, ALONG_X);
        mark_between(covered, row, false, ALONG_Z);
    }
    for (int i = 0; i < CELLS; i++) {
        for (int k = 0; k < CELLS; k++) {
            const bool within = (covered[i][k] & INSIDE) == INSIDE, hole = within && !(covered[i][k] & COVERED);
            const double z = window.z + (k + 0.5) * SPACING / 2;
            inside += within;
            empty += hole;
            local = hole ? fmax(local, jeffreys(viscosity, PATCH_ALONG * SPACING - z, time)) : local;
        }
    }
    const double area = inside * SPACING * SPACING / 4;
    return (Patch){area, empty / inside, volume / area / SPACING, local / SPACING};
}

/* What became of the patch while it was at least a layer thick. */
typedef struct Run {
    double holes_most;       /* fraction of the patch */
    double local_most;       /* spacings, largest thickness that the film should have at a hole */
    double thick;            /* spacings, mean at the end */
    double time, first_hole; /* s */
} Run;

static Run run_patch(StudyRun *run, double viscosity, StudyPlot *plot, StudyPicture *picture)
{
    const int counts[3] = {PATCH_ACROSS, PATCH_LAYERS, PATCH_ALONG};
    Run result = {.thick = INFINITY, .first_hole = NAN};
    StudyParticles particles = {0};
    study_case(run, "patch, %g Pa s", viscosity);
    study_weigh(run, (double)PATCH_ALONG * PATCH_ACROSS * PATCH_LAYERS / (ALONG * ALONG));
    dlp_World *world = make_film(run, viscosity, counts, false);
    StudySeries *holes = study_series(plot, "holes, %g Pa s", viscosity),
                *thick = study_series(plot, "layers, %g Pa s", viscosity);
    const int steps = (int)lround(PATCH_END / PATCH_DT);
    for (int step = 1; step <= steps && result.thick >= 1 && study_step(run, world, PATCH_DT); step++) {
        if (step % PATCH_EVERY == 0) {
            study_read(run, world, &particles);
            result.time = dlp_world_time(world);
            const Patch patch = measure_patch(&particles, viscosity, result.time);
            result.thick = patch.thick;
            result.holes_most = patch.thick >= 1 ? fmax(result.holes_most, patch.holes) : result.holes_most;
            result.local_most = patch.thick >= 1 ? fmax(result.local_most, patch.local) : result.local_most;
            result.first_hole = isnan(result.first_hole) && patch.holes > 0 ? result.time : result.first_hole;
            study_point(holes, result.time, 100 * patch.holes);
            study_point(thick, result.time, patch.thick);
        }
        if (step % (steps / 6) == 0) {
            study_panel(picture, world, NULL, "%g Pa s, %.1f s", viscosity, dlp_world_time(world));
        }
    }
    study_particles_free(&particles);
    dlp_world_destroy(world);
    return result;
}

static void run(StudyRun *run)
{
    static const char *const film_columns[][2] = {{"layers", ""},
                                                  {"viscosity", "Pa.s"},
                                                  {"flow rate", ""},
                                                  {"speed of the outer layer", ""},
                                                  {"its deficit", "rho g d^2/eta"},
                                                  {"thickness", "layers"}};
    static const char *const patch_columns[][2] = {
        {"viscosity", "Pa.s"}, {"largest part in holes", "%"}, {"thickest place with a hole", "layers"},
        {"first hole", "s"},   {"layers at the end", ""},      {"time", "s"}};
    static const double viscosities[] = {10, 50};
    StudyTable *table = study_table(run, "films", "Periodic films, over Nusselt's solution");
    StudyTable *patches = study_table(run, "patches", "Patches of three layers");
    StudyPlot *plot = study_plot(run, "speed_plot", "Films on a vertical wall",
                                 "time, over density thickness^2 / viscosity", "flow rate over the known one");
    StudyPlot *hole_plot = study_plot(run, "hole_plot", "A patch running down", "time, s",
                                      "part in holes, %; thickness, layers");
    StudyPicture *picture = study_picture(run, "patch_picture", "Patches, seen from the front", STUDY_VIEW_SIDE);
    double error = 0, outer = 0, holes = 0;
    study_columns(table, film_columns, sizeof film_columns / sizeof film_columns[0]);
    study_columns(patches, patch_columns, sizeof patch_columns / sizeof patch_columns[0]);
    study_panels_per_row(picture, 6);
    study_plan(run, (run->quick ? 10 : 28) * STEPS * TIMES + (run->quick ? 1 : 2) * 27.0 * PATCH_END / PATCH_DT);
    for (int n = 0; n < FILMS && study_going(run); n++) {
        if (run->quick && !films[n].quick) {
            continue;
        }
        const Speeds speeds = run_film(run, &films[n], plot);
        const double row[] = {films[n].layers, films[n].viscosity, speeds.flow,
                              speeds.outer,    speeds.deficit,     speeds.thick};
        study_numbers(table, row, sizeof row / sizeof row[0]);
        error = fmax(error, fabs(speeds.flow - 1));
        outer = fmax(outer, fabs(speeds.outer - 1));
    }
    for (int n = 0; n < (run->quick ? 1 : 2) && study_going(run); n++) {
        const Run result = run_patch(run, viscosities[n], hole_plot, picture);
        const double row[] = {
            viscosities[n], 100 * result.holes_most, result.local_most, result.first_hole, result.thick, result.time};
        study_numbers(patches, row, sizeof row / sizeof row[0]);
        holes = fmax(holes, result.holes_most);
    }
    study_verdict(
        run, error <= SPEED_MOST && outer <= SPEED_MOST && holes <= HOLES_MOST,
        "flow rates of periodic films are within %.1f %% of Nusselt's, outer layers within %.1f %%; at most %.2f %% of a patch is in holes while it is a layer thick on average",
        100 * error, 100 * outer, 100 * holes);
}

const Study draining_film_study = {
    .name = "draining-film",
    .paper = "known answer",
    .claim =
        "The surface of a film of 2, 3 or 5 layers runs down a vertical wall at rho g h^2 / (2 eta), within 3 %; a patch of three layers "
        "has no hole until its mean thickness falls below one layer.",
    .run = run,
};

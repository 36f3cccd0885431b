#include "studies/floating.h"

#include "studies/study_output.h"

#include <math.h>

#define PI        3.14159265358979323846
#define DENSITY   1000.0 /* kg/m3, of the fluid                          */
#define VISCOSITY 2.0    /* Pa s: what bobs comes to rest soon           */
#define SIDE      0.16   /* m, of the tank                               */
#define DEPTH     0.1    /* m, of the fluid before the ball goes in      */
#define RADIUS    0.035  /* m                                            */
#define DURATION  1.5    /* s                                            */
#define CLEAR     1.5    /* radii, from its axis: there the level is flat */
#define LATE      1.0    /* s, from when on the depth is taken           */

typedef struct Tank {
    dlp_World *world;
    dlp_SolidId ball;
    double fluid; /* m3 */
} Tank;

/* One ball. */
typedef struct Ball {
    double density; /* kg/m3 */
    int size;       /* radius over spacing */
    double start;   /* of its centre, over the depth */
} Ball;

static void add_solids(StudyRun *run, Tank *tank, const Ball *of, double friction)
{
    dlp_SolidDef walls = dlp_default_solid_def(), ball = walls;
    walls.friction = ball.friction = 0.0;
    walls.shape.kind = DLP_SHAPE_CONTAINER;
    walls.shape.size = (dlp_Vec3){SIDE, SIDE, 1};
    walls.shape.position.z = 0.5;
    ball.shape.kind = DLP_SHAPE_SPHERE;
    ball.shape.radius = RADIUS;
    ball.shape.position = (dlp_Vec3){0.003, 0.002, of->start * DEPTH};
    ball.density = of->density;
    ball.friction = friction;
    study_solid(run, tank->world, &walls);
    tank->ball = study_solid(run, tank->world, &ball);
}

static Tank make_tank(StudyRun *run, const FloatingDef *def, const Ball *ball)
{
    const double spacing = RADIUS / ball->size;
    Tank tank = {0};
    dlp_WorldDef world = study_world_def(run, def->method);
    world.spacing = spacing;
    tank.world = study_world(run, &world);
    for (int n = 0; n < 2 && def->settings[n].name != NULL; n++) {
        study_set(run, tank.world, def->settings[n].name, def->settings[n].value);
    }
    add_solids(run, &tank, ball, def->friction);
    dlp_FluidDef fluid = dlp_default_fluid_def();
    fluid.material = STUDY_MATERIAL(run, tank.world, {"density", DENSITY}, {"viscosity", VISCOSITY});
    fluid.shape.kind = DLP_SHAPE_BOX;
    fluid.shape.size = (dlp_Vec3){SIDE, SIDE, DEPTH};
    fluid.shape.position.z = DEPTH / 2;
    tank.fluid = (double)study_fluid(run, tank.world, &fluid) * spacing * spacing * spacing;
    return tank;
}

/* m3 of the ball below a level. */
static double below(double level, double center)
{
    const double h = fmin(fmax(level - center + RADIUS, 0), 2 * RADIUS);
    return PI * h * h * (3 * RADIUS - h) / 3;
}

static double height_of(const Tank *tank)
{
    dlp_SolidState state = {0};
    dlp_world_solid_state(tank->world, tank->ball, &state);
    return state.position.z;
}

/* The level to which the ball has raised the fluid. */
static double level_of(const Tank *tank)
{
    const double center = height_of(tank);
    double level = DEPTH;
    for (int n = 0; n < 100; n++) {
        level = (tank->fluid + below(level, center)) / (SIDE * SIDE);
    }
    return level;
}

/* The same as it is seen: the mean of the highest particles in columns that stand clear of the ball. */
static double level_seen(StudyRun *run, const Tank *tank)
{
    enum { COLUMNS = 16 };
    const double wide = SIDE / COLUMNS, spacing = tank->world ? dlp_world_def(tank->world).spacing : 0;
    double top[COLUMNS * COLUMNS] = {0}, sum = 0;
    StudyParticles particles = {0};
    int count = 0;
    study_read(run, tank->world, &particles);
    for (int64_t i = 0; i < particles.count; i++) {
        const double x = (double)particles.position[i][0], y = (double)particles.position[i][1];
        const int column = (int)((x + SIDE / 2) / wide) + COLUMNS * (int)((y + SIDE / 2) / wide);
        if (hypot(x, y) > CLEAR * RADIUS && column >= 0 && column < COLUMNS * COLUMNS) {
            top[column] = fmax(top[column], (double)particles.position[i][2]);
        }
    }
    for (int n = 0; n < COLUMNS * COLUMNS; n++) {
        sum += top[n] > 0 ? top[n] + 0.5 * spacing : 0;
        count += top[n] > 0;
    }
    study_particles_free(&particles);
    return count > 0 ? sum / count : 0;
}

static double submerged(const Tank *tank, double level)
{
    return below(level, height_of(tank)) / (4.0 / 3 * PI * RADIUS * RADIUS * RADIUS);
}

typedef struct Found {
    double part;   /* under the surface, mean of the late steps */
    double height; /* m, of its centre in the end               */
} Found;

static Found float_ball(StudyRun *run, const FloatingDef *def, StudyPlot *plot, const Ball *ball)
{
    const int steps = (int)(DURATION * def->per_second), late = (int)(LATE * def->per_second);
    Found found = {0, 0};
    double level = DEPTH;
    study_case(run, "density %g, radius %d spacings, from %g of the depth", ball->density, ball->size, ball->start);
    study_weigh(run, pow(ball->size, 3));
    Tank tank = make_tank(run, def, ball);
    StudySeries *series = study_series(plot, "%g, %d", ball->density / DENSITY, ball->size);
    for (int step = 1; step <= steps && study_step(run, tank.world, 1.0 / def->per_second); step++) {
        level = !def->squeezed ? level_of(&tank) : step % 8 == 1 ? level_seen(run, &tank) : level;
        const double part = submerged(&tank, level);
        found.part += step > late ? part / (steps - late) : 0;
        found.height = height_of(&tank);
        study_point(series, (double)step / def->per_second, part);
    }
    dlp_world_destroy(tank.world);
    return found;
}

/* Both are let go, and what they come to. */
typedef struct Floated {
    double part, apart; /* under the surface, and half of what lies between the two */
    double height;      /* m, of the higher one in the end */
} Floated;

static Floated float_from_all(StudyRun *run, const FloatingDef *def, StudyPlot *plot, double density, int size)
{
    const Found first = float_ball(run, def, plot, &(Ball){density, size, def->starts[0]});
    if (def->starts[1] <= 0) {
        return (Floated){first.part, 0, first.height};
    }
    const Found second = float_ball(run, def, plot, &(Ball){density, size, def->starts[1]});
    return (Floated){(first.part + second.part) / 2, fabs(first.part - second.part) / 2,
                     fmax(first.height, second.height)};
}

static StudyTable *make_table(StudyRun *run)
{
    static const char *const columns[][2] = {{"density over that of the fluid", ""},
                                             {"radius over spacing", ""},
                                             {"under the surface", ""},
                                             {"between starts, +-", ""},
                                             {"off by", "%"},
                                             {"height in the end", "m"}};
    StudyTable *table = study_table(run, "floating", "Balls in a tank");
    study_columns(table, columns, sizeof columns / sizeof columns[0]);
    return table;
}

void floating_run(StudyRun *run, const FloatingDef *def)
{
    static const double densities[] = {300, 600, 900, 1200};
    const int count = run->quick ? 1 : 2, starts = def->starts[1] > 0 ? 2 : 1;
    StudyTable *table = make_table(run);
    StudyPlot *plot = study_plot(run, "depth_plot", "Balls of four densities in a tank", "time, s",
                                 "part under the surface");
    double worst = 0, work = 0;
    bool sinks = true;
    for (int n = 0; n < count; n++) {
        work += 4 * starts * DURATION * def->per_second * pow(def->sizes[n], 3);
    }
    study_plan(run, work);
    for (int i = 0; i < 4 * count; i++) {
        const double density = densities[i / count], known = fmin(density / DENSITY, 1);
        const Floated found = float_from_all(run, def, plot, density, def->sizes[i % count]);
        const double row[] = {density / DENSITY, def->sizes[i % count],          found.part,
                              found.apart,       100 * (found.part / known - 1), found.height};
        for (size_t k = 0; k < sizeof row / sizeof row[0]; k++) {
            study_number(table, row[k]);
        }
        if (density > DENSITY) {
            sinks = sinks && found.height < def->sunk;
        } else if (i % count == count - 1) {
            worst = fmax(worst, fabs(found.part / known - 1));
        }
    }
    const double wanted = study_bound(run, def->wanted, def->quick > 0 ? def->quick : def->wanted);
    study_verdict(run, worst <= wanted && sinks,
                  "depths are off by at most %.1f %% at the finest resolution; the heavy ball %s below %.1f cm",
                  100 * worst, sinks ? "sinks" : "does not sink", 100 * def->sunk);
}

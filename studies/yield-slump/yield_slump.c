/* Cylinders of a yield-stress fluid slump until their weight no longer exceeds the yield stress: the height where they barely slump (Murata,
 * Pashias), the radius where they spread far (Roussel and Coussot). */
#include "studies/paste_layer.h"
#include "studies/study_output.h"

#include <math.h>

#define PI      3.14159265358979323846
#define GRAVITY 9.81
#define HEIGHT  0.05 /* m, of the cylinder, which is as wide as it is high */
#define STEP    2e-3 /* s */
#define LASTS   1.2  /* s */
#define WANTED  0.10
#define FINE    (HEIGHT / 16)
#define QUICK   (HEIGHT / 10)

/* Yield stress over density * gravity * height. The viscosity keeps inertia small. */
typedef struct Slump {
    double yield, viscosity; /* , Pa s */
    bool spreads;
} Slump;

static const Slump slumps[] = {{0.2, 20, false}, {0.1, 20, false}, {0.04, 5, true}};
enum { SLUMPS = (int)(sizeof slumps / sizeof *slumps) };

/* The final height over the first: the top part that its own weight does not shear stays, the rest flows until the stress under each of
 * its layers is the yield stress (Murata 1984; Pashias et al. 1996). */
static double known_height(double yield)
{
    return 2 * yield * (1 - log(2 * yield));
}

/* m: a flat cake whose height is sqrt(2 yield_stress (R - r) / (density gravity)), from the volume (Roussel and Coussot 2005). */
static double known_radius(double yield_stress, double volume)
{
    return pow(225 * PASTE_DENSITY * GRAVITY * volume * volume / (128 * PI * PI * yield_stress), 0.2);
}

/* m, of that cake, from the root mean square distance of its particles from the axis: that is 0.617 of its radius. */
static double measured_radius(StudyRun *run, const dlp_World *world)
{
    StudyParticles particles = {0};
    const dlp_WorldStats stats = study_stats(run, world);
    double square = 0;
    study_read(run, world, &particles);
    for (int64_t i = 0; i < particles.count; i++) {
        const double x = (double)particles.position[i][0] - stats.center.x,
                     y = (double)particles.position[i][1] - stats.center.y;
        square += x * x + y * y;
    }
    const double cake = (tgamma(4) / tgamma(5.5)) / (tgamma(2) / tgamma(3.5)); /* mean of (r / R)^2 */
    const double mean = square / (double)particles.count;
    study_particles_free(&particles);
    return sqrt(mean / cake);
}

typedef struct Slumped {
    double measured, known;
} Slumped;

static Slumped slump(StudyRun *run, const Slump *s, double spacing)
{
    const double yield_stress = s->yield * PASTE_DENSITY * GRAVITY * HEIGHT;
    dlp_WorldDef def = study_world_def(run, "physical");
    dlp_FluidDef cylinder = dlp_default_fluid_def();
    study_case(run, "yield stress %g Pa, %g mm between particles", yield_stress, 1e3 * spacing);
    study_weigh(run, pow(FINE / spacing, 3));
    def.spacing = spacing;
    dlp_World *world = study_world(run, &def);
    study_floor(run, world, 1);
    cylinder.material = paste_material(run, world, &(Paste){"", yield_stress, s->viscosity, 1, 0});
    cylinder.shape.kind = DLP_SHAPE_CYLINDER;
    cylinder.shape.radius = HEIGHT / 2;
    cylinder.shape.length = HEIGHT;
    cylinder.shape.position.z = HEIGHT / 2;
    const double volume = (double)study_fluid(run, world, &cylinder) * pow(spacing, 3);
    study_run_for(run, world, LASTS, STEP);
    const double height = study_stats(run, world).upper.z + spacing / 2;
    const Slumped slumped = s->spreads ? (Slumped){measured_radius(run, world), known_radius(yield_stress, volume)}
                                       : (Slumped){height, HEIGHT * known_height(s->yield)};
    dlp_world_destroy(world);
    return slumped;
}

static void run(StudyRun *run)
{
    static const double spacings[] = {QUICK, FINE};
    const int count = run->quick ? 1 : 2;
    StudyTable *table = study_table(run, "slump", "Slump of yield-stress fluids");
    static const char *const columns[][2] = {{"yield stress", "Pa"}, {"spacing", "mm"}, {"quantity", ""},
                                             {"measured", "mm"},     {"known", "mm"},   {"error", "%"}};
    study_columns(table, columns, sizeof columns / sizeof *columns);
    study_plan(run, SLUMPS * LASTS / STEP * (pow(FINE / QUICK, 3) + (run->quick ? 0 : 1)));
    double worst = 0;
    for (int i = 0; i < SLUMPS * count && study_going(run); i++) {
        const Slump *s = &slumps[i / count];
        const double spacing = spacings[i % count];
        const Slumped slumped = slump(run, s, spacing);
        const double error = slumped.measured / slumped.known - 1;
        study_numbers(table, (double[]){s->yield * PASTE_DENSITY * GRAVITY * HEIGHT, 1e3 * spacing}, 2);
        study_word(table, s->spreads ? "radius" : "height");
        study_numbers(table, (double[]){1e3 * slumped.measured, 1e3 * slumped.known, 100 * error}, 3);
        worst = fmax(worst, i % count == count - 1 ? fabs(error) : 0);
    }
    study_verdict(run, worst <= study_bound(run, WANTED, 2 * WANTED),
                  "at the finest resolution heights and radii are off by at most %.0f %%", 100 * worst);
}

const Study yield_slump_study = {
    .name = "yield-slump",
    .paper = "known answer",
    .claim =
        "Cylinders of a yield-stress fluid slump to the height of Murata and Pashias and spread to the radius of Roussel and Coussot, "
        "within 10 %.",
    .run = run,
};

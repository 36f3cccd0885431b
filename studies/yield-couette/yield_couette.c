/* Shear between planes: the force that a sliding plane needs, measured on the solids, against the law of the fluid. */
#include "studies/paste_layer.h"
#include "studies/study_output.h"

#include <dollop/probe.h>

#include <math.h>

#define HEIGHT  0.01 /* m */
#define SETTLED 0.1  /* s, at least, and */
#define STRAIN  0.5  /*    at least, before the force is measured */
#define WANTED  0.03
enum { WIDE = 8, MEASURED = 50 /* steps */, FORCE_COLUMNS = 19 };

static const Paste pastes[] = {
    {"Bingham", 20, 1, 1, 0},
    {"Herschel-Bulkley", 20, 5, 0.5, 0},
};
static const double rates[] = {0.1, 1, 10, 100}; /* 1/s */
enum { PASTES = (int)(sizeof pastes / sizeof *pastes), RATES = (int)(sizeof rates / sizeof *rates) };

typedef struct Case {
    int across;
    double dt; /* s */
} Case;

static int steps_before(double rate, double dt)
{
    return (int)lround(fmax(SETTLED, STRAIN / rate) / dt);
}

/* Long steps where the flow is slow: a strain of at most 0.02 in each. */
static double step_at(const Case *c, double rate)
{
    return fmin(c->dt * fmax(1, 1 / rate), 0.02 / rate);
}

static dlp_ProbeId add_force(StudyRun *run, dlp_World *world, dlp_SolidId solid)
{
    dlp_ProbeDef def = dlp_default_probe_def();
    dlp_ProbeId probe = 0;
    def.kind = DLP_PROBE_FORCE;
    def.solid = solid;
    study_keep(run, world, dlp_world_add_probe(world, &def, &probe));
    return probe;
}

/* Pa: mean over the last steps of the force along x on the upper plane and of that on the lower one, which points the other way, over
 * twice the area. */
static double measured_stress(StudyRun *run, const Paste *paste, const Case *c, double rate)
{
    const double dt = step_at(c, rate), length = WIDE * HEIGHT / c->across;
    const int before = steps_before(rate, dt);
    double sum = 0;
    study_case(run, "%s at %g 1/s, %d particles across, steps of %g ms", paste->name, rate, c->across, 1e3 * dt);
    study_weigh(run, c->across);
    dlp_World *world = paste_layer(
        run,
        &(PasteLayer){.paste = *paste, .height = HEIGHT, .across = c->across, .wide = WIDE, .speed = rate * HEIGHT});
    const dlp_ProbeId lower = world ? add_force(run, world, 0) : 0, upper = world ? add_force(run, world, 1) : 0;
    for (int step = 0; step < before + MEASURED && study_step(run, world, dt); step++) {
        double below[FORCE_COLUMNS], above[FORCE_COLUMNS];
        study_keep(run, world, dlp_world_read_probe(world, lower, below, FORCE_COLUMNS));
        study_keep(run, world, dlp_world_read_probe(world, upper, above, FORCE_COLUMNS));
        if (step >= before) {
            sum += (below[1] - above[1]) / (2 * length * length);
        }
    }
    dlp_world_destroy(world);
    return sum / MEASURED;
}

static void run(StudyRun *run)
{
    static const Case cases[] = {{10, 1e-3}, {20, 4e-3}, {20, 2e-3}, {20, 1e-3}, {30, 1e-3}};
    static const Case quick[] = {{10, 1e-3}};
    const Case *chosen = run->quick ? quick : cases;
    const int count = run->quick ? 1 : (int)(sizeof cases / sizeof *cases);
    StudyTable *table = study_table(run, "stress", "Stress on sliding planes");
    StudyPlot *plot = study_plot(run, "stress_plot", "Stress on sliding planes", "shear rate, 1/s", "stress, Pa");
    static const char *const columns[][2] = {{"fluid", ""},       {"shear rate", "1/s"}, {"particles across", ""},
                                             {"time step", "ms"}, {"stress", "Pa"},      {"by the law", "Pa"},
                                             {"error", "%"}};
    study_columns(table, columns, sizeof columns / sizeof *columns);
    study_scales(plot, STUDY_LOG, STUDY_LOG);
    double work = 0, worst = 0;
    for (int i = 0; i < count * RATES; i++) {
        const int which = i / RATES;
        const double dt = step_at(&chosen[which], rates[i % RATES]);
        work += PASTES * chosen[which].across * (steps_before(rates[i % RATES], dt) + MEASURED);
    }
    study_plan(run, work);
    for (int p = 0; p < PASTES; p++) {
        StudySeries *series = study_series(plot, "%s", pastes[p].name),
                    *law = study_series(plot, "%s, law", pastes[p].name);
        study_style(series, p, STUDY_DOTS);
        study_style(law, p, STUDY_FINE);
        for (int i = 0; i < count * RATES && study_going(run); i++) {
            const Case *c = &chosen[i / RATES];
            const double rate = rates[i % RATES], known = paste_stress(&pastes[p], rate);
            const double stress = measured_stress(run, &pastes[p], c, rate), error = stress / known - 1;
            study_word(table, "%s", pastes[p].name);
            study_numbers(table, (double[]){rate, c->across, 1e3 * step_at(c, rate), stress, known, 100 * error}, 6);
            worst = fmax(worst, fabs(error));
            if (i / RATES == count - 1) {
                study_point(series, rate, stress);
                study_point(law, rate, known);
            }
        }
    }
    study_verdict(run, worst <= WANTED, "the force on the planes is off by at most %.2f %%", 100 * worst);
}

const Study yield_couette_study = {
    .name = "yield-couette",
    .paper = "known answer",
    .claim =
        "A plane that slides on a Bingham or Herschel-Bulkley fluid needs the force that follows from its law, within 3 %, over three "
        "decades of shear rate, at 10 to 30 particles across and steps of 1 to 4 ms.",
    .run = run,
};

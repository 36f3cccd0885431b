/* Plane Poiseuille flow of Bingham and Herschel-Bulkley fluids: a plug moves between two sheared layers. */
#include "studies/paste_layer.h"
#include "studies/study_output.h"

#include <math.h>

#define HALF     0.01 /* m, half of the channel's width                      */
#define DURATION 0.8  /* s; the flow is steady within 0.3 s                  */
#define AVERAGED 0.2  /* s, at the end, over which the profile is averaged   */
#define STEP     1e-3 /* s */
#define WANTED   0.02
#define QUICK    0.06 /* at 10 particles across */
enum { WIDE = 8, BANDS = 10 /* of the plot, from the axis to the wall */ };

/* The stress at the wall is twice the yield stress: the plug fills half of the channel. */
#define LOAD 2.0
static const Paste pastes[] = {
    {"Bingham", 20, 1, 1, 0},
    {"Herschel-Bulkley", 20, 5, 0.5, 0},
};
enum { PASTES = (int)(sizeof pastes / sizeof *pastes) };

/* m/s at a distance y from the axis if the plug has the half width `plug`, the stress growing to `wall` (Pa) at the walls. */
static double known_speed(const Paste *paste, double wall, double plug, double y)
{
    const double n = 1 / paste->index, steep = wall / HALF / paste->consistency;
    const double sheared = HALF - plug, away = fmax(fabs(y) - plug, 0);
    return pow(steep, n) / (n + 1) * (pow(sheared, n + 1) - pow(away, n + 1));
}

typedef struct Profile {
    double error; /* RMS of the difference from the known speed, over the largest known speed */
    double plug;  /* m, half width of the plug of the profile that fits best                    */
    double axis;  /* speed within a tenth of the axis over the known one                        */
    double speed[BANDS];
    double steps;
} Profile;

/* Sums over the particles of several steps. */
typedef struct Samples {
    double count, square, axis, axis_known, speed[BANDS], number[BANDS];
    double known_plug, wall;
    StudyParticles particles;
} Samples;

static void add_sample(StudyRun *run, const dlp_World *world, const Paste *paste, Samples *s)
{
    study_read(run, world, &s->particles);
    for (int64_t i = 0; i < s->particles.count; i++) {
        const double y = fabs((double)s->particles.position[i][2] - HALF), u = (double)s->particles.velocity[i][0];
        const double known = known_speed(paste, s->wall, s->known_plug, y);
        const int band = (int)fmin(y / HALF * BANDS, BANDS - 1);
        s->square += (u - known) * (u - known);
        s->count += 1;
        s->speed[band] += u;
        s->number[band] += 1;
        s->axis += y < 0.1 * HALF ? u : 0;
        s->axis_known += y < 0.1 * HALF ? known : 0;
    }
}

/* Sum of squares between the particles of the last step and the profile with this plug, whose largest speed fits best. */
static double misfit(const Samples *s, const Paste *paste, double plug)
{
    double both = 0, known_square = 0, square = 0;
    for (int64_t i = 0; i < s->particles.count; i++) {
        const double y = (double)s->particles.position[i][2] - HALF, u = (double)s->particles.velocity[i][0];
        const double known = known_speed(paste, s->wall, plug, y);
        both += u * known;
        known_square += known * known;
        square += u * u;
    }
    return square - both * both / known_square;
}

static double fit_plug(const Samples *s, const Paste *paste)
{
    double low = 0, high = 0.99 * HALF;
    for (int k = 0; k < 40; k++) {
        const double a = low + (high - low) / 3, b = high - (high - low) / 3;
        if (misfit(s, paste, a) < misfit(s, paste, b)) {
            high = b;
        } else {
            low = a;
        }
    }
    return (low + high) / 2;
}

static Profile flow(StudyRun *run, const Paste *paste, int across, double dt)
{
    Samples s = {.wall = LOAD * paste->yield_stress, .known_plug = HALF / LOAD};
    Profile profile = {0};
    study_case(run, "%s, %d particles across, steps of %g ms", paste->name, across, 1e3 * dt);
    study_weigh(run, across);
    dlp_World *world = paste_layer(run, &(PasteLayer){.paste = *paste,
                                                      .height = 2 * HALF,
                                                      .across = across,
                                                      .wide = WIDE,
                                                      .acceleration = {s.wall / HALF / PASTE_DENSITY, 0, 0}});
    const int steps = (int)lround(DURATION / dt), averaged = (int)lround(AVERAGED / dt);
    for (int step = 1; step <= steps && study_step(run, world, dt); step++) {
        if (step > steps - averaged) {
            add_sample(run, world, paste, &s);
        }
    }
    if (study_going(run)) {
        profile.error = sqrt(s.square / s.count) / known_speed(paste, s.wall, s.known_plug, 0);
        profile.axis = s.axis / s.axis_known;
        profile.plug = fit_plug(&s, paste);
        for (int band = 0; band < BANDS; band++) {
            profile.speed[band] = s.speed[band] / s.number[band];
        }
    }
    study_particles_free(&s.particles);
    dlp_world_destroy(world);
    return profile;
}

static void add_curves(StudyPlot *plot, const Paste *paste, int color, const Profile *profile)
{
    const double wall = LOAD * paste->yield_stress, plug = HALF / LOAD;
    StudySeries *measured = study_series(plot, "%s", paste->name);
    study_style(measured, color, STUDY_DOTS);
    for (int band = 0; band < BANDS; band++) {
        study_point(measured, 1e3 * HALF * (band + 0.5) / BANDS, 1e3 * profile->speed[band]);
    }
    StudySeries *known = study_series(plot, "%s, known", paste->name);
    study_style(known, color, STUDY_FINE);
    for (int k = 0; k <= 100; k++) {
        const double y = HALF * k / 100;
        study_point(known, 1e3 * y, 1e3 * known_speed(paste, wall, plug, y));
    }
}

typedef struct Case {
    int across;
    double dt; /* s */
} Case;

static void run(StudyRun *run)
{
    static const Case cases[] = {{20, 4 * STEP}, {20, 2 * STEP}, {20, STEP}, {10, STEP}, {40, STEP}};
    static const Case quick[] = {{10, 2 * STEP}};
    const Case *chosen = run->quick ? quick : cases;
    const int count = run->quick ? 1 : (int)(sizeof cases / sizeof *cases);
    StudyTable *table = study_table(run, "profile", "Channel flow of yield-stress fluids");
    StudyPlot *plot = study_plot(run, "profile_plot", "Speed in a channel", "distance from the axis, mm",
                                 "speed, mm/s");
    static const char *const columns[][2] = {{"fluid", ""},
                                             {"particles across", ""},
                                             {"time step", "ms"},
                                             {"error of the speed, RMS", "%"},
                                             {"speed on the axis over the known one", ""},
                                             {"half width of the plug", "mm"},
                                             {"error of the plug", "%"}};
    study_columns(table, columns, sizeof columns / sizeof *columns);
    double work = 0, worst = 0, worst_plug = 0;
    for (int i = 0; i < count; i++) {
        work += PASTES * chosen[i].across * DURATION / chosen[i].dt;
    }
    study_plan(run, work);
    for (int p = 0; p < PASTES; p++) {
        for (int i = 0; i < count && study_going(run); i++) {
            const Profile profile = flow(run, &pastes[p], chosen[i].across, chosen[i].dt);
            const double off = profile.plug / (HALF / LOAD) - 1;
            study_word(table, "%s", pastes[p].name);
            study_numbers(table,
                          (double[]){chosen[i].across, 1e3 * chosen[i].dt, 100 * profile.error, profile.axis,
                                     1e3 * profile.plug, 100 * off},
                          6);
            if (i == count - 1) { /* the finest */
                add_curves(plot, &pastes[p], p, &profile);
                worst = fmax(worst, profile.error);
                worst_plug = fmax(worst_plug, fabs(off));
            }
        }
    }
    const double bound = study_bound(run, WANTED, QUICK);
    study_verdict(run, worst <= bound && worst_plug <= bound,
                  "at the finest resolution speeds are off by %.1f %% of the largest (RMS) and plugs by %.1f %%",
                  100 * worst, 100 * worst_plug);
}

const Study yield_poiseuille_study = {
    .name = "yield-poiseuille",
    .paper = "known answer",
    .claim =
        "In a channel a Bingham and a Herschel-Bulkley fluid have the velocity profile and the plug of the analytic solution, "
        "within 2 % at 40 particles across.",
    .run = run,
};

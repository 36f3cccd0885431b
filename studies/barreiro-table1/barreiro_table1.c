/* Barreiro et al. 2017, Table 1: the time per frame in each of the paper's scenes, and its distribution; with the paper's solver,
 * and with the method physical at its default tolerance. */
#include "studies/study_output.h"

#include "table1_scenes.h"

#include <math.h>
#include <string.h>

/* Parts of a step, by the names of its stages. */
typedef enum Group { NEIGHBORS, VELOCITY, POSITION, DENSITY, SYSTEM, CONTACT, REST, GROUPS } Group;
static const char *const group_names[GROUPS] = {"search", "velocities", "positions", "density",
                                                "system", "contact",    "rest"};

enum { FRAMES_MOST = 16, STAGES_MOST = 64, PICTURED_MOST = 1000000 };
#define SPEED_LOST 100.0 /* m/s, a faster particle means instability: nothing here falls faster than 4 */

/* A scene as it is run here. */
typedef struct Case {
    const Table1Scene *scene;
    BarreiroSolver solver;
    double particles; /* wanted */
    int warm_up, frames;
} Case;

typedef struct Timing {
    double particles;       /* mean over the timed frames */
    double least, median;   /* s per frame */
    double iterations;      /* per step, mean */
    double rate;            /* million viscoelastic particle-iterations per second */
    double seconds[GROUPS]; /* of all timed frames */
    bool lost;              /* unstable: its times are meaningless */
    dlp_WorldStats stats;   /* at the end */
} Timing;

typedef struct Figures {
    StudyTable *frames, *shares;
    StudyPlot *plot;
    StudyPicture *picture;
} Figures;

/* Scenes with the paper's solver, then with the method physical, which takes longer. */
enum { CASES = 2 * TABLE1_SCENES };

static Case make_case(const StudyRun *run, int index)
{
    const bool physical = index >= TABLE1_SCENES;
    const Table1Scene *scene = &table1_scenes[index % TABLE1_SCENES];
    Case this = {.scene = scene,
                 .solver = physical ? BARREIRO_PHYSICAL : BARREIRO_DOUBLY,
                 .particles = scene->particles,
                 .warm_up = run->quick ? 1 : 4,
                 .frames = run->quick ? 3 : 7};
    if (physical && scene->particles > 50e3) {
        this.warm_up = this.frames = 1;
    }
    if (physical && scene == &table1_scenes[TABLE1_ARMADILLOS]) { /* not with 12 million */
        this.particles = run->quick ? 24e3 : 200e3;
    } else if (scene == &table1_scenes[TABLE1_ARMADILLOS]) {
        this.particles = run->large ? scene->particles : run->quick ? 24e3 : 200e3;
        this.warm_up = run->large ? 0 : 1;
        this.frames = run->large ? 3 : this.frames;
    } else if (run->quick && scene->particles > 50e3) {
        this.particles = scene->particles / 4;
    }
    return this;
}

/* Work of a step in particle-iterations; the part outside iterations costs about as much as eight. The method physical
 * iterates to its tolerance, about sixty times. */
static double step_work(const Case *this)
{
    return this->particles * ((this->solver == BARREIRO_PHYSICAL ? 60 : this->scene->iterations) + 8);
}

static Group group_of(const char *stage)
{
    static const struct {
        const char *start;
        Group group;
    } starts[] = {{"sort", NEIGHBORS},     {"neighbors", NEIGHBORS}, {"velocity ", VELOCITY},
                  {"position ", POSITION}, {"density", DENSITY},     {"contact", CONTACT},
                  {"samples", CONTACT},    {"wall ", CONTACT},       {"physical solve", SYSTEM}};
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        if (strncmp(stage, starts[i].start, strlen(starts[i].start)) == 0) {
            return starts[i].group;
        }
    }
    return REST;
}

/* Add `sign` times the stage times. */
static void add_stages(const dlp_World *world, double seconds[GROUPS], double sign)
{
    dlp_StageTime time;
    for (int i = 0; i < STAGES_MOST && dlp_world_stage_time(world, i, &time); i++) {
        seconds[group_of(time.name)] += sign * time.seconds;
    }
}

/* Runs one frame and returns its seconds. Adds to `iterations`. */
static double run_frame(StudyRun *run, const Case *this, dlp_World *world, double *iterations, bool *lost)
{
    double seconds = 0;
    for (int step = 0; step < this->scene->steps; step++) {
        const double begun = study_clock();
        if (*lost || !study_try_step(run, world, this->scene->time_step, lost)) {
            break;
        }
        seconds += study_clock() - begun;
        const dlp_WorldStats stats = study_stats(run, world);
        *lost = *lost || stats.speed_max > SPEED_LOST;
        *iterations += this->solver == BARREIRO_PHYSICAL ? (double)stats.iterations : this->scene->iterations;
    }
    return seconds;
}

static Timing time_frames(StudyRun *run, const Case *this, dlp_World *world)
{
    Timing timing = {0};
    double seconds[FRAMES_MOST], total = 0, warm_up = 0, iterations = 0;
    for (int frame = 0; frame < this->warm_up && study_going(run); frame++) {
        run_frame(run, this, world, &warm_up, &timing.lost);
    }
    if (!study_going(run)) {
        return timing;
    }
    add_stages(world, timing.seconds, -1);
    for (int frame = 0; frame < this->frames; frame++) {
        seconds[frame] = run_frame(run, this, world, &iterations, &timing.lost);
        total += seconds[frame];
        timing.particles += (double)dlp_world_particle_count(world) / this->frames;
    }
    add_stages(world, timing.seconds, 1);
    timing.seconds[REST] = total; /* stages without a group, and time outside stages */
    for (int group = 0; group < REST; group++) {
        timing.seconds[REST] -= timing.seconds[group];
    }
    timing.iterations = timing.lost ? NAN : iterations / (this->frames * this->scene->steps);
    timing.median = timing.lost ? NAN : study_median(seconds, this->frames);
    timing.least = timing.lost ? NAN : seconds[0];
    timing.stats = study_stats(run, world);
    return timing;
}

/* Million viscoelastic particle-iterations per second, as the paper counts them. */
static double rate(const Table1Scene *scene, double particles, double iterations, double seconds)
{
    return 1e-6 * particles * scene->steps * iterations / seconds;
}

static double papers_rate(const Table1Scene *scene)
{
    return rate(scene, scene->particles, scene->iterations, scene->seconds);
}

/* Long times without decimals, which are not significant. */
static double milliseconds(double seconds)
{
    return seconds < 0.1 ? 1e3 * seconds : round(1e3 * seconds);
}

static void show_frames(StudyTable *table, const Case *this, const Timing *timing)
{
    const Table1Scene *scene = this->scene;
    study_word(table, "%s", scene->name);
    study_word(table, "%s", barreiro_solver_names[this->solver]);
    study_number(table, floor(timing->particles));
    study_number(table, scene->steps);
    study_number(table, timing->iterations);
    study_number(table, milliseconds(timing->least));
    study_number(table, milliseconds(timing->median));
    study_number(table, timing->rate);
    study_number(table, scene->particles);
    study_number(table, milliseconds(scene->seconds));
    study_number(table, papers_rate(scene));
    study_number(table, timing->rate / papers_rate(scene));
}

static void show_shares(StudyTable *table, const Case *this, const Timing *timing)
{
    const dlp_WorldStats *stats = &timing->stats;
    double total = 0;
    for (int group = 0; group < GROUPS; group++) {
        total += timing->seconds[group];
    }
    study_word(table, "%s", this->scene->name);
    study_word(table, "%s", barreiro_solver_names[this->solver]);
    for (int group = 0; group < GROUPS; group++) {
        study_number(table, 100 * timing->seconds[group] / total);
    }
    study_number(table, stats->neighbors);
    study_number(table, (double)stats->memory_peak / (double)stats->particles);
    study_number(table, (double)stats->memory_peak / (1 << 30));
    study_number(table, 100 * stats->density_error);
    study_number(table, stats->speed_max);
}

static Timing run_case(StudyRun *run, const Case *this, const Figures *figures)
{
    const Table1Scene *scene = this->scene;
    const double middle = (this->warm_up + 0.5 * this->frames) * scene->steps * scene->time_step; /* s */
    study_case(run, "%s, %s, %.3g particles", scene->name, barreiro_solver_names[this->solver], this->particles);
    study_weigh(run, step_work(this));
    dlp_World *world = table1_world(run, scene, this->solver, this->particles, middle);
    Timing timing = time_frames(run, this, world);
    if (study_going(run)) {
        timing.rate = rate(scene, timing.particles, timing.iterations, timing.median);
        show_frames(figures->frames, this, &timing);
        show_shares(figures->shares, this, &timing);
        if (timing.particles < PICTURED_MOST && !timing.lost) {
            study_panel(figures->picture, world, NULL, "%s, %s", scene->name, barreiro_solver_names[this->solver]);
        }
    }
    dlp_world_destroy(world);
    return timing;
}

static StudyTable *make_frames_table(StudyRun *run)
{
    StudyTable *table = study_table(run, "frames", "Time per frame, and viscoelastic particle-iterations per second");
    study_column(table, "scene", "");
    study_column(table, "solver", "");
    study_column(table, "particles", "");
    study_column(table, "steps", "1/frame");
    study_column(table, "iterations", "1/step");
    study_column(table, "minimum", "ms/frame");
    study_column(table, "median", "ms/frame");
    study_column(table, "rate", "million/s");
    study_column(table, "paper's particles", "");
    study_column(table, "paper", "ms/frame");
    study_column(table, "paper's rate", "million/s");
    study_column(table, "ratio to paper", "");
    return table;
}

static StudyTable *make_shares_table(StudyRun *run)
{
    StudyTable *table = study_table(run, "shares", "Distribution of the time, and memory");
    study_column(table, "scene", "");
    study_column(table, "solver", "");
    for (int group = 0; group < GROUPS; group++) {
        study_column(table, group_names[group], "%");
    }
    study_column(table, "neighbours", "1/particle");
    study_column(table, "memory", "B/particle");
    study_column(table, "total memory", "GiB");
    study_column(table, "compression", "%");
    study_column(table, "fastest", "m/s");
    return table;
}

static Figures make_figures(StudyRun *run)
{
    Figures figures = {.frames = make_frames_table(run), .shares = make_shares_table(run)};
    figures.plot = study_plot(run, "rates", "Speed by size", "particles", "million particle-iterations per second");
    study_scales(figures.plot, STUDY_LOG, STUDY_LOG);
    figures.picture = study_picture(run, "scenes", "The scenes, made of simple shapes", STUDY_VIEW_RAISED);
    study_panels_per_row(figures.picture, TABLE1_SCENES);
    return figures;
}

/* Scenes by size, which is not the order of the table. */
static void plot_rates(StudyPlot *plot, const Timing timings[CASES])
{
    static const int by_particles[TABLE1_SCENES] = {0, 2, 3, 1, 4, 5, 6};
    StudySeries *ours = study_series(plot, "ours"), *papers = study_series(plot, "the paper's GPU");
    StudySeries *physical = study_series(plot, "ours, method physical");
    study_style(ours, 0, STUDY_DOTS);
    study_style(papers, 1, STUDY_DOTS);
    study_style(physical, 2, STUDY_DOTS);
    for (int i = 0; i < TABLE1_SCENES; i++) {
        const Table1Scene *scene = &table1_scenes[by_particles[i]];
        const Timing *timing = &timings[by_particles[i]];
        study_point(ours, timing->particles, timing->rate);
        study_point(physical, timing[TABLE1_SCENES].particles, timing[TABLE1_SCENES].rate);
        study_point(papers, scene->particles, papers_rate(scene));
    }
}

static void run(StudyRun *run)
{
    const Figures figures = make_figures(run);
    Timing timings[CASES] = {0};
    double work = 0, slowest = INFINITY, fastest = 0;
    int as_fast = 0, lost = 0;
    for (int i = 0; i < CASES; i++) {
        const Case this = make_case(run, i);
        work += (this.warm_up + this.frames) * this.scene->steps * step_work(&this);
    }
    study_plan(run, work);
    for (int i = 0; i < CASES && study_going(run); i++) {
        const Case this = make_case(run, i);
        timings[i] = run_case(run, &this, &figures);
        lost += timings[i].lost;
        if (this.solver == BARREIRO_PHYSICAL) {
            continue; /* the claim is about the paper's solver */
        }
        const double speed = timings[i].rate / papers_rate(this.scene);
        as_fast += speed >= 1;
        slowest = fmin(slowest, speed);
        fastest = fmax(fastest, speed);
    }
    if (study_going(run)) {
        plot_rates(figures.plot, timings);
    }
    study_verdict(run, as_fast == TABLE1_SCENES,
                  "%d of %d scenes are as fast here as on the paper's GPU (%.2g to %.2g times as fast); a frame of the "
                  "interactive one takes %.0f ms, the paper's 30; with the method physical %d scenes are unstable",
                  as_fast, TABLE1_SCENES, slowest, fastest, 1e3 * timings[TABLE1_INTERACTIVE].median, lost);
}

const Study barreiro_table1_study = {
    .name = "barreiro-table1",
    .paper = "Barreiro et al. 2017, Table 1",
    .claim =
        "On a GPU, scenes of 15,000 viscoelastic particles run interactively at 30 ms per frame, those of 10,000 to 150,000 "
        "in 0.15 to 1.42 s, one of 12 million in 19 s per frame.",
    .large = "12 million particles instead of 200,000 in the last scene; 20 GiB of memory and many minutes",
    .run = run,
};

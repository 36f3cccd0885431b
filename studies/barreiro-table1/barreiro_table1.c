/* Barreiro et al. 2017, Table 1: the time of a frame in each of the paper's scenes, and where it goes. */
#include "studies/study_output.h"

#include "table1_scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a step does, by the names of its stages. */
typedef enum Group { NEIGHBORS, VELOCITY, POSITION, DENSITY, CONTACT, REST, GROUPS } Group;
static const char *const group_names[GROUPS] = {"search", "velocities", "positions", "density", "contact", "rest"};

enum { FRAMES_MOST = 16, STAGES_MOST = 64, PICTURED_MOST = 1000000 };

/* A scene as it is run here. */
typedef struct Case {
    const Table1Scene *scene;
    double particles; /* wanted */
    int warm_up, frames;
} Case;

typedef struct Timing {
    double particles;       /* mean over the timed frames */
    double least, median;   /* s a frame */
    double rate;            /* million particle-iterations of viscoelasticity a second */
    double seconds[GROUPS]; /* of all timed frames */
    dlp_WorldStats stats;   /* at the end */
} Timing;

typedef struct Figures {
    StudyTable *frames, *shares;
    StudyPlot *plot;
    StudyPicture *picture;
} Figures;

static Case make_case(const StudyRun *run, int index)
{
    const Table1Scene *scene = &table1_scenes[index];
    Case this = {scene, scene->particles, run->quick ? 1 : 4, run->quick ? 3 : 7};
    if (index == TABLE1_ARMADILLOS) {
        this.particles = run->large ? scene->particles : run->quick ? 24e3 : 200e3;
        this.warm_up = run->large ? 0 : 1;
        this.frames = run->large ? 3 : this.frames;
    } else if (run->quick && scene->particles > 50e3) {
        this.particles = scene->particles / 4;
    }
    return this;
}

/* Work of a step in particle-iterations; what it does once costs about as much as eight. */
static double step_work(const Case *this)
{
    return this->particles * (this->scene->iterations + 8);
}

static Group group_of(const char *stage)
{
    static const struct {
        const char *start;
        Group group;
    } starts[] = {{"sort", NEIGHBORS},  {"neighbors", NEIGHBORS}, {"velocity ", VELOCITY}, {"position ", POSITION},
                  {"density", DENSITY}, {"contact", CONTACT},     {"samples", CONTACT}};
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        if (strncmp(stage, starts[i].start, strlen(starts[i].start)) == 0) {
            return starts[i].group;
        }
    }
    return REST;
}

/* Add `sign` times what the stage clocks show. */
static void add_stages(const dlp_World *world, double seconds[GROUPS], double sign)
{
    dlp_StageTime time;
    for (int i = 0; i < STAGES_MOST && dlp_world_stage_time(world, i, &time); i++) {
        seconds[group_of(time.name)] += sign * time.seconds;
    }
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* One frame; the seconds it took. */
static double run_frame(StudyRun *run, const Case *this, dlp_World *world)
{
    const double begun = study_clock();
    for (int step = 0; step < this->scene->steps && study_step(run, world, this->scene->time_step); step++) {}
    return study_clock() - begun;
}

static Timing time_frames(StudyRun *run, const Case *this, dlp_World *world)
{
    Timing timing = {0};
    double seconds[FRAMES_MOST], total = 0, staged = 0;
    for (int frame = 0; frame < this->warm_up && study_going(run); frame++) {
        run_frame(run, this, world);
    }
    if (!study_going(run)) {
        return timing;
    }
    add_stages(world, timing.seconds, -1);
    for (int frame = 0; frame < this->frames; frame++) {
        seconds[frame] = run_frame(run, this, world);
        total += seconds[frame];
        timing.particles += (double)dlp_world_particle_count(world) / this->frames;
    }
    add_stages(world, timing.seconds, 1);
    for (int group = 0; group < GROUPS; group++) {
        staged += timing.seconds[group];
    }
    timing.seconds[REST] += total - staged; /* what no stage clock has seen */
    qsort(seconds, (size_t)this->frames, sizeof *seconds, by_size);
    timing.least = seconds[0];
    timing.median = seconds[this->frames / 2];
    timing.stats = study_stats(run, world);
    return timing;
}

/* Million particle-iterations of viscoelasticity a second, as the paper counts them. */
static double rate(const Table1Scene *scene, double particles, double seconds)
{
    return 1e-6 * particles * scene->steps * scene->iterations / seconds;
}

static double papers_rate(const Table1Scene *scene)
{
    return rate(scene, scene->particles, scene->seconds);
}

/* Long ones without decimals, which stand for nothing. */
static double milliseconds(double seconds)
{
    return seconds < 0.1 ? 1e3 * seconds : round(1e3 * seconds);
}

static void show_frames(StudyTable *table, const Table1Scene *scene, const Timing *timing)
{
    study_word(table, "%s", scene->name);
    study_number(table, floor(timing->particles));
    study_number(table, scene->steps);
    study_number(table, scene->iterations);
    study_number(table, milliseconds(timing->least));
    study_number(table, milliseconds(timing->median));
    study_number(table, timing->rate);
    study_number(table, scene->particles);
    study_number(table, milliseconds(scene->seconds));
    study_number(table, papers_rate(scene));
    study_number(table, timing->rate / papers_rate(scene));
}

static void show_shares(StudyTable *table, const Table1Scene *scene, const Timing *timing)
{
    const dlp_WorldStats *stats = &timing->stats;
    double total = 0;
    for (int group = 0; group < GROUPS; group++) {
        total += timing->seconds[group];
    }
    study_word(table, "%s", scene->name);
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
    study_case(run, "%s, %.3g particles", scene->name, this->particles);
    study_weigh(run, step_work(this));
    dlp_World *world = table1_world(run, scene, this->particles, middle);
    Timing timing = time_frames(run, this, world);
    if (study_going(run)) {
        timing.rate = rate(scene, timing.particles, timing.median);
        show_frames(figures->frames, scene, &timing);
        show_shares(figures->shares, scene, &timing);
        if (timing.particles < PICTURED_MOST) {
            study_panel(figures->picture, world, NULL, "%s", scene->name);
        }
    }
    dlp_world_destroy(world);
    return timing;
}

static StudyTable *make_frames_table(StudyRun *run)
{
    StudyTable *table = study_table(run, "frames",
                                    "Time of a frame, and particle-iterations of viscoelasticity a second");
    study_column(table, "scene", "");
    study_column(table, "particles", "");
    study_column(table, "steps", "1/frame");
    study_column(table, "iterations", "1/step");
    study_column(table, "least", "ms/frame");
    study_column(table, "median", "ms/frame");
    study_column(table, "rate", "million/s");
    study_column(table, "paper's particles", "");
    study_column(table, "paper", "ms/frame");
    study_column(table, "paper's rate", "million/s");
    study_column(table, "over paper", "times as fast");
    return table;
}

static StudyTable *make_shares_table(StudyRun *run)
{
    StudyTable *table = study_table(run, "shares", "Where the time goes, and memory");
    study_column(table, "scene", "");
    for (int group = 0; group < GROUPS; group++) {
        study_column(table, group_names[group], "%");
    }
    study_column(table, "neighbours", "1/particle");
    study_column(table, "memory", "B/particle");
    study_column(table, "in all", "GiB");
    study_column(table, "compression", "%");
    study_column(table, "fastest", "m/s");
    return table;
}

static Figures make_figures(StudyRun *run)
{
    Figures figures = {.frames = make_frames_table(run), .shares = make_shares_table(run)};
    figures.plot = study_plot(run, "rates", "Speed by size", "particles", "million particle-iterations a second");
    study_scales(figures.plot, STUDY_LOG, STUDY_LOG);
    figures.picture = study_picture(run, "scenes", "The scenes, made of simple shapes", STUDY_VIEW_RAISED);
    return figures;
}

/* Scenes in the order of their sizes, which is not the table's. */
static void plot_rates(StudyPlot *plot, const Timing timings[TABLE1_SCENES])
{
    static const int by_particles[TABLE1_SCENES] = {0, 2, 3, 1, 4, 5, 6};
    StudySeries *ours = study_series(plot, "ours"), *papers = study_series(plot, "the paper's GPU");
    study_style(ours, 0, STUDY_DOTS);
    study_style(papers, 1, STUDY_DOTS);
    for (int i = 0; i < TABLE1_SCENES; i++) {
        const Table1Scene *scene = &table1_scenes[by_particles[i]];
        study_point(ours, timings[by_particles[i]].particles, timings[by_particles[i]].rate);
        study_point(papers, scene->particles, papers_rate(scene));
    }
}

static void run(StudyRun *run)
{
    const Figures figures = make_figures(run);
    Timing timings[TABLE1_SCENES] = {0};
    double work = 0, slowest = INFINITY, fastest = 0;
    int as_fast = 0;
    for (int i = 0; i < TABLE1_SCENES; i++) {
        const Case this = make_case(run, i);
        work += (this.warm_up + this.frames) * this.scene->steps * step_work(&this);
    }
    study_plan(run, work);
    for (int i = 0; i < TABLE1_SCENES && study_going(run); i++) {
        const Case this = make_case(run, i);
        timings[i] = run_case(run, &this, &figures);
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
                  "interactive one takes %.0f ms, the paper's 30",
                  as_fast, TABLE1_SCENES, slowest, fastest, 1e3 * timings[TABLE1_INTERACTIVE].median);
}

const Study barreiro_table1_study = {
    .name = "barreiro-table1",
    .paper = "Barreiro et al. 2017, Table 1",
    .claim =
        "Scenes of 15,000 viscoelastic particles run interactively at 30 ms a frame, those of 10,000 to 150,000 in 0.15 to "
        "1.42 s, one of 12 million in 19 s a frame, on a GPU.",
    .large = "12 million particles instead of 200,000 in the last scene; 20 GiB of memory and many minutes",
    .run = run,
};

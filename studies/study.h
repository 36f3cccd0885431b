/* What a study is: a claim of a paper, made runnable. `dollop study NAME` calls its `run`, which simulates, fills tables,
 * plots and pictures (study_output.h) through worlds of the public interface (study_world.h) and gives its verdict.
 *
 * Nothing needs to be checked on the way: the first failure is kept, every later call does nothing, and the command
 * reports it. Only loops ask whether to go on: study_step and study_going are false after a failure or Ctrl-C. */
#ifndef STUDIES_STUDY_H
#define STUDIES_STUDY_H

#include <dollop/dollop.h>

typedef struct StudyRun {
    bool quick;      /* asked to end within a minute: smaller blocks, fewer cases */
    bool large;      /* asked for what Study.large tells of; never with quick     */
    int64_t threads; /* 0: as many as the machine has                             */
    bool automatic;  /* asked for automatic time steps                            */
    struct StudyState *state;
} StudyRun;

typedef struct Study {
    const char *name;  /* as its folder: "barreiro-fig6"            */
    const char *paper; /* "Barreiro et al. 2017, Fig. 6"            */
    const char *claim; /* what the paper says, in a sentence or two */
    void (*run)(StudyRun *run);
    const char *large; /* what --large adds, and what it costs; null: this study has nothing so large */
    bool automatic;    /* it can also be run with automatic time steps */
} Study;

extern const Study *const studies[]; /* closed by null; study_table.c */

/* Progress. The work of the whole study is told first, in any unit; then each case by its name. Steps count as
 * study_weigh says (1 unless said), so that the time left comes out right when some cases cost more than others. */
void study_plan(StudyRun *run, double work);
void study_case(StudyRun *run, const char *format, ...) __attribute__((format(printf, 2, 3)));
void study_weigh(StudyRun *run, double work_of_a_step);
void study_advance(StudyRun *run, double steps); /* done otherwise than by study_step */

/* False once the study should end: it failed, or Ctrl-C came. */
bool study_going(const StudyRun *run);

/* The study cannot be finished, and why. That is no verdict on the claim. */
void study_fail(StudyRun *run, dlp_Result result, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The bound by which this run is judged. A quick run is coarser, so a claim may give it a bound of its own; its verdict
 * then says so. Call it once for each bound. */
double study_bound(StudyRun *run, double full, double quick);

/* What was found, without 'holds' before it: "the doubly constrained cube drifts less in 6 of 6 cases". */
void study_verdict(StudyRun *run, bool holds, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Seconds on a clock that only runs forward. */
double study_clock(void);

/* Sorts them, the least first; NaN if there are none. */
double study_median(double *values, int count);

#endif

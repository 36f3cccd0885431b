/* The other side of a study: what the command lends it, and how it is run. Studies themselves do not include this. */
#ifndef STUDIES_STUDY_HOST_H
#define STUDIES_STUDY_HOST_H

#include "studies/study.h"

#include <stdio.h>

/* `progress` is called often; `part` goes from 0 to 1, `what` names the case at work. `save` puts a whole file into the
 * output folder. */
typedef struct StudyHost {
    void *user;
    void (*progress)(void *user, double part, const char *what);
    bool (*stop_asked)(void *user);
    dlp_Result (*save)(void *user, const char *name, const char *text, dlp_Error *error);
} StudyHost;

typedef struct StudyOutcome {
    dlp_Result result; /* other than DLP_OK: it could not be finished */
    bool interrupted;
    bool holds;
    char text[1024]; /* the verdict, or what went wrong */
    char *tables;    /* as they are printed, to be freed; null after a failure */
} StudyOutcome;

const Study *study_find(const char *name); /* null if there is none */

typedef struct StudyWish {
    bool quick, large; /* not both; large only where the study tells of it */
    int64_t threads;   /* 0: as many as the machine has                    */
    bool automatic;    /* time steps; only where the study can             */
} StudyWish;

void study_perform(const Study *study, const StudyHost *host, StudyWish wish, StudyOutcome *outcome);

/* For tables, plots and pictures: a piece of output that the run owns. `write` puts its file's text into `file`; `print`
 * (may be null) what is shown on the terminal. */
typedef struct StudyOutput {
    struct StudyOutput *next;
    StudyRun *run;
    char file_name[48];
    char title[160];
    void (*write)(const struct StudyOutput *output, FILE *file);
    void (*print)(const struct StudyOutput *output, FILE *file);
    void (*release)(struct StudyOutput *output); /* frees what it holds, and itself */
} StudyOutput;

/* Memory of `size` bytes, zeroed, that begins with a StudyOutput entered into the run; null after a failure. */
void *study_output_new(StudyRun *run, size_t size, const char *name, const char *extension, const char *title,
                       void (*release)(StudyOutput *output));

/* The array `items` of `count`, moved if need be so that one more has room; null after a failure, and then the array stays
 * where it was. */
void *study_grown(StudyRun *run, void *items, int64_t *capacity, int64_t count, size_t item_size);

#endif

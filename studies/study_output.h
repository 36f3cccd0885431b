/* What a study leaves behind: tables (printed, and NAME.csv), plots and pictures of particles (NAME.svg). They belong to
 * the run, which writes them when the study has ended; a failed study writes nothing. Texts may hold UTF-8; "^2" and "^3"
 * are raised in plots and pictures. Null objects are ignored, so no result needs to be checked. */
#ifndef STUDIES_STUDY_OUTPUT_H
#define STUDIES_STUDY_OUTPUT_H

#include "apps/plot/line_plot.h"
#include "apps/plot/plot_svg.h"
#include "studies/study.h"

/* A table. Columns first; then cells in reading order, which begin a new row by themselves. */
typedef struct StudyTable StudyTable;

StudyTable *study_table(StudyRun *run, const char *name, const char *title);
/* For the CSV only: too long to be printed. */
StudyTable *study_long_table(StudyRun *run, const char *name);
void study_column(StudyTable *table, const char *name, const char *unit);
void study_columns(StudyTable *table, const char *const (*columns)[2], size_t count); /* names and units */
void study_number(StudyTable *table, double value);                                   /* NaN: nothing there */
void study_numbers(StudyTable *table, const double *values, size_t count);
void study_word(StudyTable *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A plot. Axes are given as "time, s" (label, unit). A range follows the points unless it is given; a linear axis that
 * begins near zero begins there. */
typedef struct StudyPlot StudyPlot;
typedef struct StudySeries StudySeries;
typedef enum StudyScale { STUDY_LINEAR, STUDY_LOG } StudyScale;

StudyPlot *study_plot(StudyRun *run, const char *name, const char *title, const char *x_axis, const char *y_axis);
void study_scales(StudyPlot *plot, StudyScale x, StudyScale y);
void study_range_x(StudyPlot *plot, double least, double most);
void study_range_y(StudyPlot *plot, double least, double most);
StudySeries *study_series(StudyPlot *plot, const char *format, ...) __attribute__((format(printf, 2, 3)));
void study_point(StudySeries *series, double x, double y); /* one that is not finite leaves a gap */

/* Unless said a series is a full line in the next colour of the palette: blue, orange, green, red, purple, cyan, grey. */
enum { STUDY_COLORS = PLOT_COLORS };
typedef enum StudyStyle {
    STUDY_LINE = PLOT_LINE,
    STUDY_DASHED = PLOT_DASHED,
    STUDY_DOTS = PLOT_DOTS, /* a line with a dot at each point */
    STUDY_DASHED_DOTS = PLOT_DASHED_DOTS,
    STUDY_FINE = PLOT_FINE, /* a line of short dashes */
} StudyStyle;
void study_style(StudySeries *series, int color, StudyStyle style);

/* A picture: panels in a row, one scale for all, one shaded disc for each particle that can be seen, seen along y or from
 * a gently raised corner. */
typedef struct StudyPicture StudyPicture;
typedef enum StudyView { STUDY_VIEW_SIDE, STUDY_VIEW_RAISED } StudyView;

StudyPicture *study_picture(StudyRun *run, const char *name, const char *title, StudyView view);
void study_ground(StudyPicture *picture); /* draw the plane z = 0 */
void study_slope(StudyPicture *picture,
                 double angle);           /* the plane through the origin that falls along x by `angle`, rad */
void study_solids(StudyPicture *picture); /* draw the solids too, as grey balls; no planes, containers and meshes */
void study_panels_per_row(StudyPicture *picture, int count);
/* Show this box of the world (m) instead of all but the few particles that fly far out. */
void study_window(StudyPicture *picture, dlp_Vec3 lower, dlp_Vec3 upper);
/* Add the world as it stands. `colors`: a palette index for each particle in the order of ids; null: its material. */
void study_panel(StudyPicture *picture, const dlp_World *world, const uint8_t *colors, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Colours for study_panel: the particles of one block in bands of two colours along an axis (0, 1, 2). To be freed. */
uint8_t *study_bands(StudyRun *run, const int counts[3], int axis, int bands);

#endif

/* What some frames of all have in common, so that neither camera nor colours change during a film: a box around all that is to be
 * seen, the values of a field, and how fast time passes. */
#ifndef DOLLOP_FRAME_SURVEY_H
#define DOLLOP_FRAME_SURVEY_H

#include "frame_list.h"

typedef struct FrameSurvey {
    dlp_Vec3 lower, upper; /* m, around the fluid and solids of about its size */
    double low, high;      /* values of the field */
    double frame_rate;     /* frames for each second of simulation; 0 for a single one */
    dlp_Frame *first;      /* the first frame, for what else it tells; to be destroyed, may be null */
} FrameSurvey;

/* `field` may be null. Mistakes are told on standard error. */
ExitCode frames_survey(FrameSurvey *survey, const FrameList *list, const char *field);

/* The points' field of that name, or null. */
const dlp_PointField *point_field(const dlp_Points *points, const char *name);
/* A number for a point: the field, or its length if it has several parts. */
float point_value(const dlp_PointField *field, int64_t i);

#endif

/* Properties common to all frames, from a sample of them, so that camera, shadows and colours stay constant during a film: bounding
 * boxes, the range of a field, and the frame rate. */
#ifndef DOLLOP_FRAME_SURVEY_H
#define DOLLOP_FRAME_SURVEY_H

#include "frame_list.h"

typedef struct FrameBox {
    dlp_Vec3 lower, upper; /* m */
} FrameBox;

typedef struct FrameSurvey {
    FrameBox shown;    /* around the fluid and solids that are not larger than it */
    FrameBox casters;  /* around everything that casts a shadow */
    double floor;      /* m, lowest point of fluid and solids */
    double low, high;  /* range of the field */
    double frame_rate; /* frames per second of simulated time; 0 for a single frame */
    dlp_Frame *first;  /* the first frame; the caller destroys it; may be null */
} FrameSurvey;

/* `field` may be null. Errors are printed to standard error. */
ExitCode frames_survey(FrameSurvey *survey, const FrameList *list, const char *field);

/* The field of that name, or null. */
const dlp_PointField *point_field(const dlp_Points *points, const char *name);
/* The value of a field at a point; the magnitude if it is a vector. */
float point_value(const dlp_PointField *field, int64_t i);

#endif

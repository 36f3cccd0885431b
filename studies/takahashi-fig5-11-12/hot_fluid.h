/* Shared by the three figures on heat: a material whose extension rate grows with temperature, the temperatures of its particles, and
 * the paper's colours for them. */
#ifndef STUDIES_HOT_FLUID_H
#define STUDIES_HOT_FLUID_H

#include "studies/study_output.h"
#include "studies/study_world.h"

#define HOT_SPACING      0.01  /* m                                                                   */
#define HOT_TIME_STEP    0.002 /* s                                                                   */
#define HOT_DENSITY      1000.0
#define HOT_COLD         300.0 /* K, lowest extension rate                                            */
#define HOT_WARM         370.0 /* K, highest extension rate                                           */
#define HOT_SLOW         1.1   /* 1/s, links at 300 K: 1.001 per step of 0.906 ms, as in Fig. 4       */
#define HOT_FAST         5.5   /* 1/s, links at 370 K: 1.005                                          */
#define HOT_CONDUCTIVITY 100.0 /* W/m/K; with 100 J/kg/K heat crosses 3 cm in a second, as in the paper's films */
#define HOT_CAPACITY     100.0 /* J/kg/K                                                           */

dlp_World *hot_world(StudyRun *run);
/* `own` adds or overrides values. Rates are linear between the two temperatures (section 3.6 of the paper). */
dlp_MaterialId hot_material(StudyRun *run, dlp_World *world, const StudyValue *own, int count);
/* Temperature in K; 0: adiabatic. */
void hot_plane(StudyRun *run, dlp_World *world, dlp_Vec3 position, dlp_Vec3 rotation, double temperature,
               double stickiness);
void hot_ball(StudyRun *run, dlp_World *world, dlp_MaterialId material, dlp_Vec3 center, double radius,
              double temperature);

typedef struct HotState {
    double mean, spread; /* K, of all particles; spread is the standard deviation */
    double cold;         /* fraction of them below `limit`                        */
} HotState;

HotState hot_state(StudyRun *run, const dlp_World *world, double limit);

/* Views its particles; false if the study should end. */
bool hot_see(StudyRun *run, const dlp_World *world, dlp_ParticleView *view);

/* Adds a picture of the world, blue at 300 K over green to red at 370 K; its time follows the name. */
void hot_panel(StudyRun *run, StudyPicture *picture, const dlp_World *world, const char *name);

/* One figure each; true if it holds. The finding is written to `text`. */
typedef struct HotText {
    char text[240];
} HotText;

bool hot_mix(StudyRun *run, HotText *found);
bool hot_slope(StudyRun *run, HotText *found);
bool hot_melt(StudyRun *run, HotText *found);

#endif

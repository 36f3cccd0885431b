/* Worlds of method links for tests. */
#ifndef DLP_TESTS_SUPPORT_LINKS_FIXTURE_H
#define DLP_TESTS_SUPPORT_LINKS_FIXTURE_H

#include "methods/links/links_plan.h"

#define LINKS_SPACING 0.01    /* m                                           */
#define LINKS_DT      9.06e-4 /* s, of Fig. 6 of the paper                   */
#define LINKS_GRAVITY 9.81    /* m/s2                                        */
#define LINKS_NONE    -1.0    /* extension rate of a material without links  */

/* A material with the method's own parameters. */
typedef struct LinksFluid {
    dlp_MaterialDef def;
    dlp__LinksMaterial own;
} LinksFluid;

LinksFluid links_fluid(void);
void set_links_fluid(dlp_World *world, dlp_MaterialId id, const LinksFluid *fluid);
void add_links_fluid(dlp_World *world, const LinksFluid *fluid);
dlp_World *make_links_in(dlp_Vec3 gravity, dlp_Vec3 periodic_size, const LinksFluid *fluid);
dlp_World *make_links(double gravity, const LinksFluid *fluid);
LinksFluid stretching_fluid(double rate);
void add_links_floor(dlp_World *world, double friction);
void add_links_cube(dlp_World *world, int n);
void run_links(dlp_World *world, int steps, double dt);
dlp_WorldStats stats_of_links(const dlp_World *world);
/* Root mean square distance (m) from the vertical axis. */
double links_width(dlp_World *world);

#endif

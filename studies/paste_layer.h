/* Layers of a yield-stress fluid on a no-slip plane or between two, periodic along x and y, and the law in closed form. */
#ifndef STUDIES_PASTE_LAYER_H
#define STUDIES_PASTE_LAYER_H

#include "studies/study_world.h"

/* Stress = yield_stress + consistency rate^index. */
typedef struct Paste {
    const char *name;
    double yield_stress; /* Pa      */
    double consistency;  /* Pa.s^n  */
    double index;        /* 1 is a Bingham fluid */
    double modulus;      /* Pa, below the yield stress; 0: practically rigid */
} Paste;

#define PASTE_DENSITY 1000.0 /* kg/m3 */

/* A yield stress of 0 and an index of 1 make it Newtonian. */
dlp_MaterialDef paste_def(const Paste *paste);
dlp_MaterialId paste_material(StudyRun *run, dlp_World *world, const Paste *paste);
double paste_stress(const Paste *paste, double rate); /* Pa  */
double paste_rate(const Paste *paste, double stress); /* 1/s */

/* Displacement of coordinate k from its lattice position, in spacings. */
double paste_disorder(int k);

typedef struct PasteLayer {
    Paste paste;
    double height;         /* m, from the plane z = 0 to the other or to the surface */
    int across;            /* particles across it                                    */
    int wide;              /* particles along x and y                                */
    dlp_Vec3 acceleration; /* m/s2, of the whole fluid                               */
    bool is_open;          /* a free surface instead of the upper plane              */
    double speed;          /* m/s, of the upper plane along x                        */
} PasteLayer;

/* Gravity (m/s2) on an open layer of this height that is tilted about y until rho g height sin(angle) = load * yield_stress. The layer flows
 * down along x if the load is above 1; then its surface has this speed (m/s) far from the start. */
dlp_Vec3 paste_slope(const Paste *paste, double height, double load);
double paste_slope_speed(const Paste *paste, double height, double load);

/* The planes are solids 0 and 1. Particles are at rest, slightly disordered. */
dlp_World *paste_layer(StudyRun *run, const PasteLayer *layer);

#endif

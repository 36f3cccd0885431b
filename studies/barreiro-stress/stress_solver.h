/* The rival of the study: an explicit, stress-based upper-convected Maxwell fluid (Barreiro et al. 2017, eqs. 1 to 4, in the
 * momentum equation). It shares everything with our methods except the viscoelastic part: neighbours, vector loops, threads,
 * solids, contact and the density constraint. Small steps allow one optimization: neighbour lists extend beyond the kernel
 * support by a skin and stay valid until a particle has moved by half of it. */
#ifndef DLP_STUDIES_STRESS_SOLVER_H
#define DLP_STUDIES_STRESS_SOLVER_H

#include "methods/motion.h"

typedef struct dlp__StressDef {
    dlp_WorldDef world; /* as for a world; `method` and `subdomains` are ignored */
    dlp_MaterialDef material;
    dlp__DensityParams density;
    double skin; /* extra radius of the neighbour lists, in spacings */
} dlp__StressDef;

typedef struct dlp__StressSolver {
    dlp__StressDef def;
    dlp__Memory memory;
    dlp__Parallel parallel;
    dlp__Kernel kernel;
    dlp__Domains domains; /* one part */
    dlp__Solids solids;
    dlp__Companions companions; /* none */
    dlp__Buffer listed;         /* x, y, z (m) of all particles when the lists were built */
    int64_t lists;              /* built so far  */
    int64_t steps;
    double time;     /* s */
    double dt_last;  /* s */
    dlp_Error error; /* why a call failed */
} dlp__StressSolver;

/* A def filled with the defaults of a world, a material and the density constraint. */
dlp__StressDef dlp__stress_default_def(void);

/* Release the solver even if this fails. */
dlp_Result dlp__stress_init(dlp__StressSolver *solver, const dlp__StressDef *def);
void dlp__stress_release(dlp__StressSolver *solver);

/* Add stress-free fluid, or a solid. */
dlp_Result dlp__stress_add_fluid(dlp__StressSolver *solver, const dlp_ShapeDef *shape, dlp_Vec3 velocity);
dlp_Result dlp__stress_add_solid(dlp__StressSolver *solver, const dlp_SolidDef *def);

/* One explicit step; DLP_ERROR_NOT_FINITE when it is unstable. */
dlp_Result dlp__stress_step(dlp__StressSolver *solver, double dt);

/* Its particles; their order changes between steps. */
static inline dlp__Particles *dlp__stress_particles(dlp__StressSolver *solver)
{
    return &solver->domains.part[0].particles;
}

#endif

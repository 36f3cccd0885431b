/* The interface of a method to the world: name, parameters, fields and step function. */
#ifndef DLP_METHODS_METHOD_H
#define DLP_METHODS_METHOD_H

#include "base/error.h"
#include "bonds/bonds.h"
#include "geometry/box_tree.h"
#include "geometry/flat_opening.h"
#include "heat/heat.h"
#include "stages/stage_runner.h"
#include "companions/companions.h"
#include "boundary/boundary.h"
#include "sph/kernel.h"

#include <dollop/world.h>

/* The end section of a nozzle, in which fluid moves with the prescribed velocity, as if pushed by a piston. */
typedef struct dlp__Nozzle {
    dlp_Vec3 position;               /* m, centre of the opening                           */
    dlp_Vec3 flow, u, v;             /* directions: of the flow, and of the opening's axes  */
    double behind, length;           /* m, the section along the flow, relative to the opening */
    double radius;                   /* m, of a disc; 0 for others                         */
    double width, height;            /* m, half extents of a rectangle                    */
    const dlp__FlatOpening *opening; /* of a mesh; null for others                */
    float velocity[3];               /* m/s, of the fluid at `position`                     */
    dlp__Rotation turning;           /* 1/s: maps an offset from `position` to the additional velocity there */
} dlp__Nozzle;

/* Input and output of a step. Methods see this, not the world. */
typedef struct dlp__StepContext {
    dlp__Domains *domains;
    dlp__Solids *solids;
    dlp__Companions *companions;
    dlp__Bonds *bonds; /* of the method, updated with the neighbours */
    const dlp__Kernel *kernel;
    const dlp__Heat *heat; /* temperature dependence of materials: see dlp__heat_material */
    const dlp_MaterialDef *materials;
    int material_count;
    const void *material_params; /* parameters of the method per material, as its table describes; null: none */
    size_t material_params_size; /* bytes from one material to the next */
    const dlp__Nozzle *nozzles;  /* open ones */
    int nozzle_count;
    const dlp__BoxTree *nozzle_tree; /* their bounding boxes */
    const void *params;              /* of the method, as its table describes */
    float spacing;                   /* m    */
    float gravity[3];                /* m/s2 */
    float dt;                        /* s    */
    float dt_last;                   /* s, of the step before; 0 in the first */
    double requested_dt;             /* s, of the whole step of which this is a substep */
    bool adaptive;                   /* the library chose the length of this step and of the one before */
    double time;                     /* s, at the end of the step */
    dlp__DeadFunction is_sunk;       /* whether a sink removes a particle at a position; null: no sinks */
    const void *sinks;               /* context of is_sunk */
    dlp__HeatStep conduction;        /* arguments of the heat step, if heat is simulated */
    int64_t removed;                 /* output: particles removed by sinks */
    int64_t iterations;              /* output: iterations of the solver */
    double residual;                 /* output: of the solver, as a fraction of the forces             */
    bool unfinished;                 /* output: the solver did not converge           */
    double flow_speed;               /* m/s, input and output: mean speed, as the method remembers it; 0: unknown */
    double flow_acceleration;        /* m/s2, input and output: the same of the mean acceleration */
    double next_dt;                  /* output: s, the longest next automatic step that resolves the flow; 0: any */
    char note[200];                  /* output: a note on the chosen algorithm; reported when it changes */
} dlp__StepContext;

/* The longest stable step of a method, and its cause as text. */
typedef struct dlp__LongestStep {
    double longest; /* s */
    char cause[200];
} dlp__LongestStep;

/* The material law of one particle at its current temperature and stretch: the extra stress is modulus (Q - I) + 2 viscous D. */
typedef struct dlp__Rheology {
    double modulus;         /* Pa */
    double conformation[6]; /* Q - I: xx yy zz xy xz yz */
    double viscous;         /* Pa s */
    double viscosity;       /* Pa s, in steady shear; DLP_SOLID_VISCOSITY for an elastic solid */
} dlp__Rheology;
#define DLP_SOLID_VISCOSITY 1e12 /* upper limit of the material table */

/* Input of a method's material law, outside of steps. */
typedef struct dlp__RheologyContext {
    const dlp__Heat *heat;
    const dlp_MaterialDef *materials;
    double spacing; /* m */
    double dt;      /* s, of the last step; 0 before the first */
} dlp__RheologyContext;

typedef struct dlp__Method {
    const char *name;
    const char *summary;
    const dlp_ParamTable *params;
    const dlp_ParamTable *material_params; /* its own parameters of each material; null: none */
    int uses;                              /* groups of common parameters, of dlp_ParamUse */
    const dlp__FieldTable *own_fields;     /* null: none */
    /* Adds the fields needed with these parameters, both common ones and its own. */
    void (*fields)(const void *params, dlp__FieldList *needed);
    double support;       /* default kernel support in spacings                   */
    double short_support; /* a second, shorter neighbour radius, in spacings at the default support; 0: none */
    bool keeps_bonds;     /* has bonds between particles, as part of the state                                   */
    int bond_reach;       /* maximum length of bonds in supports; 0: one                                             */
    bool wets;            /* surface tension holds fluid to solids with the work of adhesion */
    bool shears;    /* works in a sheared periodic box: velocities are gathered as rows, at the start of the step */
    bool own_walls; /* computes wall forces itself: samples mark the first layer of walls */
    void (*step)(dlp__StepContext *step); /* a failure is stored in step->domains */
    /* Rejects a material whose parameters contradict each other. `own` holds the method's parameters of it; null: not
     * set yet. If this function is null, dlp__maxwell_check() checks materials. */
    dlp_Result (*check_material)(const dlp_MaterialDef *material, const void *own, dlp_Error *error);
    /* Rejects friction values that the method does not support on a solid; `is_free`: a free rigid body. Null: supports all. */
    dlp_Result (*check_friction)(double friction, bool is_free, dlp_Error *error);
    /* Longest stable step for a requested length of `requested_dt`: longer steps are divided into substeps. Null: no limit. */
    dlp__LongestStep (*limit)(const dlp__StepContext *step);
    /* What a material amounts to: see dlp_world_deliver_material(). Null: not known. */
    void (*deliver)(const dlp__StepContext *step, int material, dlp_DeliveredMaterial *delivered);
    /* The material law of particle i. Null: the method has no material law in physical units. */
    dlp__Rheology (*rheology)(const dlp__RheologyContext *context, const dlp__Particles *particles, int64_t i);
    /* J/m3, elastic energy of particle i after a step. Null: not known. */
    double (*elastic_energy)(const dlp__Particles *particles, int64_t i);
} dlp__Method;

/* The short radius in spacings for a support that may differ from the default: their ratio is constant. 0: none. */
static inline double dlp__short_support(const dlp__Method *method, double support)
{
    return support * method->short_support / method->support;
}

/* The method's own parameters of material m. */
static inline const void *dlp__material_params(const dlp__StepContext *step, int m)
{
    return (const char *)step->material_params + (size_t)m * step->material_params_size;
}

/* Parts of every method's step, in this order, once positions are predicted (method_step.c). */
void dlp__step_apply_sinks(dlp__StepContext *step);    /* mark particles in sinks                               */
void dlp__step_find_neighbors(dlp__StepContext *step); /* migrate, sort, fill halos, list neighbours         */
void dlp__step_find_companions(dlp__StepContext *step);
void dlp__step_update_bonds(dlp__StepContext *step); /* of methods that have bonds                          */
void dlp__step_conduct_heat(dlp__StepContext *step); /* with any method                                    */

const dlp__Method *dlp__method_find(const char *name); /* null if there is none */

#endif

/* What a method is to the world: a name, parameters, the fields it keeps and its step. */
#ifndef DLP_METHODS_METHOD_H
#define DLP_METHODS_METHOD_H

#include "base/error.h"
#include "bonds/bonds.h"
#include "geometry/flat_opening.h"
#include "heat/heat.h"
#include "stages/stage_runner.h"
#include "companions/companions.h"
#include "boundary/boundary.h"
#include "sph/kernel.h"

#include <dollop/world.h>

/* The last stretch of a nozzle, which carries the fluid in it like a piston. */
typedef struct dlp__Nozzle {
    dlp_Vec3 position;               /* m, centre of the opening                           */
    dlp_Vec3 flow, u, v;             /* directions: of the flow, and of the opening's axes  */
    double behind, length;           /* m, along the flow, from before the opening to past it */
    double radius;                   /* m, of a disc; 0 for others                         */
    double width, height;            /* m, half the sizes of a rectangle                    */
    const dlp__FlatOpening *opening; /* of a mesh; null for others                */
    float velocity[3];               /* m/s, of the fluid at `position`                     */
    dlp__Rotation turning;           /* 1/s: what takes a place, from `position`, to the velocity there besides */
} dlp__Nozzle;

/* What a step works on. Methods see this, not the world. */
typedef struct dlp__StepContext {
    dlp__Domains *domains;
    dlp__Solids *solids;
    dlp__Companions *companions;
    dlp__Bonds *bonds; /* the method's own, brought up to date with the neighbours */
    const dlp__Kernel *kernel;
    const dlp__Heat *heat; /* by which materials change: see dlp__heat_material */
    const dlp_MaterialDef *materials;
    int material_count;
    const void *material_params; /* the method's own of each material, as its table describes; null: it has none */
    size_t material_params_size; /* bytes from one material to the next */
    const dlp__Nozzle *nozzles;  /* that are open */
    int nozzle_count;
    const void *params;        /* the method's own, as its table describes */
    float spacing;             /* m    */
    float gravity[3];          /* m/s2 */
    float dt;                  /* s    */
    float dt_last;             /* s, of the step before; 0 in the first */
    double requested_dt;       /* s, of the step that this one is a part of */
    double time;               /* s, at the end of the step */
    dlp__DeadFunction is_sunk; /* whether a sink takes a particle at a position; null: there are none */
    const void *sinks;         /* its context */
    dlp__HeatStep conduction;  /* the step of heat, if there is any heat */
    int64_t removed;           /* the step reports how many particles sinks took */
    int64_t iterations;        /* the step reports how many its solver took */
    double residual;           /* what it left, as a part of the forces             */
    bool unfinished;           /* and whether that was not enough           */
    char note[200];            /* what the method has to say of how it goes about it; told when it changes */
} dlp__StepContext;

/* The longest step that a method bears, and in words for whose sake. */
typedef struct dlp__StepLimit {
    double longest; /* s */
    char cause[200];
} dlp__StepLimit;

typedef struct dlp__Method {
    const char *name;
    const char *summary;
    const dlp_ParamTable *params;
    const dlp_ParamTable *material_params; /* its own parameters of each material; null: none */
    const dlp__FieldTable *own_fields;     /* null: none */
    /* Adds the fields that it needs with these parameters, common ones and its own. */
    void (*fields)(const void *params, dlp__FieldList *needed);
    double support;   /* of its kernel in spacings, where the user asks for none                   */
    bool keeps_bonds; /* between particles, as part of the state                                   */
    int bond_reach;   /* of those, in supports; 0: one                                             */
    bool own_walls;   /* it works out itself what walls do: samples show where their first layer is */
    void (*step)(dlp__StepContext *step); /* a failure is kept in step->domains */
    /* Refuses a material whose parameters contradict each other. `own` holds the method's parameters of it; null: not set yet. Without
     * this function dlp__maxwell_check() checks materials. */
    dlp_Result (*check_material)(const dlp_MaterialDef *material, const void *own, dlp_Error *error);
    /* Refuses a friction that it cannot do on a solid; `is_free` for a rigid body. Null: it can do all. */
    dlp_Result (*check_friction)(double friction, bool is_free, dlp_Error *error);
    /* Longer steps than it says are cut into parts; null: any length will do. Of the step, `requested_dt` is what was asked for. */
    dlp__StepLimit (*limit)(const dlp__StepContext *step);
} dlp__Method;

/* The method's own parameters of material m. */
static inline const void *dlp__material_params(const dlp__StepContext *step, int m)
{
    return (const char *)step->material_params + (size_t)m * step->material_params_size;
}

/* Parts of every method's step, in this order, once positions are predicted (method_step.c). */
void dlp__step_apply_sinks(dlp__StepContext *step);    /* mark what sinks take                               */
void dlp__step_find_neighbors(dlp__StepContext *step); /* migrate, sort, fill halos, list neighbours         */
void dlp__step_find_companions(dlp__StepContext *step);
void dlp__step_update_bonds(dlp__StepContext *step); /* of methods that keep some                          */
void dlp__step_conduct_heat(dlp__StepContext *step); /* with any method                                    */

const dlp__Method *dlp__method_find(const char *name); /* null if there is none */

#endif

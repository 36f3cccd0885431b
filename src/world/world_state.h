/* The state of a world; for src/world and src/io only. */
#ifndef DLP_WORLD_WORLD_STATE_H
#define DLP_WORLD_WORLD_STATE_H

#include "base/error.h"
#include "bonds/bonds.h"
#include "geometry/flat_opening.h"
#include "heat/heat.h"
#include "methods/method.h"
#include "neighbors/domain.h"
#include "boundary/boundary.h"
#include "probes/probes.h"
#include "world/flow_curve.h"
#include "world/sinks.h"

#include <dollop/world.h>

typedef struct dlp__Emitter {
    dlp_EmitterDef def; /* its start is the time from which `layers` counts */
    int64_t layers;     /* emitted since then */
    double offset;      /* m, distance that the fluid moves before the first of them leaves */
    double speed;       /* m/s at a flow factor of 1 */
    dlp__PosePath path;
    dlp__FlowCurve flow;
    dlp__FlatOpening opening; /* of a mesh */
} dlp__Emitter;

struct dlp_World {
    dlp_WorldDef def;
    dlp__Memory memory;
    dlp__Parallel parallel;
    dlp_Error error;

    dlp__Kernel kernel;
    const dlp__Method *method;
    void *method_params; /* as method->params describes them */
    dlp__Bonds bonds;    /* of the method, if it keeps any */

    dlp_MaterialDef *materials;
    void *material_params; /* of the method, one for each material, as method->material_params describes them */
    int material_count;
    dlp__MeshList meshes;
    dlp__Solids solids;
    dlp__Companions companions;
    dlp_ContactDef *contacts;
    int contact_count;
    dlp__Emitter *emitters;
    int emitter_count;
    dlp_SinkDef *sinks;
    int sink_count;
    dlp__Sinks sink_shapes; /* the same, placed in the world */
    dlp_CameraDef *cameras;
    int camera_count;
    dlp__Probes probes;
    dlp__Buffer material_buffer, material_params_buffer, emitter_buffer, sink_buffer, contact_buffer, camera_buffer,
        nozzle_buffer, nozzle_box_buffer;
    dlp__BoxTree nozzle_tree; /* of the nozzles that are open in this step */

    dlp__Domains domains;
    dlp__Heat heat;

    double time;    /* s */
    double dt_last; /* s, of the last substep; 0 before the first */
    double dt_most; /* s, the limit of the last step before it was divided to end at a given time; 0 before the first */
    double dt_next; /* s, the longest next automatic step that resolves the flow; 0: any */
    double flow_speed, flow_acceleration; /* m/s, m/s2, as in dlp__StepContext */
    int64_t step;
    uint64_t next_id;
    int64_t removed;    /* particles removed by sinks */
    bool failed;        /* a step failed part-way: the state is invalid */
    bool unfinished;    /* the last step's solver ran out of iterations */
    int64_t iterations; /* of the last step */
    double residual;    /* and the largest residual of its solver, relative to the forces */
    int64_t substeps;   /* number of substeps of the last step */
    double step_length; /* s, of the last step */
    dlp_StepLimit step_limit;
    bool is_between_ends; /* the last automatic step ended before the time it was given */
    bool is_substepped;   /* because of the step limit of the method */
    char note[200];       /* the last note that the method gave */

    int derived;      /* derived fields (dlp_DerivedField) that are valid for the current state */
    int frame_fields; /* derived fields that frames and exports contain */
};

/* Destination for error messages. They are not part of the world's state, so a call that only reads may write them. */
static inline dlp_Error *dlp__error_of(const dlp_World *world)
{
    return (dlp_Error *)(uintptr_t)&world->error;
}

/* The failure of a function of the world that was given a null pointer, also instead of the world. */
static inline dlp_Result dlp__world_fail_null(const dlp_World *world)
{
    return dlp__fail_null(world != NULL ? dlp__error_of(world) : NULL);
}

/* Check a def against its table, and that it was made by its default function, which sets its size. */
dlp_Result dlp__check_def(const dlp_ParamTable *table, const void *def, dlp_Error *error);

/* Reject materials whose parameters contradict those of the method; called before a step, when all of them are set. */
dlp_Result dlp__world_check_materials(dlp_World *world);

#define DLP_SHEAR_RATE_MOST 1e9 /* 1/s */

/* Reject a sheared box that the method or the world does not support. */
dlp_Result dlp__world_check_shear(const dlp_World *world);

/* Failures of calls that take or add an item of a list. */
dlp_Result dlp__world_fail_memory(dlp_World *world, const char *what);
dlp_Result dlp__world_fail_id(const dlp_World *world, const char *what, int id, int count);

static inline bool dlp__is_valid_id(int id, int count)
{
    return id >= 0 && id < count;
}

/* Reject a friction between fluid and a solid that the method does not support. */
dlp_Result dlp__world_check_friction(dlp_World *world, double friction, bool is_free);

/* Input of a heat conduction step over `dt` (s). */
dlp__HeatStep dlp__world_heat_step(dlp_World *world, double dt);

/* Set the initial temperature (K) of `count` particles of the first subdomain, starting at `first`; 0: that of their material. */
void dlp__world_warm_new(dlp_World *world, int64_t first, int64_t count, double temperature);

/* The world as probes see it at the end of a substep of `dt` (s). */
dlp__ProbeInput dlp__world_probe_input(dlp_World *world, double dt);

/* Fill a checked shape with particles, which are appended to the first subdomain. */
dlp_Result dlp__fill_shape(dlp_World *world, dlp_MaterialId material, const dlp_ShapeDef *def, dlp_Vec3 velocity,
                           int64_t *added);

/* Check the def of a companion and append it; its particles are added later. */
dlp_Result dlp__world_keep_companion(dlp_World *world, const dlp_CompanionDef *def);

#endif

/* What a world is made of; for the files of src/world and src/io. */
#ifndef DLP_WORLD_WORLD_STATE_H
#define DLP_WORLD_WORLD_STATE_H

#include "base/error.h"
#include "bonds/bonds.h"
#include "geometry/flat_opening.h"
#include "heat/heat.h"
#include "methods/method.h"
#include "neighbors/domain.h"
#include "boundary/boundary.h"
#include "world/flow_curve.h"
#include "world/sinks.h"

#include <dollop/world.h>

typedef struct dlp__Emitter {
    dlp_EmitterDef def; /* its start is when `layers` began to count */
    int64_t layers;     /* pushed out since then                      */
    double lead;        /* m, that the fluid moves by before the first of them leaves */
    double speed;       /* m/s where the flow is 1                    */
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
    dlp__Bonds bonds;    /* of the method, where it keeps some */

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
    dlp__Sinks sink_shapes; /* the same, in place */
    dlp_CameraDef *cameras;
    int camera_count;
    dlp__Buffer material_buffer, material_params_buffer, emitter_buffer, sink_buffer, contact_buffer, camera_buffer,
        nozzle_buffer;

    dlp__Domains domains;
    dlp__Heat heat;

    double time;    /* s */
    double dt_last; /* s, of the last step; 0 before the first */
    int64_t step;
    uint64_t next_id;
    int64_t removed;    /* particles that sinks took */
    bool spoiled;       /* a step failed half-way */
    bool unfinished;    /* the last step's solver ran out of iterations */
    int64_t iterations; /* of the last step */
    double residual;    /* and the largest part of the forces that its solver left */
    int64_t substeps;   /* parts that it was cut into */
    bool cut;           /* for the sake of the method */
    char note[200];     /* the last that it had to say */
};

/* Where to write what went wrong: the text is not part of the world's state, so a call that only reads may write it. */
static inline dlp_Error *dlp__error_of(const dlp_World *world)
{
    return (dlp_Error *)(uintptr_t)&world->error;
}

/* Check a def against its table, and that it came from its default function: that is where its size is set. */
dlp_Result dlp__check_def(const dlp_ParamTable *table, const void *def, dlp_Error *error);

/* Refuse materials whose parameters contradict those of the method; called before a step, when all of them are set. */
dlp_Result dlp__world_check_materials(dlp_World *world);

/* Refuse a friction between fluid and a solid that the method cannot do. */
dlp_Result dlp__world_check_friction(dlp_World *world, double friction, bool is_free);

/* What a step of heat over `dt` (s) works on. */
dlp__HeatStep dlp__world_heat_step(dlp_World *world, double dt);

/* Give `count` particles of the first part, from `first` on, the temperature (K) that they come with; 0: their material's. */
void dlp__world_warm_new(dlp_World *world, int64_t first, int64_t count, double temperature);

/* Fill a checked shape with particles, which come last in the first part. */
dlp_Result dlp__fill_shape(dlp_World *world, dlp_MaterialId material, const dlp_ShapeDef *def, dlp_Vec3 velocity,
                           int64_t *added);

/* Make room for one more companion, whose particles come later, and check its def. */
dlp_Result dlp__world_keep_companion(dlp_World *world, const dlp_CompanionDef *def);

#endif

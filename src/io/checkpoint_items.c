/* How a checkpoint stores the lists of a world. Loading uses the public calls, so that values from a file pass the same
 * checks as values from a program. */
#include "io/checkpoint.h"

#include <assert.h>
#include <string.h>

/* clang-format off */
#define COUNTER(member) \
    {#member, DLP_PARAM_INT, offsetof(dlp__SavedState, member), "", {0, 0, 0}, 0, 9.2e18, NULL, .help = ""}

static const dlp_Param state_params[] = {
    COUNTER(next_id), COUNTER(removed), COUNTER(iterations),
    {"dt_last", DLP_PARAM_REAL, offsetof(dlp__SavedState, dt_last), "s", {0, 0, 0}, 0, 1, NULL, .help = ""},
    {"dt_most", DLP_PARAM_REAL, offsetof(dlp__SavedState, dt_most), "s", {0, 0, 0}, 0, 1, NULL, .help = ""},
    {"dt_next", DLP_PARAM_REAL, offsetof(dlp__SavedState, dt_next), "s", {0, 0, 0}, 0, 1e300, NULL, .help = ""},
    {"flow_speed", DLP_PARAM_REAL, offsetof(dlp__SavedState, flow_speed), "m/s", {0, 0, 0}, 0, 1e300, NULL, .help = ""},
    {"flow_acceleration", DLP_PARAM_REAL, offsetof(dlp__SavedState, flow_acceleration), "m/s2", {0, 0, 0}, 0, 1e300, NULL, .help = ""},
    {"shear_rate", DLP_PARAM_REAL, offsetof(dlp__SavedState, shear_rate), "1/s", {0, 0, 0}, -DLP_SHEAR_RATE_MOST, DLP_SHEAR_RATE_MOST, NULL, .help = ""},
    {"shear_strain", DLP_PARAM_REAL, offsetof(dlp__SavedState, shear_strain), "", {0, 0, 0}, -1e15, 1e15, NULL, .help = ""}};
/* clang-format on */

const dlp_ParamTable dlp__saved_state_table = {"state", "counters of a running world", sizeof(dlp__SavedState),
                                               (int)(sizeof state_params / sizeof state_params[0]), state_params};

static void get_material(const dlp_World *world, int index, dlp__Item *item)
{
    const dlp_ParamTable *own = world->method->material_params;
    item->material.def = world->materials[index];
    if (own != NULL) {
        memcpy(item->material.own, (const char *)world->material_params + (size_t)index * own->size, own->size);
    }
}

static dlp_Result add_material(dlp_World *world, const dlp__Item *item)
{
    const dlp_ParamTable *own = world->method->material_params;
    dlp_MaterialId id = 0;
    const dlp_Result result = dlp_world_add_material(world, &item->material.def, &id);
    return result == DLP_OK && own != NULL ? dlp_world_set_material_params(world, id, item->material.own, own->size)
                                           : result;
}

/* The method's parameters stand beside the others. Older files hold those of all methods, whichever the world has. */
static int material_records(const dlp_World *world, dlp__Item *item, dlp__Record records[DLP_RECORDS_MOST])
{
    int count = 0;
    records[count++] = (dlp__Record){dlp_material_params(), &item->material.def};
    if (world != NULL && world->method->material_params != NULL) {
        assert(world->method->material_params->size <= sizeof item->material.own);
        records[count++] = (dlp__Record){world->method->material_params, item->material.own};
    }
    for (int m = 0; m < dlp_method_count(); m++) {
        const dlp_ParamTable *others = dlp_method_material_params(dlp_method_name(m));
        if (others != NULL) {
            assert(count < DLP_RECORDS_MOST);
            records[count++] = (dlp__Record){others, NULL};
        }
    }
    return count;
}

/* Beside its def: the time when a solid's motion started, and the state of a free body. */
/* clang-format off */
#define STATE_NUMBER(name, member) \
    {name, DLP_PARAM_REAL, offsetof(dlp__Solid, state.member), "", {0, 0, 0}, -1e300, 1e300, NULL, .help = ""}
#define STATE_VECTOR(name, member) \
    {name, DLP_PARAM_VEC3, offsetof(dlp__Solid, state.member), "", {0, 0, 0}, -1e300, 1e300, NULL, .help = ""}

static const dlp_Param since_params[] = {
    {"since", DLP_PARAM_REAL, offsetof(dlp__Solid, since), "s", {0, 0, 0}, 0, 1e300, NULL, .help = ""},
    {"temperature_now", DLP_PARAM_REAL, offsetof(dlp__Solid, temperature), "K", {0, 0, 0}, -1e300, 1e300, NULL, .help = ""},
    STATE_VECTOR("body_position", position), STATE_VECTOR("body_velocity", velocity), STATE_VECTOR("body_spin", spin),
    STATE_NUMBER("body_w", quaternion[0]), STATE_NUMBER("body_x", quaternion[1]),
    STATE_NUMBER("body_y", quaternion[2]), STATE_NUMBER("body_z", quaternion[3])};
/* clang-format on */
static const dlp_ParamTable since_table = {"solid", "", sizeof(dlp__Solid),
                                           (int)(sizeof since_params / sizeof since_params[0]), since_params};

static void get_solid(const dlp_World *world, int index, dlp__Item *item)
{
    item->solid = world->solids.solid[index];
}

static dlp_Result add_solid(dlp_World *world, const dlp__Item *item)
{
    dlp_SolidId id = 0;
    dlp_Result result = dlp_params_check(&since_table, item, &world->error);
    if (result == DLP_OK) {
        result = dlp_world_add_solid(world, &item->solid.def, &id);
    }
    if (result == DLP_OK) {
        world->solids.solid[id].since = item->solid.since; /* adding it would have started it now */
        world->solids.solid[id].state = item->solid.state;
        world->solids.solid[id].temperature = item->solid.temperature;
        dlp__solids_move_to(&world->solids, world->time);
    }
    return result;
}

/* The defaults of the first record clear the whole item, so the outer struct comes first. */
static int solid_records(const dlp_World *world, dlp__Item *item, dlp__Record records[DLP_RECORDS_MOST])
{
    (void)world;
    records[0] = (dlp__Record){&since_table, &item->solid};
    records[1] = (dlp__Record){dlp_solid_params(), &item->solid.def};
    return 2;
}

/* Beside its def: the poses of the two solids when the joint was added. */
/* clang-format off */
#define STOOD(name, side) \
    {name "_position", DLP_PARAM_VEC3, offsetof(dlp__Joint, reference_pose[side].position), "", {0, 0, 0}, -1e300, 1e300, NULL, .help = ""}, \
    STOOD_PART(name "_w", side, 0), STOOD_PART(name "_x", side, 1), STOOD_PART(name "_y", side, 2), \
    STOOD_PART(name "_z", side, 3)
#define STOOD_PART(name, side, part) \
    {name, DLP_PARAM_REAL, offsetof(dlp__Joint, reference_pose[side].quaternion[part]), "", {0, 0, 0}, -1, 1, NULL, .help = ""}

static const dlp_Param stood_params[] = {STOOD("solid", 0), STOOD("other", 1)};
/* clang-format on */
static const dlp_ParamTable stood_table = {"joint", "", sizeof(dlp__Joint),
                                           (int)(sizeof stood_params / sizeof stood_params[0]), stood_params};

static void get_joint(const dlp_World *world, int index, dlp__Item *item)
{
    item->joint = world->solids.joint[index];
}

static dlp_Result add_joint(dlp_World *world, const dlp__Item *item)
{
    dlp_JointId id = 0;
    dlp_Result result = dlp_params_check(&stood_table, item, &world->error);
    if (result == DLP_OK) {
        result = dlp_world_add_joint(world, &item->joint.def, &id);
    }
    if (result == DLP_OK) {
        world->solids.joint[id] = item->joint; /* adding it would have used the current poses */
    }
    return result;
}

static int joint_records(const dlp_World *world, dlp__Item *item, dlp__Record records[DLP_RECORDS_MOST])
{
    (void)world;
    records[0] = (dlp__Record){&stood_table, &item->joint};
    records[1] = (dlp__Record){dlp_joint_params(), &item->joint.def};
    return 2;
}

static void get_companion(const dlp_World *world, int index, dlp__Item *item)
{
    item->companion = world->companions.def[index];
}

static dlp_Result add_companion(dlp_World *world, const dlp__Item *item)
{
    return dlp__world_keep_companion(world, &item->companion); /* its particles are loaded with all others */
}

static int companion_records(const dlp_World *world, dlp__Item *item, dlp__Record records[DLP_RECORDS_MOST])
{
    (void)world;
    records[0] = (dlp__Record){dlp_companion_params(), &item->companion};
    return 1;
}

/* Beside its def: the progress of an emitter. */
static const dlp_Param layers_params[] = {
    {"layers", DLP_PARAM_INT, offsetof(dlp__Emitter, layers), "", {0, 0, 0}, 0, 9e15, NULL, .help = ""},
    {"lead", DLP_PARAM_REAL, offsetof(dlp__Emitter, offset), "m", {0, 0, 0}, 0, 1e4, NULL, .help = ""}};
static const dlp_ParamTable layers_table = {"emitter", "", sizeof(dlp__Emitter), 2, layers_params};

static void get_emitter(const dlp_World *world, int index, dlp__Item *item)
{
    item->emitter = world->emitters[index];
}

static dlp_Result add_emitter(dlp_World *world, const dlp__Item *item)
{
    dlp_EmitterId id = 0;
    dlp_Result result = dlp_params_check(&layers_table, item, &world->error);
    if (result == DLP_OK) {
        result = dlp_world_add_emitter(world, &item->emitter.def, &id);
    }
    if (result == DLP_OK) {
        dlp__Emitter *emitter = &world->emitters[id]; /* adding it would have started it now */
        emitter->def.start = item->emitter.def.start;
        emitter->layers = item->emitter.layers;
        emitter->offset = item->emitter.offset;
    }
    return result;
}

static int emitter_records(const dlp_World *world, dlp__Item *item, dlp__Record records[DLP_RECORDS_MOST])
{
    (void)world;
    records[0] = (dlp__Record){&layers_table, &item->emitter};
    records[1] = (dlp__Record){dlp_emitter_params(), &item->emitter.def};
    return 2;
}

static void get_sink(const dlp_World *world, int index, dlp__Item *item)
{
    item->sink = world->sinks[index];
}

static dlp_Result add_sink(dlp_World *world, const dlp__Item *item)
{
    return dlp_world_add_sink(world, &item->sink, &(dlp_SinkId){0});
}

static int sink_records(const dlp_World *world, dlp__Item *item, dlp__Record records[DLP_RECORDS_MOST])
{
    (void)world;
    records[0] = (dlp__Record){dlp_sink_params(), &item->sink};
    return 1;
}

static void get_contact(const dlp_World *world, int index, dlp__Item *item)
{
    item->contact = world->contacts[index];
}

static dlp_Result add_contact(dlp_World *world, const dlp__Item *item)
{
    return dlp_world_add_contact(world, &item->contact, &(dlp_ContactId){0});
}

static int contact_records(const dlp_World *world, dlp__Item *item, dlp__Record records[DLP_RECORDS_MOST])
{
    (void)world;
    records[0] = (dlp__Record){dlp_contact_params(), &item->contact};
    return 1;
}

static void get_camera(const dlp_World *world, int index, dlp__Item *item)
{
    item->camera = world->cameras[index];
}

static dlp_Result add_camera(dlp_World *world, const dlp__Item *item)
{
    return dlp_world_add_camera(world, &item->camera, &(dlp_CameraId){0});
}

static int camera_records(const dlp_World *world, dlp__Item *item, dlp__Record records[DLP_RECORDS_MOST])
{
    (void)world;
    records[0] = (dlp__Record){dlp_camera_params(), &item->camera};
    return 1;
}

/* Beside its def: what a probe has measured so far. */
/* clang-format off */
#define MEASURED(name, type, member) \
    {name, type, offsetof(dlp__Probe, state.member), "", {0, 0, 0}, -1e300, 1e300, NULL, .help = ""}

static const dlp_Param measured_params[] = {
    {"samples", DLP_PARAM_INT, offsetof(dlp__Probe, state.samples), "", {0, 0, 0}, 0, 9e15, NULL, .help = ""},
    {"due", DLP_PARAM_INT, offsetof(dlp__Probe, state.due), "", {0, 0, 0}, 0, 9.2e18, NULL, .help = ""},
    {"elapsed", DLP_PARAM_REAL, offsetof(dlp__Probe, state.elapsed), "s", {0, 0, 0}, 0, 1e300, NULL, .help = ""},
    MEASURED("pressure_impulse", DLP_PARAM_VEC3, impulse[0]), MEASURED("pressure_moment", DLP_PARAM_VEC3, impulse[1]),
    MEASURED("viscous_impulse", DLP_PARAM_VEC3, impulse[2]), MEASURED("viscous_moment", DLP_PARAM_VEC3, impulse[3]),
    MEASURED("volume", DLP_PARAM_REAL, volume), MEASURED("total", DLP_PARAM_REAL, total),
    MEASURED("work", DLP_PARAM_REAL, work), MEASURED("elastic", DLP_PARAM_REAL, elastic),
    {"started", DLP_PARAM_BOOL, offsetof(dlp__Probe, state.started), "", {0, 0, 0}, 0, 1, NULL, .help = ""}};
/* clang-format on */
static const dlp_ParamTable measured_table = {
    "probe", "", sizeof(dlp__Probe), (int)(sizeof measured_params / sizeof measured_params[0]), measured_params};

static void get_probe(const dlp_World *world, int index, dlp__Item *item)
{
    item->probe = world->probes.probe[index];
}

static dlp_Result add_probe(dlp_World *world, const dlp__Item *item)
{
    dlp_ProbeId id = 0;
    dlp_Result result = dlp_params_check(&measured_table, item, &world->error);
    if (result == DLP_OK) {
        result = dlp_world_add_probe(world, &item->probe.def, &id);
    }
    if (result == DLP_OK) {
        world->probes.probe[id].state = item->probe.state;
    }
    return result;
}

static int probe_records(const dlp_World *world, dlp__Item *item, dlp__Record records[DLP_RECORDS_MOST])
{
    (void)world;
    records[0] = (dlp__Record){&measured_table, &item->probe};
    records[1] = (dlp__Record){dlp_probe_params(), &item->probe.def};
    return 2;
}

const dlp__ItemList dlp__item_lists[DLP_ITEM_LISTS] = {
    [DLP_ITEMS_MATERIALS] = {"materials", dlp_world_material_count, get_material, add_material, material_records},
    [DLP_ITEMS_SOLIDS] = {"solids", dlp_world_solid_count, get_solid, add_solid, solid_records},
    [DLP_ITEMS_JOINTS] = {"joints", dlp_world_joint_count, get_joint, add_joint, joint_records},
    [DLP_ITEMS_COMPANIONS] = {"companions", dlp_world_companion_count, get_companion, add_companion, companion_records},
    [DLP_ITEMS_EMITTERS] = {"emitters", dlp_world_emitter_count, get_emitter, add_emitter, emitter_records},
    [DLP_ITEMS_SINKS] = {"sinks", dlp_world_sink_count, get_sink, add_sink, sink_records},
    [DLP_ITEMS_CONTACTS] = {"contacts", dlp_world_contact_count, get_contact, add_contact, contact_records},
    [DLP_ITEMS_CAMERAS] = {"cameras", dlp_world_camera_count, get_camera, add_camera, camera_records},
    [DLP_ITEMS_PROBES] = {"probes", dlp_world_probe_count, get_probe, add_probe, probe_records},
};

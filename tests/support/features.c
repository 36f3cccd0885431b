#include "support/features.h"

#include <dollop/probe.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

const char *feature_name(int index)
{
    static const char *const names[FEATURE_COUNT] = {"mesh",      "bodies", "companion", "heat",
                                                     "emitter",   "sink",   "elastic",   "keys",
                                                     "deforming", "probes", "friction",  "periodic"};
    return names[index];
}

dlp_WorldDef feature_def(const char *method, int features, double spacing)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "%s", method);
    def.spacing = spacing;
    def.threads = 1;
    if ((features & FEATURE_PERIODIC) != 0) {
        def.periodic_size.x = 0.4; /* from 0: the fluid lies across the border */
    }
    return def;
}

static void add_walls(dlp_World *world, int features)
{
    dlp_SolidDef walls = dlp_default_solid_def();
    walls.shape.kind = (features & FEATURE_PERIODIC) != 0 ? DLP_SHAPE_PLANE : DLP_SHAPE_CONTAINER;
    walls.shape.size = (dlp_Vec3){0.2, 0.2, 0.4};
    walls.shape.position.z = (features & FEATURE_PERIODIC) != 0 ? 0.0 : 0.2;
    if ((features & FEATURE_HEAT) != 0) {
        walls.temperature = 280.0;
    }
    if ((features & FEATURE_FRICTION) != 0) {
        walls.friction = 0.4;
        walls.stickiness = 100.0;
    }
    TRY(dlp_world_add_solid(world, &walls, NULL));
}

static dlp_MeshId add_box(dlp_World *world, dlp_Vec3 size)
{
    const dlp_MeshDef def = dlp_default_mesh_def();
    const dlp_Mesh box = box_mesh(size);
    dlp_MeshId id = -1;
    TRY(dlp_world_add_mesh(world, &def, &box, &id));
    return id;
}

static dlp_SolidDef mesh_solid(dlp_MeshId mesh, dlp_Vec3 position)
{
    dlp_SolidDef def = dlp_default_solid_def();
    def.shape.kind = DLP_SHAPE_MESH;
    def.shape.mesh = mesh;
    def.shape.position = position;
    return def;
}

static void add_bodies(dlp_World *world, dlp_MeshId mesh)
{
    dlp_SolidDef body = mesh_solid(mesh, (dlp_Vec3){0.05, 0.0, 0.1});
    dlp_JointDef hinge = dlp_default_joint_def();
    body.density = 500.0;
    TRY(dlp_world_add_solid(world, &body, &hinge.solid));
    body.shape.kind = DLP_SHAPE_SPHERE;
    body.shape.radius = 0.03;
    body.shape.position = (dlp_Vec3){-0.05, 0.05, 0.12};
    TRY(dlp_world_add_solid(world, &body, NULL));
    hinge.anchor = (dlp_Vec3){0.05, 0.0, 0.1};
    hinge.axis = (dlp_Vec3){0.0, 1.0, 0.0};
    TRY(dlp_world_add_joint(world, &hinge, NULL));
}

/* A ball that moves through the fluid. */
static void add_keyed_solid(dlp_World *world)
{
    const dlp_PoseKey keys[2] = {{0.0, {-0.05, 0.0, 0.1}, {0.0, 0.0, 0.0}}, {0.1, {0.05, 0.0, 0.05}, {0.0, 0.0, 1.0}}};
    dlp_SolidDef ball = dlp_default_solid_def();
    dlp_SolidId id = -1;
    ball.shape.kind = DLP_SHAPE_SPHERE;
    ball.shape.radius = 0.03;
    ball.shape.position = keys[0].position;
    TRY(dlp_world_add_solid(world, &ball, &id));
    TRY(dlp_world_set_solid_keys(world, id, keys, 2));
}

/* A block that grows and sinks. */
static void add_deforming_solid(dlp_World *world)
{
    const dlp_MeshId mesh = add_box(world, (dlp_Vec3){0.05, 0.05, 0.03});
    const dlp_SolidDef block = mesh_solid(mesh, (dlp_Vec3){0.0, -0.05, 0.1});
    const double times[2] = {0.0, 0.1};
    float positions[48];
    memcpy(positions, box_mesh((dlp_Vec3){0.05, 0.05, 0.03}).position, 24 * sizeof(float));
    memcpy(positions + 24, box_mesh((dlp_Vec3){0.07, 0.05, 0.06}).position, 24 * sizeof(float));
    TRY(dlp_world_set_mesh_frames(world, mesh, &(dlp_MeshFrames){2, times, positions}));
    TRY(dlp_world_add_solid(world, &block, NULL));
}

static void add_solids(dlp_World *world, int features)
{
    dlp_MeshId mesh = -1;
    add_walls(world, features);
    if ((features & (FEATURE_MESH | FEATURE_BODIES)) != 0) {
        mesh = add_box(world, (dlp_Vec3){0.06, 0.06, 0.03});
    }
    if ((features & FEATURE_MESH) != 0) {
        const dlp_SolidDef fixed = mesh_solid(mesh, (dlp_Vec3){-0.05, 0.02, 0.04});
        TRY(dlp_world_add_solid(world, &fixed, NULL));
    }
    if ((features & FEATURE_BODIES) != 0) {
        add_bodies(world, mesh);
    }
    if ((features & FEATURE_KEYS) != 0) {
        add_keyed_solid(world);
    }
    if ((features & FEATURE_DEFORMING) != 0) {
        add_deforming_solid(world);
    }
}

static dlp_MaterialId add_syrup(dlp_World *world, int features)
{
    dlp_MaterialDef syrup = dlp_default_material_def();
    dlp_MaterialId id = -1;
    syrup.viscosity = 5.0;
    if ((features & FEATURE_HEAT) != 0) {
        syrup.heat_capacity = 2000.0;
        syrup.conductivity = 1.0;
        syrup.temperature = 300.5;
        syrup.melting_point = 300.0;
        syrup.liquidus = 301.0;
        syrup.latent_heat = 1e4;
        syrup.frozen_modulus = 1000.0;
        syrup.activation_energy = 2e4;
    }
    TRY(dlp_world_add_material(world, &syrup, &id));
    return id;
}

/* A block of a Maxwell fluid; springs of method springs yield, too. */
static void add_elastic_fluid(dlp_World *world)
{
    dlp_MaterialDef slime = dlp_default_material_def();
    dlp_FluidDef block = dlp_default_fluid_def();
    slime.modulus = 200.0;
    slime.relaxation_time = 0.05;
    TRY(dlp_world_add_material(world, &slime, &block.material));
    if (strcmp(dlp_world_def(world).method, "springs") == 0) {
        set_material_param(world, block.material, "plasticity", 20.0);
        set_material_param(world, block.material, "yield_ratio", 0.1);
    }
    block.shape.size = (dlp_Vec3){0.12, 0.2, 0.04};
    block.shape.position = (dlp_Vec3){0.0, 0.0, 0.12};
    block.velocity.z = -1.0;
    TRY(dlp_world_add_fluid(world, &block, NULL));
}

static void add_companions(dlp_World *world)
{
    dlp_MaterialDef cork = dlp_default_material_def();
    dlp_CompanionDef body = dlp_default_companion_def();
    cork.density = 700.0;
    TRY(dlp_world_add_material(world, &cork, &body.material));
    body.shape.kind = DLP_SHAPE_BOX;
    body.shape.size = (dlp_Vec3){0.06, 0.06, 0.04};
    body.shape.position = (dlp_Vec3){-0.05, -0.06, 0.19};
    body.velocity.z = -1.0;
    TRY(dlp_world_add_companion(world, &body, NULL));
    body.shape.position.y = 0.06;
    body.hold = DLP_HOLD_SOFT;
    body.stiffness = 1e4;
    TRY(dlp_world_add_companion(world, &body, NULL));
}

static void add_emitter(dlp_World *world, dlp_MaterialId material)
{
    dlp_EmitterDef nozzle = dlp_default_emitter_def();
    nozzle.material = material;
    nozzle.position = (dlp_Vec3){0.05, -0.06, 0.25};
    nozzle.direction = (dlp_Vec3){0.0, 0.0, -1.0};
    nozzle.radius = 0.03;
    nozzle.speed = 4.0;
    TRY(dlp_world_add_emitter(world, &nozzle, NULL));
}

static void add_sink(dlp_World *world)
{
    dlp_SinkDef drain = dlp_default_sink_def();
    drain.shape.kind = DLP_SHAPE_BOX;
    drain.shape.size = (dlp_Vec3){0.06, 0.06, 0.06};
    drain.shape.position = (dlp_Vec3){0.08, 0.08, 0.0};
    TRY(dlp_world_add_sink(world, &drain, NULL));
}

static void add_probes(dlp_World *world)
{
    for (int kind = DLP_PROBE_FORCE; kind <= DLP_PROBE_PIECES; kind++) {
        dlp_ProbeDef probe = dlp_default_probe_def();
        probe.kind = kind;
        probe.position = (dlp_Vec3){0.0, 0.0, 0.04};
        if (kind == DLP_PROBE_FLOW) {
            probe.shape = DLP_PROBE_PLANE;
            probe.direction.z = 1.0;
        } else if (kind == DLP_PROBE_LINE) {
            probe.end.z = 0.1;
            probe.count = 4;
        }
        TRY(dlp_world_add_probe(world, &probe, NULL));
    }
}

static void add_fluids(dlp_World *world, int features)
{
    dlp_FluidDef pool = dlp_default_fluid_def();
    pool.material = add_syrup(world, features);
    pool.shape.size = (dlp_Vec3){0.2, 0.2, 0.08};
    pool.shape.position.z = 0.04;
    TRY(dlp_world_add_fluid(world, &pool, NULL));
    if ((features & FEATURE_ELASTIC) != 0) {
        add_elastic_fluid(world);
    }
    if ((features & FEATURE_COMPANION) != 0) {
        add_companions(world);
    }
    if ((features & FEATURE_EMITTER) != 0) {
        add_emitter(world, pool.material);
    }
}

void add_features(dlp_World *world, int features)
{
    add_solids(world, features);
    add_fluids(world, features);
    if ((features & FEATURE_SINK) != 0) {
        add_sink(world);
    }
    if ((features & FEATURE_PROBES) != 0) {
        add_probes(world);
    }
}

int feature_case_count(void)
{
    return dlp_method_count() * (FEATURE_COUNT + 3);
}

FeatureCase feature_case(int number)
{
    const int kind = number % (FEATURE_COUNT + 3);
    FeatureCase test = {.method = dlp_method_name(number / (FEATURE_COUNT + 3))};
    snprintf(test.name, sizeof test.name, "%s", kind < FEATURE_COUNT ? feature_name(kind) : "plain");
    if (kind < FEATURE_COUNT) {
        test.features = 1 << kind;
    } else if (kind == FEATURE_COUNT + 1) {
        test.features = (1 << FEATURE_COUNT) - 1 - FEATURE_PERIODIC - FEATURE_DEFORMING;
        snprintf(test.name, sizeof test.name, "all features");
    } else if (kind == FEATURE_COUNT + 2) {
        test.automatic = true;
        test.features = FEATURE_EMITTER | FEATURE_KEYS;
        snprintf(test.name, sizeof test.name, "automatic steps");
    }
    return test;
}

dlp_World *start_feature_case(const FeatureCase *test, const dlp_WorldDef *def)
{
    dlp_World *world = make_world(def);
    if (strcmp(test->method, "springs") == 0) {
        set_method(world, "form", 1); /* gather: a sequence needs a single subdomain */
    }
    add_features(world, test->features);
    return world;
}

void step_feature_case(dlp_World *world, const FeatureCase *test, int steps)
{
    for (int step = 0; step < steps; step++) {
        if (!test->automatic) {
            step_or_fail(world, 0.004);
        } else if (dlp_world_advance(world, 1.0) != DLP_OK) {
            fail_msg("%s", dlp_world_error(world));
        }
    }
}

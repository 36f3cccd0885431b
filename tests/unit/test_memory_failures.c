/* Memory that runs out at any allocation. An allocator fails at its k-th call, for every k, while a world with meshes, free bodies, a
 * joint, a companion, heat, an emitter and probes is built, stepped, saved, loaded and meshed, in every method. A failed call reports
 * it, and repeating the call succeeds, as if nothing had happened, except for a step, after which the world is destroyed. Nothing
 * leaks, and a checkpoint stays as it was.
 * ctest: nightly
 * ctest: timeout 600 */
#include "support/world_fixture.h"

#include <dollop/dollop.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CHECKPOINT "memory_failures.h5"
#define FRAME      "memory_failures.vtkhdf"

typedef struct Pool {
    int64_t calls, failing; /* the call that fails; 0: none */
    int64_t blocks;         /* not returned */
    bool failed;
} Pool;

static void *allocate(void *user, size_t size, size_t alignment)
{
    Pool *pool = user;
    void *block = NULL;
    if (++pool->calls == pool->failing) {
        pool->failed = true;
        return NULL;
    }
    if (posix_memalign(&block, alignment < sizeof(void *) ? sizeof(void *) : alignment, size) != 0) {
        return NULL;
    }
    memset(block, 0xa5, size); /* so that memory read before it is written shows */
    pool->blocks++;
    return block;
}

static void release(void *user, void *block, size_t size)
{
    Pool *pool = user;
    (void)size;
    pool->blocks -= block != NULL;
    free(block);
}

/* The call, and once more if memory ran out in it. */
#define TRY(call) \
    do { \
        dlp_Result result_ = (call); \
        if (result_ != DLP_OK) { \
            assert_int_equal(result_, DLP_ERROR_MEMORY); \
            result_ = (call); \
        } \
        assert_int_equal(result_, DLP_OK); \
    } while (0)

static void add_solids(dlp_World *world)
{
    const dlp_MeshDef mesh_def = dlp_default_mesh_def();
    const dlp_Mesh box = box_mesh((dlp_Vec3){0.06, 0.06, 0.03});
    dlp_MeshId mesh = -1;
    TRY(dlp_world_add_mesh(world, &mesh_def, &box, &mesh));

    dlp_SolidDef tank = dlp_default_solid_def();
    tank.shape.kind = DLP_SHAPE_CONTAINER;
    tank.shape.size = (dlp_Vec3){0.2, 0.2, 0.4};
    tank.shape.position.z = 0.2;
    tank.temperature = 280.0;
    TRY(dlp_world_add_solid(world, &tank, NULL));

    dlp_SolidDef body = dlp_default_solid_def();
    dlp_SolidId hinged = -1;
    body.shape.kind = DLP_SHAPE_MESH;
    body.shape.mesh = mesh;
    body.shape.position = (dlp_Vec3){0.05, 0.0, 0.1};
    body.density = 500.0;
    TRY(dlp_world_add_solid(world, &body, &hinged));
    body.shape.kind = DLP_SHAPE_SPHERE;
    body.shape.radius = 0.03;
    body.shape.position = (dlp_Vec3){-0.05, 0.05, 0.12};
    TRY(dlp_world_add_solid(world, &body, NULL));

    dlp_JointDef hinge = dlp_default_joint_def();
    hinge.solid = hinged;
    hinge.anchor = (dlp_Vec3){0.05, 0.0, 0.1};
    hinge.axis = (dlp_Vec3){0.0, 1.0, 0.0};
    TRY(dlp_world_add_joint(world, &hinge, NULL));
}

static void add_fluids(dlp_World *world)
{
    dlp_MaterialDef syrup = dlp_default_material_def();
    dlp_FluidDef pool = dlp_default_fluid_def();
    syrup.viscosity = 5.0;
    syrup.modulus = 200.0;
    syrup.heat_capacity = 2000.0;
    syrup.conductivity = 1.0;
    TRY(dlp_world_add_material(world, &syrup, &pool.material));
    pool.shape.size = (dlp_Vec3){0.2, 0.2, 0.08};
    pool.shape.position.z = 0.04;
    TRY(dlp_world_add_fluid(world, &pool, NULL));

    dlp_MaterialDef cork = dlp_default_material_def();
    dlp_CompanionDef float_body = dlp_default_companion_def();
    cork.density = 700.0;
    TRY(dlp_world_add_material(world, &cork, &float_body.material));
    float_body.shape.kind = DLP_SHAPE_BOX;
    float_body.shape.size = (dlp_Vec3){0.06, 0.06, 0.04};
    float_body.shape.position = (dlp_Vec3){-0.05, -0.06, 0.12};
    TRY(dlp_world_add_companion(world, &float_body, NULL));

    dlp_EmitterDef nozzle = dlp_default_emitter_def();
    nozzle.material = pool.material;
    nozzle.position = (dlp_Vec3){0.05, -0.06, 0.25};
    nozzle.direction = (dlp_Vec3){0.0, 0.0, -1.0};
    nozzle.radius = 0.03;
    nozzle.speed = 4.0;
    TRY(dlp_world_add_emitter(world, &nozzle, NULL));
}

/* Two steps; false if memory ran out in one. */
static bool take_steps(dlp_World *world)
{
    for (int step = 0; step < 2; step++) {
        const dlp_Result result = dlp_world_step(world, 0.004);
        if (result != DLP_OK) {
            assert_int_equal(result, DLP_ERROR_MEMORY);
            assert_non_null(strstr(dlp_world_error(world), "memory"));
            return false;
        }
    }
    return true;
}

/* Save a world and load it again: the state is the same. */
static void exchange_checkpoint(dlp_World *world, const dlp_WorldDef *def)
{
    dlp_World *loaded = NULL;
    dlp_Error error;
    TRY(dlp_world_save(world, CHECKPOINT));
    TRY(dlp_world_load(CHECKPOINT, def, &loaded, &error));
    assert_true(dlp_world_hash(loaded) == dlp_world_hash(world));
    dlp_world_destroy(loaded);
}

static void make_surface(dlp_World *world, const dlp_Hooks *hooks)
{
    dlp_SurfaceDef def = dlp_default_surface_def();
    dlp_Frame *frame = NULL;
    dlp_Surface *surface = NULL;
    dlp_Mesh mesh;
    dlp_Error error;
    def.spacing = 0.02;
    def.threads = 1;
    def.hooks = *hooks;
    TRY(dlp_world_write_frame(world, FRAME));
    TRY(dlp_frame_read(FRAME, hooks, &frame, &error));
    const dlp_Points points = dlp_frame_points(frame);
    TRY(dlp_surface_create(&def, &surface, &error));
    TRY(dlp_surface_build(surface, &points, &mesh, &error));
    assert_true(mesh.triangle_count > 0);
    dlp_surface_destroy(surface);
    dlp_frame_destroy(frame);
}

/* The life of a world, as far as is needed to see the effect of a failure; the hash of its last state, 0 if a step ran out of memory. */
static uint64_t play(const char *method, Pool *pool)
{
    dlp_WorldDef def = dlp_default_world_def();
    dlp_World *world = NULL;
    dlp_Error error;
    uint64_t hash = 0;
    snprintf(def.method, sizeof def.method, "%s", method);
    def.spacing = 0.02;
    def.threads = 1;
    def.hooks.allocator = (dlp_Allocator){.allocate = allocate, .release = release, .user = pool};
    TRY(dlp_world_create(&def, &world, &error));
    add_solids(world);
    add_fluids(world);
    if (take_steps(world)) {
        hash = dlp_world_hash(world);
    }
    if (hash != 0 && !pool->failed) {
        exchange_checkpoint(world, &def);
    }
    if (hash != 0 && !pool->failed) {
        make_surface(world, &def.hooks);
    }
    dlp_world_destroy(world);
    return hash;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (int m = 0; m < dlp_method_count(); m++) {
        const char *method = dlp_method_name(m);
        Pool whole = {0};
        const uint64_t expected = play(method, &whole);
        int64_t in_steps = 0;
        assert_true(expected != 0 && whole.blocks == 0);
        for (int64_t k = 1; k <= whole.calls; k++) {
            Pool pool = {.failing = k};
            const uint64_t hash = play(method, &pool);
            if (!pool.failed || pool.blocks != 0 || (hash != 0 && hash != expected)) {
                fail_msg("%s, allocation %" PRId64 ": %s, %" PRId64 " blocks left, hash %016" PRIx64
                         " instead of %016" PRIx64,
                         method, k, pool.failed ? "failed" : "not reached", pool.blocks, hash, expected);
            }
            in_steps += hash == 0;
        }
        print_message("%s: %" PRId64 " allocations, %" PRId64 " of them in steps\n", method, whole.calls, in_steps);
    }
    remove(CHECKPOINT);
    remove(FRAME);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_may_fail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

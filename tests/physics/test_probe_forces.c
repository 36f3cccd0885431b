/* ctest: threaded timeout 300
 * Forces on solids are the reactions of the solver: what the fluid loses in momentum the walls receive, at rest that is its weight,
 * and the torque on the cylinders of a Couette cell is that of theory. Probes never change the simulation. */
#include "support/world_fixture.h"

#include <dollop/probe.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define PI 3.14159265358979323846
enum { FORCE_COLUMNS = 19 };

static void must(dlp_World *world, dlp_Result result)
{
    if (result != DLP_OK) {
        fail_msg("%s", dlp_world_error(world));
    }
}

static dlp_World *start_world(const char *method, double spacing)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "%s", method);
    def.spacing = spacing;
    def.threads = 1; /* small, and other tests run in parallel */
    return make_world(&def);
}

static dlp_MaterialId add_material(dlp_World *world, double viscosity, double modulus)
{
    dlp_MaterialDef def = dlp_default_material_def();
    dlp_MaterialId id = 0;
    def.viscosity = viscosity;
    def.modulus = modulus;
    must(world, dlp_world_add_material(world, &def, &id));
    return id;
}

static void add_container(dlp_World *world, double friction)
{
    dlp_SolidDef def = dlp_default_solid_def();
    def.shape.kind = DLP_SHAPE_CONTAINER;
    def.shape.size = (dlp_Vec3){0.08, 0.06, 0.3};
    def.shape.position = (dlp_Vec3){0, 0, 0.15};
    def.friction = friction;
    must(world, dlp_world_add_solid(world, &def, NULL));
}

static int64_t add_block(dlp_World *world, dlp_MaterialId material, double width, double bottom)
{
    dlp_FluidDef def = dlp_default_fluid_def();
    int64_t added = 0;
    def.material = material;
    def.shape.kind = DLP_SHAPE_BOX;
    def.shape.size = (dlp_Vec3){width, 0.06, 0.06};
    def.shape.position = (dlp_Vec3){0, 0, bottom + 0.03};
    must(world, dlp_world_add_fluid(world, &def, &added));
    return added;
}

static dlp_ProbeId add_force_probe(dlp_World *world, dlp_SolidId solid, double interval)
{
    dlp_ProbeDef def = dlp_default_probe_def();
    dlp_ProbeId id = 0;
    def.solid = solid;
    def.interval = interval;
    must(world, dlp_world_add_probe(world, &def, &id));
    return id;
}

/* Over the second second, in which the fluid rests. */
static void at_rest_the_walls_carry_the_weight(void **state)
{
    static const double viscosity[] = {0.001, 10};
    (void)state;
    for (int k = 0; k < 2; k++) {
        dlp_World *world = start_world("physical", 0.01);
        double values[FORCE_COLUMNS];
        add_container(world, 1);
        const double weight = 1e-3 * 9.81 * (double)add_block(world, add_material(world, viscosity[k], 0), 0.08, 0);
        const dlp_ProbeId probe = add_force_probe(world, -1, 1.0);
        for (int step = 0; step < 400; step++) {
            must(world, dlp_world_step(world, 0.005));
        }
        must(world, dlp_world_read_probe(world, probe, values, FORCE_COLUMNS));
        assert_int_equal(dlp_world_probe_samples(world, probe), 2);
        assert_true(fabs(values[3] / weight + 1) < 1e-3);
        assert_true(fabs(values[1] / weight) < 1e-3 && fabs(values[2] / weight) < 1e-3);
        dlp_world_destroy(world);
    }
}

/* A falling block with a paddle that moves through it and, with `free`, a ball that floats. */
static dlp_World *make_stirred(const char *method, double friction, double modulus, bool free)
{
    dlp_World *world = start_world(method, 0.01);
    dlp_SolidDef paddle = dlp_default_solid_def();
    const bool has_rheology = method[0] == 'p' && method[1] == 'h';
    const dlp_MaterialId material = add_material(world, has_rheology && modulus == 0 ? 1 : 0, modulus);
    add_container(world, friction);
    paddle.shape.kind = DLP_SHAPE_BOX;
    paddle.shape.size = (dlp_Vec3){0.01, 0.03, 0.1};
    paddle.shape.position = (dlp_Vec3){0.032, 0, 0.06};
    paddle.velocity.x = -0.1;
    paddle.friction = 1;
    must(world, dlp_world_add_solid(world, &paddle, NULL));
    if (free) {
        dlp_SolidDef ball = dlp_default_solid_def();
        ball.shape.kind = DLP_SHAPE_SPHERE;
        ball.shape.radius = 0.014;
        ball.shape.position = (dlp_Vec3){-0.02, 0, 0.09};
        ball.density = 500;
        ball.friction = 1;
        must(world, dlp_world_add_solid(world, &ball, NULL));
    }
    add_block(world, material, 0.05, 0.005);
    return world;
}

/* The largest difference between the impulse of gravity and what fluid and walls received in a step, over the weight. */
static double worst_balance(dlp_World *world)
{
    const int solids = dlp_world_solid_count(world);
    dlp_WorldStats before, after;
    double worst = 0, weight = 1e-3 * 9.81 * (double)dlp_world_particle_count(world);
    for (int k = -1; k < solids; k++) {
        add_force_probe(world, k, 0);
    }
    for (int step = 0; step < 60; step++) {
        double all[FORCE_COLUMNS], one[FORCE_COLUMNS], sum[3] = {0, 0, 0};
        dlp_world_stats(world, &before);
        must(world, dlp_world_step(world, 0.004));
        dlp_world_stats(world, &after);
        must(world, dlp_world_read_probe(world, 0, all, FORCE_COLUMNS));
        for (int k = 0; k < solids; k++) {
            must(world, dlp_world_read_probe(world, 1 + k, one, FORCE_COLUMNS));
            for (int a = 0; a < 3; a++) {
                sum[a] += one[1 + a];
            }
        }
        const double x = (after.momentum.x - before.momentum.x) / 0.004 + all[1],
                     y = (after.momentum.y - before.momentum.y) / 0.004 + all[2],
                     z = (after.momentum.z - before.momentum.z) / 0.004 + all[3] + weight;
        for (int a = 0; a < 3; a++) {
            assert_true(fabs(sum[a] - all[1 + a]) <= 1e-9 * weight);
        }
        worst = step > 0 ? fmax(worst, sqrt(x * x + y * y + z * z) / weight)
                         : worst; /* first: half a kick of gravity */
    }
    return worst;
}

static void what_the_fluid_loses_the_walls_receive(void **state)
{
    static const struct {
        const char *method;
        double friction, modulus;
        bool free;
    } cases[] = {{"physical", 1, 0, false},   {"physical", 0, 0, false}, {"physical", 0.3, 0, false},
                 {"physical", 1, 500, false}, {"physical", 1, 0, true},  {"pbf", 1, 0, false},
                 {"pbf", 1, 0, true},         {"springs", 1, 0, false},  {"links", 1, 0, false}};
    (void)state;
    for (int k = 0; k < (int)(sizeof cases / sizeof *cases); k++) {
        dlp_World *world = make_stirred(cases[k].method, cases[k].friction, cases[k].modulus, cases[k].free);
        const double worst = worst_balance(world);
        print_message("%s, friction %g, modulus %g: %.2g of the weight\n", cases[k].method, cases[k].friction,
                      cases[k].modulus, worst);
        assert_true(worst < 2e-5); /* rounding in single precision */
        dlp_world_destroy(world);
    }
}

static uint64_t hash_of_run(const char *method, bool probes)
{
    dlp_World *world = make_stirred(method, 0.3, 0, method[1] == 'b');
    for (int kind = 0; kind <= DLP_PROBE_PIECES && probes; kind++) {
        dlp_ProbeDef def = dlp_default_probe_def();
        def.kind = kind;
        def.shape = kind == DLP_PROBE_FLOW ? DLP_PROBE_PLANE : DLP_PROBE_EVERYWHERE;
        must(world, dlp_world_add_probe(world, &def, NULL));
    }
    for (int step = 0; step < 30; step++) {
        must(world, dlp_world_step(world, 0.004));
    }
    const uint64_t hash = dlp_world_hash(world);
    dlp_world_destroy(world);
    return hash;
}

static void probes_change_no_bit_of_the_simulation(void **state)
{
    (void)state;
    for (int m = 0; m < dlp_method_count(); m++) {
        assert_int_equal(hash_of_run(dlp_method_name(m), false), hash_of_run(dlp_method_name(m), true));
    }
}

/* A hollow cylinder as a mesh. */
static dlp_MeshId add_ring(dlp_World *world, double inner, double outer, double half)
{
    enum { SIDES = 256 };
    static float x[12 * SIDES];
    static uint32_t triangle[24 * SIDES];
    const double radius[4] = {inner, outer, outer, inner}, level[4] = {-half, -half, half, half};
    for (uint32_t n = 0; n < 4 * SIDES; n++) {
        const uint32_t side = n / 4, corner = n % 4, next = (side + 1) % SIDES, after = (corner + 1) % 4;
        const double angle = 2 * PI * side / SIDES;
        x[3 * n] = (float)(radius[corner] * cos(angle));
        x[3 * n + 1] = (float)(radius[corner] * sin(angle));
        x[3 * n + 2] = (float)level[corner];
        const uint32_t quad[4] = {n, 4 * next + corner, 4 * next + after, 4 * side + after};
        const uint32_t both[6] = {quad[0], quad[1], quad[2], quad[0], quad[2], quad[3]};
        for (int k = 0; k < 6; k++) {
            triangle[6 * n + (uint32_t)k] = both[k];
        }
    }
    const dlp_Mesh mesh = {.vertex_count = 4 * SIDES, .triangle_count = 8 * SIDES, .position = x, .triangle = triangle};
    const dlp_MeshDef def = dlp_default_mesh_def();
    dlp_MeshId id = -1;
    must(world, dlp_world_add_mesh(world, &def, &mesh, &id));
    return id;
}

typedef struct Cell {
    double viscosity, inner; /* Pa.s, m */
    int across;              /* particles */
} Cell;

static const double OUTER = 0.1; /* m */
enum { LAYERS = 5 };             /* along the periodic axis */

static void fill_cell(dlp_World *world, const Cell *cell, double spacing)
{
    static float point[3 * 20000];
    const dlp_MaterialId material = add_material(world, cell->viscosity, 0);
    int64_t count = 0;
    for (int k = 0; k < LAYERS * cell->across; k++) {
        const int ring = k % cell->across, layer = k / cell->across;
        const double radius = cell->inner + (ring + 0.5) * spacing;
        const int around = (int)(2 * PI * radius / spacing + 0.5);
        for (int i = 0; i < around; i++, count++) {
            const double angle = 2 * PI * (i + 0.37 * ring + 0.5 * (layer % 2)) / around;
            point[3 * count] = (float)(radius * cos(angle));
            point[3 * count + 1] = (float)(radius * sin(angle));
            point[3 * count + 2] = (float)((layer + 0.5) * spacing);
        }
    }
    must(world, dlp_world_add_points(world, material, point, count, (dlp_Vec3){0, 0, 0}));
}

/* The inner cylinder turns at 1 rad/s. No gravity presses the fluid against the walls, so they are sticky. */
static dlp_World *make_cell(const Cell *cell)
{
    const double spacing = (OUTER - cell->inner) / cell->across;
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "physical");
    def.spacing = spacing;
    def.threads = 1;
    def.gravity = (dlp_Vec3){0, 0, 0};
    def.periodic_size = (dlp_Vec3){0, 0, LAYERS * spacing};
    dlp_World *world = make_world(&def);
    dlp_SolidDef inner = dlp_default_solid_def(), outer = inner;
    inner.friction = outer.friction = 1;
    inner.stickiness = outer.stickiness = 1e4;
    inner.shape.kind = DLP_SHAPE_CYLINDER;
    inner.shape.radius = cell->inner;
    inner.shape.length = 1;
    inner.spin.z = 1;
    outer.shape.kind = DLP_SHAPE_MESH;
    outer.shape.mesh = add_ring(world, OUTER, OUTER + 6 * spacing, (LAYERS + 8) * spacing);
    must(world, dlp_world_add_solid(world, &inner, NULL));
    must(world, dlp_world_add_solid(world, &outer, NULL));
    fill_cell(world, cell, spacing);
    return world;
}

static double velocity_at(const Cell *cell, double r)
{
    const double a = cell->inner * cell->inner, b = OUTER * OUTER;
    return a / (b - a) * (b / r - r);
}

static void check_profile(dlp_World *world, const Cell *cell, dlp_ProbeId line)
{
    double values[1 + 3 * 11];
    must(world, dlp_world_read_probe(world, line, values, 1 + 3 * 11));
    for (int k = 0; k < 11; k++) {
        const double r = cell->inner + (OUTER - cell->inner) * k / 10;
        assert_true(fabs(values[2 + 3 * k] - velocity_at(cell, r)) < 0.03 * cell->inner);
    }
}

/* T = 4 pi eta omega L R1^2 R2^2 / (R2^2 - R1^2). Nothing was tuned to these. */
static void the_torque_of_a_couette_cell_is_that_of_theory(void **state)
{
    static const Cell cells[] = {{100, 0.05, 8}, {1000, 0.07, 6}, {10, 0.06, 8}};
    (void)state;
    for (int k = 0; k < 3; k++) {
        const Cell *cell = &cells[k];
        const double a = cell->inner * cell->inner, b = OUTER * OUTER;
        const double length = LAYERS * (OUTER - cell->inner) / cell->across;
        const double theory = 4 * PI * cell->viscosity * length * a * b / (b - a);
        dlp_World *world = make_cell(cell);
        const dlp_ProbeId inner = add_force_probe(world, 0, 0.2), outer = add_force_probe(world, 1, 0.2);
        dlp_ProbeDef def = dlp_default_probe_def();
        dlp_ProbeId line = 0;
        def.kind = DLP_PROBE_LINE;
        def.quantity = DLP_QUANTITY_VELOCITY;
        def.position = (dlp_Vec3){cell->inner, 0, length / 2};
        def.end = (dlp_Vec3){OUTER, 0, length / 2};
        must(world, dlp_world_add_probe(world, &def, &line));
        for (int step = 0; step < 80; step++) {
            must(world, dlp_world_step(world, 0.005));
        }
        double on_inner[FORCE_COLUMNS], on_outer[FORCE_COLUMNS];
        must(world, dlp_world_read_probe(world, inner, on_inner, FORCE_COLUMNS));
        must(world, dlp_world_read_probe(world, outer, on_outer, FORCE_COLUMNS));
        print_message("%g Pa.s: torque on the cylinders over theory %.4f %.4f\n", cell->viscosity, on_inner[6] / theory,
                      on_outer[6] / theory);
        assert_true(fabs(on_inner[6] / theory + 1) < 0.02);
        assert_true(fabs(on_outer[6] / theory - 1) < 0.02);
        check_profile(world, cell, line);
        dlp_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_rest_the_walls_carry_the_weight),
        cmocka_unit_test(what_the_fluid_loses_the_walls_receive),
        cmocka_unit_test(probes_change_no_bit_of_the_simulation),
        cmocka_unit_test(the_torque_of_a_couette_cell_is_that_of_theory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

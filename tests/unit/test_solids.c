/* Boundary samples, contact and poses of solids, against analytic formulas and brute force.
 * ctest: threaded */
#include "boundary/boundary.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double PI = 3.14159265358979323846;
static const double SPACING = 0.01; /* m */
static const double SUPPORT = 0.02; /* m */
/* m, range of wall samples: the first layer behind a wall is half a spacing inside */
static const double REACH = 0.015;

static uint64_t random_state = 1;

static double random_in(double low, double high)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(random_state >> 11) / 9007199254740992.0;
}

static dlp_Vec3 random_vector(double size)
{
    return dlp__vec3(random_in(-size, size), random_in(-size, size), random_in(-size, size));
}

/* A world of one part with solids and particles, and no method. */
typedef struct Stage {
    dlp__Memory memory;
    dlp__Parallel parallel;
    dlp__Domains domains;
    dlp__Solids solids;
    dlp__Kernel kernel;
} Stage;

static dlp__Particles *particles_of(Stage *stage)
{
    return &stage->domains.part[0].particles;
}

static Stage *stage_create(dlp_KernelKind kind, int threads)
{
    Stage *stage = calloc(1, sizeof *stage);
    assert_non_null(stage);
    dlp__memory_init(&stage->memory, NULL);
    dlp__parallel_init(&stage->parallel, threads, NULL);
    stage->kernel = dlp__kernel(kind, SUPPORT);
    stage->domains.memory = &stage->memory;
    stage->domains.parallel = &stage->parallel;
    stage->domains.count = 1;
    static const dlp__FieldId fields[] = {
        DLP_FIELD_id,         DLP_FIELD_material, DLP_FIELD_position,        DLP_FIELD_velocity,
        DLP_FIELD_correction, DLP_FIELD_pressure, DLP_FIELD_specific_volume, DLP_FIELD_NONE};
    dlp__particles_init(particles_of(stage), &stage->memory, NULL, fields);
    dlp__solids_init(&stage->solids, &stage->memory, (float)SPACING, &stage->kernel, NULL);
    return stage;
}

static void stage_destroy(Stage *stage)
{
    dlp__Domain *domain = &stage->domains.part[0];
    for (int k = 0; k < 3; k++) {
        dlp__buffer_release(&stage->memory, &domain->samples.buffer[k]);
    }
    dlp__neighbors_release(&domain->boundary, &stage->memory);
    dlp__particles_release(&domain->particles);
    dlp__solids_release(&stage->solids);
    assert_int_equal(stage->memory.bytes, 0);
    free(stage);
}

static dlp_SolidDef solid_of(dlp_ShapeKind kind, dlp_Vec3 position)
{
    dlp_SolidDef def = dlp_default_solid_def();
    def.friction = 0.0;
    def.shape.kind = kind;
    def.shape.position = position;
    def.shape.size = dlp__vec3(1.0, 1.0, 1.0);
    def.shape.radius = 0.2;
    def.shape.length = 0.3;
    return def;
}

static void add_solid(Stage *stage, const dlp_SolidDef *def)
{
    dlp_Error error;
    assert_int_equal(dlp__solids_add(&stage->solids, def, NULL, &error), DLP_OK);
}

static void add_particle(Stage *stage, dlp_Vec3 place, dlp_Vec3 velocity)
{
    dlp__Particles *particles = particles_of(stage);
    int64_t i = dlp__particles_add(particles, 1);
    assert_true(i >= 0);
    const double x[3] = {place.x, place.y, place.z}, v[3] = {velocity.x, velocity.y, velocity.z};
    for (int axis = 0; axis < 3; axis++) {
        particles->position[axis][i] = (float)x[axis];
        particles->velocity[axis][i] = (float)v[axis];
    }
}

static dlp_Vec3 place_of(Stage *stage, int64_t i)
{
    float **x = particles_of(stage)->position;
    return dlp__vec3((double)x[0][i], (double)x[1][i], (double)x[2][i]);
}

static dlp_Vec3 velocity_of(Stage *stage, int64_t i)
{
    float **v = particles_of(stage)->velocity;
    return dlp__vec3((double)v[0][i], (double)v[1][i], (double)v[2][i]);
}

/* Kernel sum over a particle's samples, and its gradient (1/m). */
static double sum_samples(Stage *stage, int64_t i, dlp_Vec3 *gradient)
{
    const dlp__Domain *domain = &stage->domains.part[0];
    double value = 0.0;
    *gradient = dlp__vec3(0, 0, 0);
    for (int32_t k = 0; k < domain->boundary.count[i]; k++) {
        const float *row = domain->samples.position_volume +
                           4 * (int64_t)*dlp__neighbors_entry(&domain->boundary, i, k);
        dlp_Vec3 to = dlp__sub(place_of(stage, i), dlp__vec3((double)row[0], (double)row[1], (double)row[2]));
        double r = dlp__length(to), volume = (double)row[3];
        value += volume * dlp__kernel_value(&stage->kernel, r);
        *gradient = dlp__add(*gradient, dlp__scale(to, volume * dlp__kernel_slope(&stage->kernel, r) / r));
    }
    return value;
}

static double share_at(Stage *stage, double s)
{
    dlp__WallSample sample;
    return dlp__wall_sample(&stage->solids.table, (float)s, &sample) ? (double)sample.share : 0.0;
}

/* Contribution of the sample of a wall at distance s to the kernel sum. */
static double value_at(Stage *stage, double s)
{
    dlp__WallSample sample;
    bool there = dlp__wall_sample(&stage->solids.table, (float)s, &sample);
    return there ? (double)sample.volume * dlp__kernel_value(&stage->kernel, (double)sample.distance) : 0.0;
}

/* Samples */

static void samples_near_a_wall_match_the_wall_table(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        Stage *stage = stage_create((dlp_KernelKind)kind, 1);
        dlp_SolidDef floor = solid_of(DLP_SHAPE_PLANE, dlp__vec3(0, 0, 0));
        floor.shape.rotation = dlp__vec3(0.4, -0.3, 0.9);
        add_solid(stage, &floor);
        dlp_Vec3 normal = dlp__rotation(floor.shape.rotation).z;
        for (int i = 0; i < 37; i++) {
            add_particle(stage, dlp__scale(normal, REACH * i / 30.0), dlp__vec3(0, 0, 0));
        }
        dlp__boundary_build_samples(&stage->solids, &stage->domains);
        assert_int_equal(stage->domains.failure, DLP_OK);
        for (int i = 0; i < 37; i++) {
            dlp_Vec3 gradient;
            double s = REACH * i / 30.0, nudge = 1e-3 * SUPPORT;
            double slope = (value_at(stage, s + nudge) - value_at(stage, s - nudge)) / (2.0 * nudge);
            double value = value_at(stage, s);
            assert_true(fabs(sum_samples(stage, i, &gradient) - value) < 1e-4 * fmax(value, 1.0));
            assert_true(fabs(dlp__length(gradient) - fabs(dlp__dot(gradient, normal))) < 1e-3 / SUPPORT);
            if (kind != DLP_KERNEL_POLY6_SPIKY && i > 0) { /* for poly6/spiky the slope is another kernel's */
                assert_true(fabs(dlp__dot(gradient, normal) - slope) < 2e-2 / SUPPORT * fmax(value, 1.0));
            }
            assert_true(i < 30 || stage->domains.part[0].boundary.count[i] == 0);
        }
        stage_destroy(stage);
    }
}

static void in_a_corner_shared_space_is_counted_once(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        Stage *stage = stage_create((dlp_KernelKind)kind, 1);
        dlp_SolidDef tank = solid_of(DLP_SHAPE_CONTAINER, dlp__vec3(0.5, 0.5, 0.5));
        add_solid(stage, &tank);
        for (int i = 0; i < 500; i++) {
            add_particle(stage, dlp__scale(dlp__add(random_vector(1.0), dlp__vec3(0.9, 0.9, 0.9)), 0.6 * REACH),
                         dlp__vec3(0, 0, 0));
        }
        dlp__boundary_build_samples(&stage->solids, &stage->domains);
        assert_int_equal(stage->domains.failure, DLP_OK);
        for (int i = 0; i < 500; i++) {
            dlp_Vec3 gradient, x = place_of(stage, i);
            double f[3] = {share_at(stage, x.x), share_at(stage, x.y), share_at(stage, x.z)}, sum = f[0] + f[1] + f[2];
            double once = sum > 0.0 ? (1.0 - (1.0 - f[0]) * (1.0 - f[1]) * (1.0 - f[2])) / sum : 1.0;
            double wanted = once * (value_at(stage, x.x) + value_at(stage, x.y) + value_at(stage, x.z));
            assert_true(fabs(sum_samples(stage, i, &gradient) - wanted) < 1e-3);
        }
        stage_destroy(stage);
    }
}

static void samples_have_the_velocity_and_friction_of_their_solid(void **state)
{
    (void)state;
    Stage *stage = stage_create(DLP_KERNEL_WENDLAND_C2, 1);
    dlp_SolidDef ball = solid_of(DLP_SHAPE_SPHERE, dlp__vec3(1, 2, 3));
    ball.velocity = dlp__vec3(0.1, 0.2, 0.3);
    ball.spin = dlp__vec3(0, 0, 2.0);
    ball.friction = 0.7;
    dlp_SolidDef far = solid_of(DLP_SHAPE_SPHERE, dlp__vec3(9, 9, 9));
    add_solid(stage, &far);
    add_solid(stage, &ball);
    add_particle(stage, dlp__vec3(1.205, 2, 3), dlp__vec3(0, 0, 0));
    dlp__boundary_build_samples(&stage->solids, &stage->domains);
    assert_int_equal(stage->domains.failure, DLP_OK);
    const dlp__Domain *domain = &stage->domains.part[0];
    assert_int_equal(domain->boundary.count[0], 1);
    assert_int_equal(domain->samples.solid[0], 1);
    double from_center = (double)domain->samples.position_volume[0] - 1.0;
    assert_true(from_center < 0.205 && fabs((double)domain->samples.position_volume[1] - 2.0) < 1e-6);
    assert_true(fabs((double)domain->samples.velocity_friction[0] - 0.1) < 1e-6);
    assert_true(fabs((double)domain->samples.velocity_friction[1] - (0.2 + 2.0 * from_center)) < 1e-6);
    assert_true(fabs((double)domain->samples.velocity_friction[2] - 0.3) < 1e-6);
    assert_true(fabs((double)domain->samples.velocity_friction[3] - 0.7) < 1e-6);
    stage_destroy(stage);
}

static void every_list_entry_is_its_own_sample_and_padding_has_no_volume(void **state)
{
    (void)state;
    Stage *stage = stage_create(DLP_KERNEL_CUBIC_SPLINE, 1);
    dlp_SolidDef tank = solid_of(DLP_SHAPE_CONTAINER, dlp__vec3(0, 0, 0));
    tank.shape.size = dlp__vec3(0.06, 0.06, 0.06);
    add_solid(stage, &tank);
    for (int i = 0; i < 1003; i++) {
        add_particle(stage, random_vector(0.03), dlp__vec3(0, 0, 0));
    }
    dlp__boundary_build_samples(&stage->solids, &stage->domains);
    assert_int_equal(stage->domains.failure, DLP_OK);
    const dlp__Domain *domain = &stage->domains.part[0];
    const dlp__NeighborList *list = &domain->boundary;
    assert_int_equal(domain->samples.count, list->start[(1003 + DLP_GROUP - 1) / DLP_GROUP] * DLP_GROUP);
    for (int64_t group = 0; group <= 1003 / DLP_GROUP; group++) {
        for (int64_t row = list->start[group] * DLP_GROUP; row < list->start[group + 1] * DLP_GROUP; row++) {
            int64_t i = group * DLP_GROUP + row % DLP_GROUP, k = row / DLP_GROUP - list->start[group];
            bool real = i < 1003 && k < list->count[i];
            assert_int_equal(list->entry[row], row);
            assert_int_equal(domain->samples.position_volume[4 * row + 3] > 0.0f, real);
            assert_int_equal(domain->samples.solid[row], real ? 0 : -1);
            assert_true(isfinite(domain->samples.position_volume[4 * row]) &&
                        isfinite(domain->samples.velocity_friction[4 * row]));
        }
    }
    stage_destroy(stage);
}

static void without_solids_there_are_no_samples(void **state)
{
    (void)state;
    Stage *stage = stage_create(DLP_KERNEL_CUBIC_SPLINE, 1);
    dlp__boundary_build_samples(&stage->solids, &stage->domains);
    assert_int_equal(stage->domains.failure, DLP_OK); /* no particles either */
    for (int i = 0; i < 100; i++) {
        add_particle(stage, random_vector(1.0), dlp__vec3(0, 0, 0));
    }
    dlp__boundary_build_samples(&stage->solids, &stage->domains);
    assert_int_equal(stage->domains.failure, DLP_OK);
    dlp__boundary_push_out(&stage->solids, &stage->domains);
    dlp__boundary_apply_wall_friction(&stage->solids, &stage->domains);
    assert_int_equal(stage->domains.part[0].samples.count, 0);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(stage->domains.part[0].boundary.count[i], 0);
    }
    stage_destroy(stage);
}

/* Solids of all kinds, some of them moving, near the unit cube. */
static dlp_SolidDef random_solid(int kind)
{
    dlp_SolidDef def = solid_of((dlp_ShapeKind)kind, random_vector(0.5));
    def.shape.rotation = random_vector(3.0);
    def.shape.size = dlp__vec3(random_in(0.1, 1.0), random_in(0.1, 1.0), random_in(0.1, 1.0));
    def.shape.radius = random_in(0.05, 0.4);
    def.shape.length = random_in(0.05, 0.4);
    def.friction = random_in(0.0, 1.0);
    def.velocity = random_vector(0.1);
    def.spin = random_vector(2.0);
    def.amplitude = random_vector(0.1);
    def.frequency = random_in(0.0, 3.0);
    return def;
}

/* Number of samples of a particle over all solids, without culling. */
static int32_t count_by_brute_force(Stage *stage, int64_t i)
{
    int32_t count = 0;
    for (int k = 0; k < stage->solids.count; k++) {
        dlp__Wall wall[DLP_SHAPE_WALLS];
        count += dlp__shape_walls(&stage->solids.solid[k].shape, place_of(stage, i), (double)stage->solids.table.reach,
                                  wall);
    }
    return count;
}

static void skipping_far_groups_misses_no_sample(void **state)
{
    (void)state;
    const int amounts[] = {1, 7, 200}; /* 200: more than the capacity of dlp__NearbySolids */
    for (int a = 0; a < 3; a++) {
        Stage *stage = stage_create(DLP_KERNEL_CUBIC_SPLINE, 1);
        for (int k = 0; k < amounts[a]; k++) {
            dlp_SolidDef def = random_solid(k % 6);
            add_solid(stage, &def);
        }
        dlp__solids_move_to(&stage->solids, 0.7);
        for (int clump = 0; clump < 250; clump++) { /* particles in clumps, as after sorting by cell */
            dlp_Vec3 middle = random_vector(1.0);
            double size = random_in(0.001, 0.2);
            for (int i = 0; i < 13; i++) {
                add_particle(stage, dlp__add(middle, random_vector(size)), dlp__vec3(0, 0, 0));
            }
        }
        dlp__boundary_build_samples(&stage->solids, &stage->domains);
        assert_int_equal(stage->domains.failure, DLP_OK);
        for (int64_t i = 0; i < particles_of(stage)->count; i++) {
            assert_int_equal(stage->domains.part[0].boundary.count[i], count_by_brute_force(stage, i));
        }
        stage_destroy(stage);
    }
}

/* Contact */

static void pushed_out_particles_are_inside_no_solid(void **state)
{
    (void)state;
    int inside = 0;
    for (int trial = 0; trial < 50; trial++) {
        Stage *stage = stage_create(DLP_KERNEL_CUBIC_SPLINE, 1);
        dlp_SolidDef def = random_solid(trial % 6);
        add_solid(stage, &def);
        dlp__solids_move_to(&stage->solids, random_in(0.0, 5.0));
        const dlp__Shape *shape = &stage->solids.solid[0].shape;
        for (int i = 0; i < 2000; i++) {
            add_particle(stage, dlp__add(shape->position, random_vector(0.5)), dlp__vec3(0, 0, 0));
            inside += dlp__shape_distance(shape, place_of(stage, i), NULL) < 0.0;
        }
        dlp__boundary_push_out(&stage->solids, &stage->domains);
        for (int i = 0; i < 2000; i++) {
            assert_true(dlp__shape_distance(shape, place_of(stage, i), NULL) >= 0.0);
        }
        stage_destroy(stage);
    }
    assert_true(inside > 10000); /* of 100000 */
}

static void a_push_out_of_one_solid_does_not_end_in_another(void **state)
{
    (void)state;
    Stage *stage = stage_create(DLP_KERNEL_CUBIC_SPLINE, 1);
    dlp_SolidDef floor = solid_of(DLP_SHAPE_PLANE, dlp__vec3(0, 0, 0));
    dlp_SolidDef wall = solid_of(DLP_SHAPE_PLANE, dlp__vec3(0, 0, 0));
    wall.shape.rotation = dlp__vec3(0, 0.9, 0);                             /* leans over the floor */
    dlp_SolidDef ball = solid_of(DLP_SHAPE_SPHERE, dlp__vec3(0.3, 0, 0.1)); /* half sunk into the floor */
    add_solid(stage, &ball);
    add_solid(stage, &wall);
    add_solid(stage, &floor);
    for (int i = 0; i < 5000; i++) {
        dlp_Vec3 p = random_vector(0.4);
        add_particle(stage, dlp__vec3(0.6 + 0.5 * p.x, p.y, 0.4 * p.z), dlp__vec3(0, 0, 0));
    }
    dlp__boundary_push_out(&stage->solids, &stage->domains);
    int inside = 0;
    for (int i = 0; i < 5000; i++) {
        for (int k = 0; k < 3; k++) {
            inside += dlp__shape_distance(&stage->solids.solid[k].shape, place_of(stage, i), NULL) < -1e-7;
        }
    }
    assert_int_equal(inside, 0);
    stage_destroy(stage);
}

static void a_push_goes_straight_to_the_surface_and_is_added_to_correction(void **state)
{
    (void)state;
    Stage *stage = stage_create(DLP_KERNEL_CUBIC_SPLINE, 1);
    dlp_SolidDef floor = solid_of(DLP_SHAPE_PLANE, dlp__vec3(0, 0, 0.1));
    add_solid(stage, &floor);
    add_particle(stage, dlp__vec3(0.3, 0.4, 0.0875), dlp__vec3(0, 0, 0));
    add_particle(stage, dlp__vec3(0.3, 0.4, 0.1125), dlp__vec3(0, 0, 0));
    dlp__Particles *particles = particles_of(stage);
    particles->correction[2][0] = particles->correction[2][1] = 0.5f;
    dlp__boundary_push_out(&stage->solids, &stage->domains);
    assert_true(particles->position[0][0] == 0.3f && particles->position[1][0] == 0.4f);
    assert_true(fabs((double)particles->position[2][0] - 0.1) < 1e-7);
    assert_true(fabs((double)particles->correction[2][0] - 0.5125) < 1e-7);
    assert_true(particles->position[2][1] == 0.1125f && particles->correction[2][1] == 0.5f);
    stage_destroy(stage);
}

static void particles_far_from_the_origin_are_pushed_out_too(void **state)
{
    (void)state;
    Stage *stage = stage_create(DLP_KERNEL_CUBIC_SPLINE, 1);
    /* single precision has a resolution of 2 mm here */
    dlp_SolidDef ball = solid_of(DLP_SHAPE_SPHERE, dlp__vec3(1e4, -3e4, 2e4));
    add_solid(stage, &ball);
    for (int i = 0; i < 2000; i++) {
        add_particle(stage, dlp__add(ball.shape.position, random_vector(0.11)), dlp__vec3(0, 0, 0));
    }
    dlp__boundary_push_out(&stage->solids, &stage->domains);
    for (int i = 0; i < 2000; i++) {
        double distance = dlp__shape_distance(&stage->solids.solid[0].shape, place_of(stage, i), NULL);
        assert_true(distance >= 0.0 && distance < 0.02);
    }
    stage_destroy(stage);
}

/* The sliding speed relative to the belt is sqrt(20) m/s along (2, 4); friction takes the coefficient times the normal speed. */
static void friction_takes_what_coulombs_law_allows(void **state)
{
    (void)state;
    Stage *stage = stage_create(DLP_KERNEL_CUBIC_SPLINE, 1);
    dlp_SolidDef belt = solid_of(DLP_SHAPE_PLANE, dlp__vec3(0, 0, 0));
    belt.velocity = dlp__vec3(1, 0, 0);
    belt.friction = 0.25;
    add_solid(stage, &belt);
    stage->solids.dt = 0.01;
    const double heights[] = {0.3, 0.7, 1.2, 0.3, 0.3}; /* spacings */
    dlp__Particles *p = particles_of(stage);
    for (int i = 0; i < 5; i++) {
        add_particle(stage, dlp__vec3(0, 0, heights[i] * SPACING), dlp__vec3(3, 4, i == 3 ? 2.0 : -2.0));
        p->specific_volume[0][i] = 0.001f;
        p->pressure[0][i] = i == 0 ? 0.0f : i == 4 ? 1e9f : (float)(4.0 * SPACING / (0.001 * stage->solids.dt));
    }
    dlp__boundary_apply_wall_friction(&stage->solids, &stage->domains);
    const double root = sqrt(20.0), stopped = 1.0 - 0.25 * 2.0 / root, pressed = 1.0 - 0.25 * 4.0 / root;
    const dlp_Vec3 wanted[] = {
        {1 + 2 * stopped, 4 * stopped, 0},  /* touching: stopped by the wall, at 2 m/s                   */
        {1 + 2 * pressed, 4 * pressed, -2}, /* in the layer: pressure presses it by 4 m/s in this step   */
        {3, 4, -2},                         /* farther than a spacing                                    */
        {1 + 2 * pressed, 4 * pressed, 2},  /* leaving, but under pressure                               */
        {1, 0, 0},                          /* friction can hold it                                      */
    };
    for (int i = 0; i < 5; i++) {
        assert_true(dlp__length(dlp__sub(velocity_of(stage, i), wanted[i])) < 1e-5);
    }
    stage_destroy(stage);
}

static void in_a_corner_both_walls_stop_a_particle(void **state)
{
    (void)state;
    Stage *stage = stage_create(DLP_KERNEL_CUBIC_SPLINE, 1);
    dlp_SolidDef tank = solid_of(DLP_SHAPE_CONTAINER, dlp__vec3(0, 0, 0));
    tank.friction = 0.0;
    add_solid(stage, &tank);
    add_particle(stage, dlp__vec3(0.499, 0.498, 0.0), dlp__vec3(1, 2, 3));
    dlp__boundary_apply_wall_friction(&stage->solids, &stage->domains);
    assert_true(dlp__length(dlp__sub(velocity_of(stage, 0), dlp__vec3(0, 0, 3))) < 1e-6);
    stage_destroy(stage);
}

/* Poses */

static void a_moving_solid_follows_its_formula(void **state)
{
    (void)state;
    Stage *stage = stage_create(DLP_KERNEL_CUBIC_SPLINE, 1);
    dlp_SolidDef paddle = solid_of(DLP_SHAPE_BOX, dlp__vec3(1, 2, 3));
    paddle.shape.rotation = dlp__vec3(0, 0, PI / 2.0);
    paddle.velocity = dlp__vec3(0.5, 0, 0);
    paddle.amplitude = dlp__vec3(0, 0.2, 0);
    paddle.frequency = 0.25;
    paddle.spin = dlp__vec3(PI / 2.0, 0, 0);
    add_solid(stage, &paddle);
    const dlp__Solid *solid = &stage->solids.solid[0];
    dlp__solids_move_to(&stage->solids, 1.0); /* a quarter of the oscillation, a quarter turn about x */
    assert_true(dlp__length(dlp__sub(solid->shape.position, dlp__vec3(1.5, 2.2, 3))) < 1e-12);
    assert_true(dlp__length(dlp__sub(solid->velocity, dlp__vec3(0.5, 0, 0))) < 1e-12);
    assert_true(dlp__length(dlp__sub(solid->shape.rotation.x, dlp__vec3(0, 0, 1))) < 1e-12);
    assert_true(dlp__length(dlp__sub(solid->shape.rotation.y, dlp__vec3(-1, 0, 0))) < 1e-12);
    dlp_Vec3 velocity = dlp__solid_velocity(solid, dlp__vec3(1.5, 2.2, 4));
    assert_true(dlp__length(dlp__sub(velocity, dlp__vec3(0.5, -PI / 2.0, 0))) < 1e-12);
    stage_destroy(stage);
}

static void the_velocity_of_a_solid_is_the_derivative_of_its_pose(void **state)
{
    (void)state;
    const double step = 1e-6;
    for (int trial = 0; trial < 50; trial++) {
        Stage *stage = stage_create(DLP_KERNEL_CUBIC_SPLINE, 1);
        dlp_SolidDef def = random_solid(trial % 6);
        add_solid(stage, &def);
        dlp__Solid *solid = &stage->solids.solid[0];
        dlp_Vec3 marker = random_vector(0.5), at[3]; /* fixed to the solid */
        for (int k = 0; k < 3; k++) {
            dlp__solids_move_to(&stage->solids, 1.3 + (k - 1) * step);
            at[k] = dlp__add(solid->shape.position, dlp__rotate(&solid->shape.rotation, marker));
        }
        dlp__solids_move_to(&stage->solids, 1.3);
        dlp_Vec3 wanted = dlp__scale(dlp__sub(at[2], at[0]), 0.5 / step);
        assert_true(dlp__length(dlp__sub(dlp__solid_velocity(solid, at[1]), wanted)) < 1e-6);
        stage_destroy(stage);
    }
}

static void invalid_solids_are_rejected_with_a_message(void **state)
{
    (void)state;
    Stage *stage = stage_create(DLP_KERNEL_CUBIC_SPLINE, 1);
    dlp_SolidDef def = solid_of(DLP_SHAPE_SPHERE, dlp__vec3(0, 0, 0));
    dlp_Error error = {0};
    def.friction = 2.0;
    assert_int_equal(dlp__solids_add(&stage->solids, &def, NULL, &error), DLP_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "friction"));
    def.friction = NAN;
    assert_int_equal(dlp__solids_add(&stage->solids, &def, NULL, &error), DLP_ERROR_ARGUMENT);
    def.friction = 0.5;
    assert_int_equal(dlp__solids_set(&stage->solids, 0, &def, &error), DLP_ERROR_ARGUMENT);
    assert_int_equal(stage->solids.count, 0);
    dlp_SolidId id = -1;
    assert_int_equal(dlp__solids_add(&stage->solids, &def, &id, &error), DLP_OK);
    def.friction = 0.25;
    assert_int_equal(dlp__solids_set(&stage->solids, id, &def, &error), DLP_OK);
    assert_true(stage->solids.solid[id].def.friction == 0.25);
    stage_destroy(stage);
}

/* Threads */

static void threads_change_nothing(void **state)
{
    (void)state;
    Stage *stage[2];
    for (int s = 0; s < 2; s++) {
        random_state = 99;
        stage[s] = stage_create(DLP_KERNEL_POLY6_SPIKY, s == 0 ? 1 : 4);
        for (int k = 0; k < 6; k++) {
            dlp_SolidDef def = random_solid(k);
            def.shape.size = dlp__vec3(2, 2, 2);
            add_solid(stage[s], &def);
        }
        dlp__solids_move_to(&stage[s]->solids, 0.1);
        for (int i = 0; i < 9000; i++) {
            add_particle(stage[s], random_vector(1.0), random_vector(1.0));
        }
        dlp__boundary_push_out(&stage[s]->solids, &stage[s]->domains);
        dlp__boundary_build_samples(&stage[s]->solids, &stage[s]->domains);
        assert_int_equal(stage[s]->domains.failure, DLP_OK);
        dlp__boundary_apply_wall_friction(&stage[s]->solids, &stage[s]->domains);
    }
    const dlp__Samples *a = &stage[0]->domains.part[0].samples, *b = &stage[1]->domains.part[0].samples;
    assert_true(a->count == b->count && a->count > 0);
    assert_memory_equal(a->position_volume, b->position_volume, (size_t)a->count * 4 * sizeof(float));
    assert_memory_equal(a->velocity_friction, b->velocity_friction, (size_t)a->count * 4 * sizeof(float));
    assert_memory_equal(a->solid, b->solid, (size_t)a->count * sizeof(int32_t));
    for (int axis = 0; axis < 3; axis++) {
        size_t bytes = 9000 * sizeof(float);
        assert_memory_equal(particles_of(stage[0])->position[axis], particles_of(stage[1])->position[axis], bytes);
        assert_memory_equal(particles_of(stage[0])->velocity[axis], particles_of(stage[1])->velocity[axis], bytes);
        assert_memory_equal(particles_of(stage[0])->correction[axis], particles_of(stage[1])->correction[axis], bytes);
    }
    stage_destroy(stage[0]);
    stage_destroy(stage[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_near_a_wall_match_the_wall_table),
        cmocka_unit_test(in_a_corner_shared_space_is_counted_once),
        cmocka_unit_test(samples_have_the_velocity_and_friction_of_their_solid),
        cmocka_unit_test(every_list_entry_is_its_own_sample_and_padding_has_no_volume),
        cmocka_unit_test(without_solids_there_are_no_samples),
        cmocka_unit_test(skipping_far_groups_misses_no_sample),
        cmocka_unit_test(pushed_out_particles_are_inside_no_solid),
        cmocka_unit_test(a_push_out_of_one_solid_does_not_end_in_another),
        cmocka_unit_test(a_push_goes_straight_to_the_surface_and_is_added_to_correction),
        cmocka_unit_test(particles_far_from_the_origin_are_pushed_out_too),
        cmocka_unit_test(friction_takes_what_coulombs_law_allows),
        cmocka_unit_test(in_a_corner_both_walls_stop_a_particle),
        cmocka_unit_test(a_moving_solid_follows_its_formula),
        cmocka_unit_test(the_velocity_of_a_solid_is_the_derivative_of_its_pose),
        cmocka_unit_test(invalid_solids_are_rejected_with_a_message),
        cmocka_unit_test(threads_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

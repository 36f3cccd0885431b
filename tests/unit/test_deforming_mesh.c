/* Deforming meshes: distance and velocity between frames, their effect on fluid, thin meshes that move fast, files, and
 * rejected frames.
 * ctest: timeout 600 */
#include "geometry/closest_point.h"
#include "support/io_fixture.h"
#include "support/scale.h"
#include "support/world_fixture.h"

#include <dollop/scene.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double SPACING = 0.01; /* m */
static const double PI = 3.14159265358979323846;

static dlp_World *make_frame_world(const char *method, int threads, int subdomains)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "%s", method);
    def.spacing = SPACING;
    def.threads = threads;
    def.subdomains = subdomains;
    dlp_World *world = make_world(&def);
    dlp_MaterialDef syrup = dlp_default_material_def();
    syrup.viscosity = 2.0;
    assert_int_equal(dlp_world_add_material(world, &syrup, NULL), DLP_OK);
    return world;
}

/* A square plate `size` wide and `thick`, of cells x cells squares above and below. Vertices are in two layers, the
 * lower first; all data is in static memory that the next plate reuses. */
enum { MAX_CELLS = 32, MAX_LAYER = (MAX_CELLS + 1) * (MAX_CELLS + 1), FRAMES = 41 };
static float plate_position[6 * MAX_LAYER];
static uint32_t plate_triangle[3 * (4 * MAX_CELLS * MAX_CELLS + 8 * MAX_CELLS)];

static void put_square(int64_t *count, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    const uint32_t corner[6] = {a, b, c, a, c, d};
    memcpy(plate_triangle + 3 * *count, corner, sizeof corner);
    *count += 2;
}

static dlp_Mesh plate_mesh(double size, double thick, int cells)
{
    const int row = cells + 1, layer = row * row;
    int64_t triangles = 0;
    for (int n = 0; n < 2 * layer; n++) {
        plate_position[3 * n] = (float)(size * (n % row / (double)cells - 0.5));
        plate_position[3 * n + 1] = (float)(size * (n / row % row / (double)cells - 0.5));
        plate_position[3 * n + 2] = (float)(n < layer ? -0.5 * thick : 0.5 * thick);
    }
    for (int n = 0; n < cells * cells; n++) {
        const uint32_t at = (uint32_t)(n / cells * row + n % cells), next = at + (uint32_t)row, up = (uint32_t)layer;
        put_square(&triangles, at, next, next + 1, at + 1);
        put_square(&triangles, at + up, at + 1 + up, next + 1 + up, next + up);
    }
    for (int n = 0; n < cells; n++) {
        const uint32_t up = (uint32_t)layer, y0 = (uint32_t)n, y1 = (uint32_t)(cells * row + n);
        const uint32_t x0 = (uint32_t)(n * row), x1 = x0 + (uint32_t)cells, step = (uint32_t)row;
        put_square(&triangles, y0, y0 + 1, y0 + 1 + up, y0 + up);
        put_square(&triangles, y1 + 1, y1, y1 + up, y1 + 1 + up);
        put_square(&triangles, x0 + step, x0, x0 + up, x0 + step + up);
        put_square(&triangles, x1, x1 + step, x1 + step + up, x1 + up);
    }
    return (dlp_Mesh){
        .vertex_count = 2 * layer, .triangle_count = triangles, .position = plate_position, .triangle = plate_triangle};
}

/* The position of a vertex at a time. */
typedef dlp_Vec3 (*Motion)(dlp_Vec3 position, double time);

static void move_vertices(const dlp_Mesh *mesh, Motion motion, double time, float *position)
{
    for (int64_t v = 0; v < mesh->vertex_count; v++) {
        const float *p = mesh->position + 3 * v;
        const dlp_Vec3 at = motion((dlp_Vec3){(double)p[0], (double)p[1], (double)p[2]}, time);
        position[3 * v] = (float)at.x;
        position[3 * v + 1] = (float)at.y;
        position[3 * v + 2] = (float)at.z;
    }
}

/* Add it to a world with `count` frames, one every `every` seconds. */
static dlp_MeshId add_moving(dlp_World *world, const dlp_Mesh *mesh, Motion motion, int count, double every)
{
    const dlp_MeshDef def = dlp_default_mesh_def();
    double *times = malloc((size_t)count * sizeof *times);
    float *positions = malloc((size_t)(count * 3 * mesh->vertex_count) * sizeof *positions);
    dlp_MeshId id = -1;
    assert_non_null(times);
    assert_non_null(positions);
    for (int k = 0; k < count; k++) {
        times[k] = k * every;
        move_vertices(mesh, motion, times[k], positions + 3 * mesh->vertex_count * k);
    }
    if (dlp_world_add_mesh(world, &def, mesh, &id) != DLP_OK ||
        dlp_world_set_mesh_frames(world, id, &(dlp_MeshFrames){count, times, positions}) != DLP_OK) {
        fail_msg("%s", dlp_world_error(world));
    }
    free(positions);
    free(times);
    return id;
}

static dlp_SolidId add_mesh_solid(dlp_World *world, dlp_MeshId mesh, double friction)
{
    dlp_SolidDef def = dlp_default_solid_def();
    dlp_SolidId id = -1;
    def.shape.kind = DLP_SHAPE_MESH;
    def.shape.mesh = mesh;
    def.friction = friction;
    if (dlp_world_add_solid(world, &def, &id) != DLP_OK) {
        fail_msg("%s", dlp_world_error(world));
    }
    return id;
}

static void add_container(dlp_World *world, dlp_Vec3 size, dlp_Vec3 position)
{
    dlp_SolidDef def = dlp_default_solid_def();
    def.friction = 0.0;
    def.shape.kind = DLP_SHAPE_CONTAINER;
    def.shape.size = size;
    def.shape.position = position;
    assert_int_equal(dlp_world_add_solid(world, &def, NULL), DLP_OK);
}

/* Bent, stretched and sheared, by about ten spacings per second. */
static dlp_Vec3 bend(dlp_Vec3 p, double time)
{
    return (dlp_Vec3){p.x * (1.0 + 0.2 * time) + 0.05 * time * p.y, p.y + 0.1 * time,
                      p.z + time * 0.1 * cos(PI * p.x / 0.4) + 0.04 * time};
}

static dlp_Vec3 vertex_of(const float *position, uint32_t v)
{
    return (dlp_Vec3){(double)position[3 * v], (double)position[3 * v + 1], (double)position[3 * v + 2]};
}

/* Compared with the exact mesh: distances, and the velocity of surface points, which move with their triangle. */
static void distances_and_velocities_between_frames_match_the_mesh(void **state)
{
    (void)state;
    dlp_World *world = make_frame_world("physical", 2, 1);
    const dlp_Mesh plate = plate_mesh(0.4, 0.02, 16);
    const dlp_MeshId id = add_moving(world, &plate, bend, 2, 1.0);
    add_mesh_solid(world, id, 1.0);
    uint64_t seed = 3;
    double farthest = 0.0, at_rim = 0.0, fastest = 0.0, turned = 0.0;
    for (int n = 0; n < 7; n += small_scale() ? 6 : 1) {
        const double time = n < 6 ? 0.0137 + 0.16 * n : 1.0 - 1e-9;
        assert_int_equal(dlp__solids_begin_step(&world->solids, time, 0.01, (dlp_Vec3){0, 0, 0}, &world->error),
                         DLP_OK);
        const dlp__Solid *solid = &world->solids.solid[0];
        const dlp_Mesh *now = &world->meshes.item[id]->mesh;
        dlp__ClosestPointQuery *nearest = NULL;
        assert_int_equal(dlp__closest_point_create(now, &world->memory, &nearest, &world->error), DLP_OK);
        for (int k = 0; k < 2000; k++) {
            const uint32_t *corner = now->triangle + 3 * (int64_t)(random_number(&seed) * (double)now->triangle_count);
            const double a = random_number(&seed), b = (1.0 - a) * random_number(&seed),
                         fraction[3] = {a, b, 1.0 - a - b};
            dlp_Vec3 at = {0, 0, 0}, velocity = {0, 0, 0}, normal;
            for (int c = 0; c < 3; c++) {
                const dlp_Vec3 from = bend(vertex_of(plate.position, corner[c]), 0.0);
                const dlp_Vec3 to = bend(vertex_of(plate.position, corner[c]), 1.0);
                at = dlp__add(at, dlp__scale(vertex_of(now->position, corner[c]), fraction[c]));
                velocity = dlp__add(velocity, dlp__scale(dlp__sub(to, from), fraction[c]));
            }
            const dlp_Vec3 expected = dlp__solid_velocity(solid, at);
            fastest = fmax(fastest, dlp__length(dlp__sub(expected, velocity)) / dlp__length(velocity));
            at = dlp__add(at, (dlp_Vec3){SPACING * (2.0 * random_number(&seed) - 1.0), 0,
                                         SPACING * (2.0 * random_number(&seed) - 1.0)});
            dlp__ClosestPoint found;
            assert_true(dlp__closest_point_find(nearest, at, 1.0, DLP_CLOSEST_POINT_NO_HINT, &found));
            const double distance = dlp__shape_distance(&solid->shape, at, &normal);
            const double off = fabs(distance - found.distance) / SPACING;
            const dlp_Vec3 away = dlp__scale(dlp__sub(at, found.point), 1.0 / found.distance);
            const bool inner = fabs(at.x) < 0.17 && fabs(at.y - 0.1 * time) < 0.15 && found.distance > -0.5 * SPACING;
            const bool outside = found.distance > 0.2 * SPACING;
            farthest = inner ? fmax(farthest, off) : farthest;
            at_rim = inner ? at_rim : fmax(at_rim, off);
            turned = inner && outside ? fmax(turned, dlp__length(dlp__sub(away, normal))) : turned;
        }
        dlp__closest_point_destroy(nearest);
    }
    print_message(
        "distances are off by %.4f spacings, %.3f at the rim and inside, velocities by %.4f of them, normals by %.3f "
        "at most\n",
        farthest, at_rim, fastest, turned);
    /* The grid rounds the edges of the rim and the center of the plate, also where nothing moves; the plate has
     * facets. */
    assert_true(farthest < 0.05 && at_rim < 0.3 && fastest < 0.01 && turned < 0.15);
    dlp_world_destroy(world);
}

/* Up and down by three spacings, twice a second, so that fluid stays on it, as a rigid box or as a mesh whose lower
 * side does not move. */
static double height_at(double time)
{
    return 3.0 * SPACING * sin(2.0 * PI * 2.0 * time);
}

static dlp_Vec3 lift_upper_side(dlp_Vec3 p, double time)
{
    return p.z > 0.0 ? (dlp_Vec3){p.x, p.y, p.z + height_at(time)} : p;
}

/* Particles after a quarter of a second on a floor that moves up and down: `frames` of a mesh, or keys of a rigid one;
 * sorted by id. */
static int64_t pump(int frames, bool rigid, double dt, dlp_Vec3 *positions)
{
    dlp_World *world = make_frame_world("physical", 2, 1);
    const dlp_Mesh box = box_mesh((dlp_Vec3){0.3, 0.3, 0.2});
    const double every = 0.25 / (frames - 1);
    if (rigid) {
        dlp_PoseKey keys[FRAMES];
        dlp_SolidDef def = dlp_default_solid_def();
        def.shape.kind = DLP_SHAPE_MESH;
        def.shape.mesh = add_box_mesh(world, (dlp_Vec3){0.3, 0.3, 0.2});
        def.friction = 1.0;
        def.path = DLP_PATH_LINEAR;
        for (int k = 0; k < frames; k++) {
            keys[k] = (dlp_PoseKey){.time = k * every, .position = {0, 0, height_at(k * every)}};
        }
        assert_int_equal(dlp_world_add_solid(world, &def, NULL), DLP_OK);
        assert_int_equal(dlp_world_set_solid_keys(world, 0, keys, frames), DLP_OK);
    } else {
        add_mesh_solid(world, add_moving(world, &box, lift_upper_side, frames, every), 1.0);
    }
    add_container(world, (dlp_Vec3){0.08, 0.08, 1.0}, (dlp_Vec3){0, 0, 0});
    add_lattice(world, 0, (int[3]){8, 8, 6}, (dlp_Vec3){-0.04, -0.04, 0.1});
    for (int step = 0; step * dt < 0.25 - 1e-9; step++) {
        step_or_fail(world, dt);
    }
    const dlp__Particles *p = particles_of(world);
    const int64_t count = p->count;
    for (int64_t i = 0; i < count; i++) {
        positions[p->id[0][i]] = (dlp_Vec3){(double)p->position[0][i], (double)p->position[1][i],
                                            (double)p->position[2][i]};
    }
    dlp_world_destroy(world);
    return count;
}

/* In spacings. */
static double largest_distance(const dlp_Vec3 *a, const dlp_Vec3 *b, int64_t count)
{
    double most = 0.0;
    for (int64_t i = 0; i < count; i++) {
        most = fmax(most, dlp__length(dlp__sub(a[i], b[i])) / SPACING);
    }
    return most;
}

/* Steps of 5 ms do not coincide with the frames, which are 25 ms or 8.3 ms apart: the motion between frames matters. */
static void a_deforming_floor_acts_like_a_rigid_one(void **state)
{
    (void)state;
    dlp_Vec3 rigid[8 * 8 * 6], moving[8 * 8 * 6], fine[8 * 8 * 6];
    const int64_t count = pump(11, true, 0.005, rigid);
    assert_int_equal(pump(11, false, 0.005, moving), count);
    const double apart = largest_distance(rigid, moving, count);
    assert_true(apart < 0.02);
    if (small_scale()) {
        return;
    }
    pump(31, true, 0.005, fine);
    const double coarse = largest_distance(rigid, fine, count);
    pump(31, false, 0.005, moving);
    const double also = largest_distance(fine, moving, count);
    print_message("%.5f spacings apart, %.5f with three times the frames; more frames move it by %.3f\n", apart, also,
                  coarse);
    assert_true(also < 0.02 && coarse > 10.0 * apart);
}

/* A membrane one spacing thick: its center moves up and down by ten spacings, its rim is fixed. */
static double bulge_at(double x, double y, double time)
{
    const double across = fmin(1.0, sqrt(x * x + y * y) / 0.09);
    return 10.0 * SPACING * 0.5 * (1.0 + cos(PI * across)) * sin(2.0 * PI * time / 0.2);
}

static dlp_Vec3 bulge(dlp_Vec3 p, double time)
{
    return (dlp_Vec3){p.x, p.y, p.z + bulge_at(p.x, p.y, time)};
}

static void throw_one(void *user, uint64_t id, const float position[3], float velocity[3])
{
    uint64_t seed = *(uint64_t *)user * 7919u + id * 104729u;
    (void)position;
    random_number(&seed);
    for (int a = 0; a < 3; a++) {
        velocity[a] = (float)(8.0 * (random_number(&seed) - 0.5));
    }
}

/* Particles are thrown around on both sides of it; those that started above it (the even ones) stay there. */
static int64_t count_leaks(const char *method, int steps, double dt)
{
    dlp_World *world = make_frame_world(method, 2, 1);
    const dlp_Mesh plate = plate_mesh(0.24, SPACING, 24);
    const dlp_MeshId id = add_moving(world, &plate, bulge, FRAMES, 0.01);
    add_mesh_solid(world, id, 0.5);
    add_container(world, (dlp_Vec3){0.2, 0.2, 0.4}, (dlp_Vec3){0, 0, 0});
    for (int n = 0; n < 128; n++) {
        const int row = n / 16, column = n / 2 % 8;
        const float point[3] = {(float)(0.02 * column - 0.07), (float)(0.02 * row - 0.07), n % 2 == 0 ? 0.02f : -0.02f};
        assert_int_equal(dlp_world_add_points(world, 0, point, 1, (dlp_Vec3){0, 0, 0}), DLP_OK);
    }
    int64_t leaks = 0;
    for (int step = 0; step < steps; step++) {
        uint64_t seed = (uint64_t)step;
        assert_int_equal(dlp_world_push(world, throw_one, &seed), DLP_OK);
        step_or_fail(world, dt);
        const dlp__Particles *p = particles_of(world);
        const float *vertex = world->meshes.item[id]->mesh.position;
        leaks = 0;
        for (int64_t i = 0; i < p->count; i++) {
            /* The height of the middle surface there, from the four vertices around. */
            const double x = 100.0 * ((double)p->position[0][i] + 0.12), y = 100.0 * ((double)p->position[1][i] + 0.12);
            const int column = (int)x, row = (int)y;
            double height = 0.0;
            for (int c = 0; c < 4; c++) {
                const int n = (row + c / 2) * 25 + column + c % 2;
                const double fraction = (c % 2 == 1 ? x - column : 1.0 - x + column) *
                                        (c / 2 == 1 ? y - row : 1.0 - y + row);
                height += fraction * 0.5 * ((double)vertex[3 * n + 2] + (double)vertex[3 * (n + 625) + 2]);
            }
            leaks += ((double)p->position[2][i] > height) != (p->id[0][i] % 2 == 0);
        }
        if (leaks > 0) {
            print_message("%s: %d leaked in step %d\n", method, (int)leaks, step);
            break;
        }
    }
    dlp_world_destroy(world);
    return leaks;
}

/* A period of 0.2 s: the center moves by up to 3 spacings in 1 ms, and by 16 in 5 ms. */
static void a_membrane_that_moves_fast_does_not_leak(void **state)
{
    (void)state;
    assert_int_equal(count_leaks("pbf", small_scale() ? 10 : 60, 0.001), 0);
    assert_int_equal(count_leaks("physical", small_scale() ? 4 : 12, 0.005), 0);
}

static dlp_World *make_bulging(int threads, int subdomains)
{
    dlp_World *world = make_frame_world("physical", threads, subdomains);
    const dlp_Mesh plate = plate_mesh(0.24, SPACING, 16);
    add_mesh_solid(world, add_moving(world, &plate, bulge, 11, 0.02), 1.0);
    add_container(world, (dlp_Vec3){0.2, 0.2, 0.6}, (dlp_Vec3){0, 0, 0.1});
    add_lattice(world, 0, (int[3]){14, 14, 5}, (dlp_Vec3){-0.07, -0.07, 0.01});
    return world;
}

/* Stopped at a frame and between frames; continued with other threads and subdomains. */
static void resuming_is_exact_for_any_threads_and_subdomains(void **state)
{
    (void)state;
    dlp_World *world = make_bulging(1, 1), *other = make_bulging(2, 4), *loaded = NULL;
    dlp_Error error;
    for (int step = 0; step < (small_scale() ? 4 : 12); step++) {
        step_or_fail(world, 0.003);
        step_or_fail(other, 0.003);
        assert_true(dlp_world_hash(world) == dlp_world_hash(other));
    }
    assert_int_equal(dlp_world_save(world, "bulge.dollop"), DLP_OK);
    if (dlp_world_load("bulge.dollop", NULL, &loaded, &error) != DLP_OK) {
        fail_msg("%s", error.text);
    }
    for (int step = 0; step < (small_scale() ? 4 : 10); step++) {
        step_or_fail(world, 0.003);
        step_or_fail(loaded, 0.003);
        assert_true(dlp_world_hash(world) == dlp_world_hash(loaded));
    }
    dlp_MeshFrames frames;
    assert_int_equal(dlp_world_get_mesh_frames(loaded, 0, &frames), DLP_OK);
    assert_int_equal(frames.count, 11);
    dlp_world_destroy(loaded);
    dlp_world_destroy(other);
    dlp_world_destroy(world);
}

static void refuse(dlp_World *world, const dlp_MeshFrames *frames, const char *why)
{
    assert_int_equal(dlp_world_set_mesh_frames(world, 0, frames), DLP_ERROR_ARGUMENT);
    if (strstr(dlp_world_error(world), why) == NULL) {
        fail_msg("'%s' does not say '%s'", dlp_world_error(world), why);
    }
}

static void bad_frames_are_refused(void **state)
{
    (void)state;
    dlp_World *world = make_frame_world("physical", 1, 1);
    add_box_mesh(world, (dlp_Vec3){0.1, 0.1, 0.1});
    float positions[48];
    memcpy(positions, box_mesh((dlp_Vec3){0.1, 0.1, 0.1}).position, 24 * sizeof(float));
    memcpy(positions + 24, positions, 24 * sizeof(float));
    double times[2] = {0.0, 1.0};
    assert_int_equal(dlp_world_set_mesh_frames(world, 1, &(dlp_MeshFrames){2, times, positions}), DLP_ERROR_ARGUMENT);
    refuse(world, &(dlp_MeshFrames){0, times, positions}, "1 to 65535 frames");
    refuse(world, &(dlp_MeshFrames){2, times, NULL}, "1 to 65535 frames");
    refuse(world, &(dlp_MeshFrames){70000, times, positions}, "1 to 65535 frames");
    times[1] = 0.0;
    refuse(world, &(dlp_MeshFrames){2, times, positions}, "later than the one before");
    times[1] = NAN;
    refuse(world, &(dlp_MeshFrames){2, times, positions}, "frame 1 is at");
    times[1] = 0.1;
    positions[30] = INFINITY;
    refuse(world, &(dlp_MeshFrames){2, times, positions}, "vertex 2 of frame 1");
    positions[30] = 9e8f;
    refuse(world, &(dlp_MeshFrames){2, times, positions}, "check the scale");
    positions[30] = 20.0f;
    assert_int_equal(dlp_world_set_mesh_frames(world, 0, &(dlp_MeshFrames){2, times, positions}), DLP_OK);
    dlp_SolidDef ball = dlp_default_solid_def();
    ball.friction = 0.0;
    ball.shape.kind = DLP_SHAPE_MESH;
    ball.shape.mesh = 0;
    ball.density = 100.0;
    assert_int_equal(dlp_world_add_solid(world, &ball, NULL), DLP_ERROR_ARGUMENT);
    assert_non_null(strstr(dlp_world_error(world), "leave out the density"));
    add_mesh_solid(world, 0, 0.0);
    assert_int_equal(dlp_world_step(world, 0.09), DLP_ERROR_ARGUMENT);
    assert_non_null(strstr(dlp_world_error(world), "use shorter steps"));
    positions[30] = positions[6];
    assert_int_equal(dlp_world_set_mesh_frames(world, 0, &(dlp_MeshFrames){2, times, positions}), DLP_OK);
    step_or_fail(world, 0.09);
    dlp_world_destroy(world);
}

/* All triangles collapse to a point, and back: nothing supports the fluid, but nothing breaks. */
static void a_mesh_may_collapse_to_a_point(void **state)
{
    (void)state;
    dlp_World *world = make_frame_world("physical", 1, 1);
    const dlp_MeshId id = add_box_mesh(world, (dlp_Vec3){0.04, 0.04, 0.04});
    float positions[72] = {0};
    const double times[3] = {0.0, 0.02, 0.04};
    memcpy(positions, box_mesh((dlp_Vec3){0.04, 0.04, 0.04}).position, 24 * sizeof(float));
    memcpy(positions + 48, positions, 24 * sizeof(float));
    assert_int_equal(dlp_world_set_mesh_frames(world, id, &(dlp_MeshFrames){3, times, positions}), DLP_OK);
    add_mesh_solid(world, id, 0.0);
    add_lattice(world, 0, (int[3]){5, 5, 3}, (dlp_Vec3){-0.025, -0.025, 0.025});
    for (int step = 0; step < 12; step++) {
        step_or_fail(world, 0.005);
    }
    dlp_world_destroy(world);
}

static void write_box(const char *path, dlp_Vec3 size, int triangles, const char *first)
{
    const dlp_Mesh box = box_mesh(size);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int64_t v = 0; v < 8; v++) {
        const float *p = box.position + 3 * v;
        fprintf(file, "v %.9g %.9g %.9g\n", (double)p[0], (double)p[1], (double)p[2]);
    }
    for (int t = 0; t < triangles; t++) {
        const uint32_t *c = box.triangle + 3 * (int64_t)t;
        if (t == 0 && first != NULL) {
            fprintf(file, "%s\n", first);
        } else {
            fprintf(file, "f %u %u %u\n", c[0] + 1, c[1] + 1, c[2] + 1);
        }
    }
    fclose(file);
}

static const char *build_scene(const char *meshes, dlp_World **world)
{
    static dlp_Error error;
    static char text[512];
    snprintf(
        text, sizeof text,
        "world: {spacing: 0.01}\nmethod: conformation\nmeshes: {box: {%s}}\nmaterials: {water: {density: 1000}}\n"
        "solids: [{shape: mesh, mesh: box}]\nfluids: [{material: water, size: [0.02, 0.02, 0.02], position: [1, 0, "
        "0]}]\n",
        meshes);
    dlp_Scene *scene = NULL;
    error.text[0] = 0;
    *world = NULL;
    if (dlp_scene_parse("test.yaml", text, strlen(text), NULL, 0, &scene, &error) == DLP_OK) {
        dlp_scene_build(scene, world, &error);
        dlp_scene_destroy(scene);
    }
    return error.text;
}

static void frames_come_from_numbered_files_and_pictures_show_them(void **state)
{
    (void)state;
    dlp_World *world = NULL;
    write_box("box_08.obj", (dlp_Vec3){0.1, 0.1, 0.1}, 12, NULL);
    write_box("box_09.obj", (dlp_Vec3){0.1, 0.1, 0.12}, 12, NULL);
    write_box("box_10.obj", (dlp_Vec3){0.1, 0.1, 0.14}, 12, NULL);
    const char *error = build_scene("file: box_08.obj, frames: 3, frame_rate: 10 1/s, frame_start: 0.1 s", &world);
    if (world == NULL) {
        fail_msg("%s", error);
    }
    for (int step = 0; step < 15; step++) {
        step_or_fail(world, 0.01);
    }
    dlp_Error read_error;
    dlp_Frame *frame = NULL;
    assert_int_equal(dlp_world_write_frame(world, "box.vtkhdf"), DLP_OK);
    assert_int_equal(dlp_frame_read("box.vtkhdf", NULL, &frame, &read_error), DLP_OK);
    const dlp_FrameScene scene = dlp_frame_scene(frame);
    assert_int_equal(scene.mesh_count, 1);
    float top = 0.0f; /* halfway from the first file to the second */
    for (int v = 0; v < 8; v++) {
        top = fmaxf(top, scene.meshes[0].position[3 * v + 2]);
    }
    assert_true(fabs((double)top - 0.055) < 1e-6);
    dlp_frame_destroy(frame);
    dlp_world_destroy(world);
    assert_non_null(strstr(build_scene("file: box_08.obj, frames: 4", &world), "box_11.obj"));
    write_box("box_11.obj", (dlp_Vec3){0.1, 0.1, 0.14}, 11, NULL);
    assert_non_null(
        strstr(build_scene("file: box_08.obj, frames: 4", &world), "'box_11.obj': it has 8 vertices and 11"));
    write_box("box_11.obj", (dlp_Vec3){0.1, 0.1, 0.14}, 12, "f 1 2 3");
    assert_non_null(strstr(build_scene("file: box_08.obj, frames: 4", &world), "'box_11.obj': its triangle 0"));
    write_box("box.obj", (dlp_Vec3){0.1, 0.1, 0.14}, 12, NULL);
    assert_non_null(strstr(build_scene("file: box.obj, frames: 2", &world), "no number in its name"));
    assert_non_null(strstr(build_scene("form: cup, frames: 2", &world), "frames has no effect with form: cup"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_and_velocities_between_frames_match_the_mesh),
        cmocka_unit_test(a_deforming_floor_acts_like_a_rigid_one),
        cmocka_unit_test(a_membrane_that_moves_fast_does_not_leak),
        cmocka_unit_test(resuming_is_exact_for_any_threads_and_subdomains),
        cmocka_unit_test(bad_frames_are_refused),
        cmocka_unit_test(a_mesh_may_collapse_to_a_point),
        cmocka_unit_test(frames_come_from_numbered_files_and_pictures_show_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

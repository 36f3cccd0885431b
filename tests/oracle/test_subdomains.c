/* A world divided into parts gives the same states, lists and gathered values as an undivided one, bit for bit.
 * ctest: threaded */
#include "stages/stage_runner.h"
#include "support/scale.h"
#include "world/world_state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const int SPLITS[] = {1, 2, 4, 8};
enum { SPLIT_COUNT = sizeof SPLITS / sizeof SPLITS[0] };

static uint64_t random_state = 1;

static double random_in(double low, double high)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(random_state >> 11) / 9007199254740992.0;
}

static int steps(void)
{
    return small_scale() ? 20 : 100;
}

/* The worlds. */

static const double DT = 0.003; /* s */

static dlp_World *empty_world(int parts, double periodic)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "pbf");
    dlp_World *world = NULL;
    dlp_Error error = {DLP_OK, ""};
    def.spacing = 0.02;
    def.threads = 2;
    def.subdomains = parts;
    def.periodic_min = (dlp_Vec3){-0.5 * periodic, -0.5 * periodic, -0.5 * periodic};
    def.periodic_size = (dlp_Vec3){periodic, periodic, periodic};
    assert_int_equal(dlp_world_create(&def, &world, &error), DLP_OK);
    dlp_MaterialDef material = dlp_default_material_def();
    assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_OK);
    return world;
}

/* 3,000 particles of water at the left end of a tank. */
static dlp_World *dam_break(int parts)
{
    dlp_World *world = empty_world(parts, 0.0);
    dlp_SolidDef tank = dlp_default_solid_def();
    tank.friction = 0.0;
    tank.shape.kind = DLP_SHAPE_CONTAINER;
    tank.shape.position = (dlp_Vec3){0.4, 0.1, 0.5};
    tank.shape.size = (dlp_Vec3){0.8, 0.2, 1.0};
    dlp_FluidDef fluid = dlp_default_fluid_def();
    fluid.shape.position = (dlp_Vec3){0.15, 0.1, 0.2};
    fluid.shape.size = (dlp_Vec3){0.3, 0.2, 0.4};
    int64_t added = 0;
    assert_int_equal(dlp_world_add_solid(world, &tank, NULL), DLP_OK);
    assert_int_equal(dlp_world_add_fluid(world, &fluid, &added), DLP_OK);
    assert_int_equal(added, 3000);
    return world;
}

/* Random points that fall through a periodic box. */
static dlp_World *periodic_box(int parts)
{
    enum { POINTS = 2000 };
    static float points[3 * POINTS];
    dlp_World *world = empty_world(parts, 0.3);
    random_state = 1;
    for (int i = 0; i < 3 * POINTS; i++) {
        points[i] = (float)random_in(-0.2, 0.2); /* some outside: they are wrapped */
    }
    assert_int_equal(dlp_world_add_points(world, 0, points, POINTS, (dlp_Vec3){1.0, 0.5, 0.0}), DLP_OK);
    return world;
}

/* A pool with a nozzle above, a drain in a corner and a paddle that sweeps through it. */
static dlp_World *stirred_pool(int parts)
{
    dlp_World *world = empty_world(parts, 0.0);
    dlp_SolidDef tank = dlp_default_solid_def();
    tank.friction = 0.0;
    tank.shape.kind = DLP_SHAPE_CONTAINER;
    tank.shape.position = (dlp_Vec3){0.2, 0.2, 0.5};
    tank.shape.size = (dlp_Vec3){0.4, 0.4, 1.0};
    dlp_SolidDef paddle = dlp_default_solid_def();
    paddle.shape.kind = DLP_SHAPE_BOX;
    paddle.shape.position = (dlp_Vec3){0.2, 0.2, 0.1};
    paddle.shape.size = (dlp_Vec3){0.06, 0.2, 0.2};
    paddle.amplitude = (dlp_Vec3){0.08, 0.0, 0.0};
    paddle.frequency = 2.0;
    paddle.spin = (dlp_Vec3){0.0, 0.0, 3.0};
    paddle.friction = 0.5;
    dlp_FluidDef fluid = dlp_default_fluid_def();
    fluid.shape.position = (dlp_Vec3){0.2, 0.2, 0.05};
    fluid.shape.size = (dlp_Vec3){0.4, 0.4, 0.1};
    dlp_EmitterDef nozzle = dlp_default_emitter_def();
    nozzle.position = (dlp_Vec3){0.1, 0.1, 0.5};
    nozzle.radius = 0.07;
    nozzle.speed = 2.0;
    dlp_SinkDef drain = dlp_default_sink_def();
    drain.shape.kind = DLP_SHAPE_SPHERE;
    drain.shape.position = (dlp_Vec3){0.4, 0.4, 0.0};
    drain.shape.radius = 0.1;
    assert_int_equal(dlp_world_add_solid(world, &tank, NULL), DLP_OK);
    assert_int_equal(dlp_world_add_solid(world, &paddle, NULL), DLP_OK);
    assert_int_equal(dlp_world_add_fluid(world, &fluid, NULL), DLP_OK);
    assert_int_equal(dlp_world_add_emitter(world, &nozzle, NULL), DLP_OK);
    assert_int_equal(dlp_world_add_sink(world, &drain, NULL), DLP_OK);
    return world;
}

typedef dlp_World *(*MakeWorld)(int parts);

static void run(dlp_World *world, int count)
{
    for (int step = 0; step < count; step++) {
        if (dlp_world_step(world, DT) != DLP_OK) {
            fail_msg("step %d: %s", step, dlp_world_error(world));
        }
    }
}

/* The part that holds each particle, by id; -1 for removed ones. */
enum { IDS = 20000 };

static void find_owners(const dlp_World *world, int owner[IDS])
{
    for (int id = 0; id < IDS; id++) {
        owner[id] = -1;
    }
    for (int part = 0; part < dlp_world_part_count(world); part++) {
        dlp_ParticleView view;
        assert_int_equal(dlp_world_view(world, part, &view), DLP_OK);
        for (int64_t i = 0; i < view.count; i++) {
            assert_true(view.id[i] < IDS);
            assert_int_equal(owner[view.id[i]], -1); /* no particle is in two parts */
            owner[view.id[i]] = part;
        }
    }
}

static int count_moved(const int before[IDS], const int after[IDS])
{
    int moved = 0;
    for (int id = 0; id < IDS; id++) {
        moved += before[id] >= 0 && after[id] >= 0 && before[id] != after[id];
    }
    return moved;
}

/* The same hash, statistics and number of particles for every division, while particles move between the parts. */
static void check_splits(MakeWorld make)
{
    static int before[IDS], after[IDS];
    uint64_t hash = 0;
    dlp_WorldStats whole = {0}, stats;
    for (int s = 0; s < SPLIT_COUNT; s++) {
        dlp_World *world = make(SPLITS[s]);
        assert_int_equal(dlp_world_part_count(world), SPLITS[s]);
        run(world, 1);
        find_owners(world, before);
        run(world, steps() - 1);
        find_owners(world, after);
        assert_int_equal(dlp_world_stats(world, &stats), DLP_OK);
        if (s == 0) {
            hash = dlp_world_hash(world);
            whole = stats;
        }
        assert_true(dlp_world_hash(world) == hash);
        assert_int_equal(stats.particles, whole.particles);
        assert_int_equal(stats.removed, whole.removed);
        assert_int_equal(stats.iterations, whole.iterations);
        assert_true(stats.neighbors == whole.neighbors);
        assert_true(stats.density_worst == whole.density_worst);
        assert_true((count_moved(before, after) > 0) == (SPLITS[s] > 1));
        dlp_world_destroy(world);
    }
}

static void a_dam_break_is_the_same_in_any_number_of_parts(void **state)
{
    (void)state;
    check_splits(dam_break);
}

static void a_periodic_box_is_the_same_in_any_number_of_parts(void **state)
{
    (void)state;
    check_splits(periodic_box);
}

static void a_pool_with_nozzle_drain_and_paddle_is_the_same_in_any_number_of_parts(void **state)
{
    (void)state;
    check_splits(stirred_pool);
}

static void the_stirred_pool_gains_and_loses_particles(void **state)
{
    (void)state;
    dlp_World *world = stirred_pool(1);
    dlp_WorldStats stats;
    int64_t before = dlp_world_particle_count(world);
    run(world, steps());
    assert_int_equal(dlp_world_stats(world, &stats), DLP_OK);
    assert_true(stats.removed > 50);
    assert_true(stats.particles + stats.removed > before + 50);
    dlp_world_destroy(world);
}

/* Update lists and ghosts for the current positions. */
static void update(dlp_World *world)
{
    int64_t removed = 0;
    dlp__domains_update(&world->domains, &removed);
    assert_int_equal(world->domains.failure, DLP_OK);
    assert_int_equal(removed, 0);
}

static void every_part_holds_the_particles_of_its_own_box(void **state)
{
    (void)state;
    for (int s = 1; s < SPLIT_COUNT; s++) {
        dlp_World *world = dam_break(SPLITS[s]);
        run(world, 10);
        update(world);
        for (int d = 0; d < SPLITS[s]; d++) {
            const dlp__Domain *part = &world->domains.part[d];
            const dlp__Particles *p = &part->particles;
            assert_true(p->count > 3000 / SPLITS[s] / 4);
            assert_true(p->ghosts > 0);
            for (int64_t i = 0; i < p->count + p->ghosts; i++) {
                dlp__Cell cell = dlp__cell_at(&world->domains.frame, p->position[0][i], p->position[1][i],
                                              p->position[2][i]);
                const int32_t at[3] = {cell.x, cell.y, cell.z};
                bool inside = true, beside = true;
                for (int a = 0; a < 3; a++) {
                    inside = inside && at[a] >= part->lower[a] && at[a] < part->upper[a];
                    beside = beside && at[a] >= part->lower[a] - 1 && at[a] <= part->upper[a];
                }
                assert_true(i < p->count ? inside : beside && !inside);
            }
        }
        dlp_world_destroy(world);
    }
}

/* The index of each particle, by id. */
typedef struct Place {
    const dlp__Domain *part;
    int64_t index;
} Place;

static void find_places(const dlp_World *world, Place place[IDS])
{
    memset(place, 0, IDS * sizeof *place);
    for (int d = 0; d < world->domains.count; d++) {
        const dlp__Domain *part = &world->domains.part[d];
        for (int64_t i = 0; i < part->particles.count; i++) {
            place[part->particles.id[0][i]] = (Place){part, i};
        }
    }
}

/* The same neighbours at the same positions in the same order. */
static void assert_same_list(const Place *one, const Place *two)
{
    int32_t count = one->part->fluid.count[one->index];
    assert_int_equal(two->part->fluid.count[two->index], count);
    for (int32_t k = 0; k < count; k++) {
        int32_t i = *dlp__neighbors_entry(&one->part->fluid, one->index, k);
        int32_t j = *dlp__neighbors_entry(&two->part->fluid, two->index, k);
        const dlp__Particles *p = &one->part->particles, *q = &two->part->particles;
        assert_true(p->id[0][i] == q->id[0][j]);
        for (int a = 0; a < 3; a++) {
            assert_true(p->position[a][i] == q->position[a][j]);
        }
    }
}

static void neighbour_lists_are_those_of_the_unsplit_world(void **state)
{
    (void)state;
    static const MakeWorld makers[] = {dam_break, periodic_box, stirred_pool};
    static Place whole[IDS], split[IDS];
    for (int m = 0; m < 3; m++) {
        dlp_World *one = makers[m](1);
        run(one, steps() / 2);
        update(one);
        find_places(one, whole);
        for (int s = 1; s < SPLIT_COUNT; s++) {
            dlp_World *two = makers[m](SPLITS[s]);
            run(two, steps() / 2);
            update(two);
            find_places(two, split);
            for (int id = 0; id < IDS; id++) {
                assert_true((whole[id].part == NULL) == (split[id].part == NULL));
                if (whole[id].part != NULL && split[id].part != NULL) {
                    assert_same_list(&whole[id], &split[id]);
                }
            }
            dlp_world_destroy(two);
        }
        dlp_world_destroy(one);
    }
}

/* Ghosts. */

static void ghosts_hold_the_exchanged_fields_of_their_owners(void **state)
{
    (void)state;
    for (int s = 0; s < SPLIT_COUNT; s++) {
        dlp_World *world = periodic_box(SPLITS[s]);
        run(world, 5);
        update(world);
        for (int d = 0; d < SPLITS[s]; d++) {
            const dlp__Domain *part = &world->domains.part[d];
            const dlp__Particles *p = &part->particles;
            assert_true(p->ghosts > 0);
            for (int64_t g = 0; g < p->ghosts; g++) {
                const dlp__Particles *owner = &world->domains.part[part->halo.part[g]].particles;
                const int image = part->halo.image[g], step[3] = {image % 3 - 1, image / 3 % 3 - 1, image / 9 - 1};
                int64_t from = part->halo.source[g], to = p->count + g;
                assert_in_range(from, 0, owner->count - 1);
                for (int field = 1; field < dlp__fields_end(p); field++) {
                    const dlp__FieldInfo *info = dlp__field_info(p, field);
                    bool exchanged = dlp__particles_have(p, field) && (info->flags & DLP_FIELD_EXCHANGED) != 0;
                    for (int c = 0; exchanged && c < info->components; c++) {
                        const char *mine = dlp__field_array(p, field, c), *theirs = dlp__field_array(owner, field, c);
                        if (c < 3 && (info->flags & DLP_FIELD_SHIFTED) != 0) {
                            float shifted = ((const float *)(const void *)theirs)[from] + (float)(step[c] * 0.3);
                            assert_true(((const float *)(const void *)mine)[to] == shifted);
                        } else {
                            assert_memory_equal(mine + to * (int64_t)info->size, theirs + from * (int64_t)info->size,
                                                info->size);
                        }
                    }
                }
            }
        }
        dlp_world_destroy(world);
    }
}

/* A stage whose result depends on each neighbour's position and value, on their order, and on the result of the last
 * round: it overwrites the field that it gathers. */
static void mix_neighbours(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++) {
        const float *own = c->rows[0] + 4 * i;
        float sum = own[3];
        for (int32_t k = 0; k < c->fluid->count[i]; k++) {
            const float *other = c->rows[0] + 4 * (int64_t)*dlp__neighbors_entry(c->fluid, i, k);
            sum = 0.7f * sum + 0.3f * other[3] + (own[0] - other[0]) + 2.0f * (own[1] - other[1]) +
                  3.0f * (own[2] - other[2]);
        }
        c->particles->pressure[0][i] = sum;
    }
}

static const dlp__Stage MIX = {.name = "mix",
                               .function = mix_neighbours,
                               .gathers = {DLP_ROW_VECTOR_SCALAR(DLP_FIELD_position, DLP_FIELD_pressure)},
                               .writes = {DLP_FIELD_pressure}};

/* Compare the rows of ghosts, right after a stage has gathered them, with those of their owners. */
static void check_ghost_rows(const dlp_World *world)
{
    for (int d = 0; d < world->domains.count; d++) {
        const dlp__Domain *part = &world->domains.part[d];
        const float *rows = part->rows[0];
        for (int64_t g = 0; g < part->particles.ghosts; g++) {
            const float *owner = world->domains.part[part->halo.part[g]].rows[0];
            const float *mine = rows + 4 * (part->particles.count + g), *theirs = owner + 4 * part->halo.source[g];
            for (int a = 0; a < 3; a++) {
                assert_true(mine[a] == part->particles.position[a][part->particles.count + g]);
            }
            assert_true(mine[3] == theirs[3]);
        }
    }
}

static void a_stage_gathers_the_same_through_ghosts(void **state)
{
    (void)state;
    static const MakeWorld makers[] = {dam_break, periodic_box};
    static float expected[IDS];
    for (int m = 0; m < 2; m++) {
        for (int s = 0; s < SPLIT_COUNT; s++) {
            dlp_World *world = makers[m](SPLITS[s]);
            run(world, 5);
            update(world);
            for (int d = 0; d < SPLITS[s]; d++) {
                dlp__Particles *p = &world->domains.part[d].particles;
                for (int64_t i = 0; i < p->count; i++) {
                    p->pressure[0][i] = (float)(p->id[0][i] * 2654435761u % 65536);
                }
            }
            for (int round = 0; round < 3; round++) { /* three rounds: values travel three supports */
                dlp__run(&world->domains, &MIX, NULL);
                assert_int_equal(world->domains.failure, DLP_OK);
                check_ghost_rows(world);
            }
            for (int d = 0; d < SPLITS[s]; d++) {
                const dlp__Particles *p = &world->domains.part[d].particles;
                for (int64_t i = 0; i < p->count; i++) {
                    float *value = &expected[p->id[0][i]];
                    if (s == 0) {
                        *value = p->pressure[0][i];
                    }
                    assert_memory_equal(value, &p->pressure[0][i], sizeof *value);
                }
            }
            dlp_world_destroy(world);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dam_break_is_the_same_in_any_number_of_parts),
        cmocka_unit_test(a_periodic_box_is_the_same_in_any_number_of_parts),
        cmocka_unit_test(a_pool_with_nozzle_drain_and_paddle_is_the_same_in_any_number_of_parts),
        cmocka_unit_test(the_stirred_pool_gains_and_loses_particles),
        cmocka_unit_test(every_part_holds_the_particles_of_its_own_box),
        cmocka_unit_test(neighbour_lists_are_those_of_the_unsplit_world),
        cmocka_unit_test(ghosts_hold_the_exchanged_fields_of_their_owners),
        cmocka_unit_test(a_stage_gathers_the_same_through_ghosts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

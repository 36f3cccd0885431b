/* Bonds follow their particles through sorting and partitioning, and both ends find each other. */
#include "support/world_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { EDGE = 8, COUNT = EDGE * EDGE * EDGE };

static dlp_World *make_block(int subdomains, double period)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "pbf");
    def.threads = 1;
    def.subdomains = subdomains;
    def.gravity = (dlp_Vec3){0, 0, 0};
    def.periodic_size = (dlp_Vec3){period, 0, 0};
    dlp_World *world = make_world(&def);
    dlp_MaterialDef material = dlp_default_material_def();
    assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_OK);
    add_lattice(world, 0, (const int[3]){EDGE, EDGE, EDGE}, (dlp_Vec3){0.005, 0.005, 0.005});
    return world;
}

/* Bond every particle to the one whose id is `step` larger, modulo the count. */
static void bind_all(dlp__Bonds *bonds, uint64_t step)
{
    for (uint64_t id = 0; id < COUNT; id++) {
        const uint64_t other = (id + step) % COUNT;
        const dlp__Bond pair[2] = {{id, other, 0.01f * (float)step, 0.0f}, {other, id, 0.01f * (float)step, 0.0f}};
        assert_true(dlp__bonds_add(bonds, 0, pair, 2));
    }
}

static void update(dlp_World *world, dlp__Bonds *bonds)
{
    int64_t removed = 0;
    dlp__domains_update(&world->domains, &removed);
    assert_int_equal(world->domains.failure, DLP_OK);
    assert_true(dlp__bonds_update(bonds, &world->domains, world->domains.support));
}

/* Move particles at random, also between parts. */
static void stir(dlp_World *world, uint64_t *seed, double size)
{
    for (int d = 0; d < world->domains.count; d++) {
        dlp__Particles *p = &world->domains.part[d].particles;
        for (int64_t i = 0; i < p->count; i++) {
            for (int a = 0; a < 3; a++) {
                p->position[a][i] += (float)(size * (random_number(seed) - 0.5));
            }
        }
    }
}

/* Check that every owned particle's bonds name it, point to their partners, and can be found; returns how many have
 * no partner in range. */
static int64_t check_part(const dlp__Domains *domains, dlp__Bonds *bonds, int d, const double period)
{
    const dlp__Particles *p = &domains->part[d].particles;
    dlp__BondPart *part = &bonds->part[d];
    int64_t lost = 0;
    for (int64_t i = 0; i < p->count; i++) {
        assert_int_equal(part->last[i] - part->first[i], 4);
        for (int32_t k = part->first[i]; k < part->last[i]; k++) {
            const dlp__Bond *bond = &part->bond[k];
            assert_true(bond->own == p->id[0][i]);
            assert_ptr_equal(dlp__bonds_find(part, bond->own, bond->other), bond);
            lost += part->partner[k] < 0;
            if (part->partner[k] >= 0) {
                const int32_t j = part->partner[k];
                const float x = p->position[0][i] - p->position[0][j], y = p->position[1][i] - p->position[1][j],
                            z = p->position[2][i] - p->position[2][j];
                assert_true(p->id[0][j] == bond->other);
                assert_true(sqrtf(x * x + y * y + z * z) <= domains->support);
                assert_true(period == 0.0 || fabsf(x) < 0.5f * (float)period);
            }
        }
    }
    return lost;
}

static int64_t lost_bonds(int subdomains, double period)
{
    dlp_World *world = make_block(subdomains, period);
    dlp__Bonds bonds;
    uint64_t seed = 7;
    int64_t lost = 0;
    dlp__bonds_init(&bonds, &world->memory);
    bind_all(&bonds, 1);
    update(world, &bonds);
    bind_all(&bonds, EDGE); /* later ones are inserted among the existing ones */
    for (int n = 0; n < 20; n++) {
        /* Displacements depend on the index in the store: the sum over all is compared, in the first round only. */
        stir(world, &seed, n == 0 ? 0.0 : 0.02);
        update(world, &bonds);
        assert_int_equal(dlp__bonds_count(&bonds), 4 * COUNT);
        int64_t here = 0;
        for (int d = 0; d < subdomains; d++) {
            here += check_part(&world->domains, &bonds, d, period);
        }
        lost = n == 0 ? here : lost;
    }
    dlp__bonds_release(&bonds);
    dlp_world_destroy(world);
    return lost;
}

static void both_ends_find_each_other_in_any_part(void **state)
{
    (void)state;
    const int64_t lost = lost_bonds(1, 0.0);
    assert_true(lost > 0 && lost < COUNT); /* the ends of rows are far apart */
    assert_int_equal(lost_bonds(2, 0.0), lost);
    assert_int_equal(lost_bonds(4, 0.0), lost);
    const int64_t periodic_lost = lost_bonds(1, EDGE * 0.01);
    assert_true(periodic_lost < lost); /* the last of a row is next to the first across the periodic boundary */
    assert_int_equal(lost_bonds(2, EDGE * 0.01), periodic_lost);
}

static void removed_bonds_and_those_of_removed_particles_are_dropped(void **state)
{
    (void)state;
    dlp_World *world = make_block(2, 0.0);
    dlp__Bonds bonds;
    dlp__bonds_init(&bonds, &world->memory);
    bind_all(&bonds, 1);
    update(world, &bonds);
    const uint64_t before = dlp__bonds_hash(&bonds);
    const uint64_t pair[2] = {10, 11};
    for (int n = 0; n < 4; n++) { /* both ends, in any part */
        dlp__Bond *bond = dlp__bonds_find(&bonds.part[n / 2], pair[n % 2], pair[1 - n % 2]);
        if (bond != NULL) {
            bond->length = -1.0f;
        }
    }
    update(world, &bonds);
    assert_int_equal(dlp__bonds_count(&bonds), 2 * COUNT - 2);
    assert_true(dlp__bonds_hash(&bonds) != before);
    dlp__Particles *p = &world->domains.part[0].particles;
    p->count--; /* removed, with both its bonds */
    update(world, &bonds);
    assert_int_equal(dlp__bonds_count(&bonds), 2 * COUNT - 4);
    dlp__bonds_release(&bonds);
    dlp_world_destroy(world);
}

/* The same random additions, changes and removals in a table of all pairs. */
static void adding_and_removing_bonds_matches_a_table(void **state)
{
    (void)state;
    enum { FEW = 64, ROUNDS = 60 };
    static float table[FEW][FEW];
    for (int parts = 1; parts <= 4; parts *= 2) {
        dlp_World *world = make_block(parts, 0.0);
        dlp__Bonds bonds;
        uint64_t seed = 11;
        dlp__bonds_init(&bonds, &world->memory);
        memset(table, 0, sizeof table);
        update(world, &bonds);
        for (int round = 0; round < ROUNDS; round++) {
            const int changes = round == 20 ? 2000 : (int)(60.0 * random_number(&seed)); /* occasionally many at once */
            for (int n = 0; n < changes; n++) {
                const uint64_t own = (uint64_t)(FEW * random_number(&seed)),
                               other = (uint64_t)(FEW * random_number(&seed));
                const float length = (float)(0.01 + 0.01 * random_number(&seed));
                const dlp__Bond pair[2] = {{own, other, length, 0.0f}, {other, own, length, 0.0f}};
                if (own != other && table[own][other] == 0.0f) {
                    assert_true(dlp__bonds_add(&bonds, (int)(own % (uint64_t)parts), pair, 2));
                    table[own][other] = table[other][own] = length;
                }
            }
            update(world, &bonds);
            for (int d = 0; d < parts; d++) {
                dlp__BondPart *part = &bonds.part[d];
                for (int64_t k = 0; k < part->count; k++) {
                    dlp__Bond *bond = &part->bond[k];
                    assert_true(bond->length == table[bond->own][bond->other]);
                    const uint64_t sum = bond->own + bond->other + (uint64_t)round; /* the same for both ends */
                    bond->length = sum % 7 == 0 ? -1.0f : sum % 5 == 0 ? 1.5f * bond->length : bond->length;
                }
            }
            int64_t expected = 0;
            for (int own = 0; own < FEW; own++) {
                for (int other = 0; other < FEW; other++) {
                    const int sum = own + other + round;
                    table[own][other] *= sum % 7 == 0 ? 0.0f : sum % 5 == 0 ? 1.5f : 1.0f;
                    expected += table[own][other] > 0.0f;
                }
            }
            assert_int_equal(dlp__bonds_count(&bonds), expected);
            stir(world, &seed, 0.01);
        }
        dlp__bonds_release(&bonds);
        dlp_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adding_and_removing_bonds_matches_a_table),
        cmocka_unit_test(both_ends_find_each_other_in_any_part),
        cmocka_unit_test(removed_bonds_and_those_of_removed_particles_are_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

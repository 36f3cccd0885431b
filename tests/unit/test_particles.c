/* The particle store, walked by its own table: whatever field a line is added for, adding, growing, sorting, copying,
 * the search for NaN and the hash must all treat it right. */
#include "methods/physical/physical_fields.h"
#include "stages/stage.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* All common fields, and a method's own. */
static const dlp__FieldId *all_fields(void)
{
    static dlp__FieldList list;
    for (dlp__FieldId field = 1; field < DLP_FIELD_END && list.count < DLP_FIELD_END - 1; field++) {
        dlp__fields_add(&list, (const dlp__FieldId[]){field, DLP_FIELD_NONE});
    }
    for (int n = 0; n < dlp__physical_fields.count; n++) { /* those on demand too */
        dlp__fields_add(&list, (const dlp__FieldId[]){(dlp__FieldId)(DLP_FIELD_END + n), DLP_FIELD_NONE});
    }
    return list.field;
}

static void fields_on_demand_are_not_added_with_the_others(void **state)
{
    (void)state;
    dlp__FieldList list = {.count = 0};
    dlp__fields_add_own(&list, &dlp__physical_fields);
    assert_true(dlp__fields_hold(list.field, OWN_conformation));
    assert_false(dlp__fields_hold(list.field, OWN_tension));
}

static uint64_t random_state = 1;

static uint64_t random_bits(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return random_state >> 16 ^ random_state << 40;
}

/* Memory that starts as rubbish (all bits set, NaN as a float), and may run out. */
typedef struct Host {
    int64_t left; /* calls until it runs out */
} Host;

static void *dirty_allocate(void *user, size_t size, size_t alignment)
{
    Host *host = user;
    if (host->left-- <= 0) {
        return NULL;
    }
    void *block = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    assert_non_null(block);
    return memset(block, 0xff, size);
}

static void plain_release(void *user, void *memory, size_t size)
{
    (void)user;
    (void)size;
    free(memory);
}

typedef struct Store {
    Host host;
    dlp__Memory memory;
    dlp__Particles particles;
} Store;

static void store_init(Store *store, const dlp__FieldId *fields)
{
    store->host.left = INT64_MAX;
    dlp_Allocator allocator = {dirty_allocate, plain_release, &store->host};
    dlp__memory_init(&store->memory, &allocator);
    dlp__particles_init(&store->particles, &store->memory, &dlp__physical_fields, fields);
}

static void store_release(Store *store)
{
    dlp__particles_release(&store->particles);
    assert_int_equal(store->memory.bytes, 0);
}

/* One component of one particle, as bytes. */
static unsigned char *component_of(const dlp__Particles *particles, int field, int component, int64_t i)
{
    return (unsigned char *)dlp__field_array(particles, field, component) +
           (size_t)i * dlp__field_info(particles, field)->size;
}

/* What particle `key` holds there: some finite bits that no other place has. */
static void expected_bytes(const dlp__Particles *particles, unsigned char *to, int field, int component, uint64_t key)
{
    const dlp__FieldInfo *info = dlp__field_info(particles, field);
    uint64_t mixed = (key * 256 + (uint64_t)field) * 16 + (uint64_t)component;
    uint64_t bits = field == DLP_FIELD_id ? key : (mixed + 1) * 0x9e3779b97f4a7c15u >> 20;
    if (info->type == DLP_FIELD_TYPE_float) {
        float value = (float)(bits & 0xffffff);
        memcpy(to, &value, sizeof value);
    } else {
        memcpy(to, &bits, info->size); /* little end first, as everywhere we run */
    }
}

static void write_particle(dlp__Particles *particles, int64_t i, uint64_t key)
{
    for (int field = 1; field < dlp__fields_end(particles); field++) {
        for (int c = 0; dlp__particles_have(particles, field) && c < dlp__field_info(particles, field)->components;
             c++) {
            expected_bytes(particles, component_of(particles, field, c, i), field, c, key);
        }
    }
}

/* Whether the particle still holds all that `key` was given, in fields without any of `skip`'s flags. */
static void assert_particle(const dlp__Particles *particles, int64_t i, uint64_t key, int skip)
{
    for (int field = 1; field < dlp__fields_end(particles); field++) {
        const dlp__FieldInfo *info = dlp__field_info(particles, field);
        bool checked = dlp__particles_have(particles, field) && (info->flags & skip) == 0;
        for (int c = 0; checked && c < info->components; c++) {
            unsigned char expected[8];
            expected_bytes(particles, expected, field, c, key);
            if (memcmp(component_of(particles, field, c, i), expected, info->size) != 0) {
                fail_msg("%s[%d] of particle %lld is not what was put there", info->name, c, (long long)i);
            }
        }
    }
}

static void assert_zero(const dlp__Particles *particles, int64_t i)
{
    static const unsigned char zero[8] = {0};
    for (int field = 1; field < dlp__fields_end(particles); field++) {
        const dlp__FieldInfo *info = dlp__field_info(particles, field);
        for (int c = 0; dlp__particles_have(particles, field) && c < info->components; c++) {
            assert_memory_equal(component_of(particles, field, c, i), zero, info->size);
        }
    }
}

static void fill_store(Store *store, int64_t count)
{
    int64_t first = dlp__particles_add(&store->particles, count);
    assert_true(first >= 0);
    for (int64_t i = first; i < first + count; i++) {
        write_particle(&store->particles, i, (uint64_t)i + 100);
    }
}

static void the_table_is_consistent(void **state)
{
    (void)state;
    Store store;
    store_init(&store, all_fields());
    const dlp__Particles *particles = &store.particles;
    for (int field = 1; field < dlp__fields_end(particles); field++) {
        const dlp__FieldInfo *info = dlp__field_info(particles, field);
        static const size_t sizes[] = {
            [DLP_FIELD_TYPE_float] = 4, [DLP_FIELD_TYPE_uint16_t] = 2, [DLP_FIELD_TYPE_uint64_t] = 8};
        assert_int_equal(info->size, sizes[info->type]);
        assert_in_range(info->components, 1, DLP_FIELD_MOST_COMPONENTS);
        assert_true(strlen(info->name) > 0 && info->unit != NULL);
        for (int other = 1; other < field; other++) {
            assert_string_not_equal(info->name, dlp__field_info(particles, other)->name);
        }
        if ((info->flags & DLP_FIELD_SCRATCH) != 0) { /* neither sorted nor moved, so nobody may rely on it later */
            assert_int_equal(info->flags & ~(DLP_FIELD_SCRATCH | DLP_FIELD_SHIFTED | DLP_FIELD_ON_DEMAND), 0);
        }
        if ((info->flags & DLP_FIELD_SHIFTED) != 0) {
            assert_int_equal(info->type, DLP_FIELD_TYPE_float);
            assert_int_equal(info->components, 3);
        }
        if ((info->flags & DLP_FIELD_SHOWN) != 0) {
            assert_true((info->flags & DLP_FIELD_SAVED) != 0);
        }
    }
    assert_string_equal(dlp__field_info(particles, DLP_FIELD_position)->name, "position");
    assert_int_equal(dlp__field_info(particles, DLP_FIELD_position)->components, 3);
    assert_string_equal(dlp__field_info(particles, OWN_conformation)->name, "conformation");
    store_release(&store);
}

static void a_rows_part_names_its_field_and_component(void **state)
{
    (void)state;
    assert_true(DLP_FIELDS_MOST * 16 <= UINT16_MAX && DLP_FIELD_MOST_COMPONENTS <= 16);
    uint16_t part = DLP_PART(DLP_FIELD_velocity, 2);
    assert_int_equal(DLP_PART_FIELD(part), DLP_FIELD_velocity);
    assert_int_equal(DLP_PART_COMPONENT(part), 2);
    const dlp__Row row = DLP_ROW_VECTOR_SCALAR(DLP_FIELD_position, DLP_FIELD_density);
    assert_int_equal(DLP_PART_FIELD(row.part[2]), DLP_FIELD_position);
    assert_int_equal(DLP_PART_COMPONENT(row.part[2]), 2);
    assert_int_equal(DLP_PART_FIELD(row.part[3]), DLP_FIELD_density);
}

static void arrays_by_number_are_the_arrays_by_name(void **state)
{
    (void)state;
    Store store;
    store_init(&store, all_fields());
    fill_store(&store, 10);
    const dlp__Particles *p = &store.particles;
#define CHECK_FIELD(name, type, count, ...) \
    for (int c = 0; c < (count); c++) { \
        assert_non_null(p->name[c]); \
        assert_ptr_equal(dlp__field_array(p, DLP_FIELD_##name, c), p->name[c]); \
        assert_int_equal((uintptr_t)p->name[c] % DLP_ALIGNMENT, 0); \
    } \
    assert_int_equal(sizeof(type), dlp__field_info(p, DLP_FIELD_##name)->size);
    DLP_FIELDS(CHECK_FIELD)
#undef CHECK_FIELD
    store_release(&store);
}

static void only_the_asked_fields_have_arrays(void **state)
{
    (void)state;
    Store store;
    store_init(&store, (const dlp__FieldId[]){DLP_FIELD_id, DLP_FIELD_position, DLP_FIELD_NONE});
    fill_store(&store, 10);
    for (int field = 1; field < dlp__fields_end(&store.particles); field++) {
        bool asked = field == DLP_FIELD_id || field == DLP_FIELD_position;
        assert_int_equal(dlp__particles_have(&store.particles, field), asked);
        assert_true((dlp__field_array(&store.particles, field, 0) != NULL) == asked);
    }
    store_release(&store);
}

static void adding_keeps_what_is_there_and_starts_from_zero(void **state)
{
    (void)state;
    Store store;
    store_init(&store, all_fields());
    int64_t count = 0;
    for (int64_t more = 1; count < 5000; more = more * 2 + 1) {
        int64_t first = dlp__particles_add(&store.particles, more);
        assert_int_equal(first, count);
        assert_int_equal(store.particles.count, count + more);
        assert_true(store.particles.capacity >= count + more + DLP_GROUP);
        for (int64_t i = 0; i < first; i++) {
            assert_particle(&store.particles, i, (uint64_t)i + 100, 0);
        }
        for (int64_t i = first; i < first + more; i++) {
            assert_zero(&store.particles, i);
            write_particle(&store.particles, i, (uint64_t)i + 100);
        }
        count += more;
    }
    store_release(&store);
}

static void adding_over_dropped_particles_and_ghosts_starts_from_zero(void **state)
{
    (void)state;
    Store store;
    store_init(&store, all_fields());
    fill_store(&store, 100);
    store.particles.count = 60; /* 20 were dropped, 20 are ghosts now */
    store.particles.ghosts = 20;
    int64_t first = dlp__particles_add(&store.particles, 30);
    assert_int_equal(first, 60);
    assert_int_equal(store.particles.ghosts, 0);
    for (int64_t i = 60; i < 90; i++) {
        assert_zero(&store.particles, i);
    }
    store_release(&store);
}

static void growing_that_fails_changes_nothing(void **state)
{
    (void)state;
    Store store;
    store_init(&store, all_fields());
    fill_store(&store, 100);
    int64_t bytes = store.memory.bytes, capacity = store.particles.capacity;
    store.host.left = 0;
    assert_int_equal(dlp__particles_add(&store.particles, 10000), -1);
    assert_int_equal(store.memory.bytes, bytes);
    assert_int_equal(store.particles.count, 100);
    assert_int_equal(store.particles.capacity, capacity);
    store.host.left = INT64_MAX;
    assert_int_equal(dlp__particles_add(&store.particles, (int64_t)INT32_MAX), -1); /* indices have 32 bits */
    assert_int_equal(store.particles.count, 100);
    for (int64_t i = 0; i < 100; i++) {
        assert_particle(&store.particles, i, (uint64_t)i + 100, 0);
    }
    store_release(&store);
}

static void copying_takes_every_field_of_one_particle_alone(void **state)
{
    (void)state;
    Store source, target;
    store_init(&source, all_fields());
    store_init(&target, all_fields());
    fill_store(&source, 50);
    fill_store(&target, 20);
    dlp__particles_copy(&target.particles, 7, &source.particles, 33);
    for (int64_t i = 0; i < 20; i++) {
        assert_particle(&target.particles, i, (uint64_t)(i == 7 ? 33 : i) + 100, 0);
    }
    store_release(&target);
    store_release(&source);
}

static void shuffle(int32_t *order, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        order[i] = (int32_t)i;
    }
    for (int64_t i = count - 1; i > 0; i--) {
        int64_t j = (int64_t)(random_bits() % (uint64_t)(i + 1));
        int32_t kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}

enum { MANY = 10000 };

static void reordering_permutes_every_field_that_is_not_scratch(void **state)
{
    (void)state;
    static int32_t order[MANY];
    static uint64_t key[MANY];
    for (int threads = 1; threads <= 3; threads += 2) {
        Store store;
        dlp__Parallel parallel;
        store_init(&store, all_fields());
        dlp__parallel_init(&parallel, threads, NULL);
        fill_store(&store, MANY / 2);
        int64_t count = MANY / 2;
        for (int64_t i = 0; i < count; i++) {
            key[i] = (uint64_t)i + 100;
        }
        for (int round = 0; round < 4; round++) { /* drops some, and then grows, so that its spare arrays must too */
            shuffle(order, count);
            int64_t living = round % 2 == 0 ? count - count / 7 : count;
            store.particles.ghosts = 3;
            assert_true(dlp__particles_reorder(&store.particles, &parallel, order, living));
            assert_int_equal(store.particles.count, living);
            assert_int_equal(store.particles.ghosts, 0);
            static uint64_t moved[MANY];
            for (int64_t i = 0; i < living; i++) {
                moved[i] = key[order[i]];
                assert_particle(&store.particles, i, moved[i], DLP_FIELD_SCRATCH);
            }
            memcpy(key, moved, (size_t)living * sizeof key[0]);
            count = living + 1000;
            int64_t first = dlp__particles_add(&store.particles, 1000);
            for (int64_t i = first; i < count; i++) {
                key[i] = (uint64_t)(round + 1) * 100000 + (uint64_t)i;
                write_particle(&store.particles, i, key[i]);
            }
        }
        store_release(&store);
    }
}

static void reordering_that_fails_changes_nothing(void **state)
{
    (void)state;
    Store store;
    dlp__Parallel parallel;
    int32_t order[100];
    store_init(&store, all_fields());
    dlp__parallel_init(&parallel, 1, NULL);
    fill_store(&store, 100);
    shuffle(order, 100);
    store.host.left = 0;
    assert_false(dlp__particles_reorder(&store.particles, &parallel, order, 90));
    assert_int_equal(store.particles.count, 100);
    for (int64_t i = 0; i < 100; i++) {
        assert_particle(&store.particles, i, (uint64_t)i + 100, 0);
    }
    store.host.left = INT64_MAX;
    assert_true(dlp__particles_reorder(&store.particles, &parallel, order, 90));
    store_release(&store);
}

static void a_bad_number_in_any_component_is_found_and_named(void **state)
{
    (void)state;
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    Store store;
    store_init(&store, all_fields());
    fill_store(&store, MANY);
    int found = 0;
    int64_t index = 0;
    for (int threads = 1; threads <= 2; threads++) {
        dlp__Parallel parallel;
        dlp__parallel_init(&parallel, threads, NULL);
        assert_false(dlp__particles_find_bad(&store.particles, &parallel, all_fields(), &found, &index));
        for (int field = 1; field < dlp__fields_end(&store.particles); field++) {
            const dlp__FieldInfo *info = dlp__field_info(&store.particles, field);
            for (int c = 0; info->type == DLP_FIELD_TYPE_float && c < info->components; c++) {
                for (int b = 0; b < 3; b++) {
                    int64_t at = b == 0 ? MANY - 1 : (int64_t)(random_bits() % MANY);
                    float *value = (float *)dlp__field_array(&store.particles, field, c) + at, kept = *value;
                    *value = bad[b];
                    assert_true(dlp__particles_find_bad(&store.particles, &parallel, all_fields(), &found, &index));
                    assert_int_equal(found, field);
                    assert_int_equal(index, at);
                    *value = kept;
                }
            }
        }
    }
    store_release(&store);
}

static void the_first_bad_number_is_the_one_that_is_named(void **state)
{
    (void)state;
    Store store;
    dlp__Parallel parallel;
    store_init(&store, all_fields());
    dlp__parallel_init(&parallel, 2, NULL);
    fill_store(&store, MANY);
    int field = 0;
    int64_t index = 0;
    store.particles.pressure[0][3] = NAN;
    store.particles.velocity[1][9000] = INFINITY;
    store.particles.velocity[1][77] = NAN;
    assert_true(dlp__particles_find_bad(&store.particles, &parallel, all_fields(), &field, &index));
    assert_int_equal(field, DLP_FIELD_velocity);
    assert_int_equal(index, 77);
    store_release(&store);
}

static void only_the_asked_fields_are_searched(void **state)
{
    (void)state;
    Store store;
    dlp__Parallel parallel;
    store_init(&store, all_fields());
    dlp__parallel_init(&parallel, 1, NULL);
    fill_store(&store, 100);
    int field = 0;
    int64_t index = 0;
    store.particles.velocity[1][7] = NAN;
    store.particles.density[0][9] = NAN;
    static const dlp__FieldId others[] = {DLP_FIELD_position, DLP_FIELD_pressure, OWN_pressure_flux, DLP_FIELD_NONE};
    static const dlp__FieldId with_density[] = {DLP_FIELD_position, DLP_FIELD_density, DLP_FIELD_NONE};
    assert_false(dlp__particles_find_bad(&store.particles, &parallel, others, &field, &index));
    assert_true(dlp__particles_find_bad(&store.particles, &parallel, with_density, &field, &index));
    assert_int_equal(field, DLP_FIELD_density);
    assert_int_equal(index, 9);
    store_release(&store);
}

static void large_tiny_and_ghost_numbers_are_not_bad(void **state)
{
    (void)state;
    Store store;
    dlp__Parallel parallel;
    store_init(&store, all_fields());
    dlp__parallel_init(&parallel, 1, NULL);
    fill_store(&store, 100);
    store.particles.position[0][5] = FLT_MAX;
    store.particles.position[1][5] = -FLT_MAX;
    store.particles.position[2][5] = FLT_TRUE_MIN;
    store.particles.velocity[0][5] = -0.0f;
    store.particles.count = 90;
    store.particles.ghosts = 10;
    store.particles.position[0][95] = NAN; /* a ghost's: its owner is asked instead */
    int field = 0;
    int64_t index = 0;
    assert_false(dlp__particles_find_bad(&store.particles, &parallel, all_fields(), &field, &index));
    store.particles.count = 0;
    assert_false(dlp__particles_find_bad(&store.particles, &parallel, all_fields(), &field, &index));
    store_release(&store);
}

static void the_hash_does_not_depend_on_the_order(void **state)
{
    (void)state;
    static int32_t order[MANY];
    Store store;
    dlp__Parallel parallel;
    store_init(&store, all_fields());
    dlp__parallel_init(&parallel, 1, NULL);
    assert_int_equal(dlp__particles_hash(&store.particles), 0);
    fill_store(&store, 1000);
    uint64_t hash = dlp__particles_hash(&store.particles);
    for (int round = 0; round < 5; round++) {
        shuffle(order, 1000);
        assert_true(dlp__particles_reorder(&store.particles, &parallel, order, 1000));
        assert_true(dlp__particles_hash(&store.particles) == hash);
    }
    store_release(&store);
}

static void the_hash_sees_every_bit_of_saved_fields_and_nothing_else(void **state)
{
    (void)state;
    Store store;
    store_init(&store, all_fields());
    fill_store(&store, 20);
    uint64_t hash = dlp__particles_hash(&store.particles);
    for (int field = 1; field < dlp__fields_end(&store.particles); field++) {
        const dlp__FieldInfo *info = dlp__field_info(&store.particles, field);
        bool saved = (info->flags & DLP_FIELD_SAVED) != 0;
        for (int c = 0; c < info->components; c++) {
            for (size_t bit = 0; bit < 8 * info->size; bit++) {
                unsigned char *byte = component_of(&store.particles, field, c, 13) + bit / 8;
                *byte ^= (unsigned char)(1u << bit % 8);
                assert_true((dlp__particles_hash(&store.particles) != hash) == saved);
                *byte ^= (unsigned char)(1u << bit % 8);
            }
        }
    }
    assert_true(dlp__particles_hash(&store.particles) == hash);
    store_release(&store);
}

static void swapping_values_between_particles_or_components_changes_the_hash(void **state)
{
    (void)state;
    Store store;
    store_init(&store, all_fields());
    fill_store(&store, 20);
    dlp__Particles *p = &store.particles;
    uint64_t hash = dlp__particles_hash(p);
    float kept = p->velocity[0][3];
    p->velocity[0][3] = p->velocity[0][4];
    p->velocity[0][4] = kept;
    assert_true(dlp__particles_hash(p) != hash);
    p->velocity[0][4] = p->velocity[0][3];
    p->velocity[0][3] = p->velocity[1][3];
    p->velocity[1][3] = kept;
    assert_true(dlp__particles_hash(p) != hash);
    store_release(&store);
}

static void a_missing_or_doubled_particle_changes_the_hash(void **state)
{
    (void)state;
    Store store;
    store_init(&store, all_fields());
    fill_store(&store, 20);
    uint64_t hash = dlp__particles_hash(&store.particles);
    store.particles.count = 19;
    assert_true(dlp__particles_hash(&store.particles) != hash);
    store.particles.count = 20;
    int64_t twin = dlp__particles_add(&store.particles, 1);
    dlp__particles_copy(&store.particles, twin, &store.particles, 3);
    assert_true(dlp__particles_hash(&store.particles) != hash);
    store_release(&store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_is_consistent),
        cmocka_unit_test(fields_on_demand_are_not_added_with_the_others),
        cmocka_unit_test(a_rows_part_names_its_field_and_component),
        cmocka_unit_test(arrays_by_number_are_the_arrays_by_name),
        cmocka_unit_test(only_the_asked_fields_have_arrays),
        cmocka_unit_test(adding_keeps_what_is_there_and_starts_from_zero),
        cmocka_unit_test(adding_over_dropped_particles_and_ghosts_starts_from_zero),
        cmocka_unit_test(growing_that_fails_changes_nothing),
        cmocka_unit_test(copying_takes_every_field_of_one_particle_alone),
        cmocka_unit_test(reordering_permutes_every_field_that_is_not_scratch),
        cmocka_unit_test(reordering_that_fails_changes_nothing),
        cmocka_unit_test(a_bad_number_in_any_component_is_found_and_named),
        cmocka_unit_test(the_first_bad_number_is_the_one_that_is_named),
        cmocka_unit_test(only_the_asked_fields_are_searched),
        cmocka_unit_test(large_tiny_and_ghost_numbers_are_not_bad),
        cmocka_unit_test(the_hash_does_not_depend_on_the_order),
        cmocka_unit_test(the_hash_sees_every_bit_of_saved_fields_and_nothing_else),
        cmocka_unit_test(swapping_values_between_particles_or_components_changes_the_hash),
        cmocka_unit_test(a_missing_or_doubled_particle_changes_the_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The parallel sort of particles into cells against qsort by (key, id), and cells and keys against plain arithmetic.
 * ctest: threaded */
#include "neighbors/cell_grid.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const int THREADS[] = {1, 2, 3, 8};
enum { THREAD_COUNTS = sizeof THREADS / sizeof THREADS[0] };

static uint64_t random_state = 1;

static uint64_t random_bits(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return random_state >> 20;
}

static double random_in(double low, double high)
{
    return low + (high - low) * (double)(random_bits() & 0xffffffff) / 4294967296.0;
}

/* Input of a sort. `mark` identifies each particle afterwards. */
typedef struct Item {
    uint64_t key, id;
    uint32_t mark;
} Item;

static int compare_items(const void *a, const void *b)
{
    const Item *left = a, *right = b;
    if (left->key != right->key) {
        return left->key < right->key ? -1 : 1;
    }
    return (left->id > right->id) - (left->id < right->id);
}

static void shuffle_ids(Item *items, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        items[i].id = (uint64_t)i * 3 + 5;
        items[i].mark = (uint32_t)i;
    }
    for (int64_t i = count - 1; i > 0; i--) {
        int64_t j = (int64_t)(random_bits() % (uint64_t)(i + 1));
        uint64_t kept = items[i].id;
        items[i].id = items[j].id;
        items[j].id = kept;
    }
}

/* Sort a copy with dlp__cell_sort and one with qsort; removed particles come last with qsort and are dropped by
 * ours. */
static void check_sort(const Item *items, int64_t count)
{
    Item *expected = malloc(sizeof *expected * (size_t)(count + 1));
    uint64_t *keys = malloc(sizeof *keys * (size_t)(count + 1));
    assert_non_null(expected);
    assert_non_null(keys);
    int64_t living = 0;
    for (int64_t i = 0; i < count; i++) {
        expected[i] = items[i];
        living += items[i].key != DLP_CELL_DEAD;
    }
    qsort(expected, (size_t)count, sizeof *expected, compare_items);
    for (int t = 0; t < THREAD_COUNTS; t++) {
        dlp__Memory memory;
        dlp__Parallel parallel;
        dlp__Particles particles;
        dlp__Buffer scratch = {0};
        dlp__memory_init(&memory, NULL);
        dlp__parallel_init(&parallel, THREADS[t], NULL);
        static const dlp__FieldId fields[] = {DLP_FIELD_id, DLP_FIELD_material, DLP_FIELD_velocity, DLP_FIELD_NONE};
        dlp__particles_init(&particles, &memory, NULL, fields);
        assert_true(count == 0 || dlp__particles_add(&particles, count) == 0);
        for (int64_t i = 0; i < count; i++) {
            particles.id[0][i] = items[i].id;
            particles.material[0][i] = (uint16_t)items[i].mark;
            particles.velocity[1][i] = (float)items[i].mark;
            keys[i] = items[i].key;
        }
        for (int round = 0; round < 2; round++) { /* sorting again changes nothing */
            assert_true(dlp__cell_sort(&scratch, &particles, &parallel, keys));
            assert_int_equal(particles.count, living);
            for (int64_t i = 0; i < living; i++) {
                bool same = keys[i] == expected[i].key && particles.id[0][i] == expected[i].id &&
                            particles.material[0][i] == (uint16_t)expected[i].mark &&
                            particles.velocity[1][i] == (float)expected[i].mark;
                if (!same) {
                    fail_msg("place %lld of %lld holds id %llu instead of %llu", (long long)i, (long long)living,
                             (unsigned long long)particles.id[0][i], (unsigned long long)expected[i].id);
                }
            }
        }
        dlp__buffer_release(&memory, &scratch);
        dlp__particles_release(&particles);
        assert_int_equal(memory.bytes, 0);
    }
    free(keys);
    free(expected);
}

static Item *make_items(int64_t count)
{
    Item *items = calloc((size_t)count, sizeof *items);
    assert_non_null(items);
    shuffle_ids(items, count);
    return items;
}

static int32_t random_cell(int32_t least, int32_t most)
{
    return least + (int32_t)(random_bits() % (uint64_t)((int64_t)most - least + 1));
}

static void random_cells_are_sorted_by_key_and_id(void **state)
{
    (void)state;
    static const int64_t counts[] = {2, 15, 1000, 16384, 16385, 60000};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        Item *items = make_items(counts[c]);
        for (int64_t i = 0; i < counts[c]; i++) {
            items[i].key = dlp__cell_key((dlp__Cell){random_cell(-20, 20), random_cell(-9, 40), random_cell(3, 30)});
        }
        check_sort(items, counts[c]);
        free(items);
    }
}

static void no_particle_and_one_particle_are_sorted(void **state)
{
    (void)state;
    Item one = {dlp__cell_key((dlp__Cell){4, -5, 6}), 17, 1};
    check_sort(&one, 0);
    check_sort(&one, 1);
}

static void clustered_cells_are_sorted(void **state)
{
    (void)state;
    enum { COUNT = 40000 };
    Item *items = make_items(COUNT);
    for (int64_t i = 0; i < COUNT; i++) { /* most share a few cells, some are alone */
        int32_t reach = i % 10 == 0 ? 3000 : 1;
        items[i].key = dlp__cell_key(
            (dlp__Cell){random_cell(-reach, reach), random_cell(-reach, reach), random_cell(-reach, reach)});
    }
    check_sort(items, COUNT);
    free(items);
}

static void twenty_thousand_shuffled_ids_in_one_cell_are_sorted(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    Item *items = make_items(COUNT);
    for (int64_t i = 0; i < COUNT; i++) {
        items[i].key = dlp__cell_key((dlp__Cell){7, 7, -7});
    }
    check_sort(items, COUNT);
    for (int64_t i = 0; i < COUNT; i++) { /* reversed */
        items[i].id = (uint64_t)(COUNT - i);
    }
    check_sort(items, COUNT);
    free(items);
}

static void cells_at_the_ends_of_space_are_sorted(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    dlp__CellFrame frame;
    const double zero[3] = {0.0, 0.0, 0.0};
    assert_true(dlp__cell_frame_init(&frame, 0.02, zero, zero));
    Item *items = make_items(COUNT);
    const double edge = DLP_CELL_LIMIT * 0.02; /* m */
    for (int64_t i = 0; i < COUNT; i++) {
        float x[3];
        for (int a = 0; a < 3; a++) {
            static const double around[] = {0.0, 1.0, -1.0, 3.0, -3.0, 1e6, -1e6};
            double place = around[random_bits() % 7] * edge;
            x[a] = (float)(place + random_in(-1.0, 1.0));
        }
        items[i].key = dlp__cell_key(dlp__cell_at(&frame, x[0], x[1], x[2]));
        assert_true(items[i].key != DLP_CELL_DEAD);
    }
    check_sort(items, COUNT);
    free(items);
}

static void removed_particles_are_dropped_and_the_rest_is_sorted(void **state)
{
    (void)state;
    enum { COUNT = 30000 };
    Item *items = make_items(COUNT);
    for (int part = 0; part <= 10; part += 5) { /* none, half of them, all */
        for (int64_t i = 0; i < COUNT; i++) {
            dlp__Cell cell = {random_cell(-300, 20), random_cell(-9, 40), random_cell(3, 30)};
            items[i].key = (int)(random_bits() % 10) < part ? DLP_CELL_DEAD : dlp__cell_key(cell);
        }
        check_sort(items, COUNT);
    }
    free(items);
}

/* Cells and their keys. */

static void keys_decode_to_their_cell_and_have_the_order_of_cells(void **state)
{
    (void)state;
    dlp__Cell last = {0, 0, 0};
    for (int round = 0; round < 100000; round++) {
        int32_t reach = round % 3 == 0 ? 2 : DLP_CELL_LIMIT;
        dlp__Cell cell = {random_cell(-reach, reach), random_cell(-reach, reach), random_cell(-reach, reach)};
        dlp__Cell back = dlp__cell_of_key(dlp__cell_key(cell));
        assert_true(back.x == cell.x && back.y == cell.y && back.z == cell.z);
        bool before = cell.z != last.z ? cell.z < last.z : cell.y != last.y ? cell.y < last.y : cell.x < last.x;
        assert_true((dlp__cell_key(cell) < dlp__cell_key(last)) == before);
        last = cell;
    }
}

static void positions_beyond_the_limit_are_clamped_to_the_last_cell(void **state)
{
    (void)state;
    dlp__CellFrame frame;
    const double zero[3] = {0.0, 0.0, 0.0};
    assert_true(dlp__cell_frame_init(&frame, 0.5, zero, zero));
    static const float far_away[] = {1e6f, 1e9f, 3e38f, INFINITY};
    for (int i = 0; i < 4; i++) {
        dlp__Cell cell = dlp__cell_at(&frame, far_away[i], -far_away[i], 0.25f);
        assert_int_equal(cell.x, DLP_CELL_LIMIT);
        assert_int_equal(cell.y, -DLP_CELL_LIMIT);
        assert_int_equal(cell.z, 0);
    }
    assert_true(dlp__cell_key((dlp__Cell){DLP_CELL_LIMIT, DLP_CELL_LIMIT, DLP_CELL_LIMIT}) < DLP_CELL_DEAD);
}

static void neighbours_are_never_two_cells_apart(void **state)
{
    (void)state;
    dlp__CellFrame frame;
    const double zero[3] = {0.0, 0.0, 0.0};
    const float support = 0.02f;
    assert_true(dlp__cell_frame_init(&frame, (double)support, zero, zero));
    int touching = 0;
    for (int round = 0; round < 200000; round++) {
        float x = (float)random_in(-20.0, 20.0), y = x + support * (float)random_in(0.9999, 1.0001), d = y - x;
        dlp__Cell here = dlp__cell_at(&frame, x, x, -x), there = dlp__cell_at(&frame, y, y, -y);
        if (d * d < support * support) {
            touching++;
            assert_true(there.x - here.x <= 1 && there.y - here.y <= 1 && here.z - there.z <= 1);
        }
        assert_int_equal(here.x, (int32_t)floor((double)x / ((double)support * (1.0 + 1e-5))));
    }
    assert_true(touching > 50000);
}

static void a_periodic_axis_has_a_whole_number_of_cells(void **state)
{
    (void)state;
    dlp__CellFrame frame;
    const double lower[3] = {-1.0, 5.0, 0.0}, size[3] = {0.0499, 1.0, 0.0};
    assert_true(dlp__cell_frame_init(&frame, 0.02, lower, size));
    assert_int_equal(frame.periodic[0], 2);
    assert_int_equal(frame.periodic[1], 49);
    assert_int_equal(frame.periodic[2], 0);
    for (int round = 0; round < 10000; round++) {
        float x = (float)random_in(-1.0, -1.0 + 0.0499), y = (float)random_in(5.0, 6.0);
        dlp__Cell cell = dlp__cell_at(&frame, x, y, 0.0f);
        assert_in_range(cell.x, 0, 1);
        assert_in_range(cell.y, 0, 48);
    }
    /* a wrapped position may round up to the end of the box */
    dlp__Cell end = dlp__cell_at(&frame, -1.0f + 0.0499f, 6.0f, 0.0f);
    assert_int_equal(end.x, 1);
    assert_int_equal(end.y, 48);
}

static void a_box_of_less_than_two_cells_is_rejected(void **state)
{
    (void)state;
    dlp__CellFrame frame;
    const double zero[3] = {0.0, 0.0, 0.0};
    for (int axis = 0; axis < 3; axis++) {
        double size[3] = {0.0, 0.0, 0.0};
        size[axis] = 0.04;
        assert_false(dlp__cell_frame_init(&frame, 0.02, zero, size));
        size[axis] = 0.04 * 1.00002;
        assert_true(dlp__cell_frame_init(&frame, 0.02, zero, size));
        size[axis] = 0.02 * 1.0001 * DLP_CELL_LIMIT;
        assert_false(dlp__cell_frame_init(&frame, 0.02, zero, size));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_cells_are_sorted_by_key_and_id),
        cmocka_unit_test(no_particle_and_one_particle_are_sorted),
        cmocka_unit_test(clustered_cells_are_sorted),
        cmocka_unit_test(twenty_thousand_shuffled_ids_in_one_cell_are_sorted),
        cmocka_unit_test(cells_at_the_ends_of_space_are_sorted),
        cmocka_unit_test(removed_particles_are_dropped_and_the_rest_is_sorted),
        cmocka_unit_test(keys_decode_to_their_cell_and_have_the_order_of_cells),
        cmocka_unit_test(positions_beyond_the_limit_are_clamped_to_the_last_cell),
        cmocka_unit_test(neighbours_are_never_two_cells_apart),
        cmocka_unit_test(a_periodic_axis_has_a_whole_number_of_cells),
        cmocka_unit_test(a_box_of_less_than_two_cells_is_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

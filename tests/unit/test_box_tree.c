/* The box tree finds the same items as a loop over all of them, in the same order. */
#include "geometry/box_tree.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ITEMS_MOST = 700, PLACES = 400 };

static uint64_t state = 1;

/* 0 to 1 */
static double random_part(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) / 9007199254740992.0;
}

static dlp_Vec3 random_vector(double scale)
{
    return (dlp_Vec3){scale * random_part(), scale * random_part(), scale * random_part()};
}

static bool overlaps(const dlp__Box *a, const dlp__Box *b)
{
    bool all = true;
    for (int k = 0; k < 3; k++) {
        all = all && a->lower[k] <= b->upper[k] && b->lower[k] <= a->upper[k];
    }
    return all;
}

static void compare_at(const dlp__BoxTree *tree, const dlp__Box *boxes, int count, const dlp__Box *place)
{
    int32_t all[ITEMS_MOST];
    const int total = dlp__box_tree_find(tree, place, all, ITEMS_MOST);
    int found = -1, number = 0;
    for (int n = 0; n < count; n++) {
        if (overlaps(&boxes[n], place)) {
            found = dlp__box_tree_next(tree, place, found);
            assert_int_equal(found, n);
            assert_int_equal(all[number++], n);
        }
    }
    assert_int_equal(dlp__box_tree_next(tree, place, found), count);
    assert_int_equal(total, number);
    if (number > 0) {
        assert_int_equal(dlp__box_tree_find(tree, place, all, number - 1), number);
    }
}

static void the_tree_finds_what_a_loop_finds(void **unused)
{
    static dlp__Box boxes[ITEMS_MOST];
    static const int counts[] = {0, 1, 2, 3, 33, 64, 65, ITEMS_MOST};
    (void)unused;
    dlp__Memory memory;
    dlp__memory_init(&memory, NULL);
    dlp__BoxTree tree = {.count = 0};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        for (int n = 0; n < counts[c]; n++) { /* some of them infinite, as planes are, or all at one place */
            const double size = n % 50 == 7 ? (double)INFINITY : random_part();
            boxes[n] = dlp__box_around(random_vector(n % 3 == 0 ? 0.0 : 10.0), (dlp_Vec3){size, size, 0.1 * size});
        }
        assert_true(dlp__box_tree_build(&tree, &memory, boxes, counts[c]));
        for (int p = 0; p < PLACES; p++) {
            const dlp__Box place = dlp__box_around(random_vector(11.0), random_vector(p % 4 == 0 ? 3.0 : 0.0));
            compare_at(&tree, boxes, counts[c], &place);
        }
    }
    dlp__box_tree_release(&tree, &memory);
    assert_int_equal(memory.bytes, 0);
}

static void a_place_that_is_not_a_number_overlaps_nothing(void **unused)
{
    (void)unused;
    dlp__Memory memory;
    dlp__memory_init(&memory, NULL);
    dlp__BoxTree tree = {.count = 0};
    const dlp__Box box = dlp__box_around((dlp_Vec3){0, 0, 0}, (dlp_Vec3){INFINITY, INFINITY, INFINITY});
    const double nan = (double)NAN;
    assert_true(dlp__box_tree_build(&tree, &memory, &box, 1));
    assert_int_equal(dlp__box_tree_next(&tree, &(dlp__Box){{nan, nan, nan}, {nan, nan, nan}}, -1), 1);
    dlp__box_tree_release(&tree, &memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tree_finds_what_a_loop_finds),
        cmocka_unit_test(a_place_that_is_not_a_number_overlaps_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The arena: blocks do not overlap, are aligned, and a second round of the same size allocates nothing. */
#include "base/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void blocks_are_aligned_and_do_not_overlap(void **state)
{
    (void)state;
    dlp__Memory memory;
    dlp__Arena arena;
    dlp__memory_init(&memory, NULL);
    dlp__arena_init(&arena, &memory);
    enum { BLOCKS = 40 };
    unsigned char *block[BLOCKS];
    for (int n = 0; n < BLOCKS; n++) {
        block[n] = dlp__arena_take(&arena, 1000 * (n + 1), 3);
        assert_non_null(block[n]);
        assert_int_equal((uintptr_t)block[n] % DLP_ALIGNMENT, 0);
        memset(block[n], n, 3000 * ((size_t)n + 1));
    }
    for (int n = 0; n < BLOCKS; n++) {
        assert_int_equal(block[n][0], n);
        assert_int_equal(block[n][3000 * (n + 1) - 1], n);
    }
    assert_non_null(dlp__arena_take(&arena, 0, 8));
    assert_null(dlp__arena_take(&arena, INT64_MAX / 2, 8));
    dlp__arena_release(&arena);
    assert_int_equal(memory.bytes, 0);
}

static void a_warmed_up_arena_allocates_nothing(void **state)
{
    (void)state;
    dlp__Memory memory;
    dlp__Arena arena;
    dlp__memory_init(&memory, NULL);
    dlp__arena_init(&arena, &memory);
    int64_t held = 0;
    for (int step = 0; step < 4; step++) {
        dlp__arena_reset(&arena);
        for (int n = 0; n < 10; n++) {
            assert_non_null(dlp__arena_take(&arena, 50000, 1));
            held = step == 1 && n == 0 ? memory.bytes : held;
            assert_true(step < 1 || memory.bytes == held);
        }
    }
    dlp__arena_release(&arena);
    assert_int_equal(memory.bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_aligned_and_do_not_overlap),
        cmocka_unit_test(a_warmed_up_arena_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Neighbour lists against brute force over all pairs and all periodic images, also of a sheared box: contents and order (cell, then id),
 * for difficult inputs, every vector width of this machine and several numbers of threads. The lists within a second,
 * shorter radius are checked in the same way.
 * ctest: threaded */
#include "base/simd.h"
#include "methods/method.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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

/* Input: points, the support, and the periodic box (size 0: open). */
typedef struct Input {
    int64_t count;
    float *x;                      /* m, x y z each */
    double support, short_support; /* m; short_support 0: none */
    double lower[3], size[3];
    double shear_rate, shear_strain; /* 1/s and 1 */
} Input;

/* A method with two radii. */
static const dlp__Method TWO_RADII = {.support = 3.1, .short_support = 2.1};

static Input input_of(int64_t count, double support)
{
    Input input = {.count = count, .support = support, .short_support = dlp__short_support(&TWO_RADII, support)};
    input.x = calloc((size_t)count * 3 + 1, sizeof *input.x);
    assert_non_null(input.x);
    return input;
}

static Input random_input(int64_t count, double support, double low, double high)
{
    Input input = input_of(count, support);
    for (int64_t k = 0; k < 3 * count; k++) {
        input.x[k] = (float)random_in(low, high);
    }
    return input;
}

/* A store of one or more parts with their lists. */
typedef struct Search {
    dlp__Memory memory;
    dlp__Parallel parallel;
    dlp__Domains domains;
} Search;

static dlp__Domain *part_of(Search *search)
{
    return &search->domains.part[0];
}

static void update(Search *search, dlp__DeadFunction is_dead, int64_t *removed)
{
    dlp__domains_begin_step(&search->domains);
    dlp__domains_remove(&search->domains, is_dead, NULL);
    dlp__domains_update(&search->domains, removed);
    assert_int_equal(search->domains.failure, DLP_OK);
}

static Search *search_parts(const Input *input, int parts, int width, int threads)
{
    Search *search = calloc(1, sizeof *search);
    assert_non_null(search);
    dlp__memory_init(&search->memory, NULL);
    dlp__parallel_init(&search->parallel, threads, NULL);
    static const dlp__FieldId fields[] = {DLP_FIELD_id, DLP_FIELD_position, DLP_FIELD_NONE};
    dlp__domains_init(&search->domains, &search->memory, &search->parallel, parts, NULL, fields);
    search->domains.width = width;
    search->domains.support = (float)input->support;
    search->domains.short_support = (float)input->short_support;
    assert_true(dlp__cell_frame_init(&search->domains.frame, input->support, input->lower, input->size));
    if (input->shear_strain != 0.0) {
        dlp__cell_frame_shear(&search->domains.frame, input->shear_rate, input->shear_strain);
    }
    dlp__Particles *p = &part_of(search)->particles;
    if (input->count > 0) {
        assert_int_equal(dlp__particles_add(p, input->count), 0);
    }
    for (int64_t i = 0; i < input->count; i++) {
        p->id[0][i] = (uint64_t)i * 2654435761u % 4294967311u; /* unordered and unique */
        for (int a = 0; a < 3; a++) {
            p->position[a][i] = input->x[3 * i + a];
        }
    }
    int64_t removed = -1;
    update(search, NULL, &removed);
    assert_int_equal(removed, 0);
    return search;
}

static Search *search_create(const Input *input, int width, int threads)
{
    return search_parts(input, 1, width, threads);
}

static void search_destroy(Search *search)
{
    dlp__domains_release(&search->domains);
    assert_int_equal(search->memory.bytes, 0);
    free(search);
}

/* The oracle. */

typedef struct Found {
    uint64_t key, id;
    float x[3];
} Found;

static int compare_found(const void *a, const void *b)
{
    const Found *left = a, *right = b;
    if (left->key != right->key) {
        return left->key < right->key ? -1 : 1;
    }
    return (left->id > right->id) - (left->id < right->id);
}

/* The cell along x of an image across a z face of a sheared box, which is not displaced by whole cells. */
static int32_t sheared_cell(const dlp__CellFrame *frame, double x)
{
    return (int32_t)floor((x - frame->origin[0]) * frame->per_cell[0]);
}

/* Every image of every particle of `p` closer than the radius to `x_i`, except particle `id` itself; returns how many. */
static int64_t find_images(const dlp__CellFrame *frame, const dlp__Particles *p, const float x_i[3], uint64_t id,
                           float radius, Found *found)
{
    int64_t count = 0;
    for (int image = 0; image < 5 * 9; image++) { /* displaced by up to two periods along x */
        const int step[3] = {image % 5 - 2, image / 5 % 3 - 1, image / 15 - 1};
        const double across = step[2] * frame->shear.offset;
        const bool is_sheared = step[2] != 0 && frame->shear.strain != 0.0;
        bool exists = true;
        float shift[3];
        for (int a = 0; a < 3; a++) {
            exists = exists && (step[a] == 0 || frame->periodic[a] > 0);
            shift[a] = (float)(step[a] * frame->period[a] + (a == 0 ? across : 0.0));
        }
        for (int64_t j = 0; exists && j < p->count; j++) {
            float x[3], d[3];
            for (int a = 0; a < 3; a++) {
                const bool is_displaced = step[a] != 0 || (a == 0 && is_sheared);
                x[a] = is_displaced ? p->position[a][j] + shift[a] : p->position[a][j];
                d[a] = x_i[a] - x[a];
            }
            bool itself = p->id[0][j] == id && step[0] == 0 && step[1] == 0 && step[2] == 0;
            if (itself || !(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < radius * radius)) {
                continue;
            }
            dlp__Cell cell = dlp__cell_at(frame, p->position[0][j], p->position[1][j], p->position[2][j]);
            cell.x = is_sheared ? sheared_cell(frame, (double)p->position[0][j] + step[0] * frame->period[0] + across)
                                : cell.x + step[0] * (int32_t)frame->periodic[0];
            cell.y += step[1] * (int32_t)frame->periodic[1];
            cell.z += step[2] * (int32_t)frame->periodic[2];
            found[count++] = (Found){dlp__cell_key(cell), p->id[0][j], {x[0], x[1], x[2]}};
        }
    }
    return count;
}

/* The neighbours of particle i of a part among the particles of all parts. */
static int64_t brute_force(const dlp__Domains *domains, const dlp__Particles *p, int64_t i, float radius, Found *found)
{
    const float x[3] = {p->position[0][i], p->position[1][i], p->position[2][i]};
    int64_t count = 0;
    for (int d = 0; d < domains->count; d++) {
        count += find_images(&domains->frame, &domains->part[d].particles, x, p->id[0][i], radius, found + count);
    }
    qsort(found, (size_t)count, sizeof *found, compare_found);
    return count;
}

/* Check everything that the header promises of the lists of one part; returns the number of pairs. */
static int64_t check_list(const dlp__Domains *domains, const dlp__Particles *p, const dlp__NeighborList *list,
                          float radius)
{
    Found *expected = malloc(sizeof *expected * (size_t)(5 * 9 * dlp__domains_particles(domains) + 1));
    assert_non_null(expected);
    int64_t pairs = 0;
    assert_int_equal(list->particles, p->count);
    for (int64_t i = 0; i < p->count; i++) {
        int64_t count = brute_force(domains, p, i, radius, expected);
        int64_t rows = list->start[i / DLP_GROUP + 1] - list->start[i / DLP_GROUP];
        assert_int_equal(list->count[i], count);
        assert_true(rows >= count);
        for (int32_t k = 0; k < rows; k++) {
            int32_t j = *dlp__neighbors_entry(list, i, k);
            if (k >= count) { /* padding */
                assert_int_equal(j, i);
                continue;
            }
            assert_in_range(j, 0, p->count + p->ghosts - 1);
            assert_true(p->id[0][j] == expected[k].id);
            for (int a = 0; a < 3; a++) {
                assert_true(p->position[a][j] == expected[k].x[a]);
            }
        }
        pairs += count;
    }
    for (int64_t i = p->count; i % DLP_GROUP != 0; i++) { /* lanes without a particle */
        assert_int_equal(list->count[i], 0);
        for (int32_t k = 0; k < list->start[i / DLP_GROUP + 1] - list->start[i / DLP_GROUP]; k++) {
            assert_in_range(*dlp__neighbors_entry(list, i, k), 0, p->count + p->ghosts);
        }
    }
    free(expected);
    return pairs;
}

/* Check the lists of all parts within both radii; returns the number of pairs within the support. */
static int64_t check_lists(const Search *search)
{
    const dlp__Domains *domains = &search->domains;
    int64_t pairs = 0;
    for (int d = 0; d < domains->count; d++) {
        const dlp__Domain *part = &domains->part[d];
        pairs += check_list(domains, &part->particles, &part->fluid, domains->support);
        if (domains->short_support > 0.0f) {
            check_list(domains, &part->particles, &part->near_fluid, domains->short_support);
        } else {
            assert_null(part->near_fluid.buffer[0].data);
        }
    }
    return pairs;
}

static void check_sorted(Search *search)
{
    const dlp__Particles *p = &part_of(search)->particles;
    uint64_t last_key = 0, last_id = 0;
    for (int64_t i = 0; i < p->count; i++) {
        dlp__Cell cell = dlp__cell_at(&search->domains.frame, p->position[0][i], p->position[1][i], p->position[2][i]);
        uint64_t key = dlp__cell_key(cell), id = p->id[0][i];
        assert_true(i == 0 || key > last_key || (key == last_key && id > last_id));
        last_key = key;
        last_id = id;
    }
}

static void assert_same_list(const dlp__NeighborList *one, const dlp__NeighborList *two)
{
    assert_int_equal(one->particles, two->particles);
    int64_t count = one->particles, groups = (count + DLP_GROUP - 1) / DLP_GROUP;
    if (count == 0) {
        return;
    }
    assert_memory_equal(one->count, two->count, (size_t)count * sizeof *one->count);
    assert_memory_equal(one->start, two->start, (size_t)(groups + 1) * sizeof *one->start);
    if (one->start[groups] > 0) {
        assert_memory_equal(one->entry, two->entry, (size_t)(one->start[groups] * DLP_GROUP) * sizeof *one->entry);
    }
}

static void assert_same_lists(Search *left, Search *right)
{
    const dlp__Domain *a = part_of(left), *b = part_of(right);
    assert_int_equal(a->particles.count, b->particles.count);
    if (a->particles.count > 0) {
        assert_memory_equal(a->particles.id[0], b->particles.id[0], (size_t)a->particles.count * sizeof(uint64_t));
    }
    assert_same_list(&a->fluid, &b->fluid);
    assert_same_list(&a->near_fluid, &b->near_fluid);
}

/* Compare brute force with width 1 on one thread, and that byte for byte with all others. Returns the number of
 * pairs. */
static int64_t check(const Input *input)
{
    static const int widths[] = {1, 4, 8, 16}, threads[] = {1, 2, 8};
    Search *oracle = search_create(input, 1, 1);
    int64_t pairs = check_lists(oracle), removed = 0;
    check_sorted(oracle);
    for (int w = 0; w < 4 && widths[w] <= dlp__width_most(); w++) {
        for (int t = 0; t < 3; t++) {
            Search *search = search_create(input, widths[w], threads[t]);
            assert_same_lists(oracle, search);
            update(search, NULL, &removed); /* lists that fit are found in one pass */
            assert_same_lists(oracle, search);
            search_destroy(search);
        }
    }
    search_destroy(oracle);
    return pairs;
}

static void finish(Input *input)
{
    free(input->x);
}

static void random_points_have_their_neighbours(void **state)
{
    (void)state;
    static const int64_t counts[] = {3, 16, 17, 100, 2500};
    for (int c = 0; c < 5; c++) {
        Input input = random_input(counts[c], 0.02, -0.06, 0.06);
        assert_true(check(&input) > 0 || counts[c] < 100);
        finish(&input);
    }
}

static void zero_one_and_two_particles_have_their_neighbours(void **state)
{
    (void)state;
    Input input = random_input(2, 0.02, 0.0, 0.01);
    input.count = 0;
    assert_int_equal(check(&input), 0);
    input.count = 1;
    assert_int_equal(check(&input), 0);
    input.count = 2;
    assert_int_equal(check(&input), 2);
    input.x[3] = 5.0f;
    assert_int_equal(check(&input), 0);
    finish(&input);
}

/* On a lattice of 1/64 m with a support of 1/32 m every distance is exact, so that pairs two spacings apart are at
 * exactly the support: not closer, and so not neighbours. 18 + 8 = 26 of the lattice points are within. */
static void pairs_at_exactly_the_support_are_not_neighbours(void **state)
{
    (void)state;
    enum { EDGE = 10 };
    Input input = input_of(EDGE * EDGE * EDGE, 0.03125);
    int64_t expected = 0;
    for (int i = 0; i < EDGE * EDGE * EDGE; i++) {
        const int at[3] = {i % EDGE, i / EDGE % EDGE, i / EDGE / EDGE};
        int around = 1;
        for (int a = 0; a < 3; a++) {
            input.x[3 * i + a] = (float)(at[a] - 4) / 64.0f;
            around *= at[a] == 0 || at[a] == EDGE - 1 ? 2 : 3;
        }
        expected += around - 1;
    }
    assert_int_equal(check(&input), expected);
    finish(&input);
    for (int side = -1; side <= 1; side++) { /* one bit closer decides */
        Input pair = input_of(2, 0.03125);
        pair.x[3] = side == 0 ? 0.03125f : nextafterf(0.03125f, side < 0 ? 0.0f : 1.0f);
        assert_int_equal(check(&pair), side < 0 ? 2 : 0);
        finish(&pair);
    }
}

static void clustered_points_have_their_neighbours(void **state)
{
    (void)state;
    Input input = input_of(1500, 0.02);
    for (int64_t i = 0; i < input.count; i++) {
        double size = i % 5 == 0 ? 1.0 : 0.01, center = i % 3 == 0 ? 0.3 : -0.2;
        for (int a = 0; a < 3; a++) {
            input.x[3 * i + a] = (float)(center + random_in(-size, size));
        }
    }
    assert_true(check(&input) > 100000);
    finish(&input);
}

static void five_hundred_coincident_points_are_all_neighbours(void **state)
{
    (void)state;
    Input input = input_of(500, 0.02);
    for (int64_t k = 0; k < 3 * input.count; k++) {
        input.x[k] = 0.3f;
    }
    assert_int_equal(check(&input), 500 * 499);
    finish(&input);
}

/* More particles in a cell than are searched together, and more candidates than one table holds: in one cell, and in blocks of cells
 * across periodic boundaries. */
static void crowded_cells_have_their_neighbours(void **state)
{
    (void)state;
    Input one_cell = random_input(1100, 0.02, 0.0, 0.0199);
    assert_true(check(&one_cell) > 0);
    finish(&one_cell);
    Input blocks = random_input(2000, 0.02, 0.0, 0.06);
    for (int a = 0; a < 3; a++) {
        blocks.size[a] = 0.0601;
    }
    assert_true(check(&blocks) > 0);
    finish(&blocks);
}

/* Lattices with one particle in each cell, or in every other cell along each axis. */
static void cells_of_one_particle_have_their_neighbours(void **state)
{
    (void)state;
    enum { EDGE = 9 };
    for (int distance = 1; distance <= 2; distance++) {
        Input input = input_of(EDGE * EDGE * EDGE, 0.02);
        for (int i = 0; i < EDGE * EDGE * EDGE; i++) {
            const int at[3] = {i % EDGE, i / EDGE % EDGE, i / EDGE / EDGE};
            for (int a = 0; a < 3; a++) {
                input.x[3 * i + a] = (float)(0.02001 * distance * at[a] + random_in(0.0, 0.004));
            }
        }
        assert_true((check(&input) > 0) == (distance == 1));
        finish(&input);
    }
}

static bool is_finite_at(const Input *input, int64_t i)
{
    return isfinite(input->x[3 * i]) && isfinite(input->x[3 * i + 1]) && isfinite(input->x[3 * i + 2]);
}

/* The world reports such positions; until then they must not disturb the lists of others. */
static void positions_that_are_not_finite_have_no_neighbours(void **state)
{
    (void)state;
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    Input input = random_input(600, 0.02, -0.03, 0.03);
    for (int n = 0; n < 60; n++) {
        input.x[3 * (n * 10) + n % 3] = bad[n / 3 % 3];
    }
    assert_true(check(&input) > 0);
    Search *search = search_create(&input, dlp__width_most(), 2);
    const dlp__Domain *part = part_of(search);
    int64_t others = 0;
    for (int64_t i = 0; i < part->particles.count; i++) {
        int64_t was = 0;
        while ((uint64_t)was * 2654435761u % 4294967311u != part->particles.id[0][i]) {
            was++;
        }
        assert_true(is_finite_at(&input, was) || part->fluid.count[i] == 0);
        others += is_finite_at(&input, was) && part->fluid.count[i] > 0;
    }
    assert_true(others > 300);
    search_destroy(search);
    finish(&input);
}

static void points_a_million_spacings_away_have_their_neighbours(void **state)
{
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        Input input = random_input(1500, 0.02, sign * 1e4 - 0.08, sign * 1e4 + 0.08);
        assert_true(check(&input) > 1000);
        finish(&input);
    }
}

/* All positions beyond the last cell share that cell; distances still decide. */
static void points_at_the_range_of_floats_have_their_neighbours(void **state)
{
    (void)state;
    static const float extreme[] = {0.0f,  -0.0f,    FLT_TRUE_MIN, -FLT_TRUE_MIN,   FLT_MIN, 1e-30f,
                                    1e9f,  -1e9f,    1e9f,         2.1e4f,          -2.1e4f, FLT_MAX,
                                    1e20f, -FLT_MAX, 1.0f,         0.02f,           -0.02f,  0.0199999f,
                                    1e-5f, 1e6f,     -1e6f,        20971.0f + 0.5f, -3e38f};
    Input input = input_of(900, 0.02);
    for (int64_t k = 0; k < 3 * input.count; k++) {
        input.x[k] = k % 3 == 0 ? extreme[random_bits() % 23] : extreme[random_bits() % 6];
        input.x[k] = k % 7 == 0 ? 1e9f : input.x[k];
    }
    assert_true(check(&input) > 100);
    finish(&input);
}

static void a_thin_sheet_has_its_neighbours(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        Input input = random_input(2000, 0.02, -0.2, 0.2);
        for (int64_t i = 0; i < input.count; i++) {
            input.x[3 * i + axis] = (float)random_in(0.0, 1e-6);
        }
        assert_true(check(&input) > 1000);
        finish(&input);
    }
}

/* Periodic boxes. */

static Input periodic_input(int64_t count, int axes, double size)
{
    Input input = random_input(count, 0.02, -0.05, 0.07);
    for (int a = 0; a < 3; a++) {
        if ((axes >> a & 1) != 0) {
            input.lower[a] = -0.03 - 0.01 * a;
            input.size[a] = size;
        }
    }
    return input;
}

static void periodic_axes_have_images_on_the_other_side(void **state)
{
    (void)state;
    for (int axes = 1; axes < 8; axes++) { /* x, y, xy, z, xz, yz, xyz */
        Input input = periodic_input(500, axes, 0.085);
        Input open = input;
        memset(open.size, 0, sizeof open.size);
        int64_t pairs = check(&input);
        assert_true(pairs > 0 && pairs != check(&open));
        finish(&input);
    }
}

static void a_box_of_two_cells_lists_each_neighbour_once(void **state)
{
    (void)state;
    for (int axes = 1; axes < 8; axes++) {
        Input input = periodic_input(300, axes, 0.02 * 2.0 * 1.00002);
        assert_true(check(&input) > 0);
        finish(&input);
    }
}

static void a_point_and_its_own_image_are_not_neighbours(void **state)
{
    (void)state;
    Input input = input_of(1, 0.02);
    for (int a = 0; a < 3; a++) {
        input.size[a] = 0.0401;
    }
    assert_int_equal(check(&input), 0);
    finish(&input);
}

static void a_pair_across_the_boundary_is_found_at_its_image(void **state)
{
    (void)state;
    Input input = input_of(2, 0.25);
    /* opposite corners of a box of 1 m: an eighth of a metre apart across each boundary */
    for (int a = 0; a < 3; a++) {
        input.size[a] = 1.0;
        input.x[a] = 0.0625f;
        input.x[3 + a] = 0.9375f;
    }
    assert_int_equal(check(&input), 2);
    Search *search = search_create(&input, 1, 1);
    const dlp__Domain *part = part_of(search);
    for (int64_t i = 0; i < 2; i++) {
        int32_t j = *dlp__neighbors_entry(&part->fluid, i, 0);
        assert_true(j >= part->particles.count); /* a ghost */
        for (int a = 0; a < 3; a++) {
            float expected = part->particles.position[a][i] < 0.5f ? -0.0625f : 1.0625f;
            assert_true(part->particles.position[a][j] == expected);
        }
    }
    search_destroy(search);
    finish(&input);
}

static void particles_outside_the_box_are_wrapped_into_it(void **state)
{
    (void)state;
    Input input = random_input(400, 0.02, -1.0, 1.0);
    for (int a = 0; a < 3; a++) {
        input.lower[a] = 0.01 * a - 0.02;
        input.size[a] = 0.1 + 0.01 * a;
    }
    input.x[0] = -0.02f;      /* on the lower edge */
    input.x[3] = 0.08f;       /* on the upper one  */
    input.x[6] = -0.0200001f; /* just outside      */
    assert_true(check(&input) > 0);
    Search *search = search_create(&input, 1, 1);
    const dlp__Particles *p = &part_of(search)->particles;
    for (int64_t i = 0; i < p->count; i++) {
        int64_t was = 0;
        while ((uint64_t)was * 2654435761u % 4294967311u != p->id[0][i]) {
            was++;
        }
        for (int a = 0; a < 3; a++) {
            double x = (double)p->position[a][i], turns = (x - (double)input.x[3 * was + a]) / input.size[a];
            assert_true(x >= input.lower[a] - 1e-8 && x <= input.lower[a] + input.size[a] + 1e-8);
            assert_true(fabs(turns - round(turns)) < 1e-5); /* rounding of floats around 1 m, over 0.1 m */
        }
    }
    search_destroy(search);
    finish(&input);
}

/* Sheared boxes: images across the z faces are displaced along x. */

static void a_sheared_box_has_displaced_images(void **state)
{
    (void)state;
    static const double sizes[] = {0.085, 0.02 * 2.0 * 1.00002}; /* the second is two cells wide */
    static const double strains[] = {1e-9, 0.1, -0.31, 0.4999999, 0.5, -0.5, 2.7, 1e6 + 0.23};
    for (int s = 0; s < 2; s++) {
        for (int n = 0; n < 8; n++) {
            Input input = periodic_input(300, 7, sizes[s]);
            input.shear_strain = strains[n];
            assert_true(check(&input) > 0);
            for (int parts = 2; parts <= 8; parts *= 2) {
                Search *search = search_parts(&input, parts, dlp__width_most(), 2);
                assert_true(check_lists(search) > 0);
                search_destroy(search);
            }
            finish(&input);
        }
    }
}

/* The box is 1 m wide and 0.5 m high: at a strain of 0.5 the image above is 0.25 m further along x. The distance to it is 1/8 m. */
static void a_pair_across_a_sheared_face_is_found_at_its_image(void **state)
{
    (void)state;
    Input input = input_of(2, 0.2);
    input.size[0] = input.size[1] = 1.0;
    input.size[2] = 0.5;
    input.shear_strain = 0.5;
    const float points[2][3] = {{0.875f, 0.5f, 0.0625f}, {0.125f, 0.5f, 0.4375f}};
    memcpy(input.x, points, sizeof points);
    assert_int_equal(check(&input), 2);
    Search *search = search_create(&input, 1, 1);
    const dlp__Domain *part = part_of(search);
    for (int64_t i = 0; i < 2; i++) {
        const bool is_low_one = part->particles.position[2][i] < 0.25f;
        const int32_t j = *dlp__neighbors_entry(&part->fluid, i, 0);
        assert_true(part->particles.position[0][j] == (is_low_one ? 0.875f : 0.125f));
        assert_true(part->particles.position[2][j] == (is_low_one ? -0.0625f : 0.5625f));
    }
    search_destroy(search);
    finish(&input);
}

/* Twice through the upper face, once through the lower, and through a face along x only. Powers of two make it exact. */
static void particles_that_leave_a_sheared_box_continue_at_their_image(void **state)
{
    (void)state;
    static const float from[4][3] = {
        {0.5f, 0.25f, 2.25f}, {0.5f, 0.25f, -0.25f}, {1.25f, 0.25f, 0.5f}, {0.5f, 0.25f, 0.5f}};
    static const float to[4][3] = {
        {0.0f, 0.25f, 0.25f}, {0.75f, 0.25f, 0.75f}, {0.25f, 0.25f, 0.5f}, {0.5f, 0.25f, 0.5f}};
    static const float faster[4] = {-6.0f, 3.0f, 0.0f, 0.0f}; /* m/s */
    static const dlp__FieldId velocity[] = {DLP_FIELD_velocity, DLP_FIELD_NONE};
    Input input = input_of(0, 0.25);
    input.size[0] = input.size[1] = input.size[2] = 1.0;
    input.shear_rate = 3.0;
    input.shear_strain = 5.25; /* 0.25 but for whole periods */
    Search *search = search_create(&input, 1, 1);
    dlp__Particles *p = &part_of(search)->particles;
    assert_true(dlp__particles_add_fields(p, velocity));
    assert_int_equal(dlp__particles_add(p, 4), 0);
    for (int i = 0; i < 4; i++) {
        p->id[0][i] = (uint64_t)i;
        for (int a = 0; a < 3; a++) {
            p->position[a][i] = from[i][a];
            p->velocity[a][i] = 1.0f;
        }
    }
    int64_t removed = 0;
    update(search, NULL, &removed);
    for (int64_t i = 0; i < 4; i++) {
        const uint64_t id = p->id[0][i];
        for (int a = 0; a < 3; a++) {
            assert_true(p->position[a][i] == to[id][a]);
            assert_true(p->velocity[a][i] == (a == 0 ? 1.0f + faster[id] : 1.0f));
        }
    }
    search_destroy(search);
    finish(&input);
}

/* Rebuild lists from one store, whose buffers still hold the previous ones. */

static bool is_low(const void *context, float x, float y, float z)
{
    (void)context;
    return x < -0.03f && y == y && z == z;
}

static void lists_follow_particles_that_move_and_are_removed(void **state)
{
    (void)state;
    for (int periodic = 0; periodic < 8; periodic += 7) {
        Input input = periodic_input(700, periodic, 0.09);
        Search *search = search_create(&input, dlp__width_most(), 2);
        dlp__Particles *p = &part_of(search)->particles;
        for (int round = 0; round < 6; round++) {
            int64_t low = 0, before = p->count, removed = 0;
            for (int64_t i = 0; i < p->count; i++) {
                for (int a = 0; a < 3; a++) {
                    p->position[a][i] += (float)random_in(-0.01, 0.01);
                }
                low += periodic == 0 && is_low(NULL, p->position[0][i], p->position[1][i], p->position[2][i]);
            }
            update(search, periodic == 0 && round % 2 == 0 ? is_low : NULL, &removed);
            assert_int_equal(removed, periodic == 0 && round % 2 == 0 ? low : 0);
            assert_int_equal(p->count, before - removed);
            check_sorted(search);
            assert_true(check_lists(search) > 0);
        }
        search_destroy(search);
        finish(&input);
    }
}

/* From step to step the points come closer, in one place or everywhere, so that lists are longer than those of the step before, or more
 * than its memory holds; then they spread again. There are more points than lists are staged at a time. The lists of a new store are
 * found in two passes. */
static void lists_of_any_step_are_those_of_a_new_store(void **state)
{
    (void)state;
    static const float factors[] = {1.0f, 0.97f, 0.7f, 0.999f, 0.5f, 4.0f};
    static const int widths[] = {1, 4, 8, 16};
    Input input = random_input(9000, 0.02, -0.15, 0.15);
    for (int w = 0; w < 4 && widths[w] <= dlp__width_most(); w++) {
        Search *search = search_create(&input, widths[w], 1 + w % 2), *fresh = search_create(&input, 1, 1);
        dlp__Particles *p = &part_of(search)->particles;
        for (int step = 0; step < 12; step++) {
            int64_t removed = 0;
            dlp__neighbors_release(&part_of(fresh)->fluid, &fresh->memory);
            for (int64_t i = 0; i < p->count; i++) {
                const bool moves = step < 6 || p->id[0][i] % 16 == 0;
                for (int a = 0; a < 3; a++) {
                    p->position[a][i] *= moves ? factors[step % 6] : 1.0f;
                    part_of(fresh)->particles.position[a][i] = p->position[a][i];
                }
            }
            update(search, NULL, &removed);
            update(fresh, NULL, &removed);
            assert_same_lists(fresh, search);
        }
        search_destroy(search);
        search_destroy(fresh);
    }
    finish(&input);
}

/* A shorter radius. */

static void the_short_radius_scales_with_the_support(void **state)
{
    (void)state;
    static const dlp__Method one_radius = {.support = 2.0};
    assert_true(fabs(dlp__short_support(&TWO_RADII, 3.1) - 2.1) < 1e-15);
    assert_true(fabs(dlp__short_support(&TWO_RADII, 1.55) - 1.05) < 1e-15);
    assert_true(dlp__short_support(&one_radius, 2.5) == 0.0);
}

/* On a lattice, with the default support and two others: in the interior the full lists hold the offsets shorter than the
 * support, the short lists those shorter than the short radius. */
static void short_lists_of_any_support_are_those_of_brute_force(void **state)
{
    (void)state;
    enum { EDGE = 9, CENTER = (EDGE * EDGE + EDGE + 1) * (EDGE / 2) };
    static const double spacing = 0.015625, supports[] = {3.1, 2.5, 3.7}; /* short radii 2.1, 1.69, 2.51 */
    static const int expected[] = {122, 80, 202}, expected_short[] = {32, 18, 80};
    for (int s = 0; s < 3; s++) {
        Input input = input_of(EDGE * EDGE * EDGE, supports[s] * spacing);
        for (int i = 0; i < EDGE * EDGE * EDGE; i++) {
            const int at[3] = {i % EDGE, i / EDGE % EDGE, i / EDGE / EDGE};
            for (int a = 0; a < 3; a++) {
                input.x[3 * i + a] = (float)(at[a] * spacing);
            }
        }
        assert_true(check(&input) > 0);
        Search *search = search_create(&input, 1, 1);
        const dlp__Domain *part = part_of(search);
        int64_t center = 0;
        while (part->particles.id[0][center] != (uint64_t)CENTER * 2654435761u % 4294967311u) {
            center++;
        }
        assert_int_equal(part->fluid.count[center], expected[s]);
        assert_int_equal(part->near_fluid.count[center], expected_short[s]);
        search_destroy(search);
        finish(&input);
    }
}

static void short_lists_are_the_same_in_all_widths_and_subdomains(void **state)
{
    (void)state;
    static const int widths[] = {1, 4, 8, 16}, axes[] = {0, 1, 4, 7}; /* open, x, z, xyz */
    for (int n = 0; n < 4; n++) {
        Input input = periodic_input(600, axes[n], 0.085);
        for (int w = 0; w < 4 && widths[w] <= dlp__width_most(); w++) {
            for (int parts = 1; parts <= 4; parts *= 4) {
                Search *search = search_parts(&input, parts, widths[w], 2);
                for (int d = 0; d < parts; d++) {
                    assert_true(dlp__neighbors_entries(&search->domains.part[d].near_fluid) > 0);
                }
                assert_true(check_lists(search) > 0);
                search_destroy(search);
            }
        }
        finish(&input);
    }
}

static void without_a_short_radius_there_are_no_short_lists(void **state)
{
    (void)state;
    Input input = random_input(100, 0.02, -0.02, 0.02);
    input.short_support = 0.0;
    assert_true(check(&input) > 0);
    finish(&input);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_points_have_their_neighbours),
        cmocka_unit_test(zero_one_and_two_particles_have_their_neighbours),
        cmocka_unit_test(pairs_at_exactly_the_support_are_not_neighbours),
        cmocka_unit_test(clustered_points_have_their_neighbours),
        cmocka_unit_test(five_hundred_coincident_points_are_all_neighbours),
        cmocka_unit_test(crowded_cells_have_their_neighbours),
        cmocka_unit_test(cells_of_one_particle_have_their_neighbours),
        cmocka_unit_test(positions_that_are_not_finite_have_no_neighbours),
        cmocka_unit_test(points_a_million_spacings_away_have_their_neighbours),
        cmocka_unit_test(points_at_the_range_of_floats_have_their_neighbours),
        cmocka_unit_test(a_thin_sheet_has_its_neighbours),
        cmocka_unit_test(periodic_axes_have_images_on_the_other_side),
        cmocka_unit_test(a_box_of_two_cells_lists_each_neighbour_once),
        cmocka_unit_test(a_point_and_its_own_image_are_not_neighbours),
        cmocka_unit_test(a_pair_across_the_boundary_is_found_at_its_image),
        cmocka_unit_test(particles_outside_the_box_are_wrapped_into_it),
        cmocka_unit_test(a_sheared_box_has_displaced_images),
        cmocka_unit_test(a_pair_across_a_sheared_face_is_found_at_its_image),
        cmocka_unit_test(particles_that_leave_a_sheared_box_continue_at_their_image),
        cmocka_unit_test(lists_follow_particles_that_move_and_are_removed),
        cmocka_unit_test(lists_of_any_step_are_those_of_a_new_store),
        cmocka_unit_test(the_short_radius_scales_with_the_support),
        cmocka_unit_test(short_lists_of_any_support_are_those_of_brute_force),
        cmocka_unit_test(short_lists_are_the_same_in_all_widths_and_subdomains),
        cmocka_unit_test(without_a_short_radius_there_are_no_short_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The Poisson solver against a dense solution in double precision and manufactured solutions; its preconditioner is symmetric and
 * positive and keeps the number of iterations; results are bitwise the same for threads, lanes and subdomains; closed containers,
 * isolated particles, and memory that runs out.
 * ctest: threaded */
#include "base/simd.h"
#include "poisson/cell_multigrid.h"
#include "support/poisson_fixture.h"
#include "support/scale.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static PoissonSystem *create(PoissonSetup setup)
{
    setup.width = setup.width > 0 ? setup.width : dlp__width_most();
    PoissonSystem *system = poisson_create(&setup);
    assert_non_null(system);
    return system;
}

static PoissonSetup cube(int side)
{
    return (PoissonSetup){.count = {side, side, side}, .reach = 2.1, .jitter = 0.3};
}

static dlp__PoissonReport solve(PoissonSystem *system, dlp__PoissonPreconditioner preconditioner, double tolerance)
{
    const dlp__PoissonParams params = {
        .tolerance = tolerance, .iterations = 2000, .preconditioner = (int32_t)preconditioner};
    poisson_begin(system);
    const dlp__PoissonReport report = dlp__poisson_solve(&system->domains, &params);
    if (system->domains.failure != DLP_OK) {
        fail_msg("%s", system->error.text);
    }
    return report;
}

/* Whether this build has hypre. */
static bool has_hypre(void)
{
    PoissonSystem *system = create(cube(4));
    const dlp__PoissonParams params = {.tolerance = 1e-3, .iterations = 100, .preconditioner = DLP_POISSON_HYPRE};
    poisson_begin(system);
    poisson_set_noise(system, 1);
    dlp__poisson_solve(&system->domains, &params);
    const bool has = system->domains.failure == DLP_OK;
    if (!has) {
        assert_int_equal(system->domains.failure, DLP_ERROR_UNSUPPORTED);
        assert_non_null(strstr(system->error.text, "DOLLOP_HYPRE=ON"));
    }
    poisson_destroy(system);
    return has;
}

/* The solution by Gaussian elimination, for a system of one part; `value` holds the right side, then the solution. */
static void solve_densely(const PoissonSystem *system, double *matrix, double *value)
{
    const dlp__Domain *domain = &system->domains.part[0];
    const int64_t n = domain->particles.count;
    const float *weights = domain->pair_weights.data;
    memset(matrix, 0, (size_t)(n * n) * sizeof *matrix);
    for (int64_t i = 0; i < n; i++) {
        value[i] = (double)domain->particles.poisson_source[0][i];
        matrix[i * n + i] += (double)domain->particles.poisson_loss[0][i];
        for (int32_t k = 0; k < domain->weights_list->count[i]; k++) {
            const int64_t j = *dlp__neighbors_entry(domain->weights_list, i, k);
            const double w = (double)
                weights[(domain->weights_list->start[i / DLP_GROUP] + k) * DLP_GROUP + i % DLP_GROUP];
            matrix[i * n + i] += w;
            matrix[i * n + j] -= w;
        }
    }
    for (int64_t k = 0; k < n; k++) {
        for (int64_t i = k + 1; i < n; i++) {
            const double factor = matrix[i * n + k] / matrix[k * n + k];
            for (int64_t j = k; factor != 0.0 && j < n; j++) {
                matrix[i * n + j] -= factor * matrix[k * n + j];
            }
            value[i] -= factor * value[k];
        }
    }
    for (int64_t i = n - 1; i >= 0; i--) {
        for (int64_t j = i + 1; j < n; j++) {
            value[i] -= matrix[i * n + j] * value[j];
        }
        value[i] /= matrix[i * n + i];
    }
}

static double largest(const double *value, int64_t count)
{
    double most = 0.0;
    for (int64_t i = 0; i < count; i++) {
        most = fmax(most, fabs(value[i]));
    }
    return most;
}

/* Also where the lists hold four times as many pairs as there are couplings, and where the surface fixes values strongly. */
static void the_solution_is_that_of_a_dense_matrix(void **state)
{
    (void)state;
    enum { SIDE = 8, MOST = SIDE * SIDE * SIDE };
    double *matrix = calloc((size_t)MOST * MOST, sizeof *matrix), *expected = calloc(MOST, sizeof *expected);
    const int last = has_hypre() ? DLP_POISSON_HYPRE : DLP_POISSON_MULTIGRID;
    for (int n = 0; n < 4; n++) {
        PoissonSetup setup = cube(SIDE);
        setup.support = n % 2 == 1 ? 3.1 : 0.0;
        setup.near = n == 3;
        PoissonSystem *system = create(setup);
        dlp__Particles *p = &system->domains.part[0].particles;
        for (int64_t i = 0; n == 2 && i < p->count;
             i++) { /* values of the top layer are fixed, as if by Dirichlet's condition */
            p->poisson_loss[0][i] = p->position[2][i] > (float)SIDE - 1.0f ? 1e6f : 0.0f;
        }
        poisson_set_noise(system, 3);
        solve_densely(system, matrix, expected);
        const double size = largest(expected, p->count);
        for (int preconditioner = 0; preconditioner <= last; preconditioner++) {
            poisson_set_noise(system, 3);
            const dlp__PoissonReport report = solve(system, (dlp__PoissonPreconditioner)preconditioner, 1e-7);
            assert_true(report.converged);
            double error = 0.0;
            for (int64_t i = 0; i < p->count; i++) {
                error = fmax(error, fabs((double)p->change[0][i] - expected[i]));
            }
            print_message("case %d, preconditioner %d: error %.1e, %d iterations\n", n, preconditioner, error / size,
                          (int)report.iterations);
            assert_true(error < 1e-5 * size); /* single precision times the condition number */
        }
        poisson_destroy(system);
    }
    free(matrix);
    free(expected);
}

static double wave(const PoissonSystem *system, const double x[3])
{
    const double side = system->setup.count[0];
    return cos(3.0 * x[0] / side) * (1.0 + sin(2.0 * x[1] / side)) * (side - x[2]) / side;
}

static double largest_error(const PoissonSystem *system, PoissonFunction function)
{
    double most = 0.0;
    for (int d = 0; d < system->domains.count; d++) {
        const dlp__Particles *p = &system->domains.part[d].particles;
        for (int64_t i = 0; i < p->count; i++) {
            const double x[3] = {(double)p->position[0][i], (double)p->position[1][i], (double)p->position[2][i]};
            most = fmax(most, fabs((double)p->change[0][i] - function(system, x)));
        }
    }
    return most;
}

static void a_manufactured_solution_is_found(void **state)
{
    (void)state;
    PoissonSetup setup = cube(20);
    setup.parts = 4;
    PoissonSystem *system = create(setup);
    poisson_set_source(system, wave);
    const dlp__PoissonReport report = solve(system, DLP_POISSON_MULTIGRID, 1e-7);
    print_message("%d iterations, %d levels, error %.1e\n", (int)report.iterations, report.levels,
                  largest_error(system, wave));
    assert_true(report.converged && report.levels == 2);
    assert_true(largest_error(system, wave) < 2e-5); /* the source is rounded to single precision */
    const dlp__PoissonReport again = solve(system, DLP_POISSON_AUTOMATIC, 1e-5);
    assert_true(again.converged && again.iterations <= 1); /* the initial guess is used */
    for (int d = 0; d < 4; d++) {
        dlp__Particles *p = &system->domains.part[d].particles;
        memset(p->poisson_source[0], 0, (size_t)p->count * sizeof(float));
    }
    assert_true(solve(system, DLP_POISSON_AUTOMATIC, 1e-5).converged);
    for (int d = 0; d < 4; d++) {
        const dlp__Particles *p = &system->domains.part[d].particles;
        for (int64_t i = 0; i < p->count; i++) {
            assert_true(p->change[0][i] == 0.0f);
        }
    }
    poisson_destroy(system);
}

/* A vector: even patterns are waves, odd ones noise. */
static float pattern_at(const dlp__Particles *p, int64_t i, int pattern)
{
    const double phase = (double)p->position[pattern / 2 % 3][i] * 0.1 * pattern;
    return (float)(pattern % 2 == 0 ? sin(phase) : poisson_noise(p->id[0][i], pattern));
}

/* product = B residual with residual = a pattern; then without the diagonal part of B, which is positive anyway */
static void precondition(PoissonSystem *system, dlp__CellMultigrid *multigrid, int pattern)
{
    for (int d = 0; d < system->domains.count; d++) {
        const dlp__Particles *p = &system->domains.part[d].particles;
        for (int64_t i = 0; i < p->count; i++) {
            p->residual[0][i] = pattern_at(p, i, pattern);
        }
    }
    dlp__cell_multigrid_apply(multigrid);
    for (int d = 0; d < system->domains.count; d++) {
        const dlp__Particles *p = &system->domains.part[d].particles;
        for (int64_t i = 0; i < p->count; i++) {
            p->product[0][i] -= p->mobility[0][i] * p->residual[0][i];
        }
    }
}

static double product_with(const PoissonSystem *system, int pattern)
{
    double sum = 0.0;
    for (int d = 0; d < system->domains.count; d++) {
        const dlp__Particles *p = &system->domains.part[d].particles;
        for (int64_t i = 0; i < p->count; i++) {
            sum += (double)pattern_at(p, i, pattern) * (double)p->product[0][i];
        }
    }
    return sum;
}

static void the_preconditioner_is_symmetric_and_positive(void **state)
{
    (void)state;
    for (int n = 0; n < 3; n++) {
        PoissonSetup setup = cube(26);
        setup.periodic = n == 1;
        setup.gap = n == 2 ? 10.0 : 0.0;
        setup.closed = n == 2;
        PoissonSystem *system = create(setup);
        const dlp__PoissonParams only_begin = {
            .tolerance = 1e-3, .iterations = 0, .preconditioner = DLP_POISSON_DIAGONAL};
        dlp__PoissonPairs pairs;
        dlp__CellMultigrid multigrid;
        poisson_set_noise(system, 1);
        poisson_begin(system);
        dlp__poisson_solve(&system->domains, &only_begin);
        assert_true(dlp__poisson_pairs_begin(&pairs, &system->domains));
        assert_true(dlp__cell_multigrid_build(&multigrid, &system->domains, &pairs));
        assert_true(multigrid.levels >= 2);
        assert_int_equal(multigrid.closed.count, n);
        precondition(system, &multigrid, 11);
        const double there = product_with(system, 13), own = product_with(system, 11);
        precondition(system, &multigrid, 13);
        const double back = product_with(system, 11);
        print_message("%d: %.9e and %.9e of %.3e, %d levels\n", n, there, back, own, multigrid.levels);
        assert_true(own > 0.0);
        assert_true(fabs(there - back) < 2e-6 * own); /* the products are rounded to single precision */
        for (int pattern = 20; pattern < 40; pattern++) {
            precondition(system, &multigrid, pattern);
            assert_true(product_with(system, pattern) > 0.0);
        }
        poisson_destroy(system);
    }
}

static void iterations_hardly_grow_with_the_number_of_particles(void **state)
{
    (void)state;
    const int sides[2] = {small_scale() ? 12 : 16, small_scale() ? 28 : 40}; /* 4096 and 64000 particles */
    int64_t iterations[2][2];
    for (int n = 0; n < 2; n++) {
        PoissonSystem *system = create(cube(sides[n]));
        poisson_set_source(system, poisson_depth);
        iterations[0][n] = solve(system, DLP_POISSON_DIAGONAL, 1e-6).iterations;
        poisson_set_source(system, poisson_depth);
        iterations[1][n] = solve(system, DLP_POISSON_MULTIGRID, 1e-6).iterations;
        print_message("%d^3: diagonal %d, multigrid %d iterations\n", sides[n], (int)iterations[0][n],
                      (int)iterations[1][n]);
        poisson_destroy(system);
    }
    assert_true((double)iterations[1][1] < 1.3 * (double)iterations[1][0]);
    assert_true((double)iterations[0][1] > 1.6 * (double)iterations[0][0]); /* so the sizes show the difference */
    assert_true(iterations[1][1] < 30);
}

/* A row of drops, a film and a jet: few cells join into a coarser one. */
static void scattered_fluid_converges_as_fast(void **state)
{
    (void)state;
    static const int counts[3][3] = {{2000, 3, 3}, {100, 100, 3}, {30, 30, 30}};
    for (int n = 0; n < 3; n++) {
        PoissonSetup setup = cube(0);
        memcpy(setup.count, counts[n], sizeof counts[n]);
        setup.scattered = 500;
        PoissonSystem *system = create(setup);
        poisson_set_noise(system, 2);
        const dlp__PoissonReport report = solve(system, DLP_POISSON_MULTIGRID, 1e-6);
        print_message("%d: %d iterations, %d levels\n", n, (int)report.iterations, report.levels);
        assert_true(report.converged && report.iterations < 40 && report.levels <= 6);
        poisson_destroy(system);
    }
}

static void results_are_the_same_for_threads_lanes_and_subdomains(void **state)
{
    (void)state;
    static const struct {
        int threads, width, parts;
    } cases[] = {{1, 1, 1}, {2, 4, 1}, {8, 8, 1}, {1, 16, 1}, {1, 16, 4}, {8, 1, 4}, {2, 16, 8}};
    for (int kind = 0; kind < 5; kind++) {
        uint64_t hash = 0;
        int64_t iterations = 0;
        for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
            PoissonSetup setup = cube(small_scale() ? 16 : 24);
            setup.support = kind == 1 || kind == 4 ? 3.1 : 0.0;
            setup.near = kind == 4;
            setup.periodic = kind == 2;
            setup.closed = kind == 3;
            setup.gap = kind == 3 ? 8.0 : 0.0;
            setup.threads = cases[n].threads;
            setup.parts = cases[n].parts;
            setup.width = cases[n].width < dlp__width_most() ? cases[n].width : dlp__width_most();
            PoissonSystem *system = create(setup);
            poisson_set_noise(system, 5);
            const dlp__PoissonReport report = solve(system, DLP_POISSON_AUTOMATIC, 1e-5);
            assert_true(report.converged && report.plain > 0 && report.iterations > report.plain);
            hash = n == 0 ? poisson_hash(system) : hash;
            iterations = n == 0 ? report.iterations : iterations;
            assert_int_equal(report.iterations, iterations);
            assert_true(poisson_hash(system) == hash);
            poisson_destroy(system);
        }
        print_message("%d: %d iterations, hash %016llx\n", kind, (int)iterations, (unsigned long long)hash);
    }
}

/* Sum and largest absolute value of the solution where left <= x < right. */
static void sum_changes(const PoissonSystem *system, double left, double right, double *mean, double *most)
{
    double sum = 0.0, count = 0.0;
    *most = 0.0;
    for (int d = 0; d < system->domains.count; d++) {
        const dlp__Particles *p = &system->domains.part[d].particles;
        for (int64_t i = 0; i < p->count; i++) {
            if ((double)p->position[0][i] >= left && (double)p->position[0][i] < right) {
                sum += (double)p->change[0][i];
                count += 1.0;
                *most = fmax(*most, fabs((double)p->change[0][i]));
            }
        }
    }
    *mean = sum / count;
}

static void add_to_source(PoissonSystem *system, double left, double constant)
{
    dlp__Particles *p = &system->domains.part[0].particles;
    for (int64_t i = 0; i < p->count; i++) {
        p->poisson_source[0][i] += (double)p->position[0][i] >= left ? (float)constant : 0.0f;
        p->change[0][i] = 100.0f; /* any constant solves the homogeneous equation */
    }
}

static void a_closed_box_has_a_bounded_solution(void **state)
{
    (void)state;
    const int last = has_hypre() ? DLP_POISSON_HYPRE : DLP_POISSON_MULTIGRID;
    for (int n = 0; n < 2; n++) {
        PoissonSetup setup = cube(18);
        setup.closed = n == 0;
        setup.periodic = n == 1;
        PoissonSystem *system = create(setup);
        double expected = 0.0;
        for (int wrong = 0; wrong < 3; wrong++) { /* compatible up to noise, slightly and grossly incompatible */
            for (int preconditioner = 0; preconditioner <= last; preconditioner++) {
                double mean = 0.0, most = 0.0;
                poisson_set_noise(system, 4);
                add_to_source(system, -1.0, wrong == 2 ? 10.0 : wrong * 1e-3);
                const dlp__PoissonReport report = solve(system, (dlp__PoissonPreconditioner)preconditioner, 1e-5);
                sum_changes(system, -1.0, 100.0, &mean, &most);
                expected = expected > 0.0 ? expected : most;
                print_message("%d, %d, preconditioner %d: %d iterations, mean %.1e, largest %.6f, residual %.1e\n", n,
                              wrong, preconditioner, (int)report.iterations, mean, most, poisson_true_residual(system));
                assert_true(report.converged && report.iterations < 150);
                assert_true(fabs(mean) < 1e-5 * most);
                assert_true(fabs(most - expected) < 1e-3 * expected);
                assert_true(poisson_true_residual(system) < 2e-4); /* the guess of 100 costs digits */
            }
        }
        poisson_destroy(system);
    }
}

/* Two closed boxes apart, whose right sides are incompatible by different amounts; and one closed box beside an open one. */
static void each_closed_group_has_its_own_mean(void **state)
{
    (void)state;
    PoissonSetup setup = cube(20);
    setup.closed = true;
    setup.gap = 10.0;
    PoissonSystem *system = create(setup);
    dlp__Particles *p = &system->domains.part[0].particles;
    for (int open = 0; open < 2; open++) {
        double mean = 0.0, most = 0.0;
        for (int64_t i = 0; open == 1 && i < p->count; i++) {
            p->poisson_loss[0][i] = p->position[0][i] < 15.0f && p->position[2][i] > 18.0f ? 1.0f : 0.0f;
        }
        poisson_set_noise(system, 6);
        add_to_source(system, 15.0, 0.5);
        const dlp__PoissonReport report = solve(system, DLP_POISSON_AUTOMATIC, 1e-5);
        sum_changes(system, 15.0, 100.0, &mean, &most);
        print_message("%d iterations, mean %.1e, largest %.2f\n", (int)report.iterations, mean, most);
        assert_true(report.converged && report.iterations < 60);
        assert_true(fabs(mean) < 1e-4 * most && most < 2.0);
    }
    poisson_destroy(system);
}

static void isolated_particles_stay_at_zero(void **state)
{
    (void)state;
    PoissonSetup setup = cube(8);
    setup.scattered = 5;
    PoissonSystem *system = create(setup);
    const int last = has_hypre() ? DLP_POISSON_HYPRE : DLP_POISSON_MULTIGRID;
    for (int preconditioner = 0; preconditioner <= last; preconditioner++) {
        int found = 0;
        const dlp__Particles *p = &system->domains.part[0].particles;
        poisson_set_noise(system, 8);
        for (int64_t i = 0; i < p->count; i++) {
            p->change[0][i] = 3.0f;
        }
        assert_true(solve(system, (dlp__PoissonPreconditioner)preconditioner, 1e-6).converged);
        for (int64_t i = 0; i < p->count; i++) {
            found += p->position[0][i] > 50.0f;
            assert_true(p->position[0][i] > 50.0f ? p->change[0][i] == 0.0f : fabsf(p->change[0][i]) < 10.0f);
        }
        assert_int_equal(found, 5);
    }
    poisson_destroy(system);
}

/* An allocator that fails at a call. */
typedef struct Pool {
    int64_t calls, failing;
} Pool;

static void *allocate(void *user, size_t size, size_t alignment)
{
    Pool *pool = user;
    void *block = NULL;
    if (++pool->calls == pool->failing) {
        return NULL;
    }
    return posix_memalign(&block, alignment < sizeof(void *) ? sizeof(void *) : alignment, size) == 0 ? block : NULL;
}

static void release(void *user, void *block, size_t size)
{
    (void)user;
    (void)size;
    free(block);
}

static void memory_that_runs_out_fails_the_step(void **state)
{
    (void)state;
    Pool pool = {0};
    PoissonSetup setup = cube(14);
    setup.support = 3.1;
    setup.parts = 2;
    setup.allocator = (dlp_Allocator){.allocate = allocate, .release = release, .user = &pool};
    const dlp__PoissonParams params = {.tolerance = 1e-5, .iterations = 500, .preconditioner = DLP_POISSON_MULTIGRID};
    uint64_t hash = 0;
    int failures = 0;
    for (int64_t k = 0, more = 1; more > 0; k++) {
        pool = (Pool){0};
        PoissonSystem *system = create(setup);
        pool = (Pool){.failing = k};
        poisson_begin(system);
        poisson_set_noise(system, 9);
        const dlp__PoissonReport report = dlp__poisson_solve(&system->domains, &params);
        if (k > 0 && pool.calls >= k) {
            assert_int_equal(system->domains.failure, DLP_ERROR_MEMORY);
            assert_non_null(strstr(system->error.text, "no memory for"));
            assert_false(report.converged);
            failures++;
            pool.failing = 0; /* and once more with memory */
            poisson_begin(system);
            poisson_set_noise(system, 9);
            assert_true(dlp__poisson_solve(&system->domains, &params).converged);
        } else {
            assert_true(report.converged);
            more = k == 0 ? pool.calls : 0;
        }
        hash = k == 0 ? poisson_hash(system) : hash;
        assert_true(poisson_hash(system) == hash);
        poisson_destroy(system);
    }
    print_message("%d allocations failed\n", failures);
    assert_true(failures > 3);
}

static void weights_that_were_not_written_fail_the_step(void **state)
{
    (void)state;
    PoissonSystem *system = create(cube(5));
    const dlp__PoissonParams params = {.tolerance = 1e-5, .iterations = 500, .preconditioner = DLP_POISSON_AUTOMATIC};
    poisson_set_noise(system, 9);
    system->domains.part[0].weights_list = NULL;
    assert_false(dlp__poisson_solve(&system->domains, &params).converged);
    assert_int_equal(system->domains.failure, DLP_ERROR_ARGUMENT);
    poisson_destroy(system);
}

static void a_repeated_solution_allocates_nothing(void **state)
{
    (void)state;
    Pool pool = {0};
    PoissonSetup setup = cube(14);
    setup.support = 3.1;
    setup.allocator = (dlp_Allocator){.allocate = allocate, .release = release, .user = &pool};
    PoissonSystem *system = create(setup);
    int64_t before = 0;
    for (int round = 0; round < 4; round++) {
        before = round < 3 ? pool.calls : before;
        poisson_set_noise(system, 9);
        assert_true(solve(system, DLP_POISSON_MULTIGRID, 1e-5).converged);
    }
    assert_int_equal(pool.calls, before);
    poisson_destroy(system);
}

static void hypre_gives_the_same_solution_each_time(void **state)
{
    (void)state;
    if (!has_hypre()) {
        print_message("built without hypre\n");
        return;
    }
    uint64_t hash = 0;
    for (int threads = 1; threads <= 4; threads *= 2) {
        PoissonSetup setup = cube(20);
        setup.threads = threads;
        PoissonSystem *system = create(setup);
        poisson_set_source(system, wave);
        const dlp__PoissonReport report = solve(system, DLP_POISSON_HYPRE, 1e-7);
        print_message("%d iterations, error %.1e\n", (int)report.iterations, largest_error(system, wave));
        assert_true(report.converged && report.iterations < 20 && largest_error(system, wave) < 2e-5);
        hash = threads == 1 ? poisson_hash(system) : hash;
        assert_true(poisson_hash(system) == hash);
        poisson_destroy(system);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_solution_is_that_of_a_dense_matrix),
        cmocka_unit_test(a_manufactured_solution_is_found),
        cmocka_unit_test(the_preconditioner_is_symmetric_and_positive),
        cmocka_unit_test(iterations_hardly_grow_with_the_number_of_particles),
        cmocka_unit_test(scattered_fluid_converges_as_fast),
        cmocka_unit_test(results_are_the_same_for_threads_lanes_and_subdomains),
        cmocka_unit_test(a_closed_box_has_a_bounded_solution),
        cmocka_unit_test(each_closed_group_has_its_own_mean),
        cmocka_unit_test(isolated_particles_stay_at_zero),
        cmocka_unit_test(memory_that_runs_out_fails_the_step),
        cmocka_unit_test(weights_that_were_not_written_fail_the_step),
        cmocka_unit_test(a_repeated_solution_allocates_nothing),
        cmocka_unit_test(hypre_gives_the_same_solution_each_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Conjugate gradients on particle fields and extra unknowns, against a system of which the solution is known, and the direction that
 * a solve may begin with. */
#include "base/simd.h"
#include "krylov/conjugate_gradients.h"
#include "support/world_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { COUNT = 200, EXTRA = 2 };

/* Three chains of masses, one per component, with springs to their neighbours and from the first masses of the first chain to the extra
 * unknowns. */
typedef struct Chain {
    dlp__Memory memory;
    dlp__Particles particles;
    dlp__Parallel parallel;
    dlp__Krylov krylov;
    double change[EXTRA], residual[EXTRA], search[EXTRA], product[EXTRA], mobility[EXTRA];
    float solution[3][COUNT];
    double extra_solution[EXTRA];
    float guess[3][COUNT];
    int applied;
} Chain;

static bool apply_chain(void *context)
{
    Chain *chain = context;
    dlp__Particles *p = &chain->particles;
    for (int a = 0; a < 3; a++) {
        const float *x = p->search[a];
        for (int i = 0; i < COUNT; i++) {
            p->product[a][i] = (2.5f + (float)(i % 3)) * x[i] - (i > 0 ? x[i - 1] : 0.0f) -
                               (i + 1 < COUNT ? x[i + 1] : 0.0f);
        }
    }
    for (int n = 0; n < EXTRA; n++) {
        chain->product[n] = 2.0 * chain->search[n] - 0.5 * (double)p->search[0][n];
        p->product[0][n] -= 0.5f * (float)chain->search[n];
    }
    chain->applied++;
    return true;
}

static void give_guess(void *context)
{
    Chain *chain = context;
    for (int a = 0; a < 3; a++) {
        memcpy(chain->particles.search[a], chain->guess[a], sizeof chain->guess[a]);
    }
}

/* A chain whose solution is random; with `extra` unknowns besides those of the particles. */
static void begin(Chain *chain, int extra)
{
    static const dlp__FieldId fields[] = {DLP_KRYLOV_FIELDS, DLP_FIELD_NONE};
    *chain = (Chain){0};
    dlp__memory_init(&chain->memory, NULL);
    dlp__parallel_init(&chain->parallel, 1, NULL);
    dlp__particles_init(&chain->particles, &chain->memory, NULL, fields);
    assert_true(dlp__particles_add(&chain->particles, COUNT) == 0);
    dlp__Particles *p = &chain->particles;
    chain->krylov = (dlp__Krylov){
        .parallel = &chain->parallel,
        .part = {p},
        .parts = 1,
        .width = 1,
        .components = 3,
        .extra = {extra, chain->change, chain->residual, chain->search, chain->product, chain->mobility},
        .apply = apply_chain,
        .context = chain,
        .max_iterations = 100};
    uint64_t seed = 7;
    for (int a = 0; a < 3; a++) {
        for (int i = 0; i < COUNT; i++) {
            chain->solution[a][i] = p->search[a][i] = (float)random_between(&seed, -1.0, 1.0);
            p->mobility[0][i] = 1.0f / (2.5f + (float)(i % 3));
        }
    }
    for (int n = 0; n < extra; n++) {
        chain->extra_solution[n] = chain->search[n] = 1.0 + n;
        chain->mobility[n] = 0.5;
    }
    apply_chain(chain);
    for (int a = 0; a < 3; a++) {
        memcpy(p->residual[a], p->product[a], COUNT * sizeof(float));
    }
    memcpy(chain->residual, chain->product, sizeof chain->product);
    chain->applied = 0;
}

static void end(Chain *chain)
{
    dlp__particles_release(&chain->particles);
    assert_true(chain->memory.bytes == 0);
}

/* The largest error of the solution, after a solve to 1e-5 of the first residual. */
static double solve(Chain *chain, dlp__KrylovReport *report)
{
    double scale = 1.0, most = 0.0;
    *report = dlp__conjugate_gradients(&chain->krylov, 1e-10 * dlp__krylov_norm(&chain->krylov, &scale));
    for (int a = 0; a < 3; a++) {
        for (int i = 0; i < COUNT; i++) {
            most = fmax(most, fabs((double)(chain->particles.change[a][i] - chain->solution[a][i])));
        }
    }
    for (int n = 0; n < chain->krylov.extra.count; n++) {
        most = fmax(most, fabs(chain->change[n] - chain->extra_solution[n]));
    }
    return most;
}

static void a_known_solution_is_found(void **state)
{
    (void)state;
    for (int extra = 0; extra <= EXTRA; extra += EXTRA) {
        static Chain chain;
        dlp__KrylovReport report;
        begin(&chain, extra);
        assert_true(solve(&chain, &report) < 1e-4);
        assert_true(report.ok && report.converged && report.iterations == chain.applied);
        end(&chain);
    }
}

static void a_multiple_of_the_solution_as_direction_ends_the_solve(void **state)
{
    (void)state;
    static Chain chain;
    dlp__KrylovReport report;
    begin(&chain, 0);
    for (int a = 0; a < 3; a++) {
        for (int i = 0; i < COUNT; i++) {
            chain.guess[a][i] = 0.3f * chain.solution[a][i];
        }
    }
    chain.krylov.guess = give_guess;
    assert_true(solve(&chain, &report) < 1e-4);
    assert_true(report.converged && report.iterations == 1 && chain.applied == 1);
    end(&chain);
}

/* The same bits as without a guess, after one more iteration. */
static void a_direction_that_does_not_help_is_not_followed(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        static Chain plain, chain;
        dlp__KrylovReport without, with;
        begin(&plain, EXTRA);
        begin(&chain, EXTRA);
        for (int i = 0; i < COUNT; i++) { /* away from the solution, or along a few of its 600 components */
            for (int a = 0; a < 3; a++) {
                chain.guess[a][i] = kind == 0 ? -chain.solution[a][i] : i % 20 == 9 ? chain.solution[a][i] : 0.0f;
            }
        }
        chain.krylov.guess = give_guess;
        solve(&plain, &without);
        assert_true(solve(&chain, &with) < 1e-4);
        assert_true(with.iterations == without.iterations + 1 && with.residual == without.residual);
        for (int a = 0; a < 3; a++) {
            assert_memory_equal(chain.particles.change[a], plain.particles.change[a], COUNT * sizeof(float));
        }
        end(&plain);
        end(&chain);
    }
}

static void no_direction_costs_nothing(void **state)
{
    (void)state;
    static Chain plain, chain;
    dlp__KrylovReport without, with;
    begin(&plain, 0);
    begin(&chain, 0);
    chain.krylov.guess = give_guess;
    solve(&plain, &without);
    solve(&chain, &with);
    assert_true(with.iterations == without.iterations && chain.applied == plain.applied);
    assert_true(with.residual == without.residual);
    end(&plain);
    end(&chain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_known_solution_is_found),
        cmocka_unit_test(a_multiple_of_the_solution_as_direction_ends_the_solve),
        cmocka_unit_test(a_direction_that_does_not_help_is_not_followed),
        cmocka_unit_test(no_direction_costs_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

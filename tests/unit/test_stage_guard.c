/* Debug builds hold a stage to its description: reading a field that it did not declare is a fault, changing one that it
 * declared as read only, or particles that are not its own, fails the step with the names of stage and field. Skipped where
 * the guard is off (release builds, thread sanitizer). */
#include "stages/stage_guard.h"
#include "support/world_fixture.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static dlp_World *make_block(void)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "pbf");
    def.threads = 1;
    dlp_World *world = make_world(&def);
    const dlp_MaterialDef water = dlp_default_material_def();
    assert_int_equal(dlp_world_add_material(world, &water, NULL), DLP_OK);
    add_lattice(world, 0, (const int[]){8, 8, 8}, (dlp_Vec3){0, 0, 0});
    step_or_fail(world, 1e-4); /* finds neighbours */
    return world;
}

static void scale_density(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++) {
        c->particles->density[0][i] = 2.0f * c->particles->pressure[0][i];
    }
}

static void next_particle(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    (void)begin;
    c->particles->density[0][end + DLP_GROUP] = 1.0f;
}

static void read_neighbor(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++) {
        c->particles->density[0][i] = 0.0f;
        for (int32_t k = 0; k < c->fluid->count[i]; k++) {
            c->particles->density[0][i] += c->particles->pressure[0][*dlp__neighbors_entry(c->fluid, i, k)];
        }
    }
}

static const dlp__Stage HONEST = {
    .name = "honest", .function = scale_density, .reads = {DLP_FIELD_pressure}, .writes = {DLP_FIELD_density}};
static const dlp__Stage READS_MORE = {.name = "reads more", .function = scale_density, .writes = {DLP_FIELD_density}};
static const dlp__Stage WRITES_MORE = {
    .name = "writes more", .function = scale_density, .reads = {DLP_FIELD_pressure, DLP_FIELD_density}};
static const dlp__Stage REACHES_OUT = {.name = "reaches out", .function = next_particle, .writes = {DLP_FIELD_density}};
static const dlp__Stage PEEKS = {
    .name = "peeks", .function = read_neighbor, .reads = {DLP_FIELD_pressure}, .writes = {DLP_FIELD_density}};

static void a_stage_that_keeps_to_its_description_runs(void **state)
{
    (void)state;
    dlp_World *world = make_block();
    dlp__run(&world->domains, &HONEST, NULL);
    assert_int_equal(world->domains.failure, DLP_OK);
    const dlp__Particles *p = particles_of(world);
    for (int64_t i = 0; i < p->count; i++) {
        assert_true(p->density[0][i] == 2.0f * p->pressure[0][i]);
    }
    dlp_world_destroy(world);
}

static void reading_an_undeclared_field_is_a_fault(void **state)
{
    (void)state;
    if (!DLP_STAGE_GUARD) {
        skip();
    }
    dlp_World *world = make_block();
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGSEGV, SIG_DFL);
        dlp__run(&world->domains, &READS_MORE, NULL);
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) != 0); /* a sanitizer exits by itself */
    dlp_world_destroy(world);
}

static void assert_refused(const dlp__Stage *stage, const char *field)
{
    dlp_World *world = make_block();
    dlp__run(&world->domains, stage, NULL);
    assert_int_not_equal(world->domains.failure, DLP_OK);
    assert_non_null(strstr(dlp_world_error(world), stage->name));
    assert_non_null(strstr(dlp_world_error(world), field));
    dlp_world_destroy(world);
}

static void writing_an_undeclared_field_fails_the_step(void **state)
{
    (void)state;
    if (!DLP_STAGE_GUARD) {
        skip();
    }
    assert_refused(&WRITES_MORE, "density");
    assert_refused(&REACHES_OUT, "density");
}

static void a_neighbor_read_outside_the_rows_is_not_a_number(void **state)
{
    (void)state;
    if (!DLP_STAGE_GUARD) {
        skip();
    }
    dlp_World *world = make_block();
    dlp__run(&world->domains, &PEEKS, NULL);
    assert_string_equal(world->domains.bad_stage, "peeks");
    dlp_world_destroy(world);
}

static void after_a_failure_stages_do_nothing(void **state)
{
    (void)state;
    dlp_World *world = make_block();
    const float before = particles_of(world)->density[0][0];
    dlp__domains_fail(&world->domains, DLP_ERROR_MEMORY, "the first failure");
    dlp__domains_fail(&world->domains, DLP_ERROR_ARGUMENT, "the second");
    dlp__run(&world->domains, &HONEST, NULL);
    assert_true(particles_of(world)->density[0][0] == before);
    assert_int_equal(world->domains.failure, DLP_ERROR_MEMORY);
    assert_string_equal(dlp_world_error(world), "the first failure");
    dlp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stage_that_keeps_to_its_description_runs),
        cmocka_unit_test(reading_an_undeclared_field_is_a_fault),
        cmocka_unit_test(writing_an_undeclared_field_fails_the_step),
        cmocka_unit_test(a_neighbor_read_outside_the_rows_is_not_a_number),
        cmocka_unit_test(after_a_failure_stages_do_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Contacts: friction and adhesion of solids for single materials, in worlds, in scenes and in checkpoints. */
#include "support/world_fixture.h"

#include <dollop/files.h>
#include <dollop/scene.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MATERIALS = 7, SOLIDS = 5, CONTACTS = 40 };

static uint64_t seed = 11;

static int random_below(int limit)
{
    return (int)(random_number(&seed) * limit);
}

static dlp_World *make_many(dlp_ContactDef *contacts, int count)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "pbf");
    dlp_World *world = make_world(&def);
    for (int m = 0; m < MATERIALS; m++) {
        const dlp_MaterialDef material = dlp_default_material_def();
        assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_OK);
    }
    for (int k = 0; k < SOLIDS; k++) {
        dlp_SolidDef solid = dlp_default_solid_def();
        solid.friction = 0.1 * k;
        solid.stickiness = 100.0 * k;
        solid.reach = k == 0 ? 0.0 : 0.01 * k;
        snprintf(solid.name, sizeof solid.name, "solid %d", k);
        assert_int_equal(dlp_world_add_solid(world, &solid, NULL), DLP_OK);
    }
    for (int c = 0; c < count; c++) {
        contacts[c] = dlp_default_contact_def();
        contacts[c].solid = random_below(SOLIDS + 1) - 1;
        contacts[c].material = random_below(MATERIALS - 1); /* the last one uses the solids' own values */
        contacts[c].friction = random_below(2) != 0 ? random_number(&seed) : -1.0;
        contacts[c].stickiness = random_below(2) != 0 ? 1000.0 * random_number(&seed) : -0.5;
        contacts[c].reach = random_below(3) != 0 ? 0.1 * random_below(3) : -1.0;
        assert_int_equal(dlp_world_add_contact(world, &contacts[c], NULL), DLP_OK);
    }
    return world;
}

static void check_laws(dlp_World *world, const dlp_ContactDef *contacts, int count)
{
    const double spacing = dlp_world_def(world).spacing;
    for (int k = 0; k < SOLIDS; k++) {
        for (int m = 0; m < MATERIALS; m++) {
            const dlp_SolidDef *solid = &world->solids.solid[k].def;
            double friction = solid->friction, stickiness = solid->stickiness, reach = solid->reach;
            for (int c = 0; c < count; c++) {
                const dlp_ContactDef *contact = &contacts[c];
                const bool meant = contact->material == m && (contact->solid == k || contact->solid < 0);
                friction = meant && contact->friction >= 0.0 ? contact->friction : friction;
                stickiness = meant && contact->stickiness >= 0.0 ? contact->stickiness : stickiness;
                reach = meant && contact->reach >= 0.0 ? contact->reach : reach;
            }
            const dlp__ContactLaw law = dlp__contact_law(&world->solids, &world->solids.solid[k], m);
            assert_true(law.friction == friction && law.stickiness == stickiness);
            assert_float_equal(law.reach, reach > 0.0 ? reach : spacing, 1e-9);
        }
    }
}

static void the_last_contact_that_sets_a_value_wins(void **state)
{
    (void)state;
    dlp_ContactDef contacts[CONTACTS];
    dlp_World *world = make_many(contacts, CONTACTS);
    step_or_fail(world, 0.001);
    check_laws(world, contacts, CONTACTS);
    contacts[3].solid = 2;
    contacts[3].material = 4;
    contacts[3].stickiness = 77.0;
    assert_int_equal(dlp_world_set_contact(world, 3, &contacts[3]), DLP_OK);
    step_or_fail(world, 0.001);
    check_laws(world, contacts, CONTACTS);
    dlp_world_destroy(world);
}

static void without_contacts_the_solids_values_apply(void **state)
{
    (void)state;
    dlp_World *world = make_many(NULL, 0);
    check_laws(world, NULL, 0); /* also before the first step */
    step_or_fail(world, 0.001);
    check_laws(world, NULL, 0);
    dlp_world_destroy(world);
}

/* m/s, remaining speed of two equal blocks of different materials; the floor is slippery only for the first. */
static void slide(const char *method, double speed[2])
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "%s", method);
    dlp_World *world = make_world(&def);
    dlp_MaterialDef material = dlp_default_material_def();
    dlp_SolidDef floor = dlp_default_solid_def();
    material.viscosity = 50.0;
    floor.friction = 1.0;
    assert_int_equal(dlp_world_add_solid(world, &floor, NULL), DLP_OK);
    for (int m = 0; m < 2; m++) {
        dlp_FluidDef block = dlp_default_fluid_def();
        block.material = m;
        block.shape.size = (dlp_Vec3){0.05, 0.05, 0.03};
        block.shape.position = (dlp_Vec3){0.0, 0.5 * m, 0.015};
        block.velocity = (dlp_Vec3){0.5, 0.0, 0.0};
        assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_OK);
        assert_int_equal(dlp_world_add_fluid(world, &block, NULL), DLP_OK);
    }
    dlp_ContactDef contact = dlp_default_contact_def();
    contact.friction = 0.0;
    assert_int_equal(dlp_world_add_contact(world, &contact, NULL), DLP_OK);
    for (int step = 0; step < 20; step++) {
        step_or_fail(world, 0.004);
    }
    const dlp__Particles *p = particles_of(world);
    speed[0] = speed[1] = 0.0;
    for (int64_t i = 0; i < p->count; i++) {
        speed[p->material[0][i]] += 2.0 * (double)p->velocity[0][i] / (double)p->count;
    }
    dlp_world_destroy(world);
}

static void friction_is_that_of_the_material(void **state)
{
    (void)state;
    static const char *const methods[] = {"physical", "conformation", "pbf"};
    for (int m = 0; m < 3; m++) {
        double speed[2];
        slide(methods[m], speed);
        if (!(speed[0] > 0.45) || !(speed[1] < 0.4)) {
            fail_msg("%s: speeds are %g and %g m/s", methods[m], speed[0], speed[1]);
        }
    }
}

static void assert_says(const char *text, const char *part)
{
    if (strstr(text, part) == NULL) {
        fail_msg("'%s' does not say '%s'", text, part);
    }
}

static void contacts_with_unknown_materials_or_solids_are_rejected(void **state)
{
    (void)state;
    dlp_World *world = make_many(NULL, 0);
    dlp_ContactDef def = dlp_default_contact_def();
    def.solid = SOLIDS;
    assert_int_equal(dlp_world_add_contact(world, &def, NULL), DLP_ERROR_ARGUMENT);
    assert_says(dlp_world_error(world), "no solid 5: the world has 5");
    def.solid = 0;
    def.material = MATERIALS;
    assert_int_equal(dlp_world_add_contact(world, &def, NULL), DLP_ERROR_ARGUMENT);
    assert_says(dlp_world_error(world), "no material 7: the world has 7");
    def.material = 0;
    assert_int_equal(dlp_world_set_contact(world, 0, &def), DLP_ERROR_ARGUMENT);
    assert_says(dlp_world_error(world), "no contact 0: the world has 0");
    assert_int_equal(dlp_world_get_contact(world, -1, &def), DLP_ERROR_ARGUMENT);
    assert_int_equal(dlp_world_contact_count(world), 0);
    for (int c = 0; c < DLP_CONTACTS_MOST; c++) {
        assert_int_equal(dlp_world_add_contact(world, &def, NULL), DLP_OK);
    }
    assert_int_equal(dlp_world_add_contact(world, &def, NULL), DLP_ERROR_ARGUMENT);
    assert_says(dlp_world_error(world), "at most 1024 contacts");
    step_or_fail(world, 0.001);
    dlp_world_destroy(world);
}

static dlp_Scene *parse(const char *text, dlp_Error *error)
{
    dlp_Scene *scene = NULL;
    dlp_scene_parse("s.yaml", text, strlen(text), NULL, 0, &scene, error);
    return scene;
}

static const char kitchen[] = "materials: {honey: {viscosity: 10}, water: {}}\n"
                              "solids: [{}, {name: spoon, shape: sphere, stickiness: 0.2 kPa, reach: 5 mm}]\n"
                              "fluids: [{material: honey}]\n"
                              "contacts:\n"
                              "  - {material: water, friction: 0}\n"
                              "  - {solid: spoon, material: honey, stickiness: 900, reach: 1 cm}\n";

static void a_scene_names_its_solids(void **state)
{
    (void)state;
    dlp_Error error = {.text = ""};
    dlp_Scene *scene = parse(kitchen, &error);
    dlp_World *world = NULL;
    if (scene == NULL || dlp_scene_build(scene, &world, &error) != DLP_OK) {
        fail_msg("%s", error.text);
    }
    dlp_ContactDef contact;
    assert_int_equal(dlp_world_contact_count(world), 2);
    assert_int_equal(dlp_world_get_contact(world, 0, &contact), DLP_OK);
    assert_true(contact.solid == -1 && contact.material == 1 && contact.friction == 0.0 && contact.stickiness < 0.0);
    assert_int_equal(dlp_world_get_contact(world, 1, &contact), DLP_OK);
    assert_true(contact.solid == 1 && contact.material == 0 && contact.stickiness == 900.0 && contact.reach == 0.01);
    dlp_world_destroy(world);
    dlp_scene_destroy(scene);
}

static void a_missing_solid_is_named_in_the_error(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"materials: {a: {}}\nfluids: [{material: a}]\nsolids: [{name: lid}, {name: bowl}]\n"
         "contacts: [{solid: bowls, material: a}]",
         "s.yaml:4:20: there is no solid 'bowls'; did you mean 'bowl'? The scene has: lid, bowl"},
        {"materials: {a: {}}\nfluids: [{material: a}]\nsolids: [{}]\ncontacts: [{solid: lid, material: a}]",
         "there is no solid 'lid': the scene has no solids with a name; add 'name: ...' to the one you mean"},
        {"materials: {a: {}}\nfluids: [{material: a}]\nsolids: [{}]\ncontacts: [{solid: '', material: a}]",
         "there is no solid '': the scene has no solids with a name"},
        {"materials: {a: {}}\nfluids: [{material: a}]\nsolids: [{name: x}, {name: x}]\n"
         "contacts: [{solid: x, material: a}]",
         "two solids are named 'x': give them different names"},
        {"materials: {a: {}}\nfluids: [{material: a}]\nsolids: [{name: x}]\ncontacts: [{solid: x}]",
         "contacts[0] has no material"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        dlp_Error error = {.text = ""};
        assert_null(parse(cases[c].text, &error));
        assert_says(error.text, cases[c].says);
    }
}

static void contacts_and_names_are_restored_from_a_checkpoint(void **state)
{
    (void)state;
    dlp_ContactDef contacts[CONTACTS];
    dlp_World *world = make_many(contacts, CONTACTS), *loaded = NULL;
    dlp_Error error = {.text = ""};
    assert_int_equal(dlp_world_save(world, "contacts.checkpoint"), DLP_OK);
    dlp_world_destroy(world);
    if (dlp_world_load("contacts.checkpoint", NULL, &loaded, &error) != DLP_OK) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(dlp_world_contact_count(loaded), CONTACTS);
    for (int c = 0; c < CONTACTS; c++) {
        dlp_ContactDef back;
        assert_int_equal(dlp_world_get_contact(loaded, c, &back), DLP_OK);
        assert_memory_equal(&back, &contacts[c], sizeof back);
    }
    dlp_SolidDef solid;
    assert_int_equal(dlp_world_get_solid(loaded, 3, &solid), DLP_OK);
    assert_string_equal(solid.name, "solid 3");
    assert_true(solid.stickiness == 300.0 && solid.reach == 0.03);
    dlp_world_destroy(loaded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_contact_that_sets_a_value_wins),
        cmocka_unit_test(without_contacts_the_solids_values_apply),
        cmocka_unit_test(friction_is_that_of_the_material),
        cmocka_unit_test(contacts_with_unknown_materials_or_solids_are_rejected),
        cmocka_unit_test(a_scene_names_its_solids),
        cmocka_unit_test(a_missing_solid_is_named_in_the_error),
        cmocka_unit_test(contacts_and_names_are_restored_from_a_checkpoint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

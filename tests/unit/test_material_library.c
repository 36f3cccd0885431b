/* The built-in materials: every one has a source and simulates; scenes use and override them by name; unused ones and unasked heat have
 * no effect. */
#include "scene/scene_internal.h"
#include "support/scene_fixture.h"

#include <dollop/material_library.h>
#include <dollop/rheology.h>
#include <dollop/scene.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

static dlp_Library *open_library(void)
{
    dlp_Library *library = NULL;
    dlp_Error error = {.text = ""};
    if (dlp_library_create(&library, &error) != DLP_OK) {
        fail_msg("%s", error.text);
    }
    return library;
}

static dlp_World *build(const char *text, const char *const *settings, int count)
{
    dlp_Scene *scene = parse_scene(text, settings, count);
    dlp_World *world = NULL;
    dlp_Error error = {.text = ""};
    assert_string_equal(dlp_scene_notes(scene), "");
    if (dlp_scene_build(scene, &world, &error) != DLP_OK) {
        fail_msg("%s\n%s", text, error.text);
    }
    dlp_scene_destroy(scene);
    return world;
}

static dlp_MaterialDef material_of(const dlp_World *world, int id)
{
    dlp_MaterialDef def;
    assert_int_equal(dlp_world_get_material(world, id, &def), DLP_OK);
    return def;
}

static dlp_ParticleView view_of(const dlp_World *world)
{
    dlp_ParticleView view;
    assert_int_equal(dlp_world_view(world, 0, &view), DLP_OK);
    return view;
}

static void step(dlp_World *world, int count)
{
    for (int i = 0; i < count; i++) {
        if (dlp_world_step(world, 0.002) != DLP_OK) {
            fail_msg("%s", dlp_world_error(world));
        }
    }
}

static void expect_refused(const char *text, const char *const *settings, int count, const char *message)
{
    dlp_Scene *scene = NULL;
    dlp_Error error = {.text = ""};
    assert_int_equal(dlp_scene_parse("s.yaml", text, strlen(text), settings, count, &scene, &error), DLP_ERROR_SCENE);
    if (strstr(error.text, message) == NULL) {
        fail_msg("got %s\nexpected %s", error.text, message);
    }
}

/* A cube of 216 particles on the floor. */
#define CUBE \
    "world: {spacing: 1 cm, threads: 1}\nmethod: physical\nsolids: [{shape: plane, friction: 1}]\n" \
    "fluids: [{material: %s, position: [0, 0, 4 cm], size: [6 cm, 6 cm, 6 cm]}]\n"

static void the_library_has_fifty_materials_with_source_and_description(void **state)
{
    (void)state;
    dlp_Library *library = open_library();
    assert_true(dlp_library_count(library) >= 50);
    for (int i = 0; i < dlp_library_count(library); i++) {
        const dlp_LibraryMaterial *m = dlp_library_get(library, i);
        assert_true(strlen(m->description) > 3 && strlen(m->source) > 3);
        assert_non_null(strstr(m->yaml, "\n  grade: ")); /* a grade is given, not defaulted */
        assert_int_equal(strncmp(m->yaml, m->def.name, strlen(m->def.name)), 0);
        assert_ptr_equal(dlp_library_find(library, m->def.name), m);
        if (strcmp(m->source, "none") == 0 || strstr(m->source, "numbers guessed") != NULL) {
            assert_int_equal(m->grade, DLP_GRADE_GUESS);
        }
    }
    assert_null(dlp_library_get(library, -1));
    assert_null(dlp_library_get(library, dlp_library_count(library)));
    assert_null(dlp_library_find(library, "unobtainium"));
    dlp_library_destroy(library);
}

static void at_least_twenty_five_materials_have_a_law_of_their_own(void **state)
{
    (void)state;
    dlp_Library *library = open_library();
    int laws = 0;
    for (int i = 0; i < dlp_library_count(library); i++) {
        const dlp_LibraryMaterial *m = dlp_library_get(library, i);
        dlp_Error error = {.text = ""};
        if (dlp_material_check(&m->def, &error) != DLP_OK) {
            fail_msg("%s: %s", m->def.name, error.text);
        }
        laws += m->def.flow_law != DLP_FLOW_NEWTONIAN || m->def.modes.count > 0;
        assert_true(m->equivalent_rate > 0.0);
        assert_true(m->yield_stress == dlp_material_yield_stress(&m->def));
    }
    assert_true(laws >= 25);
    assert_true(dlp_library_find(library, "ketchup")->yield_stress == 32.0);
    assert_true(dlp_library_find(library, "ketchup")->equivalent_rate == 1.0);
    assert_true(dlp_library_find(library, "honey")->yield_stress == 0.0);
    assert_true(dlp_library_find(library, "mayonnaise")->equivalent_rate == 0.1);
    const dlp_MaterialDef *melt = &dlp_library_find(library, "polymer_melt")->def;
    assert_int_equal(melt->modes.count, 4);
    assert_true(melt->modes.mode[3].modulus == 300.8);
    dlp_library_destroy(library);
}

/* Below a yield stress the material is elastic: a strain of more than 1 before it flows would be no paste. */
static void pastes_yield_at_a_strain_below_one(void **state)
{
    (void)state;
    dlp_Library *library = open_library();
    for (int i = 0; i < dlp_library_count(library); i++) {
        const dlp_LibraryMaterial *m = dlp_library_get(library, i);
        if (m->yield_stress > 0.0 && m->def.modulus > 0.0 && m->yield_stress >= m->def.modulus) {
            fail_msg("%s yields at a strain of %g", m->def.name, m->yield_stress / m->def.modulus);
        }
    }
    dlp_library_destroy(library);
}

static void a_table_of_viscosities_agrees_with_the_viscosity(void **state)
{
    (void)state;
    dlp_Library *library = open_library();
    for (int i = 0; i < dlp_library_count(library); i++) {
        const dlp_LibraryMaterial *m = dlp_library_get(library, i);
        const dlp_MaterialDef own = dlp_material_at(&m->def, m->viscosities, m->viscosity_count, m->def.temperature);
        /* temperatures are rounded to single precision */
        if (m->def.frozen_modulus == 0.0 && m->def.viscosity > 0.0 &&
            fabs(own.viscosity / m->def.viscosity - 1.0) > 1e-6) {
            fail_msg("%s: %g Pa.s at its temperature, not %g", m->def.name, own.viscosity, m->def.viscosity);
        }
    }
    dlp_library_destroy(library);
}

static void every_material_simulates_by_name_without_heat(void **state)
{
    (void)state;
    dlp_Library *library = open_library();
    for (int i = 0; i < dlp_library_count(library); i++) {
        char text[512];
        snprintf(text, sizeof text, CUBE, dlp_library_get(library, i)->def.name);
        dlp_World *world = build(text, NULL, 0);
        assert_int_equal(dlp_world_material_count(world), 1);
        step(world, 20);
        const dlp_ParticleView view = view_of(world);
        assert_int_equal(view.count, 216);
        assert_null(view.temperature);
        for (int64_t p = 0; p < view.count; p++) {
            for (int a = 0; a < 3; a++) {
                assert_true(isfinite(view.position[a][p]) && fabsf(view.position[a][p]) < 0.2f);
            }
        }
        dlp_world_destroy(world);
    }
    dlp_library_destroy(library);
}

/* As `dollop materials NAME` prints it. */
static void every_definition_can_be_pasted_into_a_scene(void **state)
{
    (void)state;
    dlp_Library *library = open_library();
    for (int i = 0; i < dlp_library_count(library); i++) {
        const dlp_LibraryMaterial *m = dlp_library_get(library, i);
        char text[8192];
        int used = snprintf(text, sizeof text, CUBE "materials:\n  ", m->def.name);
        for (const char *c = m->yaml; *c != 0; c++) {
            used += snprintf(text + used, sizeof text - (size_t)used, "%c%s", *c, *c == '\n' && c[1] != 0 ? "  " : "");
        }
        dlp_world_destroy(build(text, NULL, 0));
    }
    dlp_library_destroy(library);
}

/* Unused materials of the library do not make a key effective. */
static void a_key_without_effect_on_the_used_materials_is_refused(void **state)
{
    (void)state;
    expect_refused("world: {air_temperature: 5 degC}\nfluids: [{material: jelly}]", NULL, 0,
                   "world.air_temperature has no effect");
    expect_refused("fluids: [{material: jelly}]\nsolids: [{shape: plane, temperature: 5 degC}]", NULL, 0,
                   "temperature has no effect");
    dlp_scene_destroy(parse_scene("world: {air_temperature: 5 degC}\nfluids: [{material: lava}]", NULL, 0));
}

static void a_scene_and_settings_override_single_values(void **state)
{
    (void)state;
    char text[512];
    snprintf(text, sizeof text, CUBE "materials: {honey: {viscosity: 5 Pa.s}}\n", "honey");
    dlp_World *world = build(text, NULL, 0);
    assert_true(material_of(world, 0).viscosity == 5.0 && material_of(world, 0).density == 1420.0);
    assert_int_equal(material_of(world, 0).look, DLP_LOOK_HONEY);
    dlp_world_destroy(world);
    snprintf(text, sizeof text, CUBE, "honey");
    const char *const settings[] = {"materials.honey.viscosity=7 Pa.s", "materials.honey.density=1400"};
    world = build(text, settings, 2);
    assert_true(material_of(world, 0).viscosity == 7.0 && material_of(world, 0).density == 1400.0);
    dlp_world_destroy(world);
}

/* What a file says of a material's flow must not be changed by values of the library that it does not mention. */
static void a_viscosity_replaces_modulus_time_and_table(void **state)
{
    (void)state;
    char text[512];
    snprintf(text, sizeof text, CUBE "materials: {slime: {viscosity: 80 Pa.s}}\n", "slime");
    dlp_World *world = build(text, NULL, 0);
    const dlp_MaterialDef slime = material_of(world, 0);
    assert_true(slime.viscosity == 80.0 && slime.modulus == 0.0 && slime.relaxation_time == 0.0);
    dlp_world_destroy(world);
    /* mayonnaise is given by viscosity and modulus; a time replaces the viscosity */
    snprintf(text, sizeof text, CUBE "materials: {mayonnaise: {relaxation_time: 1 s}}\n", "mayonnaise");
    world = build(text, NULL, 0);
    const dlp_MaterialDef mayonnaise = material_of(world, 0);
    assert_true(mayonnaise.viscosity == 0.0 && mayonnaise.modulus > 0.0 && mayonnaise.relaxation_time == 1.0);
    dlp_world_destroy(world);
    assert_int_equal(mayonnaise.flow_law, DLP_FLOW_NEWTONIAN);
    assert_true(mayonnaise.yield_stress == 0.0 && mayonnaise.flow_index == 1.0);
    /* ketchup has a law without viscosity */
    snprintf(text, sizeof text, CUBE "materials: {ketchup: {viscosity: 1 Pa.s}}\n", "ketchup");
    world = build(text, NULL, 0);
    const dlp_MaterialDef ketchup = material_of(world, 0);
    assert_true(ketchup.flow_law == DLP_FLOW_NEWTONIAN && ketchup.viscosity == 1.0 && ketchup.consistency == 0.0);
    dlp_world_destroy(world);
    /* with heat, honey keeps the given viscosity at any temperature: its table no longer holds */
    snprintf(text, sizeof text, CUBE "materials: {honey: {viscosity: 5 Pa.s, temperature: 40 degC}}\n", "honey");
    world = build(text, NULL, 0);
    const dlp_ViscosityKey *keys = NULL;
    int count = -1;
    assert_int_equal(dlp_world_get_material_viscosities(world, 0, &keys, &count), DLP_OK);
    assert_int_equal(count, 0);
    assert_non_null(view_of(world).temperature);
    dlp_world_destroy(world);
}

/* The stress of steady flow is that of the law at that rate: (7.54 + 44.72 * 0.1^0.29) / 0.1. */
static void methods_without_laws_take_the_viscosity_at_the_equivalent_rate(void **state)
{
    (void)state;
    static const struct {
        const char *more;
        double viscosity;
    } cases[] = {{"", 304.75}, {"materials: {mayonnaise: {equivalent_rate: 1 1/s}}\n", 52.26}};
    for (int i = 0; i < 2; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "world: {spacing: 1 cm}\nmethod: springs\n%sfluids: [{material: milk, size: [2 cm, 2 cm, 2 cm]}, "
                 "{material: mayonnaise, position: [0, 0, 5 cm], size: [2 cm, 2 cm, 2 cm]}]\n",
                 cases[i].more);
        dlp_Scene *scene = parse_scene(text, NULL, 0);
        assert_non_null(strstr(dlp_scene_notes(scene), i == 0 ? "shear rate of 0.1/s" : "shear rate of 1/s"));
        dlp_World *world = NULL;
        dlp_Error error = {.text = ""};
        assert_int_equal(dlp_scene_build(scene, &world, &error), DLP_OK);
        int id = 0; /* what the scene defines comes first */
        while (strcmp(material_of(world, id).name, "mayonnaise") != 0) {
            id++;
        }
        assert_true(fabs(material_of(world, id).viscosity / cases[i].viscosity - 1.0) < 1e-3);
        dlp_world_destroy(world);
        dlp_scene_destroy(scene);
    }
}

static void an_unknown_name_suggests_one_of_scene_and_library(void **state)
{
    (void)state;
    expect_refused("fluids: [{material: hony}]", NULL, 0,
                   "there is no material 'hony'; did you mean 'honey'? `dollop materials` lists the built-in ones");
    expect_refused("materials: {goo: {}}\nfluids: [{material: goop}]", NULL, 0,
                   "did you mean 'goo'? The scene defines: goo");
    const char *setting = "materials.kechup.density=1";
    expect_refused("fluids: [{material: ketchup}]", &setting, 1, "did you mean 'ketchup'?");
    setting = "materials.mustard.density=1";
    expect_refused("fluids: [{material: ketchup}]", &setting, 1, "the scene has no material 'mustard'");
}

static void a_setting_of_an_unused_material_is_refused(void **state)
{
    (void)state;
    const char *setting = "materials.olive_oil.viscosity=1";
    expect_refused("fluids: [{material: honey}]", &setting, 1,
                   "the scene does not use the material 'olive_oil', so the setting has no effect");
}

static void materials_are_numbered_by_scene_and_first_use(void **state)
{
    (void)state;
    dlp_World *world = build(
        "world: {spacing: 5 cm}\nmethod: physical\nmaterials: {zinc: {}, custard: {}}\n"
        "contacts: [{material: slime, friction: 1}]\n"
        "emitters: [{material: milk, speed: 1}, {material: slime, speed: 1}]\n"
        "fluids: [{material: water, size: [0.1, 0.1, 0.1]}, {material: zinc, size: [0.1, 0.1, 0.1]}]",
        NULL, 0);
    static const char *const expected[] = {"custard", "zinc", "slime", "water", "milk"};
    assert_int_equal(dlp_world_material_count(world), 5);
    for (int i = 0; i < 5; i++) {
        assert_string_equal(material_of(world, i).name, expected[i]);
    }
    dlp_world_destroy(world);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static void hash_file(const char *path, uint64_t *scene_hash, uint64_t *world_hash)
{
    dlp_Scene *scene = NULL;
    dlp_World *world = NULL;
    dlp_Error error = {.text = ""};
    if (dlp_scene_load(path, NULL, 0, &scene, &error) != DLP_OK || dlp_scene_build(scene, &world, &error) != DLP_OK) {
        fail_msg("%s", error.text);
    }
    step(world, 5);
    *scene_hash = dlp_scene_hash(scene);
    *world_hash = dlp_world_hash(world);
    dlp_world_destroy(world);
    dlp_scene_destroy(scene);
}

/* An include stands for a library that changes: it adds materials around the used one, and changes unused built-in ones. */
static void unused_materials_change_no_hash(void **state)
{
    (void)state;
    char cube[512], text[1024];
    snprintf(cube, sizeof cube, CUBE, "mayonnaise");
    write_file("plain.yaml", cube);
    snprintf(text, sizeof text, "include: more.yaml\n%s", cube);
    write_file("more.yaml", "materials:\n  aaa: {viscosity: 1e9, heat_capacity: 1}\n  zzz: {modulus: 1e9}\n"
                            "  honey: {density: 5, temperature: 99 degC, conductivity: 7}\n  water: {viscosity: 3}\n");
    write_file("with_more.yaml", text);
    uint64_t scene[2], world[2];
    hash_file("plain.yaml", &scene[0], &world[0]);
    hash_file("with_more.yaml", &scene[1], &world[1]);
    assert_int_equal(scene[0], scene[1]);
    assert_int_equal(world[0], world[1]);
}

static void expect_heat(const char *more, bool simulated)
{
    char text[1024];
    snprintf(text, sizeof text, "world: {spacing: 5 cm}\nmethod: physical\n%s\n", more);
    dlp_World *world = build(text, NULL, 0);
    assert_int_equal(view_of(world).temperature != NULL, simulated);
    dlp_world_destroy(world);
}

static void heat_is_simulated_only_if_the_scene_asks_for_it(void **state)
{
    (void)state;
#define HONEY "fluids: [{material: honey, size: [0.1, 0.1, 0.1]}]"
    expect_heat(HONEY, false);
    expect_heat(HONEY "\nemitters: [{material: water, speed: 1}]", false); /* both at 20 degC */
    expect_heat(HONEY "\nmaterials: {honey: {viscosity: 3}}", false);
    expect_heat(HONEY "\nemitters: [{material: lava, speed: 1}]", true);
    expect_heat(HONEY "\nemitters: [{material: honey, speed: 1, temperature: 40 degC}]", true);
    expect_heat(HONEY "\nsolids: [{shape: plane, temperature: 60 degC}]", true);
    expect_heat(HONEY "\nmaterials: {honey: {convection: 10}}", true);
    expect_heat("fluids: [{material: honey, size: [0.1, 0.1, 0.1], temperature: 40 degC}]", true);
#undef HONEY
}

/* The positions after 20 steps, by id. */
static void positions_of(const char *text, float (*xyz)[3], int count)
{
    dlp_World *world = build(text, NULL, 0);
    step(world, 20);
    const dlp_ParticleView view = view_of(world);
    assert_int_equal(view.count, count);
    for (int64_t p = 0; p < view.count; p++) {
        for (int a = 0; a < 3; a++) {
            xyz[view.id[p]][a] = view.position[a][p];
        }
    }
    dlp_world_destroy(world);
}

/* A liquid with a table, and a frozen solid. */
static void at_one_temperature_heat_changes_nothing(void **state)
{
    (void)state;
    static const char *const names[] = {"honey", "gelatine", "glass"};
    static float with[216][3], without[216][3];
    for (int i = 0; i < 3; i++) {
        char text[512];
        snprintf(text, sizeof text, CUBE, names[i]);
        positions_of(text, without, 216);
        dlp_Library *library = open_library();
        snprintf(text, sizeof text, CUBE "materials: {%s: {temperature: %.17g K, emissivity: 0}}\n", names[i], names[i],
                 dlp_library_find(library, names[i])->def.temperature);
        dlp_library_destroy(library);
        positions_of(text, with, 216);
        assert_memory_equal(with, without, sizeof with);
    }
}

static void programs_get_a_material_by_name(void **state)
{
    (void)state;
    dlp_MaterialDef honey;
    dlp_Error error = {.text = ""};
    assert_int_equal(dlp_library_material("honey", &honey, &error), DLP_OK);
    assert_true(honey.viscosity == 19.0 && honey.heat_capacity == 0.0);
    dlp_MaterialDef solid;
    assert_int_equal(dlp_library_material("gelatine", &solid, &error), DLP_OK); /* frozen at 5 degC */
    assert_true(solid.modulus == 6000.0 && solid.viscosity == 0.0 && solid.frozen_modulus == 0.0);
    assert_int_equal(dlp_library_material("hony", &honey, &error), DLP_ERROR_ARGUMENT);
    assert_string_equal(error.text, "there is no built-in material 'hony'; did you mean 'honey'?");
}

static void files_may_document_their_materials(void **state)
{
    (void)state;
    const char plain[] = "materials: {a: {}}\nfluids: [{material: a}]";
    const char documented[] = "materials:\n  a: {description: 'mine', source: me, grade: guess, equivalent_rate: 3 "
                              "1/s}\nfluids: [{material: a}]";
    assert_int_equal(hash_scene(plain, NULL, 0), hash_scene(documented, NULL, 0));
    expect_refused("materials: {a: {grade: good}}\nfluids: [{material: a}]", NULL, 0,
                   "grade cannot be 'good'; valid values: measured, simulation, unverified, guess");
    expect_refused("materials: {a: {source: [me]}}\nfluids: [{material: a}]", NULL, 0, "source must be text");
    expect_refused("materials: {a: {equivalent_rate: 3 m}}\nfluids: [{material: a}]", NULL, 0,
                   "equivalent_rate is measured in 1/s");
    expect_refused("materials: {a: {descripton: b}}\nfluids: [{material: a}]", NULL, 0, "did you mean 'description'?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_library_has_fifty_materials_with_source_and_description),
        cmocka_unit_test(at_least_twenty_five_materials_have_a_law_of_their_own),
        cmocka_unit_test(pastes_yield_at_a_strain_below_one),
        cmocka_unit_test(a_table_of_viscosities_agrees_with_the_viscosity),
        cmocka_unit_test(every_material_simulates_by_name_without_heat),
        cmocka_unit_test(every_definition_can_be_pasted_into_a_scene),
        cmocka_unit_test(a_key_without_effect_on_the_used_materials_is_refused),
        cmocka_unit_test(a_scene_and_settings_override_single_values),
        cmocka_unit_test(a_viscosity_replaces_modulus_time_and_table),
        cmocka_unit_test(methods_without_laws_take_the_viscosity_at_the_equivalent_rate),
        cmocka_unit_test(an_unknown_name_suggests_one_of_scene_and_library),
        cmocka_unit_test(a_setting_of_an_unused_material_is_refused),
        cmocka_unit_test(materials_are_numbered_by_scene_and_first_use),
        cmocka_unit_test(unused_materials_change_no_hash),
        cmocka_unit_test(heat_is_simulated_only_if_the_scene_asks_for_it),
        cmocka_unit_test(at_one_temperature_heat_changes_nothing),
        cmocka_unit_test(programs_get_a_material_by_name),
        cmocka_unit_test(files_may_document_their_materials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

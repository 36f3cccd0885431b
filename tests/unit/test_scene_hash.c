/* The hash of a scene covers every value that affects the result, and nothing else. */
#include "scene/scene_internal.h"
#include "support/scene_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void the_hash_ignores_the_order_of_keys(void **state)
{
    (void)state;
    assert_int_equal(hash_scene("world: {spacing: 1, support: 2}\nmaterials: {a: {}, b: {density: 2}}\n"
                                "fluids: [{material: b, size: [1, 1, 1]}]",
                                NULL, 0),
                     hash_scene("fluids: [{size: [1.0, 1e0, 100 cm], material: b}]\n"
                                "materials: {b: {density: 2}, a: {}}\nworld: {support: 2, spacing: 1}",
                                NULL, 0));
}

static void the_hash_ignores_threads_lanes_subdomains_and_the_number_of_frames(void **state)
{
    (void)state;
    static const char *const settings[] = {"world.threads=3", "world.simd=1",           "world.subdomains=4",
                                           "run.frames=500",  "run.checkpoint_every=1", "run.fields=[shear_rate]"};
    assert_int_equal(hash_scene(tank_scene, NULL, 0), hash_scene(tank_scene, settings, 6));
}

/* Change a member to another value. */
static void change_member(const dlp_Param *param, char *member)
{
    switch (param->type) {
    case DLP_PARAM_REAL:
    case DLP_PARAM_VEC3: *(double *)(void *)member += 0.125; break;
    case DLP_PARAM_INT: *(int64_t *)(void *)member += 1; break;
    case DLP_PARAM_BOOL: *(bool *)member = !*(bool *)member; break;
    case DLP_PARAM_CHOICE:
    case DLP_PARAM_FLAGS:
    case DLP_PARAM_MATERIAL:
    case DLP_PARAM_MESH:
    case DLP_PARAM_SOLID: *(int32_t *)(void *)member += 1; break;
    case DLP_PARAM_ROWS: *(int64_t *)(void *)member += 1; break;
    case DLP_PARAM_NAME: member[0] = member[0] != 'x' ? 'x' : 'y'; break;
    }
}

static const char hashed_scene[] =
    "materials: {a: {}, b: {}}\nfluids: [{material: a}]\nemitters: [{material: a}]\n"
    "meshes: {c: {form: cup}, d: {form: bowl}}\nsolids: [{}, {name: e}, {name: f, density: 1}]\n"
    "joints: [{solid: f}]\ncontacts: [{solid: f, material: a}]\nsinks: [{}]\n";

/* Members are changed in the scene as read, because a file cannot set those that have no effect in it. */
static int check_every_value(dlp__SectionId id, const char *hidden)
{
    static const char *const ignored[] = {"world.threads", "world.simd",           "world.subdomains",
                                          "run.frames",    "run.checkpoint_every", "run.fields"};
    const dlp__SceneSection *section = dlp__scene_section(id);
    const uint64_t before = hash_scene(hashed_scene, NULL, 0);
    int checked = 0;
    dlp_Scene *scene = parse_scene(hashed_scene, NULL, 0);
    const dlp_ParamTable *table = section->table != NULL ? section->table() : dlp_method_params(scene->method_name);
    char *def = id == DLP_SECTION_WORLD    ? (char *)&scene->world
                : id == DLP_SECTION_RUN    ? (char *)&scene->run
                : id == DLP_SECTION_METHOD ? scene->method
                                           : scene->lists[id].items;
    char *kept = malloc(table->size);
    assert_non_null(kept);
    memcpy(kept, def, table->size);
    for (int i = 0; i < table->count; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s.%s", section->key, table->params[i].name);
        bool skipped = strcmp(table->params[i].name, hidden) == 0;
        for (size_t j = 0; j < sizeof ignored / sizeof ignored[0]; j++) {
            skipped = skipped || strcmp(path, ignored[j]) == 0;
        }
        if (!skipped) {
            change_member(&table->params[i], def + table->params[i].offset);
            if (dlp_scene_hash(scene) == before) {
                fail_msg("%s does not change the hash", path);
            }
            memcpy(def, kept, table->size);
            checked++;
        }
    }
    free(kept);
    dlp_scene_destroy(scene);
    return checked;
}

static void the_hash_covers_every_value_that_affects_the_result(void **state)
{
    (void)state;
    int checked = 0;
    checked += check_every_value(DLP_SECTION_WORLD, "method");
    checked += check_every_value(DLP_SECTION_METHOD, "");
    checked += check_every_value(DLP_SECTION_RUN, "");
    for (int id = DLP_SECTION_MATERIALS; id <= DLP_SECTION_SINKS; id++) {
        if (id != DLP_SECTION_COMPANIONS) {
            checked += check_every_value((dlp__SectionId)id, "name");
        }
    }
    assert_true(checked > 40);
    static const char *const points[] = {"fluids.0={material: a, points: [[0, 0, 0]]}",
                                         "fluids.0={material: a, points: [[0, 0, 1 mm]]}",
                                         "fluids.0={material: a, points: [[0, 0, 0], [1, 0, 0]]}"};
    uint64_t hashes[3];
    for (int i = 0; i < 3; i++) {
        hashes[i] = hash_scene(hashed_scene, &points[i], 1);
    }
    assert_true(hashes[0] != hashes[1] && hashes[0] != hashes[2] && hashes[1] != hashes[2]);
    assert_true(hash_scene("materials: {a: {}}\nfluids: [{material: a}]", NULL, 0) !=
                hash_scene("materials: {b: {}}\nfluids: [{material: b}]", NULL, 0));
}

static void the_hash_covers_every_number_of_a_list_of_rows(void **state)
{
    (void)state;
    static const char *const modes[] = {"materials.goo.modes=[[0.1, 500]]", "materials.goo.modes=[[0.1, 500], [1, 50]]",
                                        "materials.goo.modes=[[0.1, 500], [1, 51]]",
                                        "materials.goo.modes=[[0.1, 500], [2, 51]]"};
    uint64_t hashes[4];
    for (int i = 0; i < 4; i++) {
        hashes[i] = hash_scene("method: physical\nmaterials: {goo: {}}\nfluids: [{material: goo}]", &modes[i], 1);
        for (int j = 0; j < i; j++) {
            assert_true(hashes[i] != hashes[j]);
        }
    }
}

static void the_hash_ignores_names_of_list_items(void **state)
{
    (void)state;
    static const char *const settings[] = {"solids.0.name=floor", "joints.0.name=axle",  "contacts.0.name=oil",
                                           "fluids.0.name=drop",  "emitters.0.name=tap", "sinks.0.name=drain"};
    assert_int_equal(hash_scene(hashed_scene, NULL, 0), hash_scene(hashed_scene, settings, 6));
}

static void the_hash_covers_every_value_of_a_key(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "solids.0.keys.1.time=1.25",
        "solids.0.keys.1.position=[0, 1, 0]",
        "solids.0.keys.2.rotation=[0, 1, 0]",
        "solids.0.keys=[{time: 0}]",
        "emitters.0.keys.1.time=0.3",
        "emitters.0.keys.1.position=[0, 1, 0]",
        "emitters.0.keys.1.rotation=[0, 1, 0]",
        "emitters.0.flow.1=[0.6, 1]",
        "emitters.0.flow.2=[1, 0.6]",
        "emitters.0.flow=[[0, 0]]",
        "solids.1.keys=[{time: 0}]",
        "solids.0.path=smooth",
    };
    enum { COUNT = sizeof settings / sizeof settings[0] };
    uint64_t hashes[COUNT + 1];
    for (int i = 0; i <= COUNT; i++) {
        hashes[i] = hash_scene(icing_scene, i < COUNT ? &settings[i] : NULL, i < COUNT);
        for (int j = 0; j < i; j++) {
            assert_true(hashes[i] != hashes[j]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_hash_ignores_the_order_of_keys),
        cmocka_unit_test(the_hash_ignores_threads_lanes_subdomains_and_the_number_of_frames),
        cmocka_unit_test(the_hash_covers_every_value_that_affects_the_result),
        cmocka_unit_test(the_hash_covers_every_number_of_a_list_of_rows),
        cmocka_unit_test(the_hash_ignores_names_of_list_items),
        cmocka_unit_test(the_hash_covers_every_value_of_a_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

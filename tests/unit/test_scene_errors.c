/* Errors in scenes, with the exact message: location, text, the source line and the caret. */
#include <dollop/scene.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define WATER "materials: {water: {}}\n"

typedef struct Case {
    const char *scene;
    const char *message; /* start of the expected message */
} Case;

static void check_cases(const Case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        dlp_Scene *scene = NULL;
        dlp_Error error = {.text = ""};
        dlp_Result result = dlp_scene_parse("s.yaml", cases[i].scene, strlen(cases[i].scene), NULL, 0, &scene, &error);
        if (result != DLP_ERROR_SCENE || strncmp(error.text, cases[i].message, strlen(cases[i].message)) != 0) {
            fail_msg("scene:\n%s\nresult %d, got:\n%s\nexpected:\n%s", cases[i].scene, (int)result, error.text,
                     cases[i].message);
        }
        assert_int_equal(error.code, DLP_ERROR_SCENE);
        assert_null(scene);
    }
}

#define CHECK(cases) check_cases(cases, sizeof(cases) / sizeof(cases)[0])

static void a_message_shows_the_line_and_a_caret(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"# a scene\nworld:\n  spacin: 2 mm\n", "s.yaml:3:3: unknown key 'spacin' in world; did you mean 'spacing'?\n"
                                                "    3 |   spacin: 2 mm\n"
                                                "      |   ^~~~~~"},
        {"world: {gravity: [0, 0, 'a\xc3\xa4' ]} # \xc3\xa4\n",
         "s.yaml:1:25: gravity must be a list of three numbers (in m/s2) such as [0, 0, -9.81], but is 'a\xc3\xa4'\n"
         "    1 | world: {gravity: [0, 0, 'a\xc3\xa4' ]} # \xc3\xa4\n"
         "      |                         ^~~~"},
        {"\r\n# \xe6\xb0\xb4\r\nrun: {\xe6\xb0\xb4: 1, frames: -3}\r\n",
         "s.yaml:3:7: unknown key '\xe6\xb0\xb4' in run; valid keys: time_step, frame_rate, frames, checkpoint_every, fields\n"
         "    3 | run: {\xe6\xb0\xb4: 1, frames: -3}\n"
         "      |       ^"},
        {"materials: {w\xc3\xa4: {densty: 1}}",
         "s.yaml:1:18: unknown key 'densty' in materials.w\xc3\xa4; did you mean 'density'?\n"
         "    1 | materials: {w\xc3\xa4: {densty: 1}}\n"
         "      |                  ^~~~~~"},
        {"run:\n\n  frames: x\rworld: {}", "s.yaml:3:11: frames must be an integer such as 90, but is 'x'\n"
                                           "    3 |   frames: x\n"
                                           "      |           ^"},
    };
    CHECK(cases);
}

/* `piece` repeated `count` times between `begin` and `end`. */
static char *repeat(const char *begin, const char *piece, int count, const char *end)
{
    size_t length = strlen(begin) + strlen(piece) * (size_t)count + strlen(end) + 1;
    char *text = malloc(length);
    assert_non_null(text);
    char *next = stpcpy(text, begin);
    for (int i = 0; i < count; i++) {
        next = stpcpy(next, piece);
    }
    memcpy(next, end, strlen(end) + 1);
    return text;
}

static void a_long_line_is_cut_around_the_location(void **state)
{
    (void)state;
    char *scene = repeat("world: {", "\xc3\xa4\xc3\xa4, ", 200, "spacin: 1}");
    dlp_Scene *unused = NULL;
    dlp_Error error;
    assert_int_equal(dlp_scene_parse("s", scene, strlen(scene), NULL, 0, &unused, &error), DLP_ERROR_SCENE);
    assert_non_null(strstr(error.text, "\n    1 | "));
    assert_true(strlen(error.text) < 500);
    free(scene);
}

static void a_misspelled_name_gets_a_suggestion(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"wrold: {}", "s.yaml:1:1: unknown section 'wrold'; did you mean 'world'?"},
        {"banana: {}", "s.yaml:1:1: unknown section 'banana'; valid sections: include, world, method, run, materials"},
        {"world: {Spacing: 1}", "s.yaml:1:9: unknown key 'Spacing' in world; did you mean 'spacing'?"},
        {"world: {method: pbf}", "s.yaml:1:9: unknown key 'method' in world; valid keys: spacing"},
        {"run: {frame-rate: 1}", "s.yaml:1:7: unknown key 'frame-rate' in run; did you mean 'frame_rate'?"},
        {"materials: {water: {densty: 1}}",
         "s.yaml:1:21: unknown key 'densty' in materials.water; did you mean 'density'?"},
        {"materials: {water: {name: x}}",
         "s.yaml:1:21: unknown key 'name' in materials.water; valid keys: viscosity_at, density"},
        {"method: pfb", "s.yaml:1:9: there is no method 'pfb'; did you mean 'pbf'?"},
        {"method: {name: xxxxxxxx}", "s.yaml:1:16: there is no method 'xxxxxxxx'; available methods: "},
        {"method: {name: pbf, iteratons: 3}",
         "s.yaml:1:21: unknown key 'iteratons' in method pbf; did you mean 'iterations'?"},
        {"solids: [{shape: spere}]",
         "s.yaml:1:18: shape cannot be 'spere'; did you mean 'sphere'? Valid values: plane, box"},
        {"world: {kernel: cubic}", "s.yaml:1:17: kernel cannot be 'cubic'; did you mean 'cubic_spline'?"},
        {WATER "fluids: [{material: wter}]",
         "s.yaml:2:21: there is no material 'wter'; did you mean 'water'? The scene defines: water; `dollop materials` lists the built-in ones"},
        {WATER "emitters: [{material: unobtainium}]",
         "s.yaml:2:23: there is no material 'unobtainium'. The scene defines: water; `dollop materials` lists the built-in ones"},
        {"fluids: [{material: unobtainium}]",
         "s.yaml:1:21: there is no material 'unobtainium'. `dollop materials` lists the built-in ones"},
        {"solids: [{name: wheel}]\njoints: [{solid: weel}]",
         "s.yaml:2:18: there is no solid 'weel'; did you mean 'wheel'? The scene has: wheel"},
        {"solids: [{}]\njoints: [{solid: wheel}]",
         "s.yaml:2:18: there is no solid 'wheel': the scene has no solids with a name; add 'name: ...' to the one"},
        {"joints: [{solid: wheel}]", "s.yaml:1:18: there is no solid 'wheel': the scene has no solids"},
        {"solids: [{name: a}, {name: a}]\njoints: [{solid: a}]", "s.yaml:1:28: two solids are named 'a'"},
        {"solids: [{name: a}]\njoints: [{kind: slider}]", "s.yaml:2:10: joints[0] has no solid; add one, such as"},
        {WATER "fluids: [{materal: water}]",
         "s.yaml:2:11: unknown key 'materal' in fluids[0]; did you mean 'material'?"},
        {WATER "fluids: [{material: water}, {point: []}]",
         "s.yaml:2:30: unknown key 'point' in fluids[1]; did you mean 'points'?"},
    };
    CHECK(cases);
}

static void a_value_out_of_range_is_reported_with_the_range(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"world: {spacing: -2}", "s.yaml:1:18: spacing must be between 1e-6 m and 1000 m, but is -2 m\n"},
        {"world: {spacing: 2 km}", "s.yaml:1:18: spacing must be between 1e-6 m and 1000 m, but is 2000 m\n"},
        {"world: {support: 9}", "s.yaml:1:18: support must be between 0 and 8, but is 9\n"},
        {"world: {gravity: [0, 0, 1e7]}",
         "s.yaml:1:25: gravity must be between -1e6 m/s2 and 1e6 m/s2, but is 1e7 m/s2"},
        {"run: {frames: -1}", "s.yaml:1:15: frames must be between 0 and 1e9, but is -1"},
        {"run: {frames: 1e300}", "s.yaml:1:15: frames must be between 0 and 1e9, but is 1e300"},
        {"run: {frames: 0xffffffffffffffffff}", "s.yaml:1:15: frames must be between 0 and 1e9"},
        {WATER "fluids: [{material: water, points: [[1e10, 0, 0]]}]",
         "s.yaml:2:38: point must be between -1e9 m and 1e9 m, but is 1e10 m"},
    };
    CHECK(cases);
}

static void a_value_of_the_wrong_type_is_reported_with_the_expected_type(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"world: {spacing: big}", "s.yaml:1:18: spacing must be a number (in m) such as 0.01 m, but is 'big'"},
        {"world: {spacing: [1]}", "s.yaml:1:18: spacing must be a number (in m) such as 0.01 m, but is a list"},
        {"world: {spacing: {a: 1}}", "s.yaml:1:18: spacing must be a number (in m) such as 0.01 m, but is a map"},
        {"world: {spacing: true}", "s.yaml:1:18: spacing must be a number (in m) such as 0.01 m, but is 'true'"},
        {"world: {spacing: }", "s.yaml:1:9: spacing has no value; it must be a number (in m) such as 0.01 m"},
        {"world: {spacing: ~}", "s.yaml:1:9: spacing has no value"},
        {"world: {spacing: .nan}", "s.yaml:1:18: spacing must be finite, but is '.nan'"},
        {"world: {spacing: -.inf}", "s.yaml:1:18: spacing must be finite, but is '-.inf'"},
        {"world: {gravity: 9.81}", "s.yaml:1:18: gravity must be a list of three numbers (in m/s2) such as"},
        {"world: {gravity: [1, 2]}", "s.yaml:1:18: gravity must be a list of three numbers (in m/s2), but has 2"},
        {"world: {gravity: [1, 2, 3, 4]}", "s.yaml:1:18: gravity must be a list of three numbers (in m/s2), but has 4"},
        {"world: {gravity: [1, [2], 3]}", "s.yaml:1:22: gravity must be a list of three numbers"},
        {"world: {kernel: [1]}", "s.yaml:1:17: kernel must be a single word, but is a list"},
        {"run: {frames: 2.5}", "s.yaml:1:15: frames must be an integer such as 90, but is '2.5'"},
        {"run: {frames: 0xfg}", "s.yaml:1:15: frames must be an integer such as 90, but is '0xfg'"},
        {"run: {frames: 0o8}", "s.yaml:1:15: frames must be an integer such as 90, but is '0o8'"},
        {"run: 5", "s.yaml:1:6: run must be a map of keys and values, but is text"},
        {"materials: [water]", "s.yaml:1:12: materials must be a map from names to materials, but is a list"},
        {"materials: {water: 5}", "s.yaml:1:20: materials.water must be a map of keys and values, but is text"},
        {"materials: {a.b: {}}",
         "s.yaml:1:13: 'a.b' is not a valid name of a material: use 1 to 63 bytes without '.' and '='"},
        {"materials: {'': {}}", "s.yaml:1:13: '' is not a valid name of a material"},
        {"solids: {shape: box}", "s.yaml:1:9: solids must be a list, but is a map; put '- ' before each item"},
        {"solids: [box]", "s.yaml:1:10: solids[0] must be a map of keys and values, but is text"},
        {"method: [pbf]", "s.yaml:1:9: the method must be a name, but is a list"},
        {WATER "fluids: [{material: [water]}]", "s.yaml:2:21: material must be the name of a material, but is a list"},
        {WATER "fluids: [{material: }]", "s.yaml:2:11: material has no value"},
        {WATER "fluids: [{shape: box}]", "s.yaml:2:10: fluids[0] has no material; add one, such as 'material: water'"},
        {WATER "fluids: [ ~ ]", "s.yaml:2:11: fluids[0] has no material"},
        {WATER "emitters: [{speed: 1}]", "s.yaml:2:12: emitters[0] has no material"},
        {WATER "fluids: [{material: water, points: 3}]", "s.yaml:2:36: points must be a list of positions"},
        {WATER "fluids: [{material: water, points: []}]", "s.yaml:2:36: points must be a list of positions"},
        {WATER "fluids: [{material: water, points: [[1, 2]]}]", "s.yaml:2:37: point must be a list of three numbers"},
        {WATER "fluids: [{material: water, points: [[1, 2, 3]], size: [1, 1, 1]}]",
         "s.yaml:2:49: fluids[0].size has no effect with points; remove one of them"},
    };
    CHECK(cases);
}

static void an_invalid_unit_is_reported_with_valid_units(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"world: {spacing: 2 mn}", "s.yaml:1:20: unknown unit 'mn' for spacing; did you mean 'mm'?\n"
                                   "    1 | world: {spacing: 2 mn}\n"
                                   "      |                    ^~"},
        {"{\"world\": {\"spacing\": \"2 mn\"}}", "s.yaml:1:26: unknown unit 'mn' for spacing; did you mean 'mm'?"},
        {"world: {spacing: 2 bananas}", "s.yaml:1:20: unknown unit 'bananas' for spacing; valid units: m, cm, mm"},
        {"world: {spacing: 2 kg}",
         "s.yaml:1:20: spacing is measured in m, but 'kg' has a different dimension; valid units: m, cm, mm"},
        {"world: {support: 2 m}", "s.yaml:1:20: support takes no unit; remove 'm'"},
        {"run: {frames: 2 frames}", "s.yaml:1:17: unknown unit 'frames': frames takes no unit"},
        {"world: {gravity: [0, 0, -9.81 m/s]}", "s.yaml:1:31: gravity is measured in m/s2, but 'm/s' has a different"},
        {"solids: [{spin: [0, 0, 2 Hz]}]",
         "s.yaml:1:26: spin is measured in rad/s, but 'Hz' has a different dimension; "
         "valid units: rad/s, deg/s, rpm"},
    };
    CHECK(cases);
}

static void features_of_yaml_1_1_are_not_supported(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"materials: {yes: {}, no: {}}", "s.yaml:1:1: the scene has no fluids, companions or emitters"},
        {"world: {<<: {spacing: 1}}", "s.yaml:1:9: merge keys ('<<') are not part of YAML 1.2"},
    };
    CHECK(cases);
}

static void invalid_yaml_is_reported_at_its_location(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"", "s.yaml:1:1: the scene is empty"},
        {"# nothing\n", "s.yaml:1:1: the scene is empty"},
        {"~", "s.yaml:1:1: the scene is empty"},
        {"[1, 2]", "s.yaml:1:1: a scene must be a map of sections, but is a list"},
        {"water", "s.yaml:1:1: a scene must be a map of sections, but is text"},
        {"world: {spacing: 1\nrun: {}\n", "s.yaml:2:4: invalid YAML: missing comma in flow mapping"},
        {"world: {gravity: [1, 2\n", "s.yaml:1:18: invalid YAML: flow sequence without a closing bracket"},
        {"world:\n\tspacing: 1\n", "s.yaml:2:1: invalid YAML: tab character may not be used as indentation"},
        {"world: a: 3\n", "s.yaml:1:9: invalid YAML: "},
        {"world: }\n", "s.yaml:1:8: invalid YAML: "},
        {"world: @x\n", "s.yaml:1:8: invalid YAML: "},
        {"world: {spacing: \"1\n", "s.yaml:1:1"},
        {"run: {frames: 1}\nrun: {frames: 2}\n", "s.yaml:2:1: duplicate key 'run', first used at s.yaml:1:1"},
        {"run: {frames: 1, \"frames\": 2}\n", "s.yaml:1:18: duplicate key 'frames', first used at s.yaml:1:7"},
        {"run: {[a]: 1}", "s.yaml:1:7: a key must be a name, not a list"},
        {"run: {: 1}", "s.yaml:1:6: a key must be a name, not empty"},
        {"world: !!map {}", "s.yaml:1:14: tags such as !!str are not supported in a scene; remove it"},
        {"world: {}\n---\nrun: {}\n", "s.yaml:2:1: a scene must be a single document, but a second one begins here"},
        {"world: *a", "s.yaml:1:8: there is no anchor '&a' for this alias"},
        {"world: &a {b: *a}", "s.yaml:1:15: the alias '*a' is inside its own anchor"},
        {"run: {frames: \"\\0\"}", "s.yaml:1:15: this text contains a control character"},
        {"run: {frames: \"\\e[31m\"}", "s.yaml:1:15: this text contains a control character"},
        {"run: {frames: \"\\u202e\"}",
         "s.yaml:1:15: this text contains a character that changes the direction of text"},
        {"run: {frames: 'a\n b'}", "s.yaml:1:15: text in single quotes must end on the same line"},
        {"include: a.yaml", "s.yaml:1:10: a scene read from memory cannot include files"},
        {WATER, "s.yaml:1:1: the scene has no fluids, companions or emitters"},
    };
    CHECK(cases);
}

static void invalid_bytes_are_rejected_before_parsing(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t length;
        const char *message;
    } cases[] = {
        {"%\xff", 2, "s:1:2: the byte 0xff is invalid UTF-8"},
        {"a\n\xc0\xaf", 4, "s:2:1: the byte 0xc0 is invalid UTF-8"},       /* overlong '/' */
        {"a\xe0\x80\xaf", 4, "s:1:2: the byte 0xe0 is invalid UTF-8"},     /* overlong     */
        {"a\xed\xa0\x80", 4, "s:1:2: the byte 0xed is invalid UTF-8"},     /* surrogate    */
        {"a\xf4\x90\x80\x80", 5, "s:1:2: the byte 0xf4 is invalid UTF-8"}, /* past U+10FFFF */
        {"a\xe2\x82", 3, "s:1:2: the byte 0xe2 is invalid UTF-8"},         /* cut short    */
        {"a\x80", 2, "s:1:2: the byte 0x80 is invalid UTF-8"},
        {"a\0b", 3, "s:1:2: U+0000 is a control character"},
        {"a\x1b[2J", 5, "s:1:2: U+001B is a control character"},
        {"a\x7f", 2, "s:1:2: U+007F is a control character"},
        {"a\xc2\x85", 3, "s:1:2: U+0085 is a control character"},
        {"a\xe2\x80\xa8", 4, "s:1:2: U+2028 is a control character"},
        {"a\xe2\x80\xae", 4, "s:1:2: U+202E is a character that changes the direction of text; remove it"},
        {"# \xd8\x9c", 4, "s:1:3: U+061C is a character that changes the direction of text; remove it"},
        {"\xff\xfem\0", 4, "s:1:1: the byte 0xff is invalid UTF-8"}, /* UTF-16       */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        dlp_Scene *scene = NULL;
        dlp_Error error = {.text = ""};
        assert_int_equal(dlp_scene_parse("s", cases[i].text, cases[i].length, NULL, 0, &scene, &error),
                         DLP_ERROR_SCENE);
        if (strncmp(error.text, cases[i].message, strlen(cases[i].message)) != 0) {
            fail_msg("got %s, expected %s", error.text, cases[i].message);
        }
        assert_null(strpbrk(error.text, "\x1b\x7f\xff"));
    }
}

static void expect(char *scene, const char *message)
{
    dlp_Scene *made = NULL;
    dlp_Error error = {.text = ""};
    assert_int_equal(dlp_scene_parse("s", scene, strlen(scene), NULL, 0, &made, &error), DLP_ERROR_SCENE);
    if (strstr(error.text, message) == NULL) {
        fail_msg("got %s, expected %s", error.text, message);
    }
    free(scene);
}

static void a_hostile_scene_is_rejected_quickly(void **state)
{
    (void)state;
    expect(repeat("a: ", "[", 40000000, ""), "more than 1000 brackets are open here");
    expect(repeat("a: ", "[", 900, ""), "nested more than 32 levels deep");
    expect(repeat("[", "[],", 2000000, "]"), "this line is longer than 4 MiB; split it into several lines");
    expect(repeat("a: ", "{", 900, ""), "a key must be a name, not a map");
    expect(repeat("a: ", "{a: ", 900, ""), "nested more than 32 levels deep");
    expect(repeat("", "- ", 1000000, ""), "nested more than 32 levels deep");
    expect(repeat("", "? ", 1000000, ""), "a key must be a name");
    expect(
        repeat("a: &a [", "1,", 1000, "]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n"),
        "aliases expand to too much data");
    expect(repeat("a: [", "&a 1, ", 2000, "]"), "at most 1000 anchors");
    expect(repeat("solids: [", "{},", 65536, "]"), "a scene may have at most 65535 solids, but this one has 65536");
    expect(repeat("run: {", "a: 1, ", 200000, "}"), "duplicate key 'a'");
    expect(repeat("", "x", 300000, ": 1"), "s:1:1: ");
    expect(repeat("world: {spacing: ", "9", 300000, "}"), "spacing must be a number");
    expect(repeat("world: {spacing: 1 ", "m.", 300000, "m}"), "unknown unit");
    expect(repeat("world: {kernel: ", "x", 300000, "}"), "kernel cannot be 'xxxxxxxx");
}

static void too_many_materials_are_rejected(void **state)
{
    (void)state;
    char *scene = malloc(65536 * 16 + 64);
    assert_non_null(scene);
    char *next = stpcpy(scene, "materials:\n");
    for (int i = 0; i < 65536; i++) {
        next += sprintf(next, "  m%d:\n", i);
    }
    expect(scene, "a scene may have at most 65535 materials, but this one has 65536");
}

static void null_arguments_are_reported_or_allowed(void **state)
{
    (void)state;
    dlp_Scene *scene = NULL;
    assert_int_equal(dlp_scene_parse("s", "a", 1, NULL, 0, &scene, NULL), DLP_ERROR_SCENE);
    assert_null(scene);
    assert_int_equal(dlp_scene_load("/nonexistent", NULL, 0, &scene, NULL), DLP_ERROR_FILE);
    assert_int_equal(dlp_scene_load(NULL, NULL, 0, &scene, NULL), DLP_ERROR_ARGUMENT);
    assert_int_equal(dlp_scene_parse(NULL, NULL, 7, NULL, 0, &scene, NULL), DLP_ERROR_SCENE);
    dlp_scene_destroy(NULL);
}

#define KEYED WATER "fluids: [{material: water}]\nsolids:\n- shape: box\n  keys: "

static void invalid_keys_are_reported_at_their_location(void **state)
{
    (void)state;
    static const Case cases[] = {
        {KEYED "[]", "s.yaml:5:9: keys must be a list such as [{time: 0, position: [0, 0, 0]}, {time: 1 s, "},
        {KEYED "{time: 0}", "s.yaml:5:9: keys must be a list such as"},
        {KEYED "[{time: 0}, 7]", "s.yaml:5:21: solids[0].keys[1] must be a map of keys and values, but is text"},
        {KEYED "[{position: [0, 0, 0]}]", "s.yaml:5:10: solids[0].keys[0] has no time; add one, such as 'time: 1 s'"},
        {KEYED "[null]", "s.yaml:5:10: solids[0].keys[0] has no time"},
        {KEYED "[{time: 0}, {time: 1}, {time: 1}]",
         "s.yaml:5:39: solids[0].keys[2] is at 1 s, but the previous key is at 1 s: times must increase"},
        {KEYED "[{time: 2 m}]", "s.yaml:5:19: time is measured in s, but 'm' has a different dimension"},
        {KEYED "[{time: .nan}]", "s.yaml:5:17: time must be"},
        {KEYED "[{time: 1e10}]", "s.yaml:5:17: time must be between -1e9 s and 1e9 s, but is 1e10 s"},
        {KEYED "[{time: 0, positon: [0, 0, 0]}]",
         "s.yaml:5:20: unknown key 'positon' in solids[0].keys[0]; did you mean 'position'?"},
        {KEYED "[{time: 0, rotation: [0, 0, 90 cm]}]", "s.yaml:5:40: rotation is measured in rad"},
        {WATER "emitters: [{material: water, keys: [{time: 1}, {time: 0}]}]",
         "s.yaml:2:55: emitters[0].keys[1] is at 0 s, but the previous key is at 1 s"},
        {WATER "fluids: [{material: water, keys: []}]", "s.yaml:2:28: unknown key 'keys' in fluids[0]"},
    };
    CHECK(cases);
}

#define FLOWING WATER "emitters:\n- material: water\n  flow: "

static void invalid_flows_are_reported_at_their_location(void **state)
{
    (void)state;
    static const Case cases[] = {
        {FLOWING "[]", "s.yaml:4:9: flow must be a list of 1 to 100000 pairs such as [0.5 s, 1]: a time and a factor"},
        {FLOWING "1", "s.yaml:4:9: flow must be a list"},
        {FLOWING "[[0, 1], 1]", "s.yaml:4:18: flow must consist of pairs such as [0.5 s, 1]"},
        {FLOWING "[[0, 1, 2]]", "s.yaml:4:10: flow must consist of pairs"},
        {FLOWING "[[0, 1], [0, 2]]",
         "s.yaml:4:18: the flow entry at 0 s comes after the one at 0 s: times must increase"},
        {FLOWING "[[0 m, 1]]", "s.yaml:4:13: time is measured in s"},
        {FLOWING "[[0, -1]]", "s.yaml:4:14: factor must be between 0 and 1000, but is -1"},
        {FLOWING "[[0, [1]]]", "s.yaml:4:14: factor"},
        {WATER "emitters:\n- {material: water, flaw: 1}",
         "s.yaml:3:21: unknown key 'flaw' in emitters[0]; did you mean 'flow'?"},
        {WATER "emitters:\n- {material: water, rate: 3 kg/s}", "s.yaml:3:29: rate is measured in m3/s"},
        {WATER "fluids:\n- {material: water, points: [[0, 0, 0]], spin: [0, 0, 1]}",
         "s.yaml:3:42: fluids[0].spin has no effect with points; remove one of them"},
    };
    CHECK(cases);
}

#define THICK "materials: {honey: {viscosity: 19, heat_capacity: 2400, viscosity_at: "

static void invalid_viscosities_are_reported_at_their_location(void **state)
{
    (void)state;
    static const Case cases[] = {
        {THICK "[]}}", "s.yaml:1:71: viscosity_at must be a list of 1 to 100000 pairs such as [20 degC, 19 Pa.s]"},
        {THICK "19}}", "s.yaml:1:71: viscosity_at must be a list"},
        {THICK "[300, 19]}}", "s.yaml:1:72: viscosity_at must consist of pairs"},
        {THICK "[[300]]}}", "s.yaml:1:72: viscosity_at must consist of pairs"},
        {THICK "[[300, 19], [300, 6]]}}",
         "s.yaml:1:83: the viscosity_at entry at 300 K comes after the one at 300 K: temperatures must increase"},
        {THICK "[[300, 19 Pa]]}}", "s.yaml:1:81: viscosity is measured in Pa.s"},
        {THICK "[[300 m, 19]]}}", "s.yaml:1:77: temperature is measured in K"},
        {THICK "[[300, -1]]}}", "s.yaml:1:78: viscosity must be"},
    };
    CHECK(cases);
}

#define MODES "method: physical\nmaterials: {goo: {modes: "
#define GOO   "}}\nfluids: [{material: goo}]"

static void invalid_rows_are_reported_at_their_location(void **state)
{
    (void)state;
    static const Case cases[] = {
        {MODES "[]" GOO,
         "s.yaml:2:26: modes must be a list of 1 to 8 pairs such as [0.1 s, 500 Pa]: relaxation_time and "
         "modulus\n"
         "    2 | materials: {goo: {modes: []}}\n"
         "      |                          ^"},
        {MODES "5" GOO, "s.yaml:2:26: modes must be a list of 1 to 8 pairs"},
        {MODES "[[1, 2], [2, 2], [3, 2], [4, 2], [5, 2], [6, 2], [7, 2], [8, 2], [9, 2]]" GOO,
         "s.yaml:2:26: modes must be a list of 1 to 8 pairs"},
        {MODES "[1, 2]" GOO, "s.yaml:2:27: modes must consist of pairs such as [0.1 s, 500 Pa]"},
        {MODES "[[1, 2, 3]]" GOO, "s.yaml:2:27: modes must consist of pairs such as [0.1 s, 500 Pa]"},
        {MODES "[[1 s, 2 s]]" GOO, "s.yaml:2:35: modulus is measured in Pa"},
        {MODES "[[0, 2]]" GOO, "s.yaml:2:28: relaxation_time must be between 1e-9 s and 1e9 s, but is 0 s"},
        {MODES "[[1, 2], [1, 3]]" GOO,
         "s.yaml:2:35: the modes entry at 1 s comes after the one at 1 s: relaxation_times must increase"},
        {"method: mps\nmaterials: {goo: {modes: [[1, 2]]" GOO,
         "s.yaml:2:19: materials.goo.modes has no effect in method mps; remove it, or use method: physical; other methods "
         "have viscosity, modulus and relaxation_time only"},
        {"method: physical\nmaterials: {goo: {flow_curve: [[1, 2]]" GOO,
         "s.yaml:2:19: materials.goo.flow_curve has no effect with flow_law: newtonian; remove it, or use flow_law: table"},
        {"method: physical\nmaterials: {goo: {viscosity: 1, elastic_law: giesekus" GOO,
         "s.yaml:2:33: materials.goo.elastic_law has no effect without modulus, relaxation_time or modes"},
        {"method: physical\nmaterials: {goo: {viscosity: 1, wlf_c1: 8" GOO,
         "s.yaml:2:33: materials.goo.wlf_c1 has no effect without wlf_c2"},
        {"method: physical\nmaterials: {goo: {viscosity: 1, wlf_c1: 8, wlf_c2: 100, activation_energy: 1e4" GOO,
         "s.yaml:2:33: materials.goo.wlf_c1 has no effect with activation_energy; remove one of them"},
    };
    CHECK(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(invalid_flows_are_reported_at_their_location),
        cmocka_unit_test(invalid_rows_are_reported_at_their_location),
        cmocka_unit_test(invalid_viscosities_are_reported_at_their_location),
        cmocka_unit_test(invalid_keys_are_reported_at_their_location),
        cmocka_unit_test(a_message_shows_the_line_and_a_caret),
        cmocka_unit_test(a_long_line_is_cut_around_the_location),
        cmocka_unit_test(a_misspelled_name_gets_a_suggestion),
        cmocka_unit_test(a_value_out_of_range_is_reported_with_the_range),
        cmocka_unit_test(a_value_of_the_wrong_type_is_reported_with_the_expected_type),
        cmocka_unit_test(an_invalid_unit_is_reported_with_valid_units),
        cmocka_unit_test(features_of_yaml_1_1_are_not_supported),
        cmocka_unit_test(invalid_yaml_is_reported_at_its_location),
        cmocka_unit_test(invalid_bytes_are_rejected_before_parsing),
        cmocka_unit_test(a_hostile_scene_is_rejected_quickly),
        cmocka_unit_test(too_many_materials_are_rejected),
        cmocka_unit_test(null_arguments_are_reported_or_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

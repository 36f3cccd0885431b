/* Every key of a scene with every kind of bad value: reading, building and one step end within seconds, and what is refused is refused
 * with a message that gives the line and names the key or its item. About 1,500 inputs by a fixed choice; with DOLLOP_TEST_SCALE=full all
 * of them. Each input is a scene in which the key can matter (tests/support/key_scenes.h). DOLLOP_FUZZ=verbose prints every input.
 * ctest: full */
#include "scene/scene_internal.h"
#include "support/key_scenes.h"
#include "support/scale.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum {
    LONG_BYTES = 100000, /* of very long and very deep values */
    DEEP_LEVELS = 10000,
    MEMORY_MOST = 256 << 20, /* bytes of a world; values that need more are refused by the allocator */
    SECONDS_MOST = 20,       /* for one input, of all threads */
    SAMPLES = 1500,          /* without DOLLOP_TEST_SCALE=full */
};

/* A line break in a value starts a line of its own. */
static const char *const VALUES[] = {
    /* numbers */
    "0",
    "-0",
    "1",
    "-1",
    "0.5",
    "1e308",
    "-1e308",
    "1e-308",
    "5e-324",
    "1e309",
    "nan",
    ".nan",
    "NaN",
    "inf",
    "-inf",
    ".inf",
    "1e6",
    "1e-6",
    "99999999999999999999",
    "-9223372036854775809",
    "2147483648",
    "0x7fffffff",
    "1_000",
    "1,5",
    "+5",
    "1e",
    "--1",
    "0x",
    "1.5.2",
    /* units */
    "1 parsec",
    "5 kg",
    "3 s",
    "-3 m",
    "1 m m",
    "1e308 km",
    "m",
    "5 %",
    "20 degC",
    "-300 degC",
    "1 Pa.s",
    "1 Pa.s/",
    "1 m^99",
    /* vectors, lists and maps */
    "[]",
    "[1]",
    "[1, 2]",
    "[1, 2, 3]",
    "[1, 2, 3, 4]",
    "[nan, nan, nan]",
    "[1e308, -1e308, 1e308]",
    "[1e-308, 0, 0]",
    "[a, b, c]",
    "[[1, 2], [3]]",
    "[[0, 0], [0, 0]]",
    "[[1, 1e308], [2, nan]]",
    "[{time: 0}, {time: 0}]",
    "[{time: nan}]",
    "[null, null]",
    "{}",
    "{a: b}",
    "{name: x}",
    "{? [a]: b}",
    "{a: 1, a: 2}",
    "{1: {2: {3: 4}}}",
    /* words */
    "",
    "null",
    "~",
    "true",
    "off",
    "yes",
    "auto",
    "none",
    "text",
    "'quoted'",
    "goo",
    "ball",
    "box",
    "a.b=c",
    "../../../../etc/passwd",
    "/dev/zero",
    "cube_1.obj",
    ".",
    "\"\"",
    "' '",
    /* characters */
    "\"\\0\"",
    "\"\\e[31m\"",
    "\"\\u202e\"",
    "\"\\ud800\"",
    "\xe2\x80\xae!",
    "\x1b[2J",
    "\xff\xfe",
    "\xc0\xaf",
    "\xf0\x9f\x8d\xaf",
    "a\tb",
    "a\r",
    "\xef\xbb\xbf",
    /* YAML */
    "*none",
    "&a [*a]",
    "&a 1",
    "!!str x",
    "!!binary xx",
    "!<tag:x> y",
    "[1, 2",
    "{a: 1",
    "'abc",
    "\"abc",
    "]",
    "}",
    "- 1",
    "? x",
    "|",
    ">",
    "@x",
    "`x",
    "%YAML 9",
    "# comment",
    "1 # comment",
    "\n---\n",
    "\n...\n",
    "\n\tx",
    "<<: *x",
    "1: 2: 3",
    "a: b",
};
enum { VALUE_COUNT = sizeof VALUES / sizeof VALUES[0] };

/* Values that are too large to be written down. */
typedef enum LargeValue {
    LONG_WORD,
    LONG_NUMBER,
    LONG_LIST,
    DEEP_LIST,
    DEEP_MAP,
    ALIAS_BOMB,
    BOUNDS,
    LARGE_COUNT = BOUNDS + 4
} LargeValue;

typedef struct Input {
    const char *method;
    const dlp__SceneSection *section;
    const dlp_ParamTable *table; /* null: the key is not a parameter */
    const dlp_Param *param;      /* null: likewise */
    const char *key;
    int value; /* index in VALUES, then LargeValue */
} Input;

typedef struct Counts {
    int inputs, unread, unbuilt, unstepped, ran, failures;
    double slowest; /* s */
    char slowest_input[160];
} Counts;

static char value_text[8 * LONG_BYTES], scene_text[SCENE_TEXT_BYTES + sizeof value_text], current[160];
static Counts counts;

static void repeat(const char *text, int times)
{
    const size_t length = strlen(text);
    char *end = value_text + strlen(value_text);
    for (int i = 0; i < times; i++, end += length) {
        memcpy(end, text, length + 1);
    }
}

/* Ten levels of ten aliases each. */
static void write_alias_bomb(void)
{
    char *end = value_text;
    end += sprintf(end, "[&a0 [x, x, x, x, x, x, x, x, x, x]");
    for (int i = 1; i < 10; i++) {
        const int b = i - 1;
        end += sprintf(end, ", &a%d [*a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d]", i, b, b, b, b, b, b,
                       b, b, b, b);
    }
    sprintf(end, "]");
}

/* The limits of the parameter and the numbers next to them. */
static void write_bound(const dlp_Param *param, int which)
{
    const double least = param != NULL ? param->least : -1e300, most = param != NULL ? param->most : 1e300;
    const double bounds[4] = {least, most, least - 1e-9 * (1.0 + (least < 0 ? -least : least)),
                              most + 1e-9 * (1.0 + (most < 0 ? -most : most))};
    const char *format = param != NULL && param->type == DLP_PARAM_VEC3 ? "[%.17g, %.17g, %.17g]" : "%.17g";
    snprintf(value_text, sizeof value_text, format, bounds[which], bounds[which], bounds[which]);
}

static void write_value(const Input *input)
{
    const int large = input->value - VALUE_COUNT;
    value_text[0] = 0;
    switch (large) {
    case LONG_WORD: repeat("x", LONG_BYTES); break;
    case LONG_NUMBER: repeat("9", LONG_BYTES); break;
    case LONG_LIST:
        repeat("[", 1);
        repeat("1, ", LONG_BYTES);
        repeat("1]", 1);
        break;
    case DEEP_LIST:
        repeat("[", DEEP_LEVELS);
        repeat("]", DEEP_LEVELS);
        break;
    case DEEP_MAP:
        repeat("{a: ", DEEP_LEVELS);
        repeat("}", DEEP_LEVELS);
        break;
    case ALIAS_BOMB: write_alias_bomb(); break;
    default:
        if (large >= BOUNDS) {
            write_bound(input->param, large - BOUNDS);
        } else {
            snprintf(value_text, sizeof value_text, "%s", VALUES[input->value]);
        }
    }
}

/* The end of a value in flow style. */
static const char *skip_value(const char *text)
{
    int depth = 0;
    while (depth > 0 || (*text != ',' && *text != '}')) {
        depth += (*text == '[' || *text == '{') - (*text == ']' || *text == '}');
        text++;
    }
    return text;
}

/* Where the first item of a section begins, after its brace. */
static char *find_item(char *scene, const dlp__SceneSection *section)
{
    char start[DLP_NAME_SIZE + 3];
    snprintf(start, sizeof start, "\n%s:", section->key);
    char *found = strncmp(scene, start + 1, strlen(start) - 1) == 0 ? scene : strstr(scene, start);
    assert_non_null(found);
    found = strchr(found, '{') + 1;
    return section->form == DLP_FORM_NAMED ? strchr(found, '{') + 1 : found;
}

/* Remove the key from the item, if it has it. */
static void remove_key(char *item, const char *key)
{
    const size_t length = strlen(key);
    for (char *at = item; *at != '}' && *at != '\n';) {
        const char *end = skip_value(at);
        if (strncmp(at, key, length) == 0 && at[length] == ':') {
            end += *end == ',';
            end += *end == ' ';
            memmove(at, end, strlen(end) + 1);
            return;
        }
        at += end - at;
        at += *at == ',';
        at += *at == ' ';
    }
}

/* The line of the key in the scene. */
static int write_scene(const Input *input)
{
    const KeyTrial *special = input->param != NULL ? key_trial(input->section->key, input->key, input->method) : NULL;
    char scene[SCENE_TEXT_BYTES];
    const bool of_mesh = (input->param != NULL && input->param->type == DLP_PARAM_MESH) ||
                         strcmp(input->section->key, "meshes") == 0;
    make_scene(input->section, special, input->method, VISCOUS | (of_mesh ? MESHES : PLAIN), scene);
    char *item = find_item(scene, input->section);
    remove_key(item, input->key);
    const size_t before = (size_t)(item - scene);
    snprintf(scene_text, sizeof scene_text, "%.*s%s: %s%s%s", (int)before, scene, input->key, value_text,
             *item == '}' ? "" : ", ", item);
    int line = 1;
    for (size_t i = 0; i < before; i++) {
        line += scene_text[i] == '\n';
    }
    return line;
}

/* Settings under which the key has an effect. */
static void choose_settings(const Input *input, Settings *settings)
{
    const dlp_Param *param = input->param;
    const KeyTrial *special = param != NULL ? key_trial(input->section->key, input->key, input->method) : NULL;
    const char *clause = NULL;
    const dlp_Param *choice = param != NULL ? find_choice(input->table, param->when, &clause) : NULL;
    if (choice != NULL && input->section->form == DLP_FORM_LIST) {
        char value[64], text[160];
        const char *begin = strchr(clause, '=') + 1;
        snprintf(value, sizeof value, "%.*s", (int)strcspn(begin, "|,"), begin);
        snprintf(text, sizeof text, "%s.0.%s=%s", input->section->key, choice->name, value);
        add_setting(settings, text, strlen(text));
        add_settings(settings, choice_settings(input->section->key, choice->name, value), has_rheology(input->method));
    }
    add_settings(settings, special != NULL ? special->settings : "", has_rheology(input->method));
}

static void fail_input(const char *problem, const char *text)
{
    print_message("FAILED %s: %s\n    %.300s\n", current, problem, text);
    counts.failures++;
}

/* The message gives the line of the key and names the key or its section. (`line` 0: any line, for an error of the world, which may
 * concern an item that the key affects.) Exceptions: an error of YAML may be noticed on
 * a later line, and of a long line only the part around the error is shown; a setting that the key contradicts may be what is refused. */
static void check_message(const Input *input, int line, const char *text)
{
    int reported = 0;
    const bool is_syntax = strstr(text, "invalid YAML") != NULL || strchr(value_text, '\n') != NULL;
    const bool is_named = strstr(text, input->key) != NULL || strstr(text, input->section->key) != NULL;
    if (text[0] == 0 || strlen(text) > 1000) {
        fail_input("the message is empty or cut off", text);
    } else if (strncmp(text, "setting '", 9) != 0 && sscanf(text, "s.yaml:%d:", &reported) != 1) {
        fail_input("the message does not give a line", text);
    } else if (reported > 0 && line > 0 && (is_syntax ? reported < line : reported != line)) {
        fail_input("the message gives another line", text);
    } else if (line > 0 && !is_named && !is_syntax && strlen(value_text) < 80) {
        fail_input("the message names neither the key nor its section", text);
    }
    for (const unsigned char *c = (const unsigned char *)text; *c != 0; c++) {
        if ((*c < 0x20 && *c != '\n') || *c == 0x7f) {
            fail_input("the message has control characters", "");
            break;
        }
    }
}

static size_t allocated;

static void *allocate(void *user, size_t size, size_t alignment)
{
    (void)user;
    void *memory = allocated + size <= MEMORY_MOST
                       ? aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)
                       : NULL;
    allocated += memory != NULL ? size : 0;
    return memory;
}

static void release(void *user, void *memory, size_t size)
{
    (void)user;
    allocated -= size;
    free(memory);
}

static void build_and_step(const Input *input, dlp_Scene *scene)
{
    dlp_World *world = NULL;
    dlp_Error error = {.text = ""};
    dlp_scene_world(scene)->hooks.allocator = (dlp_Allocator){allocate, release, NULL};
    dlp_Result result = dlp_scene_build(scene, &world, &error);
    if (result != DLP_OK) {
        counts.unbuilt++;
        if (result != DLP_ERROR_SCENE && result != DLP_ERROR_MEMORY && result != DLP_ERROR_RESOURCE) {
            fail_input("building returned another result than the scene's", dlp_result_name(result));
        }
        check_message(input, 0, error.text);
    } else {
        result = dlp_world_step(world, 1e-3);
        counts.unstepped += result != DLP_OK;
        counts.ran += result == DLP_OK;
        if (result != DLP_OK && dlp_world_error(world)[0] == 0) {
            fail_input("a step failed without a message", dlp_result_name(result));
        }
    }
    dlp_world_destroy(world);
    if (allocated != 0) {
        fail_input("the world kept memory", "");
        allocated = 0;
    }
}

static void try_input(const Input *input)
{
    const clock_t begin = clock();
    write_value(input);
    snprintf(current, sizeof current, "%s: %s.%s: %.60s", input->method, input->section->key, input->key, value_text);
    const int line = write_scene(input);
    Settings settings = {.count = 0};
    choose_settings(input, &settings);
    const char *list[SETTINGS_MOST];
    for (int i = 0; i < settings.count; i++) {
        list[i] = settings.text[i];
    }
    alarm(SECONDS_MOST * 6); /* for what does not end; see stop() */
    dlp_Scene *scene = NULL;
    dlp_Error error = {.text = ""};
    const dlp_Result result = dlp_scene_parse("s.yaml", scene_text, strlen(scene_text), list, settings.count, &scene,
                                              &error);
    if (result == DLP_OK) {
        build_and_step(input, scene);
    } else {
        counts.unread++;
        if (result != DLP_ERROR_SCENE) {
            fail_input("reading returned another result than the scene's", dlp_result_name(result));
        }
        check_message(input, line, error.text);
    }
    dlp_scene_destroy(scene);
    alarm(0);
    const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC; /* of all threads */
    counts.inputs++;
    if (seconds > counts.slowest) {
        counts.slowest = seconds;
        memcpy(counts.slowest_input, current, sizeof current);
    }
    if (seconds > SECONDS_MOST && getenv("DOLLOP_SANITIZED") == NULL) {
        fail_input("it takes too long", "");
    }
    if (getenv("DOLLOP_FUZZ") != NULL) {
        print_message("%.3f s %s\n    %.200s\n", seconds, current, error.text);
    }
}

/* One input of the sample in `SAMPLES * stride`, chosen by a hash of its number. */
static void consider(Input input, int value_count, int64_t *number, int64_t total)
{
    for (input.value = 0; input.value < value_count; input.value++, ++*number) {
        const uint64_t hash = ((uint64_t)*number + 1) * 0x9e3779b97f4a7c15u;
        if (total == 0 || (hash >> 32) % (uint64_t)total < SAMPLES) {
            if (total >= 0) {
                try_input(&input);
            }
        }
    }
}

static void consider_table(Input input, const dlp_ParamTable *table, int64_t *number, int64_t total)
{
    for (int i = 0; table != NULL && i < table->count; i++) {
        if (dlp__scene_has_param(input.section, &table->params[i])) {
            input.table = table;
            input.param = &table->params[i];
            input.key = table->params[i].name;
            consider(input, VALUE_COUNT + LARGE_COUNT, number, total);
        }
    }
}

static void consider_key(Input input, const char *key, int64_t *number, int64_t total)
{
    if (key != NULL) {
        input.key = key;
        consider(input, VALUE_COUNT + BOUNDS, number, total);
    }
}

/* All inputs. `total`: -1 only counts them, 0 tries all, otherwise about SAMPLES of so many. Sections are read in the same way with every
 * method: only the parameters of methods are tried with all of them. */
static int64_t consider_all(int64_t total)
{
    int64_t number = 0;
    for (int m = 0; m < dlp_method_count(); m++) {
        for (int id = DLP_SECTION_WORLD; id < DLP_SECTION_COUNT; id++) {
            const dlp__SceneSection *section = dlp__scene_section((dlp__SectionId)id);
            Input input = {.method = dlp_method_name(m), .section = section};
            if (id == DLP_SECTION_METHOD) {
                consider_table(input, dlp_method_params(input.method), &number, total);
            } else if (id == DLP_SECTION_MATERIALS) {
                consider_table(input, dlp_method_material_params(input.method), &number, total);
            }
            if (m == 0) {
                consider_table(input, section->table != NULL ? section->table() : NULL, &number, total);
                consider_key(input, section->extra, &number, total);
                consider_key(input, section->rows, &number, total);
                consider_key(input, "unknown", &number, total);
                for (const dlp__SceneInfo *info = section->info; info != NULL && info->key != NULL; info++) {
                    consider_key(input, info->key, &number, total);
                }
            }
        }
    }
    return number;
}

static void stop(int number)
{
    (void)number;
    (void)!write(STDERR_FILENO, "does not end: ", 14);
    (void)!write(STDERR_FILENO, current, strlen(current));
    _exit(1);
}

static void every_bad_value_of_every_key_is_handled(void **state)
{
    (void)state;
    write_key_meshes();
    signal(SIGALRM, stop);
    const int64_t total = consider_all(-1);
    consider_all(full_scale() ? 0 : total);
    print_message(
        "%d of %lld inputs: %d refused while read, %d while built, %d by the step, %d ran; at most %.2f s (%s)\n",
        counts.inputs, (long long)total, counts.unread, counts.unbuilt, counts.unstepped, counts.ran, counts.slowest,
        counts.slowest_input);
    assert_int_equal(counts.failures, 0);
    assert_true(counts.inputs > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_bad_value_of_every_key_is_handled)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

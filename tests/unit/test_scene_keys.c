/* No key is silent: for every method and every key of every section, setting the key changes the result, or the scene is refused
 * with a message that says so, or the key is documented as having no effect on the simulation, and then has none.
 * Prints the counts per method. DOLLOP_KEYS=verbose prints every trial. */
#include "scene/scene_internal.h"
#include "support/key_scenes.h"
#include "support/world_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

typedef struct Outcome {
    bool ran;
    uint64_t hash;
    char error[512]; /* if it did not run */
} Outcome;

typedef struct Counts {
    int changed, refused, inert, silent;
} Counts;

static bool verbose;

static uint64_t hash_bytes(uint64_t hash, const void *data, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ ((const unsigned char *)data)[i]) * 1099511628211u;
    }
    return hash;
}

/* Of particles and solids. */
static uint64_t hash_world(const dlp_World *world)
{
    uint64_t hash = dlp_world_hash(world);
    for (int i = 0; i < dlp_world_solid_count(world); i++) {
        dlp_SolidState state;
        assert_int_equal(dlp_world_solid_state(world, i, &state), DLP_OK);
        hash = hash_bytes(hash, &state, sizeof state);
    }
    return hash;
}

static bool run_world(const dlp_RunDef *run, dlp_World *world)
{
    const double frame = 1.0 / run->frame_rate;
    int steps = 1;
    while (frame / steps > run->time_step * (1.0 + 1e-9)) {
        steps++;
    }
    for (int64_t i = 0; i < run->frames * steps; i++) {
        if (dlp_world_step(world, frame / steps) != DLP_OK) {
            return false;
        }
    }
    return true;
}

/* `method`: replaces the method of the scene once it has been read, and only motion is compared; null: the scene's own. */
static Outcome try_scene(const char *scene_text, const Settings *settings, const char *method)
{
    const char *list[SETTINGS_MOST];
    for (int i = 0; i < settings->count; i++) {
        list[i] = settings->text[i];
    }
    Outcome outcome = {.ran = false};
    dlp_Error error = {.text = ""};
    dlp_Scene *scene = NULL;
    dlp_World *world = NULL;
    dlp_Result result = dlp_scene_parse("s.yaml", scene_text, strlen(scene_text), list, settings->count, &scene,
                                        &error);
    if (result == DLP_OK && method != NULL) {
        snprintf(dlp_scene_world(scene)->method, DLP_NAME_SIZE, "%s", method);
    }
    if (result == DLP_OK && dlp_scene_build(scene, &world, &error) == DLP_OK) {
        outcome.ran = run_world(dlp_scene_run(scene), world);
        if (outcome.ran) {
            outcome.hash = method != NULL ? motion_hash(world) : hash_world(world);
        } else {
            snprintf(error.text, sizeof error.text, "%s", dlp_world_error(world));
        }
    }
    snprintf(outcome.error, sizeof outcome.error, "%.500s", error.text);
    dlp_world_destroy(world);
    dlp_scene_destroy(scene);
    return outcome;
}

/* The same without the key; repeated for keys that share their settings. */
static Outcome try_base(const char *scene_text, const Settings *settings)
{
    static char last_text[SCENE_TEXT_BYTES];
    static Settings last_settings;
    static Outcome last;
    bool same = strcmp(last_text, scene_text) == 0 && last_settings.count == settings->count;
    for (int i = 0; i < settings->count && same; i++) {
        same = strcmp(last_settings.text[i], settings->text[i]) == 0;
    }
    if (!same) {
        last = try_scene(scene_text, settings, NULL);
        last_settings = *settings;
        snprintf(last_text, sizeof last_text, "%s", scene_text);
    }
    return last;
}

/* A value that differs from the default. */
static void describe_value(const dlp_Param *param, char *text, size_t size)
{
    const double *v = param->value;
    const double real = v[0] == 0.0 ? 1.0 : 1.5 * v[0];
    switch (param->type) {
    case DLP_PARAM_REAL:
        snprintf(text, size, "%.9g", real >= param->least && real <= param->most ? real : 0.5 * v[0]);
        break;
    case DLP_PARAM_INT: snprintf(text, size, "%.0f", v[0] + 1.0 <= param->most ? v[0] + 1.0 : v[0] - 1.0); break;
    case DLP_PARAM_BOOL: snprintf(text, size, "%s", v[0] != 0.0 ? "false" : "true"); break;
    case DLP_PARAM_VEC3: snprintf(text, size, "[%.9g, %.9g, %.9g]", v[0] + 0.3, v[1] + 0.2, v[2] + 0.1); break;
    case DLP_PARAM_CHOICE: snprintf(text, size, "%s", param->choices[v[0] == 0.0 ? 1 : 0]); break;
    case DLP_PARAM_MATERIAL: snprintf(text, size, "other"); break;
    case DLP_PARAM_MESH: snprintf(text, size, "block2"); break;
    case DLP_PARAM_FLAGS: snprintf(text, size, "[%s]", param->choices[0]); break;
    case DLP_PARAM_ROWS: snprintf(text, size, "[%s]", param->rows->example); break;
    case DLP_PARAM_NAME:
    case DLP_PARAM_SOLID: snprintf(text, size, "ball"); break;
    }
}

/* One trial of a key. `scene` already has its method. */
typedef struct Trial {
    const char *scene, *method;
    const char *path;  /* of the key, such as "solids.0.radius" */
    const char *value; /* to be set */
    const dlp_Param *param;
    const char *label; /* further circumstances, for messages */
} Trial;

/* Whether the message is the refusal of this key: "solids[0].radius has no effect". A setting that the key needs may be refused
 * first, if the same choice or the method excludes both. */
static bool is_refusal(const Trial *trial, const Outcome *outcome, bool of_any_key)
{
    char text[128];
    snprintf(text, sizeof text, ".%s has no effect", strrchr(trial->path, '.') + 1);
    return !outcome->ran && strstr(outcome->error, of_any_key ? " has no effect" : text) != NULL;
}

typedef enum Expectation {
    HAS_EFFECT, /* unless the method does not use the key */
    IS_REFUSED, /* the condition of the key does not hold */
    NOT_SILENT, /* has an effect or is refused, for any reason */
} Expectation;

/* `base`: settings without the key. */
static void try_key(const Trial *trial, const Settings *base, Expectation expectation, Counts *counts)
{
    const clock_t started = clock();
    Settings with = *base;
    char setting[SETTING_BYTES];
    snprintf(setting, sizeof setting, "%s=%s", trial->path, trial->value);
    add_setting(&with, setting, strlen(setting));
    const Outcome after = try_scene(trial->scene, &with, NULL);
    const char *what = NULL;
    const bool must_refuse = expectation == IS_REFUSED;
    const bool is_unused = !dlp_method_uses(trial->method, trial->param);
    const bool may_refuse = must_refuse || dlp_params_inert(trial->param) != NULL || is_unused;
    if ((may_refuse && is_refusal(trial, &after, must_refuse || is_unused)) ||
        (expectation == NOT_SILENT && !after.ran)) {
        what = "refused";
        counts->refused++;
    } else if (!must_refuse) {
        const Outcome before = try_base(trial->scene, base);
        if (!after.ran && (strstr(after.error, "have no inside to fill") != NULL ||
                           strstr(after.error, "needs an opening") != NULL)) {
            return; /* such a fluid or probe is impossible whatever the key */
        }
        const bool inert = dlp_params_inert(trial->param) != NULL;
        const bool same = before.ran && after.ran && before.hash == after.hash;
        if (!after.ran) {
            what = NULL;
        } else if (inert) {
            what = same ? "inert" : NULL;
            counts->inert += same;
        } else {
            what = same ? NULL : "changed";
            counts->changed += !same;
        }
        if (what == NULL && !before.ran) {
            print_message("    without it: %s\n", before.error);
        }
    }
    if (what == NULL) {
        counts->silent++;
        print_message("SILENT %s: %s=%s%s%s%s%s\n", trial->method, trial->path, trial->value, trial->label,
                      must_refuse ? " is not refused" : "", after.ran ? "" : ": ", after.ran ? "" : after.error);
        for (int i = 0; i < base->count; i++) {
            print_message("    %s\n", base->text[i]);
        }
    } else if (verbose) {
        print_message("%s %.0f ms %s: %s=%s%s\n", what, 1e3 * (double)(clock() - started) / CLOCKS_PER_SEC,
                      trial->method, trial->path, trial->value, trial->label);
    }
}

/* Whether `value` is in the clause "choice=a|b" of a condition. */
static bool is_listed(const char *clause, const char *value)
{
    const char *word = strchr(clause, '=') + 1;
    const size_t length = strlen(value), end = strcspn(word, ",");
    for (const char *at = word; at < word + end; at += strcspn(at, "|,") + 1) {
        if (strncmp(at, value, length) == 0 && strchr("|,", at[length]) != NULL) {
            return true;
        }
    }
    return false;
}

/* Settings that only make the fluid move, without those that a key needs. */
static void keep_motion(const Settings *settings, Settings *motion)
{
    for (int i = 0; i < settings->count; i++) {
        if (strncmp(settings->text[i], "fluids.", 7) == 0) {
            add_setting(motion, settings->text[i], strlen(settings->text[i]));
        }
    }
}

/* `prefix` is the path of the item, such as "solids.0". */
static void try_param(const dlp__SceneSection *section, const dlp_ParamTable *table, const dlp_Param *param,
                      const char *prefix, const char *method, Counts *counts)
{
    const KeyTrial *special = key_trial(section->key, param->name, method);
    char scene[SCENE_TEXT_BYTES];
    char path[SETTING_BYTES];
    char value[SETTING_BYTES];
    const bool of_mesh = param->type == DLP_PARAM_MESH || strcmp(section->key, "meshes") == 0;
    make_scene(section, special, method, VISCOUS | (of_mesh ? MESHES : 0), scene);
    snprintf(path, sizeof path, "%s.%s", prefix, param->name);
    describe_value(param, value, sizeof value);
    Trial trial = {scene, method, path, special != NULL && special->value != NULL ? special->value : value, param, ""};
    Settings base = {.count = 0};
    add_settings(&base, special != NULL ? special->settings : "", has_rheology(method));
    const char *clause = NULL;
    const dlp_Param *choice = find_choice(table, param->when, &clause);
    bool form_seen = false;
    for (int c = 0; choice != NULL && choice->choices[c] != NULL; c++) {
        char label[128];
        Settings chosen = {.count = 0};
        snprintf(label, sizeof label, "%s.%s=%s", prefix, choice->name, choice->choices[c]);
        add_setting(&chosen, label, strlen(label));
        add_settings(&chosen, choice_settings(section->key, choice->name, choice->choices[c]), has_rheology(method));
        for (int i = 0; i < base.count; i++) {
            add_setting(&chosen, base.text[i], strlen(base.text[i]));
        }
        snprintf(label, sizeof label, " with %s: %s", choice->name, choice->choices[c]);
        trial.label = label;
        const bool shows_mesh = of_mesh || strcmp(choice->choices[c], "mesh") == 0;
        make_scene(section, special, method, VISCOUS | (shows_mesh ? MESHES : 0), scene);
        const bool listed = is_listed(clause, choice->choices[c]);
        /* The forms of a mesh are the same for every method: each is run with the first one only. */
        if (!listed || strcmp(method, dlp_method_name(0)) == 0 || strcmp(section->key, "meshes") != 0 || !form_seen) {
            try_key(&trial, &chosen, listed ? HAS_EFFECT : IS_REFUSED, counts);
        }
        form_seen = form_seen || listed;
    }
    if (choice == NULL) {
        try_key(&trial, &base, HAS_EFFECT, counts);
    }
    if (choice == NULL && base.count > 0) {
        Settings motion = {.count = 0};
        keep_motion(&base, &motion);
        make_scene(section, special, method, PLAIN | (of_mesh ? MESHES : 0), scene);
        trial.label = " alone";
        try_key(&trial, &motion, NOT_SILENT, counts);
    }
}

static void try_table(const dlp__SceneSection *section, const dlp_ParamTable *table, const char *prefix,
                      const char *method, Counts *counts)
{
    const char *only = getenv("DOLLOP_KEYS_ONLY");
    for (int i = 0; i < table->count; i++) {
        if (dlp__scene_has_param(section, &table->params[i]) &&
            (only == NULL || strcmp(only, table->params[i].name) == 0)) {
            try_param(section, table, &table->params[i], prefix, method, counts);
        }
    }
    if (section->rows != NULL && table == section->table()) {
        const dlp_Param rows = {.name = section->rows, .use = section->rows_use, .type = DLP_PARAM_NAME};
        try_param(section, table, &rows, prefix, method, counts);
    }
    if (section->extra != NULL && section->form == DLP_FORM_LIST) {
        const dlp_Param extra = {.name = section->extra, .when = section->extra_when, .type = DLP_PARAM_NAME};
        try_param(section, table, &extra, prefix, method, counts);
    }
}

static void try_section(dlp__SectionId id, const char *method, Counts *counts)
{
    const dlp__SceneSection *section = dlp__scene_section(id);
    char prefix[64];
    switch (section->form) {
    case DLP_FORM_INCLUDE: break;
    case DLP_FORM_MAP: try_table(section, section->table(), section->key, method, counts); break;
    case DLP_FORM_METHOD: try_table(section, dlp_method_params(method), section->key, method, counts); break;
    case DLP_FORM_NAMED:
        snprintf(prefix, sizeof prefix, "%s.%s", section->key, id == DLP_SECTION_MATERIALS ? "goo" : "block");
        try_table(section, section->table(), prefix, method, counts);
        if (id == DLP_SECTION_MATERIALS && dlp_method_material_params(method) != NULL) {
            try_table(section, dlp_method_material_params(method), prefix, method, counts);
        }
        break;
    case DLP_FORM_LIST:
        snprintf(prefix, sizeof prefix, "%s.0", section->key);
        try_table(section, section->table(), prefix, method, counts);
        break;
    }
}

/* The scene is read for a method that uses the key and run with one that does not, which a host program can do. */
static void try_unused(const dlp__SceneSection *section, const dlp_Param *param, const char *prefix, const char *method,
                       int *wrong, int *count)
{
    if (dlp_params_inert(param) != NULL || dlp_method_uses(method, param) || !dlp_method_uses("physical", param)) {
        return;
    }
    const KeyTrial *own = key_trial(section->key, param->name, method);
    const KeyTrial *special = own != NULL ? own : key_trial(section->key, param->name, "physical");
    char scene[SCENE_TEXT_BYTES];
    char value[128];
    char setting[SETTING_BYTES];
    const char *clause = NULL;
    const dlp_Param *choice = find_choice(section->table(), param->when, &clause);
    make_scene(section, special, "physical", VISCOUS, scene);
    describe_value(param, value, sizeof value);
    snprintf(setting, sizeof setting, "%s.%s=%s", prefix, param->name,
             special != NULL && special->value != NULL ? special->value : value);
    Settings settings = {.count = 0};
    for (int c = 0; choice != NULL && settings.count == 0;
         c++) { /* the first choice with which the key has an effect */
        if (is_listed(clause, choice->choices[c])) {
            char chosen[SETTING_BYTES];
            snprintf(chosen, sizeof chosen, "%s.%s=%s", prefix, choice->name, choice->choices[c]);
            add_setting(&settings, chosen, strlen(chosen));
            add_settings(&settings, choice_settings(section->key, choice->name, choice->choices[c]), true);
        }
    }
    add_settings(&settings, special != NULL ? special->settings : "", true);
    const Outcome before = try_scene(scene, &settings, method);
    add_setting(&settings, setting, strlen(setting));
    const Outcome after = try_scene(scene, &settings, method);
    if (!before.ran || !after.ran || before.hash != after.hash) {
        print_message("%s: %s is refused, but %s%s%s\n", method, setting,
                      after.ran ? "has an effect" : "does not run: ", before.error, after.error);
        (*wrong)++;
    }
    (*count)++;
}

static void a_key_that_a_method_refuses_has_no_effect_there(void **state)
{
    (void)state;
    int wrong = 0, count = 0;
    for (int m = 0; m < dlp_method_count(); m++) {
        const struct {
            dlp__SectionId id;
            const char *prefix;
        } sections[] = {
            {DLP_SECTION_WORLD, "world"}, {DLP_SECTION_MATERIALS, "materials.goo"}, {DLP_SECTION_SOLIDS, "solids.0"}};
        for (size_t s = 0; s < sizeof sections / sizeof sections[0]; s++) {
            const dlp__SceneSection *section = dlp__scene_section(sections[s].id);
            const dlp_ParamTable *table = section->table();
            for (int i = 0; i < table->count; i++) {
                try_unused(section, &table->params[i], sections[s].prefix, dlp_method_name(m), &wrong, &count);
            }
            if (section->rows != NULL) {
                const dlp_Param rows = {.name = section->rows, .use = section->rows_use, .type = DLP_PARAM_NAME};
                try_unused(section, &rows, sections[s].prefix, dlp_method_name(m), &wrong, &count);
            }
        }
    }
    print_message("%d refused keys have no effect\n", count);
    assert_int_equal(wrong, 0);
}

static void no_key_is_silent(void **state)
{
    (void)state;
    const char *only = getenv("DOLLOP_KEYS_METHOD");
    int silent = 0;
    write_key_meshes();
    for (int m = 0; m < dlp_method_count(); m++) {
        const char *method = dlp_method_name(m);
        if (only != NULL && strcmp(only, method) != 0) {
            continue;
        }
        Counts counts = {0};
        for (int id = 0; id < DLP_SECTION_COUNT; id++) {
            try_section((dlp__SectionId)id, method, &counts);
        }
        print_message(
            "%-13s %3d trials change the result, %3d are refused, %2d without effect as documented, %d silent\n",
            method, counts.changed, counts.refused, counts.inert, counts.silent);
        silent += counts.silent;
    }
    assert_int_equal(silent, 0);
}

int main(void)
{
    const char *setting = getenv("DOLLOP_KEYS");
    verbose = setting != NULL && strcmp(setting, "verbose") == 0;
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_key_is_silent),
                                       cmocka_unit_test(a_key_that_a_method_refuses_has_no_effect_there)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

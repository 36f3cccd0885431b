/* Reading a scene: the text is parsed to a tree, includes and settings are applied, and the tree is converted to the scene. */
#include "base/error.h"
#include "scene/scene_internal.h"
#include "scene/scene_units.h"

#include <stdlib.h>
#include <string.h>

void dlp_scene_destroy(dlp_Scene *scene)
{
    if (scene == NULL) {
        return;
    }
    for (int i = 0; scene->points != NULL && i < scene->lists[DLP_SECTION_FLUIDS].count; i++) {
        free(scene->points[i].xyz);
    }
    free(scene->points);
    for (int i = 0; i < DLP_SECTION_COUNT; i++) {
        dlp__scene_release_rows(scene, (dlp__SectionId)i);
        for (int j = 0; scene->keys[i] != NULL && j < scene->lists[i].count; j++) {
            free(scene->keys[i][j].keys);
        }
        free(scene->keys[i]);
        free(scene->lists[i].items);
        free(scene->lists[i].locations);
    }
    for (int i = 0; i < scene->source_count; i++) {
        free(scene->sources[i].name);
        free(scene->sources[i].text);
    }
    free(scene->sources);
    free(scene->material_params);
    free(scene->method);
    free(scene);
}

const dlp_RunDef *dlp_scene_run(const dlp_Scene *scene)
{
    return scene != NULL ? &scene->run : NULL;
}

dlp_WorldDef *dlp_scene_world(dlp_Scene *scene)
{
    return scene != NULL ? &scene->world : NULL;
}

static dlp_Result read_tree(dlp__SceneReader *reader, int source)
{
    dlp__SceneLocation start = {0, (uint16_t)source, 0};
    dlp__SceneNode *root = NULL;
    dlp__SceneNode *materials = dlp__scene_new_node(reader, DLP_NODE_MAP, start);
    if (materials == NULL) {
        return reader->error->code;
    }
    dlp_Result result = dlp__scene_parse_text(reader, source, 0, &root);
    if (result != DLP_OK) {
        return result;
    }
    if (root == NULL || dlp__scene_is_null(root)) {
        return dlp__scene_fail(reader, start, "the scene is empty; `dollop help scene` lists its sections and keys");
    }
    if (root->kind != DLP_NODE_MAP) {
        return dlp__scene_fail(reader, root->location, "a scene must be a map of sections, but is %s",
                               dlp__scene_kind_name(root));
    }
    dlp__SceneLayers layers = {.count = 0};
    result = dlp__scene_read_library(reader, &layers.library);
    if (result == DLP_OK) {
        result = dlp__scene_read_includes(reader, source, root, &layers);
    }
    if (result == DLP_OK) {
        result = dlp__scene_convert_named_lists(reader, root);
    }
    for (int i = 0; i < reader->options->setting_count && result == DLP_OK; i++) {
        result = dlp__scene_apply_setting(reader, reader->options->settings[i], root, materials);
    }
    return result == DLP_OK ? dlp__scene_read_sections(reader, root, &layers, materials) : result;
}

/* If `text` is null, read the file `name`. */
static dlp_Result read_scene(const char *name, const char *text, size_t length, const dlp_SceneOptions *options,
                             dlp_Scene **scene, dlp_Error *error)
{
    dlp_Error unused;
    error = error != NULL ? error : &unused;
    dlp__SceneReader reader = {
        .scene = calloc(1, sizeof(dlp_Scene)), .error = error, .from_file = text == NULL, .options = options};
    if (reader.scene == NULL) {
        return dlp__scene_fail_memory(&reader);
    }
    dlp__SceneLocale locale = dlp__scene_enter_locale();
    int source = text != NULL ? dlp__scene_add_source(&reader, name, text, length)
                              : dlp__scene_open_source(&reader, name, NULL);
    dlp_Result result = source >= 0 ? read_tree(&reader, source) : error->code;
    dlp__scene_release_nodes(&reader);
    free(reader.material_marks);
    free(reader.equivalent_rates);
    dlp__scene_leave_locale(locale);
    if (result == DLP_OK) {
        *scene = reader.scene;
    } else {
        dlp_scene_destroy(reader.scene);
    }
    return result;
}

dlp_SceneOptions dlp_default_scene_options(void)
{
    return (dlp_SceneOptions){.size = sizeof(dlp_SceneOptions)};
}

/* Whether a list of `count` texts is complete. */
static bool is_text_list(const char *const *texts, int count)
{
    bool complete = count == 0 || (count > 0 && texts != NULL);
    for (int i = 0; i < count && complete; i++) {
        complete = texts[i] != NULL;
    }
    return complete;
}

static dlp_Result check_options(const dlp_SceneOptions *options, dlp_Error *error)
{
    if (options == NULL || options->size != sizeof *options) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "the options must come from dlp_default_scene_options()");
    }
    return is_text_list(options->settings, options->setting_count) &&
                   is_text_list(options->include_folders, options->include_folder_count)
               ? DLP_OK
               : dlp__fail(error, DLP_ERROR_ARGUMENT, "a setting or a folder is null");
}

dlp_Result dlp_scene_load_with(const char *path, const dlp_SceneOptions *options, dlp_Scene **scene, dlp_Error *error)
{
    if (scene == NULL) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "there is no place for the scene");
    }
    *scene = NULL;
    if (path == NULL) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "no path of a scene was given");
    }
    const dlp_Result result = check_options(options, error);
    return result == DLP_OK ? read_scene(path, NULL, 0, options, scene, error) : result;
}

static dlp_SceneOptions options_of(const char *const *settings, int count)
{
    dlp_SceneOptions options = dlp_default_scene_options();
    options.settings = settings;
    options.setting_count = count;
    return options;
}

dlp_Result dlp_scene_load(const char *path, const char *const *settings, int count, dlp_Scene **scene, dlp_Error *error)
{
    const dlp_SceneOptions options = options_of(settings, count);
    return dlp_scene_load_with(path, &options, scene, error);
}

dlp_Result dlp_scene_parse(const char *name, const char *text, size_t length, const char *const *settings, int count,
                           dlp_Scene **scene, dlp_Error *error)
{
    const dlp_SceneOptions options = options_of(settings, count);
    if (scene == NULL) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "there is no place for the scene");
    }
    *scene = NULL;
    const dlp_Result result = check_options(&options, error);
    const bool empty = text == NULL;
    return result == DLP_OK ? read_scene(name != NULL ? name : "scene", empty ? "" : text, empty ? 0 : length, &options,
                                         scene, error)
                            : result;
}

/* Included files, which define materials. Each include is parsed to a tree; trees are collected in the order in which later ones
 * override earlier ones. The scene itself overrides all of them. */
#include "base/error.h"
#include "base/paths.h"
#include "scene/scene_internal.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { INCLUDE_DEPTH_MAX = 8, PATH_BYTES = 4096 };

/* The files being read, from the scene down to the innermost include. */
typedef struct Chain {
    const struct Chain *outer;
    int source;
    int depth;
} Chain;

/* True if both paths refer to the same file. */
static bool same_file(const char *a, const char *b)
{
    struct stat first;
    struct stat second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

/* The length of the folder at the start of a path, with its slash. */
static int folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? (int)(slash - path) + 1 : 0;
}

/* Messages quote what they complain about, so a scene from elsewhere must not be able to include any file of the user. */
static bool is_allowed(const dlp__SceneReader *reader, const char *path)
{
    const char *scene = reader->scene->sources[0].name;
    char folder[PATH_BYTES];
    const int length = snprintf(folder, sizeof folder, "%.*s", folder_length(scene), scene);
    bool allowed = length < PATH_BYTES && dlp__path_is_inside(path, folder);
    for (int i = 0; i < reader->options->include_folder_count && !allowed; i++) {
        allowed = dlp__path_is_inside(path, reader->options->include_folders[i]);
    }
    return allowed;
}

/* The path of an include relative to the working directory. */
static dlp_Result find_path(dlp__SceneReader *reader, const Chain *chain, const dlp__SceneNode *node,
                            char path[PATH_BYTES])
{
    if (!reader->from_file) {
        return dlp__scene_fail(reader, node->location, "a scene read from memory cannot include files");
    }
    if (node->kind != DLP_NODE_SCALAR || node->text[0] == 0) {
        return dlp__scene_fail(reader, node->location, "include must be a path or a list of paths, but is %s",
                               dlp__scene_kind_name(node));
    }
    const char *name = reader->scene->sources[chain->source].name;
    const int folder = node->text[0] == '/' ? 0 : folder_length(name);
    int length = snprintf(path, PATH_BYTES, "%.*s%s", folder, name, node->text);
    if (length < 0 || length >= PATH_BYTES) {
        return dlp__scene_fail(reader, node->location, "the path of this include is too long");
    }
    if (access(path, F_OK) == 0 && !is_allowed(reader, path)) {
        return dlp__scene_fail(
            reader, node->location,
            "'%.128s' is outside the folder of the scene: copy it there, or allow the folder that it "
            "is in with --allow-include",
            node->text);
    }
    for (const Chain *outer = chain; outer != NULL; outer = outer->outer) {
        if (same_file(path, reader->scene->sources[outer->source].name)) {
            return dlp__scene_fail(reader, node->location, "circular include of '%.64s'", node->text);
        }
    }
    if (chain->depth == INCLUDE_DEPTH_MAX) {
        return dlp__scene_fail(reader, node->location, "includes are nested more than %d levels deep",
                               INCLUDE_DEPTH_MAX);
    }
    return DLP_OK;
}

static dlp_Result check_keys(dlp__SceneReader *reader, const dlp__SceneNode *root)
{
    if (root->kind != DLP_NODE_MAP) {
        return dlp__scene_fail(reader, root->location, "an included file must be a map with materials, but is %s",
                               dlp__scene_kind_name(root));
    }
    for (const dlp__SceneNode *node = root->first; node != NULL; node = node->next) {
        if (strcmp(node->key->text, "materials") != 0 && strcmp(node->key->text, "include") != 0) {
            return dlp__scene_fail(reader, node->key->location,
                                   "an included file may contain only 'materials' and 'include', not '%.64s'",
                                   node->key->text);
        }
    }
    return DLP_OK;
}

static dlp_Result read_level(dlp__SceneReader *reader, const Chain *chain, const dlp__SceneNode *root,
                             dlp__SceneLayers *layers);

static dlp_Result read_include(dlp__SceneReader *reader, const Chain *chain, const dlp__SceneNode *node,
                               dlp__SceneLayers *layers)
{
    char path[PATH_BYTES];
    dlp_Result result = find_path(reader, chain, node, path);
    if (result != DLP_OK) {
        return result;
    }
    int source = dlp__scene_open_source(reader, path, &node->location);
    if (source < 0) {
        return reader->error->code;
    }
    dlp__SceneNode *root = NULL;
    result = dlp__scene_parse_text(reader, source, 0, &root);
    if (result == DLP_OK && root != NULL && !dlp__scene_is_null(root)) {
        result = check_keys(reader, root);
        Chain inner = {chain, source, chain->depth + 1};
        result = result == DLP_OK ? read_level(reader, &inner, root, layers) : result;
        int capacity = (int)(sizeof layers->roots / sizeof layers->roots[0]);
        if (result == DLP_OK && layers->count == capacity) {
            result = dlp__scene_fail(reader, node->location, "a scene may include at most %d files", capacity);
        }
        if (result == DLP_OK) {
            layers->roots[layers->count++] = root;
        }
    }
    return result;
}

static dlp_Result read_level(dlp__SceneReader *reader, const Chain *chain, const dlp__SceneNode *root,
                             dlp__SceneLayers *layers)
{
    const dlp__SceneNode *include = dlp__scene_child(root, "include");
    if (include == NULL || dlp__scene_is_null(include)) {
        return DLP_OK;
    }
    if (include->kind != DLP_NODE_LIST) {
        return read_include(reader, chain, include, layers);
    }
    dlp_Result result = DLP_OK;
    for (const dlp__SceneNode *node = include->first; node != NULL && result == DLP_OK; node = node->next) {
        result = read_include(reader, chain, node, layers);
    }
    return result;
}

dlp_Result dlp__scene_read_includes(dlp__SceneReader *reader, int source, const dlp__SceneNode *root,
                                    dlp__SceneLayers *layers)
{
    Chain chain = {NULL, source, 0};
    return read_level(reader, &chain, root, layers);
}

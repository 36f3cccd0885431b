/* Older spellings that scenes may still use. Each leaves a note with the present one. */
#include "scene/scene_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *dlp_scene_notes(const dlp_Scene *scene)
{
    return scene != NULL ? scene->notes : "";
}

void dlp__scene_note(dlp__SceneReader *reader, const char *format, ...)
{
    char *notes = reader->scene->notes;
    const size_t used = strlen(notes), size = sizeof reader->scene->notes;
    va_list arguments;
    va_start(arguments, format);
    if (used + 2 < size) {
        const size_t line = used > 0 ? used + 1 : 0;
        notes[used] = '\n';
        vsnprintf(notes + line, size - line, format, arguments);
    }
    va_end(arguments);
}

/* Whether a map has a key that only this method has. */
static bool has_key_of(const dlp__SceneNode *map, const char *method, const char *other)
{
    for (const dlp__SceneNode *node = map->first; node != NULL; node = node->next) {
        if (dlp_params_find(dlp_method_params(method), node->key->text) != NULL &&
            dlp_params_find(dlp_method_params(other), node->key->text) == NULL) {
            return true;
        }
    }
    return false;
}

/* Method `conformation` once had two solvers. Its default, `physical`, is now a method; `jacobi` is what is left. */
const char *dlp__scene_present_method(dlp__SceneReader *reader, const dlp__SceneNode *node, const char *name)
{
    if (strcmp(name, "conformation") != 0) {
        return name;
    }
    const bool is_map = node->kind == DLP_NODE_MAP;
    const dlp__SceneNode *solver = is_map ? dlp__scene_child(node, DLP_SCENE_FORMER_SOLVER) : NULL;
    if ((solver != NULL && solver->kind == DLP_NODE_SCALAR && strcmp(solver->text, "physical") != 0) ||
        (solver == NULL && is_map && has_key_of(node, "conformation", "physical"))) {
        return name;
    }
    dlp__scene_note(reader, "the physical solver of method conformation is now a method: write 'method: physical', or "
                            "'method: {name: conformation, solver: jacobi}' for the published method");
    return "physical";
}

const dlp_Param *dlp__scene_renamed_param(dlp__SceneReader *reader, const dlp_ParamTable *table, const char *key)
{
    const char *present = dlp_params_renamed(table, key);
    if (present == NULL) {
        return NULL;
    }
    dlp__scene_note(reader, "%s.%s is now called %s", table->name, key, present);
    return dlp_params_find(table, present);
}

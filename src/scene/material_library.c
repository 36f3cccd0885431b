/* The built-in materials for programs: the tree of the library converted to structs. */
#include "base/error.h"
#include "scene/scene_internal.h"
#include "scene/scene_suggest.h"
#include "scene/scene_units.h"

#include <dollop/material_library.h>
#include <dollop/rheology.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct dlp_Library {
    dlp_Scene *scene; /* holds the materials and their viscosities */
    dlp_LibraryMaterial *materials;
    char **texts; /* of all materials, owned */
    int count, text_count;
};

enum { TEXTS_EACH = 3 }; /* description, source, definition */

static const char *copy_text(dlp__SceneReader *reader, dlp_Library *library, const char *text, size_t length)
{
    char *copy = malloc(length + 1);
    if (copy == NULL) {
        dlp__scene_fail_memory(reader);
        return NULL;
    }
    memcpy(copy, text, length);
    copy[length] = 0;
    library->texts[library->text_count++] = copy;
    return copy;
}

/* The value of a documentation key as text, or null without memory. */
static const char *info_text(dlp__SceneReader *reader, dlp_Library *library, const dlp__SceneNode *node,
                             const char *key)
{
    const dlp__SceneNode *value = dlp__scene_child(node, key);
    const char *text = value != NULL && value->kind == DLP_NODE_SCALAR ? value->text : "";
    return copy_text(reader, library, text, strlen(text));
}

/* The lines of the library from the name of a material up to the next one, without the indentation of the map. */
static const char *definition_text(dlp__SceneReader *reader, dlp_Library *library, const dlp__SceneNode *node)
{
    const dlp__SceneSource *source = &reader->scene->sources[node->key->location.source];
    const char *begin = source->text + node->key->location.offset, *end = begin;
    do {
        end += strcspn(end, "\n");
        end += *end == '\n';
    } while (strncmp(end, "   ", 3) == 0); /* lines of a definition are indented by more than its name */
    const char *copy = copy_text(reader, library, begin, (size_t)(end - begin));
    char *to = (char *)copy;
    for (const char *from = copy; copy != NULL && *from != 0; from++) {
        *to++ = *from;
        from += *from == '\n' && strncmp(from + 1, "  ", 2) == 0 ? 2 : 0;
    }
    if (copy != NULL) {
        *to = 0;
    }
    return copy;
}

static dlp_Result read_infos(dlp__SceneReader *reader, dlp_Library *library, const dlp__SceneNode *node,
                             dlp_LibraryMaterial *material)
{
    const dlp__SceneSection *section = dlp__scene_section(DLP_SECTION_MATERIALS);
    material->description = info_text(reader, library, node, "description");
    material->source = info_text(reader, library, node, "source");
    material->yaml = definition_text(reader, library, node);
    if (material->description == NULL || material->source == NULL || material->yaml == NULL) {
        return reader->error->code;
    }
    const dlp__SceneNode *grade = dlp__scene_child(node, "grade"), *rate = dlp__scene_child(node, "equivalent_rate");
    const dlp_Param *rate_param = dlp__scene_find_info(section, "equivalent_rate")->param;
    int32_t choice = DLP_GRADE_GUESS;
    dlp_Result result = grade != NULL ? dlp__scene_read_value(reader, dlp__scene_find_info(section, "grade")->param,
                                                              grade, &choice)
                                      : DLP_OK;
    material->grade = (dlp_Grade)choice;
    material->yield_stress = dlp_material_yield_stress(&material->def);
    material->equivalent_rate = rate_param->value[0];
    if (result == DLP_OK && rate != NULL) {
        result = dlp__scene_read_value(reader, rate_param, rate, &material->equivalent_rate);
    }
    return result;
}

static dlp_Result read_material(dlp__SceneReader *reader, dlp_Library *library, const dlp__SceneNode *node)
{
    const int index = library->count;
    dlp_LibraryMaterial *material = &library->materials[index];
    char where[32 + DLP_NAME_SIZE];
    snprintf(where, sizeof where, "materials.%.63s", node->key->text);
    material->def = dlp_default_material_def();
    snprintf(material->def.name, sizeof material->def.name, "%s", node->key->text);
    dlp_Result result = dlp__scene_read_map(reader, dlp__scene_section(DLP_SECTION_MATERIALS), dlp_material_params(),
                                            node, where, &material->def);
    if (result == DLP_OK) {
        result = dlp__scene_read_rows(reader, DLP_SECTION_MATERIALS, node, index);
    }
    const dlp__SceneRows *rows = &reader->scene->rows[DLP_SECTION_MATERIALS][index];
    material->viscosities = (const dlp_ViscosityKey *)(const void *)rows->pairs;
    material->viscosity_count = rows->count;
    reader->scene->lists[DLP_SECTION_MATERIALS].count = ++library->count;
    return result == DLP_OK ? read_infos(reader, library, node, material) : result;
}

static dlp_Result read_all(dlp__SceneReader *reader, dlp_Library *library)
{
    dlp__SceneNode *root = NULL;
    dlp_Result result = dlp__scene_read_library(reader, &root);
    const dlp__SceneNode *map = result == DLP_OK ? dlp__scene_child(root, "materials") : NULL;
    if (map == NULL) {
        return result != DLP_OK ? result
                                : dlp__fail(reader->error, DLP_ERROR_UNSUPPORTED, "this build has no materials");
    }
    library->materials = calloc((size_t)map->count + 1, sizeof *library->materials);
    library->texts = calloc((size_t)map->count + 1, TEXTS_EACH * sizeof *library->texts);
    if (library->materials == NULL || library->texts == NULL) {
        return dlp__scene_fail_memory(reader);
    }
    result = dlp__scene_reserve_rows(reader, DLP_SECTION_MATERIALS, map->count);
    for (const dlp__SceneNode *node = map->first; node != NULL && result == DLP_OK; node = node->next) {
        result = read_material(reader, library, node);
    }
    return result;
}

dlp_Result dlp_library_create(dlp_Library **library, dlp_Error *error)
{
    if (library == NULL) {
        return dlp__fail_null(error);
    }
    dlp_Error unused;
    error = error != NULL ? error : &unused;
    *library = NULL;
    dlp_Library *created = calloc(1, sizeof *created);
    dlp__SceneReader reader = {.scene = calloc(1, sizeof(dlp_Scene)), .error = error};
    if (created == NULL || reader.scene == NULL) {
        free(created);
        free(reader.scene);
        return dlp__scene_fail_memory(&reader);
    }
    created->scene = reader.scene;
    dlp__SceneLocale locale = dlp__scene_enter_locale();
    const dlp_Result result = read_all(&reader, created);
    dlp__scene_release_nodes(&reader);
    dlp__scene_leave_locale(locale);
    if (result != DLP_OK) {
        dlp_library_destroy(created);
        return result;
    }
    *library = created;
    return DLP_OK;
}

void dlp_library_destroy(dlp_Library *library)
{
    if (library == NULL) {
        return;
    }
    for (int i = 0; i < library->text_count; i++) {
        free(library->texts[i]);
    }
    free(library->texts);
    free(library->materials);
    dlp_scene_destroy(library->scene);
    free(library);
}

int dlp_library_count(const dlp_Library *library)
{
    return library != NULL ? library->count : 0;
}

const dlp_LibraryMaterial *dlp_library_get(const dlp_Library *library, int index)
{
    if (library == NULL) {
        return NULL;
    }
    return index >= 0 && index < library->count ? &library->materials[index] : NULL;
}

const dlp_LibraryMaterial *dlp_library_find(const dlp_Library *library, const char *name)
{
    if (library == NULL || name == NULL) {
        return NULL;
    }
    for (int i = 0; i < library->count; i++) {
        if (strcmp(library->materials[i].def.name, name) == 0) {
            return &library->materials[i];
        }
    }
    return NULL;
}

static dlp_Result fail_unknown(const dlp_Library *library, const char *name, dlp_Error *error)
{
    dlp__Suggestion suggestion = dlp__scene_suggest(name);
    for (int i = 0; i < library->count; i++) {
        dlp__scene_offer(&suggestion, library->materials[i].def.name);
    }
    return dlp__fail(error, DLP_ERROR_ARGUMENT, "there is no built-in material '%.64s'%s%s%s", name,
                     suggestion.nearest != NULL ? "; did you mean '" : "",
                     suggestion.nearest != NULL ? suggestion.nearest : "", suggestion.nearest != NULL ? "'?" : "");
}

dlp_Result dlp_library_material(const char *name, dlp_MaterialDef *def, dlp_Error *error)
{
    if (name == NULL) {
        return dlp__fail_null(error);
    }
    dlp_Library *library = NULL;
    dlp_Result result = dlp_library_create(&library, error);
    if (library == NULL) {
        return result;
    }
    const dlp_LibraryMaterial *found = dlp_library_find(library, name);
    if (found != NULL) {
        *def = dlp_material_at(&found->def, found->viscosities, found->viscosity_count, found->def.temperature);
    } else {
        result = fail_unknown(library, name, error);
    }
    dlp_library_destroy(library);
    return result;
}

/* Lists of pairs: the flow of emitters over time, the viscosity of materials over temperature, and parameters of type DLP_PARAM_ROWS. */
#include "scene/scene_internal.h"

#include <stdio.h>
#include <stdlib.h>

dlp_Result dlp__scene_reserve_rows(dlp__SceneReader *reader, dlp__SectionId id, int count)
{
    reader->scene->rows[id] = calloc((size_t)count + 1, sizeof **reader->scene->rows);
    return reader->scene->rows[id] != NULL ? DLP_OK : dlp__scene_fail_memory(reader);
}

enum { COLUMNS_MOST = 2, EXAMPLE_BYTES = 256 };

/* A list of rows as a scene gives it. */
typedef struct RowForm {
    const char *name, *example;
    dlp_Param column[COLUMNS_MOST];
    int columns, most; /* rows */
    double interval;   /* by which the first number must increase; 0: by anything */
} RowForm;

dlp_Param dlp__scene_row_column(const dlp_ParamRows *rows, int column)
{
    return (dlp_Param){.name = rows->names[column],
                       .type = DLP_PARAM_REAL,
                       .unit = rows->units[column],
                       .least = rows->least[column],
                       .most = rows->most_value[column],
                       .help = rows->names[column]};
}

/* "[0.1 s, 500 Pa]: relaxation_time and modulus" */
static void describe_example(const dlp_ParamRows *rows, char text[EXAMPLE_BYTES])
{
    snprintf(text, EXAMPLE_BYTES, "%s: %s and %s", rows->example, rows->names[0], rows->names[1]);
}

/* `previous` is null for the first row. */
static dlp_Result read_row(dlp__SceneReader *reader, const RowForm *form, const dlp__SceneNode *node,
                           const double *previous, double *row)
{
    if (node->kind != DLP_NODE_LIST || node->count != form->columns) {
        return dlp__scene_fail(reader, node->location, "%s must consist of pairs such as %s", form->name,
                               form->example);
    }
    dlp_Result result = DLP_OK;
    const dlp__SceneNode *child = node->first;
    for (int i = 0; i < form->columns && result == DLP_OK; i++, child = child->next) {
        result = dlp__scene_read_value(reader, &form->column[i], child, &row[i]);
    }
    const dlp_Param *first = &form->column[0];
    if (result == DLP_OK && previous != NULL && !(row[0] > previous[0] && row[0] - previous[0] >= form->interval)) {
        return dlp__scene_fail(reader, node->location,
                               "the %s entry at %.9g %s comes after the one at %.9g %s: %ss must increase", form->name,
                               row[0], first->unit, previous[0], first->unit, first->name);
    }
    return result;
}

static dlp_Result check_length(dlp__SceneReader *reader, const RowForm *form, const dlp__SceneNode *node)
{
    if (node->kind != DLP_NODE_LIST || node->count == 0 || node->count > form->most) {
        return dlp__scene_fail(reader, node->location, "%s must be a list of 1 to %d pairs such as %s", form->name,
                               form->most, form->example);
    }
    return DLP_OK;
}

/* `numbers` has space for all rows of the list. */
static dlp_Result read_list(dlp__SceneReader *reader, const RowForm *form, const dlp__SceneNode *node, double *numbers)
{
    dlp_Result result = DLP_OK;
    const double *previous = NULL;
    for (const dlp__SceneNode *child = node->first; child != NULL && result == DLP_OK; child = child->next) {
        result = read_row(reader, form, child, previous, numbers);
        previous = numbers;
        numbers += form->columns;
    }
    return result;
}

dlp_Result dlp__scene_read_rows(dlp__SceneReader *reader, dlp__SectionId id, const dlp__SceneNode *item, int index)
{
    const dlp__SceneSection *section = dlp__scene_section(id);
    const dlp__SceneNode *node = item->kind == DLP_NODE_MAP ? dlp__scene_child(item, section->rows) : NULL;
    if (node == NULL) {
        return DLP_OK;
    }
    const dlp_ParamTable *table = section->rows_table();
    const RowForm form = {.name = section->rows,
                          .example = section->rows_example,
                          .column = {table->params[0], table->params[1]},
                          .columns = 2,
                          .most = DLP_KEYS_MOST,
                          .interval = 1e-9};
    const dlp_Result result = check_length(reader, &form, node);
    if (result != DLP_OK) {
        return result;
    }
    dlp__SceneRows *rows = &reader->scene->rows[id][index];
    free(rows->pairs); /* from an included definition of the same material */
    *rows = (dlp__SceneRows){calloc((size_t)node->count, sizeof *rows->pairs), node->count};
    if (rows->pairs == NULL) {
        rows->count = 0;
        return dlp__scene_fail_memory(reader);
    }
    return read_list(reader, &form, node, &rows->pairs[0].at);
}

dlp_Result dlp__scene_read_row_param(dlp__SceneReader *reader, const dlp_Param *param, const dlp__SceneNode *node,
                                     void *member)
{
    const dlp_ParamRows *rows = param->rows;
    char example[EXAMPLE_BYTES];
    describe_example(rows, example);
    RowForm form = {.name = param->name, .example = example, .columns = rows->columns, .most = rows->most};
    for (int c = 0; c < rows->columns && c < COLUMNS_MOST; c++) {
        form.column[c] = dlp__scene_row_column(rows, c);
    }
    dlp_Result result = check_length(reader, &form, node);
    int64_t *count = member;
    if (result == DLP_OK) {
        result = read_list(reader, &form, node, (double *)(void *)(count + 1));
        *count = result == DLP_OK ? node->count : 0;
    }
    return result;
}

void dlp__scene_release_rows(dlp_Scene *scene, dlp__SectionId id)
{
    for (int i = 0; scene->rows[id] != NULL && i < scene->lists[id].count; i++) {
        free(scene->rows[id][i].pairs);
    }
    free(scene->rows[id]);
}

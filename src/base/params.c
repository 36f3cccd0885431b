/* Defaults and range checks from a parameter table. */
#include "base/error.h"

#include <dollop/params.h>
#include <math.h>
#include <string.h>

const dlp_Param *dlp_params_find(const dlp_ParamTable *table, const char *name)
{
    if (table == NULL || name == NULL) {
        return NULL;
    }
    for (int i = 0; i < table->count; i++) {
        if (strcmp(table->params[i].name, name) == 0) {
            return &table->params[i];
        }
    }
    return NULL;
}

void dlp_params_default(const dlp_ParamTable *table, void *def)
{
    if (table == NULL || def == NULL) {
        return;
    }
    memset(def, 0, table->size);
    if (table->count > 0 && table->params[0].offset >= sizeof(size_t)) {
        memcpy(def, &table->size, sizeof table->size);
    }
    for (int i = 0; i < table->count; i++) {
        const dlp_Param *param = &table->params[i];
        char *member = (char *)def + param->offset;
        switch (param->type) {
        case DLP_PARAM_REAL: *(double *)(void *)member = param->value[0]; break;
        case DLP_PARAM_INT: *(int64_t *)(void *)member = (int64_t)param->value[0]; break;
        case DLP_PARAM_BOOL: *(bool *)member = param->value[0] != 0.0; break;
        case DLP_PARAM_VEC3: memcpy(member, param->value, sizeof(dlp_Vec3)); break;
        case DLP_PARAM_CHOICE:
        case DLP_PARAM_MESH:
        case DLP_PARAM_SOLID:
        case DLP_PARAM_FLAGS:
        case DLP_PARAM_MATERIAL: *(int32_t *)(void *)member = (int32_t)param->value[0]; break;
        case DLP_PARAM_NAME:
        case DLP_PARAM_ROWS: break;
        }
    }
}

const char *dlp_param_zero_word(const dlp_Param *param)
{
    if (param == NULL) {
        return NULL;
    }
    return param->type == DLP_PARAM_REAL && param->choices != NULL ? param->choices[0] : NULL;
}

static bool within(double value, const dlp_Param *param)
{
    if (value == 0.0 && dlp_param_zero_word(param) != NULL) {
        return true;
    }
    return isfinite(value) && value >= param->least && value <= param->most;
}

/* The first component that is out of range; if there is none, a value within the range. */
static double offending_value(const dlp_Param *param, const char *member)
{
    switch (param->type) {
    case DLP_PARAM_REAL: return *(const double *)(const void *)member;
    case DLP_PARAM_INT: return (double)*(const int64_t *)(const void *)member;
    case DLP_PARAM_CHOICE:
    case DLP_PARAM_MESH:
    case DLP_PARAM_SOLID:
    case DLP_PARAM_FLAGS:
    case DLP_PARAM_MATERIAL: return (double)*(const int32_t *)(const void *)member;
    case DLP_PARAM_VEC3: {
        const double *v = (const double *)(const void *)member;
        return !within(v[0], param) ? v[0] : !within(v[1], param) ? v[1] : v[2];
    }
    case DLP_PARAM_BOOL:
    case DLP_PARAM_NAME:
    case DLP_PARAM_ROWS: break;
    }
    return param->least;
}

const double *dlp_params_rows(const dlp_Param *param, const void *def, int64_t *count)
{
    const bool is_given = param != NULL && def != NULL && count != NULL && param->type == DLP_PARAM_ROWS;
    if (!is_given) {
        if (count != NULL) {
            *count = 0;
        }
        return NULL;
    }
    const int64_t *member = (const int64_t *)(const void *)((const char *)def + param->offset);
    *count = *member;
    return (const double *)(const void *)(member + 1);
}

static dlp_Result check_rows(const dlp_ParamTable *table, const dlp_Param *param, const void *def, dlp_Error *error)
{
    const dlp_ParamRows *rows = param->rows;
    int64_t count = 0;
    const double *numbers = dlp_params_rows(param, def, &count);
    if (count < 0 || count > rows->most) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "%s.%s has %lld rows, but must have 0 to %d", table->name,
                         param->name, (long long)count, rows->most);
    }
    for (int64_t k = 0; k < count; k++) {
        const double *row = numbers + k * rows->columns;
        for (int c = 0; c < rows->columns; c++) {
            if (!(row[c] >= rows->least[c] && row[c] <= rows->most_value[c])) {
                return dlp__fail(error, DLP_ERROR_ARGUMENT, "%s.%s[%d].%s is %g %s, but must be between %g and %g",
                                 table->name, param->name, (int)k, rows->names[c], row[c], rows->units[c],
                                 rows->least[c], rows->most_value[c]);
            }
        }
        if (k > 0 && !(row[0] > row[-rows->columns])) {
            return dlp__fail(error, DLP_ERROR_ARGUMENT,
                             "%s.%s[%d].%s is %.9g %s, after %.9g %s in the row before: it must increase", table->name,
                             param->name, (int)k, rows->names[0], row[0], rows->units[0], row[-rows->columns],
                             rows->units[0]);
        }
    }
    return DLP_OK;
}

dlp_Result dlp_params_check(const dlp_ParamTable *table, const void *def, dlp_Error *error)
{
    if (table == NULL || def == NULL) {
        return dlp__fail_null(error);
    }
    for (int i = 0; i < table->count; i++) {
        const dlp_Param *param = &table->params[i];
        const char *member = (const char *)def + param->offset;
        if (param->type == DLP_PARAM_NAME) {
            if (memchr(member, 0, DLP_NAME_SIZE) == NULL) {
                return dlp__fail(error, DLP_ERROR_ARGUMENT,
                                 "%s.%s has no terminating zero: a name has at most %d bytes", table->name, param->name,
                                 DLP_NAME_SIZE - 1);
            }
            continue;
        }
        if (param->type == DLP_PARAM_ROWS) {
            const dlp_Result result = check_rows(table, param, def, error);
            if (result != DLP_OK) {
                return result;
            }
            continue;
        }
        double value = offending_value(param, member);
        if (!within(value, param)) {
            return dlp__fail(error, DLP_ERROR_ARGUMENT, "%s.%s is %g%s%s, but must be between %g and %g", table->name,
                             param->name, value, param->unit[0] != 0 ? " " : "", param->unit, param->least,
                             param->most);
        }
    }
    return DLP_OK;
}

bool dlp_params_is_default(const dlp_Param *param, const void *def)
{
    if (param == NULL || def == NULL) {
        return false;
    }
    const char *member = (const char *)def + param->offset;
    switch (param->type) {
    case DLP_PARAM_REAL: return *(const double *)(const void *)member == param->value[0];
    case DLP_PARAM_INT: return *(const int64_t *)(const void *)member == (int64_t)param->value[0];
    case DLP_PARAM_BOOL: return *(const bool *)member == (param->value[0] != 0.0);
    case DLP_PARAM_VEC3: {
        const double *v = (const double *)(const void *)member;
        return v[0] == param->value[0] && v[1] == param->value[1] && v[2] == param->value[2];
    }
    case DLP_PARAM_CHOICE:
    case DLP_PARAM_FLAGS:
    case DLP_PARAM_MESH:
    case DLP_PARAM_SOLID:
    case DLP_PARAM_MATERIAL: return *(const int32_t *)(const void *)member == (int32_t)param->value[0];
    case DLP_PARAM_NAME: return member[0] == 0;
    case DLP_PARAM_ROWS: return *(const int64_t *)(const void *)member == 0;
    }
    return false;
}

const char *dlp_params_inert(const dlp_Param *param)
{
    if (param == NULL) {
        return NULL;
    }
    return (param->use & DLP_USE_OUTPUT) != 0  ? "output only"
           : (param->use & DLP_USE_SPEED) != 0 ? "speed only"
           : (param->use & DLP_USE_LABEL) != 0 ? "label only"
                                               : NULL;
}

/* Parameters that were renamed: the table's name, the old name, the new one. */
static const char *const RENAMED[][3] = {
    {"physical", "evening", "fick_shift"},
    {"physical", "crowding", "density_shift"},
};

/* The other name of a parameter, `from` being the column of the given one. */
static const char *other_name(const dlp_ParamTable *table, const char *name, int from, int to)
{
    for (size_t n = 0; n < sizeof RENAMED / sizeof RENAMED[0]; n++) {
        if (strcmp(RENAMED[n][0], table->name) == 0 && strcmp(RENAMED[n][from], name) == 0) {
            return RENAMED[n][to];
        }
    }
    return NULL;
}

const char *dlp_params_renamed(const dlp_ParamTable *table, const char *name)
{
    return table != NULL && name != NULL ? other_name(table, name, 1, 2) : NULL;
}

const char *dlp_params_former(const dlp_ParamTable *table, const char *name)
{
    return table != NULL && name != NULL ? other_name(table, name, 2, 1) : NULL;
}

/* Structs described by a parameter table, as attributes of a group: one attribute per member, with the same name.
 * Choices are stored by name, so that new choices may be inserted anywhere. */
#include "io/hdf5_tools.h"

#include <stdio.h>
#include <string.h>

/* Takes over the space. */
static dlp_Result write_shaped(hid_t object, const char *name, hid_t type, hid_t memory, hid_t space, const void *data,
                               dlp_Error *error)
{
    hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    bool written = attribute >= 0 && H5Awrite(attribute, memory, data) >= 0;
    if (attribute >= 0) {
        H5Aclose(attribute);
    }
    H5Sclose(space);
    return written ? DLP_OK : dlp__hdf5_fail(error, "write", name);
}

dlp_Result dlp__hdf5_write_attribute(hid_t object, const char *name, hid_t type, hid_t memory, int count,
                                     const void *data, dlp_Error *error)
{
    hsize_t shape = (hsize_t)count;
    hid_t space = count > 0 ? H5Screate_simple(1, &shape, NULL) : H5Screate(H5S_SCALAR);
    return write_shaped(object, name, type, memory, space, data, error);
}

dlp_Result dlp__hdf5_write_text(hid_t object, const char *name, const char *text, dlp_Error *error)
{
    size_t length = strlen(text);
    hid_t type = H5Tcopy(H5T_C_S1);
    dlp_Result result = DLP_ERROR_FORMAT;
    if (type >= 0 && H5Tset_size(type, length > 0 ? length : 1) >= 0 && H5Tset_strpad(type, H5T_STR_NULLPAD) >= 0 &&
        H5Tset_cset(type, H5T_CSET_UTF8) >= 0) {
        result = dlp__hdf5_write_attribute(object, name, type, type, 0, text, error);
    } else {
        result = dlp__hdf5_fail(error, "write", name);
    }
    H5Tclose(type);
    return result;
}

/* The types of a member in the file and in memory, and its number of values (0: a scalar). */
typedef struct NumberLayout {
    hid_t file, memory;
    int count;
} NumberLayout;

static NumberLayout number_layout(dlp_ParamType type)
{
    switch (type) {
    case DLP_PARAM_REAL: return (NumberLayout){H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 0};
    case DLP_PARAM_VEC3: return (NumberLayout){H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 3};
    case DLP_PARAM_INT: return (NumberLayout){H5T_STD_I64LE, H5T_NATIVE_INT64, 0};
    case DLP_PARAM_MESH:
    case DLP_PARAM_SOLID:
    case DLP_PARAM_FLAGS:
    case DLP_PARAM_MATERIAL: return (NumberLayout){H5T_STD_I32LE, H5T_NATIVE_INT32, 0};
    case DLP_PARAM_BOOL: return (NumberLayout){H5T_STD_U8LE, H5T_NATIVE_UINT8, 0};
    case DLP_PARAM_CHOICE:
    case DLP_PARAM_ROWS:
    case DLP_PARAM_NAME: break;
    }
    return (NumberLayout){-1, -1, 0};
}

/* A table of rows and columns; without rows there is no attribute. */
static dlp_Result write_rows(hid_t group, const dlp_Param *param, const void *def, dlp_Error *error)
{
    int64_t count = 0;
    const double *numbers = dlp_params_rows(param, def, &count);
    if (count == 0) {
        return DLP_OK;
    }
    const hsize_t shape[2] = {(hsize_t)count, (hsize_t)param->rows->columns};
    return write_shaped(group, param->name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, H5Screate_simple(2, shape, NULL),
                        numbers, error);
}

static dlp_Result write_member(hid_t group, const dlp_Param *param, const void *def, dlp_Error *error)
{
    const void *member = (const char *)def + param->offset;
    if (param->type == DLP_PARAM_ROWS) {
        return write_rows(group, param, def, error);
    }
    if (param->type == DLP_PARAM_NAME) {
        return dlp__hdf5_write_text(group, param->name, member, error);
    }
    if (param->type == DLP_PARAM_CHOICE) {
        return dlp__hdf5_write_text(group, param->name, param->choices[*(const int32_t *)member], error);
    }
    NumberLayout layout = number_layout(param->type);
    return dlp__hdf5_write_attribute(group, param->name, layout.file, layout.memory, layout.count, member, error);
}

dlp_Result dlp__hdf5_write_records(hid_t group, const dlp__Record *records, int count, dlp_Error *error)
{
    for (int r = 0; r < count; r++) {
        const dlp_ParamTable *table = records[r].table;
        for (int i = 0; i < table->count && records[r].def != NULL; i++) {
            const dlp_Param *param = &table->params[i];
            dlp_Result result = write_member(group, param, records[r].def, error);
            if (result != DLP_OK) {
                return result;
            }
        }
    }
    return DLP_OK;
}

static dlp_Result fail_attribute(dlp_Error *error, const char *name, const char *fault)
{
    return dlp__fail(error, DLP_ERROR_FORMAT, "'%s' %s", name, fault);
}

static dlp_Result read_number(hid_t attribute, const dlp_Param *param, void *member, dlp_Error *error)
{
    NumberLayout layout = number_layout(param->type);
    hid_t type = H5Aget_type(attribute);
    hid_t space = H5Aget_space(attribute);
    uint8_t flag = 0;
    void *target = param->type == DLP_PARAM_BOOL ? (void *)&flag : member;
    dlp_Result result = DLP_OK;
    if (type < 0 || H5Tequal(type, layout.file) <= 0) {
        result = fail_attribute(error, param->name, "has the wrong type");
    } else if (H5Sget_simple_extent_type(space) != (layout.count > 0 ? H5S_SIMPLE : H5S_SCALAR) ||
               H5Sget_simple_extent_npoints(space) != (layout.count > 0 ? layout.count : 1)) {
        result = fail_attribute(error, param->name, "has the wrong number of values");
    } else if (H5Aread(attribute, layout.memory, target) < 0) {
        result = dlp__hdf5_fail(error, "read", param->name);
    }
    H5Sclose(space);
    H5Tclose(type);
    if (param->type == DLP_PARAM_BOOL) {
        *(bool *)member = flag != 0;
    }
    return result;
}

static dlp_Result read_rows(hid_t attribute, const dlp_Param *param, void *member, dlp_Error *error)
{
    const dlp_ParamRows *rows = param->rows;
    int64_t *count = member;
    double *numbers = (double *)(void *)(count + 1);
    hsize_t shape[2] = {0, 0};
    hid_t type = H5Aget_type(attribute);
    hid_t space = H5Aget_space(attribute);
    dlp_Result result = DLP_OK;
    if (type < 0 || H5Tequal(type, H5T_IEEE_F64LE) <= 0) {
        result = fail_attribute(error, param->name, "has the wrong type");
    } else if (H5Sget_simple_extent_ndims(space) != 2 || H5Sget_simple_extent_dims(space, shape, NULL) != 2 ||
               shape[1] != (hsize_t)rows->columns || shape[0] > (hsize_t)rows->most) {
        result = fail_attribute(error, param->name, "has the wrong number of values");
    } else if (shape[0] > 0 && H5Aread(attribute, H5T_NATIVE_DOUBLE, numbers) < 0) {
        result = dlp__hdf5_fail(error, "read", param->name);
    } else {
        *count = (int64_t)shape[0];
    }
    H5Sclose(space);
    H5Tclose(type);
    return result;
}

/* Only strings stored in the attribute itself, and only if they fit. */
static dlp_Result read_text(hid_t attribute, const char *name, char text[DLP_NAME_SIZE], dlp_Error *error)
{
    hid_t type = H5Aget_type(attribute);
    hid_t space = H5Aget_space(attribute);
    dlp_Result result = DLP_OK;
    memset(text, 0, DLP_NAME_SIZE);
    if (type < 0 || H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0) {
        result = fail_attribute(error, name, "has the wrong type");
    } else if (H5Tget_size(type) >= DLP_NAME_SIZE) {
        result = fail_attribute(error, name, "is too long");
    } else if (H5Sget_simple_extent_type(space) != H5S_SCALAR) {
        result = fail_attribute(error, name, "has the wrong number of values");
    } else if (H5Aread(attribute, type, text) < 0) {
        result = dlp__hdf5_fail(error, "read", name);
    }
    H5Sclose(space);
    H5Tclose(type);
    return result;
}

static dlp_Result read_choice(hid_t attribute, const dlp_Param *param, void *member, dlp_Error *error)
{
    char text[DLP_NAME_SIZE];
    dlp_Result result = read_text(attribute, param->name, text, error);
    for (int32_t i = 0; result == DLP_OK; i++) {
        if (param->choices[i] == NULL) {
            return fail_attribute(error, param->name, "is not a choice of this version");
        }
        if (strcmp(param->choices[i], text) == 0) {
            *(int32_t *)member = i;
            break;
        }
    }
    return result;
}

/* An older file may have the parameter under an older name. */
static const char *stored_name(hid_t group, const dlp_ParamTable *table, const dlp_Param *param)
{
    if (H5Aexists(group, param->name) > 0) {
        return param->name;
    }
    const char *former = dlp_params_former(table, param->name);
    return former != NULL && H5Aexists(group, former) > 0 ? former : NULL;
}

static dlp_Result read_member(hid_t group, const char *name, const dlp_Param *param, void *member, dlp_Error *error)
{
    hid_t attribute = H5Aopen(group, name, H5P_DEFAULT);
    if (attribute < 0) {
        return dlp__hdf5_fail(error, "open", param->name);
    }
    dlp_Result result;
    switch (param->type) {
    case DLP_PARAM_NAME: result = read_text(attribute, param->name, member, error); break;
    case DLP_PARAM_CHOICE: result = read_choice(attribute, param, member, error); break;
    case DLP_PARAM_ROWS: result = read_rows(attribute, param, member, error); break;
    default: result = read_number(attribute, param, member, error); break;
    }
    H5Aclose(attribute);
    return result;
}

/* Context of the iteration over a group's attributes. */
typedef struct KnownNames {
    const dlp__Record *records;
    int count;
    char unknown[DLP_NAME_SIZE];
} KnownNames;

static herr_t stop_at_unknown(hid_t group, const char *name, const H5A_info_t *info, void *context)
{
    (void)group;
    (void)info;
    KnownNames *known = context;
    for (int r = 0; r < known->count; r++) {
        if (dlp_params_find(known->records[r].table, name) != NULL ||
            dlp_params_renamed(known->records[r].table, name) != NULL) {
            return 0;
        }
    }
    snprintf(known->unknown, sizeof known->unknown, "%.40s", name);
    return 1;
}

static dlp_Result refuse_unknown(hid_t group, const dlp__Record *records, int count, dlp_Error *error)
{
    KnownNames known = {records, count, ""};
    herr_t stopped = H5Aiterate2(group, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, stop_at_unknown, &known);
    if (stopped < 0) {
        return dlp__hdf5_fail(error, "list the attributes of", records[0].table->name);
    }
    return stopped == 0 ? DLP_OK : fail_attribute(error, known.unknown, "is not a parameter of this version");
}

dlp_Result dlp__hdf5_read_records(hid_t group, const dlp__Record *records, int count, dlp_Error *error)
{
    dlp_Result result = refuse_unknown(group, records, count, error);
    for (int r = 0; r < count && result == DLP_OK; r++) {
        const dlp_ParamTable *table = records[r].table;
        if (records[r].def == NULL) {
            continue;
        }
        dlp_params_default(table, records[r].def);
        for (int i = 0; i < table->count && result == DLP_OK; i++) {
            const dlp_Param *param = &table->params[i];
            const char *name = stored_name(group, table, param);
            if (name != NULL) {
                result = read_member(group, name, param, (char *)records[r].def + param->offset, error);
            }
        }
    }
    return result;
}

dlp_Result dlp__hdf5_read_param(hid_t group, const dlp_Param *param, void *member, dlp_Error *error)
{
    return read_member(group, param->name, param, member, error);
}

/* Structs that a parameter table describes, as attributes of a group: one attribute per member, under its own name.
 * Choices are stored by name, so that a list of choices may grow in any order. */
#include "io/hdf5_tools.h"

#include <stdio.h>
#include <string.h>

dlp_Result dlp__hdf5_write_attribute(hid_t object, const char *name, hid_t type, hid_t memory, int count,
                                     const void *data, dlp_Error *error)
{
    hsize_t shape = (hsize_t)count;
    hid_t space = count > 0 ? H5Screate_simple(1, &shape, NULL) : H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    bool written = attribute >= 0 && H5Awrite(attribute, memory, data) >= 0;
    if (attribute >= 0) {
        H5Aclose(attribute);
    }
    H5Sclose(space);
    return written ? DLP_OK : dlp__hdf5_fail(error, "write", name);
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

/* How a member lies in the file and in memory, and how many numbers it is (0: a single one). */
typedef struct NumberForm {
    hid_t file, memory;
    int count;
} NumberForm;

static NumberForm number_form(dlp_ParamType type)
{
    switch (type) {
    case DLP_PARAM_REAL: return (NumberForm){H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 0};
    case DLP_PARAM_VEC3: return (NumberForm){H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 3};
    case DLP_PARAM_INT: return (NumberForm){H5T_STD_I64LE, H5T_NATIVE_INT64, 0};
    case DLP_PARAM_MESH:
    case DLP_PARAM_SOLID:
    case DLP_PARAM_MATERIAL: return (NumberForm){H5T_STD_I32LE, H5T_NATIVE_INT32, 0};
    case DLP_PARAM_BOOL: return (NumberForm){H5T_STD_U8LE, H5T_NATIVE_UINT8, 0};
    case DLP_PARAM_CHOICE:
    case DLP_PARAM_NAME: break;
    }
    return (NumberForm){-1, -1, 0};
}

static dlp_Result write_member(hid_t group, const dlp_Param *param, const void *member, dlp_Error *error)
{
    if (param->type == DLP_PARAM_NAME) {
        return dlp__hdf5_write_text(group, param->name, member, error);
    }
    if (param->type == DLP_PARAM_CHOICE) {
        return dlp__hdf5_write_text(group, param->name, param->choices[*(const int32_t *)member], error);
    }
    NumberForm form = number_form(param->type);
    return dlp__hdf5_write_attribute(group, param->name, form.file, form.memory, form.count, member, error);
}

dlp_Result dlp__hdf5_write_records(hid_t group, const dlp__Record *records, int count, dlp_Error *error)
{
    for (int r = 0; r < count; r++) {
        const dlp_ParamTable *table = records[r].table;
        for (int i = 0; i < table->count; i++) {
            const dlp_Param *param = &table->params[i];
            dlp_Result result = write_member(group, param, (const char *)records[r].def + param->offset, error);
            if (result != DLP_OK) {
                return result;
            }
        }
    }
    return DLP_OK;
}

static dlp_Result wrong(dlp_Error *error, const char *name, const char *fault)
{
    return dlp__fail(error, DLP_ERROR_FORMAT, "'%s' %s", name, fault);
}

static dlp_Result read_number(hid_t attribute, const dlp_Param *param, void *member, dlp_Error *error)
{
    NumberForm form = number_form(param->type);
    hid_t type = H5Aget_type(attribute);
    hid_t space = H5Aget_space(attribute);
    uint8_t flag = 0;
    void *target = param->type == DLP_PARAM_BOOL ? (void *)&flag : member;
    dlp_Result result = DLP_OK;
    if (type < 0 || H5Tequal(type, form.file) <= 0) {
        result = wrong(error, param->name, "has the wrong type");
    } else if (H5Sget_simple_extent_type(space) != (form.count > 0 ? H5S_SIMPLE : H5S_SCALAR) ||
               H5Sget_simple_extent_npoints(space) != (form.count > 0 ? form.count : 1)) {
        result = wrong(error, param->name, "has the wrong number of values");
    } else if (H5Aread(attribute, form.memory, target) < 0) {
        result = dlp__hdf5_fail(error, "read", param->name);
    }
    H5Sclose(space);
    H5Tclose(type);
    if (param->type == DLP_PARAM_BOOL) {
        *(bool *)member = flag != 0;
    }
    return result;
}

/* Only strings that lie in the attribute itself, and only those that fit. */
static dlp_Result read_text(hid_t attribute, const char *name, char text[DLP_NAME_SIZE], dlp_Error *error)
{
    hid_t type = H5Aget_type(attribute);
    hid_t space = H5Aget_space(attribute);
    dlp_Result result = DLP_OK;
    memset(text, 0, DLP_NAME_SIZE);
    if (type < 0 || H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0) {
        result = wrong(error, name, "has the wrong type");
    } else if (H5Tget_size(type) >= DLP_NAME_SIZE) {
        result = wrong(error, name, "is too long a name");
    } else if (H5Sget_simple_extent_type(space) != H5S_SCALAR) {
        result = wrong(error, name, "has the wrong number of values");
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
            return wrong(error, param->name, "is a choice that this version does not have");
        }
        if (strcmp(param->choices[i], text) == 0) {
            *(int32_t *)member = i;
            break;
        }
    }
    return result;
}

static dlp_Result read_member(hid_t group, const dlp_Param *param, void *member, dlp_Error *error)
{
    hid_t attribute = H5Aopen(group, param->name, H5P_DEFAULT);
    if (attribute < 0) {
        return dlp__hdf5_fail(error, "open", param->name);
    }
    dlp_Result result;
    switch (param->type) {
    case DLP_PARAM_NAME: result = read_text(attribute, param->name, member, error); break;
    case DLP_PARAM_CHOICE: result = read_choice(attribute, param, member, error); break;
    default: result = read_number(attribute, param, member, error); break;
    }
    H5Aclose(attribute);
    return result;
}

/* What the walk over a group's attributes carries along. */
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
        if (dlp_params_find(known->records[r].table, name) != NULL) {
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
    return stopped == 0 ? DLP_OK : wrong(error, known.unknown, "is a parameter that this version does not have");
}

dlp_Result dlp__hdf5_read_records(hid_t group, const dlp__Record *records, int count, dlp_Error *error)
{
    dlp_Result result = refuse_unknown(group, records, count, error);
    for (int r = 0; r < count && result == DLP_OK; r++) {
        const dlp_ParamTable *table = records[r].table;
        dlp_params_default(table, records[r].def);
        for (int i = 0; i < table->count && result == DLP_OK; i++) {
            const dlp_Param *param = &table->params[i];
            if (H5Aexists(group, param->name) > 0) {
                result = read_member(group, param, (char *)records[r].def + param->offset, error);
            }
        }
    }
    return result;
}

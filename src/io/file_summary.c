/* The summary is a struct like the public ones, with its own parameter table. */
#include "io/file_summary.h"

#include <math.h>
#include <stdio.h>

#define MAX_COUNT      1e18 /* more than any time, step or number of particles; doubles are still precise here */
#define MAX_COORDINATE 1e30 /* m */

#define MEMBER(type, member, unit, min, max) \
    { \
#member, type, offsetof(dlp__Summary, member), unit, {0, 0, 0 }, min, max, NULL, .help = "" \
    }

static const dlp_Param summary_params[] = {
    MEMBER(DLP_PARAM_NAME, version, "", 0, 0),
    MEMBER(DLP_PARAM_NAME, method, "", 0, 0),
    MEMBER(DLP_PARAM_REAL, time, "s", 0, MAX_COUNT),
    MEMBER(DLP_PARAM_INT, step, "", 0, MAX_COUNT),
    MEMBER(DLP_PARAM_INT, particles, "", 0, MAX_COUNT),
    MEMBER(DLP_PARAM_REAL, spacing, "m", 0, MAX_COORDINATE),
    MEMBER(DLP_PARAM_VEC3, lower, "m", -MAX_COORDINATE, MAX_COORDINATE),
    MEMBER(DLP_PARAM_VEC3, upper, "m", -MAX_COORDINATE, MAX_COORDINATE),
};

static const dlp_ParamTable summary_table = {"file", "summary of a file", sizeof(dlp__Summary),
                                             (int)(sizeof summary_params / sizeof summary_params[0]), summary_params};

static bool is_in_range(dlp_Vec3 v)
{
    return fabs(v.x) <= MAX_COORDINATE && fabs(v.y) <= MAX_COORDINATE && fabs(v.z) <= MAX_COORDINATE;
}

dlp_Result dlp__summary_make(const dlp_World *world, dlp__Summary *summary, dlp_Error *error)
{
    dlp_WorldStats stats;
    dlp_Result result = dlp_world_stats(world, &stats);
    if (result != DLP_OK) {
        return dlp__fail(error, result, "%s", dlp_world_error(world));
    }
    dlp_WorldDef def = dlp_world_def(world);
    dlp_params_default(&summary_table, summary);
    snprintf(summary->version, sizeof summary->version, "%s", dlp_version());
    snprintf(summary->method, sizeof summary->method, "%s", def.method);
    summary->time = stats.time;
    summary->step = stats.step;
    summary->particles = stats.particles;
    summary->spacing = def.spacing;
    if (stats.particles > 0 && is_in_range(stats.lower) && is_in_range(stats.upper)) { /* it may have diverged */
        summary->lower = stats.lower;
        summary->upper = stats.upper;
    }
    return DLP_OK;
}

dlp_Result dlp__summary_write(hid_t file, const dlp__Summary *summary, dlp_Error *error)
{
    dlp__Summary copy = *summary;
    dlp__Record record = {&summary_table, &copy};
    return dlp__hdf5_write_records(file, &record, 1, error);
}

/* The names are printed on terminals, so only printable ASCII is allowed. */
static bool is_printable(const char *text)
{
    for (; *text != 0; text++) {
        if (*text < ' ' || *text > '~') {
            return false;
        }
    }
    return true;
}

dlp_Result dlp__summary_read(hid_t file, dlp__Summary *summary, dlp_Error *error)
{
    dlp__Record record = {&summary_table, summary};
    dlp_Result result = dlp__hdf5_read_records(file, &record, 1, error);
    if (result != DLP_OK) {
        return result;
    }
    if (dlp_params_check(&summary_table, summary, error) != DLP_OK) {
        return DLP_ERROR_FORMAT;
    }
    if (!is_printable(summary->version) || !is_printable(summary->method)) {
        return dlp__fail(error, DLP_ERROR_FORMAT, "the names of its version and method are not printable");
    }
    return DLP_OK;
}

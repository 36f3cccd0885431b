/* The summary is a struct like the public ones, with a table of its own. */
#include "io/file_summary.h"

#include <math.h>
#include <stdio.h>

#define LARGE 1e18 /* beyond any time, step or number of particles; a double still counts in small steps here */
#define FAR   1e30 /* m */

#define MEMBER(type, member, unit, least, most) \
    { \
#member, type, offsetof(dlp__Summary, member), unit, {0, 0, 0 }, least, most, NULL, "" \
    }

static const dlp_Param summary_params[] = {
    MEMBER(DLP_PARAM_NAME, version, "", 0, 0),      MEMBER(DLP_PARAM_NAME, method, "", 0, 0),
    MEMBER(DLP_PARAM_REAL, time, "s", 0, LARGE),    MEMBER(DLP_PARAM_INT, step, "", 0, LARGE),
    MEMBER(DLP_PARAM_INT, particles, "", 0, LARGE), MEMBER(DLP_PARAM_REAL, spacing, "m", 0, FAR),
    MEMBER(DLP_PARAM_VEC3, lower, "m", -FAR, FAR),  MEMBER(DLP_PARAM_VEC3, upper, "m", -FAR, FAR),
};

static const dlp_ParamTable summary_table = {"file", "what a file says of itself", sizeof(dlp__Summary),
                                             (int)(sizeof summary_params / sizeof summary_params[0]), summary_params};

static bool is_sane(dlp_Vec3 v)
{
    return fabs(v.x) <= FAR && fabs(v.y) <= FAR && fabs(v.z) <= FAR;
}

dlp_Result dlp__summary_write(hid_t file, const dlp_World *world, dlp_Error *error)
{
    dlp_WorldStats stats;
    dlp_Result result = dlp_world_stats(world, &stats);
    if (result != DLP_OK) {
        return dlp__fail(error, result, "%s", dlp_world_error(world));
    }
    dlp_WorldDef def = dlp_world_def(world);
    dlp__Summary summary;
    dlp_params_default(&summary_table, &summary);
    snprintf(summary.version, sizeof summary.version, "%s", dlp_version());
    snprintf(summary.method, sizeof summary.method, "%s", def.method);
    summary.time = stats.time;
    summary.step = stats.step;
    summary.particles = stats.particles;
    summary.spacing = def.spacing;
    if (stats.particles > 0 && is_sane(stats.lower) && is_sane(stats.upper)) { /* a frame may show a world gone wrong */
        summary.lower = stats.lower;
        summary.upper = stats.upper;
    }
    dlp__Record record = {&summary_table, &summary};
    return dlp__hdf5_write_records(file, &record, 1, error);
}

/* These are printed on terminals, so they must be plain. */
static bool is_plain(const char *text)
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
    if (!is_plain(summary->version) || !is_plain(summary->method)) {
        return dlp__fail(error, DLP_ERROR_FORMAT, "the names of its version and method are not readable");
    }
    return DLP_OK;
}

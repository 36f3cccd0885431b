/* Adding probes, collecting over substeps, and taking samples at the end of steps. */
#include "probes/probes.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool same_name(const char *a, const char *b)
{
    for (; *a != 0 && tolower((unsigned char)*a) == tolower((unsigned char)*b); a++, b++) {}
    return *a == 0 && *b == 0;
}

/* Names become names of files, on systems that ignore case too. */
static dlp_Result check_name(const dlp__Probes *probes, const char *name, dlp_Error *error)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    if (strspn(name, allowed) != strlen(name)) {
        return dlp__fail(
            error, DLP_ERROR_ARGUMENT,
            "'%.63s' cannot be the name of a probe, which is part of a file name: use letters a to z, digits, "
            "'_' and '-'",
            name);
    }
    for (int k = 0; k < probes->count; k++) {
        if (same_name(probes->probe[k].def.name, name)) {
            return dlp__fail(error, DLP_ERROR_ARGUMENT,
                             "there is already a probe '%.63s'; names differ in more than upper and lower case",
                             probes->probe[k].def.name);
        }
    }
    return DLP_OK;
}

static dlp_Result check_shape(const dlp_ProbeDef *def, dlp_Error *error)
{
    const bool is_opening = def->shape >= DLP_PROBE_DISC;
    if (def->kind == DLP_PROBE_FLOW && !is_opening) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "a flow probe needs an opening: shape disc, rectangle or plane");
    }
    if (def->kind == DLP_PROBE_FLUID && is_opening) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT,
                         "a fluid probe needs a region: shape everywhere, box, sphere or cylinder");
    }
    if (def->kind == DLP_PROBE_FLOW && !(dlp__length(def->direction) > 0.0)) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "the direction of a flow probe must not be zero");
    }
    return DLP_OK;
}

static void fill_with_nan(dlp__Probe *probe)
{
    for (int n = 0; n < probe->columns; n++) {
        probe->values[n] = NAN;
    }
}

/* Samples belong to intervals numbered from time 0; rounding of the time must not delay one. */
static int64_t interval_at(const dlp_ProbeDef *def, double time)
{
    return def->interval > 0.0 ? (int64_t)fmin(floor(time / def->interval * (1.0 + 1e-9) + 1e-9), 9e18) : 0;
}

dlp_Result dlp__probes_add(dlp__Probes *probes, dlp__Memory *memory, const dlp_ProbeDef *def, double time,
                           dlp_Error *error)
{
    dlp__Probe probe = {.def = *def, .columns = dlp__probe_columns(def)};
    if (probe.def.name[0] == 0) {
        snprintf(probe.def.name, sizeof probe.def.name, "%d", probes->count);
    }
    dlp_Result result = check_name(probes, probe.def.name, error);
    result = result == DLP_OK ? check_shape(def, error) : result;
    if (result == DLP_OK && probes->count == DLP_PROBES_MOST) {
        result = dlp__fail(error, DLP_ERROR_ARGUMENT, "a world may have at most %d probes", DLP_PROBES_MOST);
    }
    if (result != DLP_OK) {
        return result;
    }
    if (!dlp__buffer_reserve(memory, &probe.buffer, probe.columns, sizeof(double)) ||
        !dlp__buffer_grow(memory, &probes->buffer, probes->count * (int64_t)sizeof probe, probes->count + 1,
                          sizeof probe)) {
        dlp__buffer_release(memory, &probe.buffer);
        return dlp__fail(error, DLP_ERROR_MEMORY, "no memory for another probe");
    }
    probe.values = probe.buffer.data;
    probe.state.due = interval_at(def, time);
    fill_with_nan(&probe);
    probes->probe = probes->buffer.data;
    probes->probe[probes->count++] = probe;
    probes->has_force |= def->kind == DLP_PROBE_FORCE;
    probes->has_flow |= def->kind == DLP_PROBE_FLOW;
    probes->has_energy |= def->kind == DLP_PROBE_ENERGY;
    probes->has_shear_rate |= (def->kind == DLP_PROBE_POINT || def->kind == DLP_PROBE_LINE) &&
                              (def->quantity == DLP_QUANTITY_ALL || def->quantity == DLP_QUANTITY_SHEAR_RATE);
    return DLP_OK;
}

void dlp__probes_release(dlp__Probes *probes, dlp__Memory *memory)
{
    for (int k = 0; k < probes->count; k++) {
        dlp__buffer_release(memory, &probes->probe[k].buffer);
        dlp__buffer_release(memory, &probes->probe[k].work);
    }
    dlp__starts_release(&probes->starts, memory);
    dlp__buffer_release(memory, &probes->buffer);
    probes->count = 0;
}

static dlp_Result fail_memory(const dlp__ProbeInput *input, dlp_Error *error)
{
    dlp__ranks_fail(input->domains->ranks, "no memory for the probes");
    return dlp__fail(error, DLP_ERROR_MEMORY, "no memory for the probes");
}

dlp_Result dlp__probes_begin(dlp__Probes *probes, const dlp__ProbeInput *input, dlp_Error *error)
{
    return probes->has_flow && !dlp__starts_save(&probes->starts, input) ? fail_memory(input, error) : DLP_OK;
}

dlp_Result dlp__probes_end(dlp__Probes *probes, const dlp__ProbeInput *input, dlp_Error *error)
{
    if (probes->has_flow && !dlp__starts_follow(&probes->starts, input)) {
        return fail_memory(input, error);
    }
    for (int k = 0; k < probes->count; k++) {
        dlp__Probe *probe = &probes->probe[k];
        probe->state.elapsed += input->dt;
        switch (probe->def.kind) {
        case DLP_PROBE_FORCE: dlp__force_probe_end(probe, input); break;
        case DLP_PROBE_FLOW: dlp__flow_probe_end(probe, input, &probes->starts); break;
        case DLP_PROBE_ENERGY: dlp__energy_probe_end(probe, input); break;
        default: break;
        }
    }
    return DLP_OK;
}

static bool sample(dlp__Probe *probe, const dlp__ProbeInput *input)
{
    fill_with_nan(probe);
    probe->values[0] = input->time;
    switch (probe->def.kind) {
    case DLP_PROBE_FORCE: dlp__force_probe_sample(probe); return true;
    case DLP_PROBE_FLOW: dlp__flow_probe_sample(probe); return true;
    case DLP_PROBE_FLUID: dlp__fluid_probe_sample(probe, input); return true;
    case DLP_PROBE_ENERGY: dlp__energy_probe_sample(probe, input); return true;
    case DLP_PROBE_PIECES: return dlp__pieces_probe_sample(probe, input);
    default: return dlp__point_probe_sample(probe, input);
    }
}

dlp_Result dlp__probes_sample(dlp__Probes *probes, const dlp__ProbeInput *input, dlp_Error *error)
{
    for (int k = 0; k < probes->count; k++) {
        dlp__Probe *probe = &probes->probe[k];
        const int64_t interval = interval_at(&probe->def, input->time);
        if (probe->def.interval > 0.0 && interval <= probe->state.due) {
            continue;
        }
        if (!sample(probe, input)) {
            return fail_memory(input, error);
        }
        probe->state.due = interval;
        probe->state.samples++;
        probe->state.elapsed = 0.0;
        if (probes->function != NULL) {
            probes->function(probes->user, k, probe->values, probe->columns);
        }
    }
    return DLP_OK;
}

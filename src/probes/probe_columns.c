/* The columns of each kind of probe: names and units. */
#include "probes/probes.h"

#include <stdio.h>

typedef struct Column {
    const char *name, *unit;
} Column;

#define VECTOR(name, unit) \
    {name "_x", unit}, {name "_y", unit}, \
    { \
        name "_z", unit \
    }
#define COUNT(columns) ((int)(sizeof(columns) / sizeof *(columns)))

static const Column force_columns[] = {
    VECTOR("force", "N"),         VECTOR("torque", "N.m"),          VECTOR("pressure_force", "N"),
    VECTOR("viscous_force", "N"), VECTOR("pressure_torque", "N.m"), VECTOR("viscous_torque", "N.m")};
static const Column flow_columns[] = {{"flow_rate", "m3/s"}, {"volume", "m3"}};
static const Column fluid_columns[] = {{"volume", "m3"}, {"mass", "kg"},  {"top", "m"},
                                       {"bottom", "m"},  {"height", "m"}, VECTOR("center", "m")};
static const Column energy_columns[] = {{"kinetic", "J"}, {"potential", "J"},  {"elastic", "J"},
                                        {"total", "J"},   {"dissipated", "J"}, {"heat", "J"}};
static const Column piece_columns[] = {
    {"pieces", ""}, {"largest_volume", "m3"}, {"second_volume", "m3"}, {"third_volume", "m3"}, {"longest", "m"}};
static const Column quantity_columns[DLP_PROBE_COMPONENTS] = {
    VECTOR("velocity", "m/s"), {"pressure", "Pa"},   {"shear_rate", "1/s"}, {"stress_xx", "Pa"},
    {"stress_yy", "Pa"},       {"stress_zz", "Pa"},  {"stress_xy", "Pa"},   {"stress_xz", "Pa"},
    {"stress_yz", "Pa"},       {"temperature", "K"}, {"density", "kg/m3"}};

int dlp__quantity_components(int quantity, int *first)
{
    static const int firsts[] = {0, 0, 3, 4, 5, 11, 12}, counts[] = {DLP_PROBE_COMPONENTS, 3, 1, 1, 6, 1, 1};
    *first = firsts[quantity];
    return counts[quantity];
}

/* The table of a kind that is not a point or line. */
static int table_of(int kind, const Column **table)
{
    switch (kind) {
    case DLP_PROBE_FORCE: *table = force_columns; return COUNT(force_columns);
    case DLP_PROBE_FLOW: *table = flow_columns; return COUNT(flow_columns);
    case DLP_PROBE_FLUID: *table = fluid_columns; return COUNT(fluid_columns);
    case DLP_PROBE_ENERGY: *table = energy_columns; return COUNT(energy_columns);
    case DLP_PROBE_PIECES: *table = piece_columns; return COUNT(piece_columns);
    default: *table = NULL; return 0;
    }
}

int dlp__probe_columns(const dlp_ProbeDef *def)
{
    const Column *table = NULL;
    int first = 0;
    const int count = table_of(def->kind, &table);
    if (table != NULL) {
        return 1 + count;
    }
    return 1 + dlp__quantity_components(def->quantity, &first) * (def->kind == DLP_PROBE_LINE ? (int)def->count : 1);
}

dlp_ProbeColumn dlp__probe_column(const dlp_ProbeDef *def, int column)
{
    const Column time = {"time", "s"}, *table = NULL;
    dlp_ProbeColumn info;
    int first = 0;
    table_of(def->kind, &table);
    const int components = dlp__quantity_components(def->quantity, &first), point = (column - 1) / components;
    const Column *found = column == 0     ? &time
                          : table != NULL ? &table[column - 1]
                                          : &quantity_columns[first + (column - 1) % components];
    if (column > 0 && def->kind == DLP_PROBE_LINE) {
        snprintf(info.name, sizeof info.name, "%s_%d", found->name, point);
    } else {
        snprintf(info.name, sizeof info.name, "%s", found->name);
    }
    info.unit = found->unit;
    return info;
}

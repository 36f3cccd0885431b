/* Values of built-in materials as cells of tables. */
#include "material_cells.h"

#include <dollop/rheology.h>
#include <math.h>
#include <stdio.h>

static const double ZERO_CELSIUS = 273.15; /* K */

Cell cell_quantity(double value, const char *unit)
{
    static const struct {
        double factor;
        const char *prefix;
    } prefixes[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1.0, ""}, {1e-3, "m"}, {1e-6, "u"}};
    Cell cell = {"-"};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0] && value > 0.0; i++) {
        if (value >= 0.9995 * prefixes[i].factor) {
            snprintf(cell.text, sizeof cell.text, "%.3g %s%s", value / prefixes[i].factor, prefixes[i].prefix, unit);
            break;
        }
    }
    return cell;
}

Cell cell_celsius(double kelvin)
{
    Cell cell;
    snprintf(cell.text, sizeof cell.text, "%.4g degC", round(1e3 * (kelvin - ZERO_CELSIUS)) / 1e3);
    return cell;
}

dlp_MaterialDef material_at_own_temperature(const dlp_LibraryMaterial *material)
{
    return dlp_material_at(&material->def, material->viscosities, material->viscosity_count, material->def.temperature);
}

CellRheology material_cell_rheology(const dlp_LibraryMaterial *material)
{
    const dlp_MaterialDef there = material_at_own_temperature(material);
    const dlp_MaterialDef m = dlp_material_equivalent(&there, material->equivalent_rate);
    CellRheology r = {m.viscosity, m.modulus, m.relaxation_time};
    if (r.modulus > 0.0 && r.viscosity > 0.0) {
        r.time = r.viscosity / r.modulus;
    } else if (r.modulus > 0.0 && r.time > 0.0) {
        r.viscosity = r.modulus * r.time;
    } else if (r.time > 0.0) {
        r.modulus = r.viscosity / r.time;
    }
    r.viscosity += m.solvent_viscosity;
    return r;
}

static const char *choice_name(const char *key, int32_t choice)
{
    return dlp_params_find(dlp_material_params(), key)->choices[choice];
}

Cell cell_law(const dlp_MaterialDef *m)
{
    Cell cell;
    if (m->modes.count > 0) {
        snprintf(cell.text, sizeof cell.text, "%s, %d modes", choice_name("elastic_law", m->elastic_law),
                 (int)m->modes.count);
        return cell;
    }
    const bool relaxes = m->viscosity > 0.0 || m->relaxation_time > 0.0;
    const bool springy = m->modulus > 0.0 || m->relaxation_time > 0.0;
    snprintf(cell.text, sizeof cell.text, "%s",
             m->flow_law != DLP_FLOW_NEWTONIAN ? choice_name("flow_law", m->flow_law)
             : !springy                        ? "newtonian"
             : relaxes                         ? choice_name("elastic_law", m->elastic_law)
                                               : "elastic");
    return cell;
}

/* "18.7 Pa.s^0.27" */
static Cell consistency_cell(const dlp_MaterialDef *m)
{
    char unit[24];
    snprintf(unit, sizeof unit, "Pa.s^%.3g", m->flow_index);
    return cell_quantity(m->consistency, unit);
}

Cell cell_flow(const dlp_LibraryMaterial *material, const dlp_MaterialDef *m)
{
    const Cell yield = cell_quantity(m->yield_stress, "Pa"), viscosity = cell_quantity(m->viscosity, "Pa.s");
    Cell cell;
    switch (m->flow_law) {
    case DLP_FLOW_POWER_LAW: return consistency_cell(m);
    case DLP_FLOW_HERSCHEL_BULKLEY:
        snprintf(cell.text, sizeof cell.text, "%.20s + %.40s", yield.text, consistency_cell(m).text);
        return cell;
    case DLP_FLOW_BINGHAM:
        snprintf(cell.text, sizeof cell.text, "%.20s + %.40s", yield.text, viscosity.text);
        return cell;
    case DLP_FLOW_CASSON:
        snprintf(cell.text, sizeof cell.text, "%.20s, %.40s", yield.text, viscosity.text);
        return cell;
    case DLP_FLOW_CARREAU:
    case DLP_FLOW_CROSS:
        snprintf(cell.text, sizeof cell.text, "%.40s, n %.3g", viscosity.text, m->flow_index);
        return cell;
    case DLP_FLOW_TABLE: snprintf(cell.text, sizeof cell.text, "%d points", (int)m->flow_curve.count); return cell;
    default: return cell_quantity(material_cell_rheology(material).viscosity, "Pa.s");
    }
}

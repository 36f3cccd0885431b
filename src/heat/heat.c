/* The heat of a world: temperatures, materials at a temperature, total energy. */
#include "heat/heat.h"

#include "base/long_accumulator.h"

#include <math.h>

void dlp__heat_release(dlp__Heat *heat, dlp__Memory *memory)
{
    for (int m = 0; m < heat->curve_count; m++) {
        dlp__viscosity_curve_release(&heat->curves[m], memory);
    }
    dlp__buffer_release(memory, &heat->body_buffer);
    dlp__buffer_release(memory, &heat->curve_buffer);
}

void dlp__heat_set_temperature(dlp__Particles *particles, int64_t i, const dlp_MaterialDef *material,
                               double temperature)
{
    const double enthalpy = dlp__thermal_enthalpy(material, temperature);
    particles->temperature[0][i] = (float)temperature;
    particles->enthalpy[0][i] = (float)enthalpy;
    particles->enthalpy[1][i] = (float)(enthalpy - (double)particles->enthalpy[0][i]);
}

bool dlp__heat_enable(dlp__Heat *heat, dlp__Domains *domains, const dlp__Kernel *kernel, double spacing,
                      const dlp_MaterialDef *materials)
{
    if (heat->active) {
        return true;
    }
    static const dlp__FieldId fields[] = {DLP_HEAT_FIELDS, DLP_FIELD_NONE};
    if (!dlp__domains_add_fields(domains, fields)) {
        return false;
    }
    for (int d = 0; d < domains->count; d++) {
        dlp__Particles *p = &domains->part[d].particles;
        for (int64_t i = 0; i < p->count; i++) {
            const dlp_MaterialDef *material = &materials[p->material[0][i]];
            dlp__heat_set_temperature(p, i, material, material->temperature);
        }
    }
    dlp__wall_heat_init(&heat->wall, kernel, spacing);
    heat->active = true;
    return true;
}

static dlp__MaterialState state_at(const dlp__Heat *heat, const dlp_MaterialDef *materials, int m, double temperature,
                                   double enthalpy)
{
    return dlp__thermal_state(&materials[m], dlp__heat_curve(heat, m), temperature,
                              dlp__thermal_molten(&materials[m], enthalpy));
}

dlp_MaterialDef dlp__heat_material(const dlp__Heat *heat, const dlp_MaterialDef *materials,
                                   const dlp__Particles *particles, int64_t i)
{
    return dlp__heat_state(heat, materials, particles, i).material;
}

dlp__MaterialState dlp__heat_state(const dlp__Heat *heat, const dlp_MaterialDef *materials,
                                   const dlp__Particles *particles, int64_t i)
{
    const int m = particles->material[0][i];
    if (!dlp__heat_material_varies(heat, materials, m)) {
        return (dlp__MaterialState){materials[m], dlp__flow_as_given};
    }
    return state_at(heat, materials, m, (double)particles->temperature[0][i], dlp__heat_enthalpy(particles, i));
}

/* A particle that is as cold or hot as any of its material on all ranks; the same for `sign` 1 and -1. */
typedef struct Extreme {
    double enthalpy, temperature; /* J/kg, K, times `sign` */
} Extreme;

static void include_particle(Extreme *coldest, double sign, const dlp__Particles *p, int64_t i)
{
    const double enthalpy = sign * dlp__heat_enthalpy(p, i);
    if (enthalpy < coldest->enthalpy) {
        *coldest = (Extreme){enthalpy, sign * (double)p->temperature[0][i]};
    }
}

/* False if there is no such particle. */
static bool merge_extreme(dlp_Ranks *ranks, Extreme *extreme)
{
    const double own = extreme->enthalpy;
    extreme->enthalpy = dlp__ranks_least(ranks, own);
    extreme->temperature = dlp__ranks_least(ranks, own == extreme->enthalpy ? extreme->temperature : INFINITY);
    return extreme->enthalpy < INFINITY;
}

dlp__HeatRange dlp__heat_range(const dlp__Heat *heat, const dlp_MaterialDef *materials, int material,
                               const dlp__Domains *domains)
{
    Extreme cold = {INFINITY, INFINITY}, hot = {INFINITY, INFINITY};
    const bool varies = dlp__heat_material_varies(heat, materials, material);
    for (int d = 0; d < domains->count && varies; d++) {
        const dlp__Particles *p = &domains->part[d].particles;
        for (int64_t i = 0; i < p->count; i++) {
            if (p->material[0][i] == material) {
                include_particle(&cold, 1.0, p, i);
                include_particle(&hot, -1.0, p, i);
            }
        }
    }
    if (!varies || !merge_extreme(domains->ranks, &cold) || !merge_extreme(domains->ranks, &hot)) {
        return (dlp__HeatRange){materials[material], materials[material], dlp__flow_as_given, dlp__flow_as_given};
    }
    const dlp__MaterialState low = state_at(heat, materials, material, cold.temperature, cold.enthalpy),
                             high = state_at(heat, materials, material, -hot.temperature, -hot.enthalpy);
    return (dlp__HeatRange){low.material, high.material, low.scale, high.scale};
}

double dlp__heat_total(const dlp__Domains *domains, const dlp__Solids *solids, const dlp_MaterialDef *materials,
                       double spacing)
{
    dlp__LongAccumulator heat = {{0}, 0};
    for (int d = 0; d < domains->count; d++) {
        const dlp__Particles *p = &domains->part[d].particles;
        for (int64_t i = 0; i < p->count; i++) {
            const dlp_MaterialDef *material = &materials[p->material[0][i]];
            const double mass = material->density * spacing * spacing * spacing;
            if (material->heat_capacity > 0.0) {
                dlp__long_add(&heat, mass * dlp__heat_enthalpy(p, i));
            }
        }
    }
    dlp__long_merge_ranks(domains->ranks, &heat, 1);
    double sum = dlp__long_value(&heat);
    for (int n = 0; n < solids->count; n++) {
        const dlp__Solid *solid = &solids->solid[n];
        sum += dlp__solid_has_heat_capacity(solid)
                   ? solid->mass_properties.mass * solid->def.heat_capacity * solid->temperature
                   : 0.0;
    }
    return sum;
}

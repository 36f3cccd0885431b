/* Kinetic, potential, elastic and thermal energy of the fluid, and what viscosity has dissipated: the work of stress, less the
 * elastic energy that it has stored. */
#include "probes/probes.h"

/* J, of all particles that `term` gives for each of them. */
typedef double (*EnergyTerm)(const dlp__ProbeInput *input, const dlp__Particles *p, int64_t i);

static double sum_over(const dlp__ProbeInput *input, EnergyTerm term)
{
    dlp__LongAccumulator sum = {{0}, 0};
    for (int d = 0; d < input->domains->count; d++) {
        const dlp__Particles *p = &input->domains->part[d].particles;
        for (int64_t i = 0; i < p->count; i++) {
            dlp__long_add(&sum, term(input, p, i));
        }
    }
    dlp__long_merge_ranks(input->domains->ranks, &sum, 1);
    return dlp__long_value(&sum);
}

static double kinetic(const dlp__ProbeInput *input, const dlp__Particles *p, int64_t i)
{
    const dlp_Vec3 v = dlp__vec3((double)p->velocity[0][i], (double)p->velocity[1][i], (double)p->velocity[2][i]);
    return 0.5 * dlp__probe_mass(input, p, i) * dlp__dot(v, v);
}

static double potential(const dlp__ProbeInput *input, const dlp__Particles *p, int64_t i)
{
    return -dlp__probe_mass(input, p, i) * dlp__dot(input->gravity, dlp__probe_position(p, i));
}

static double elastic(const dlp__ProbeInput *input, const dlp__Particles *p, int64_t i)
{
    return input->spacing * input->spacing * input->spacing * input->method->elastic_energy(p, i);
}

/* W: the stress without pressure, times the velocity gradient. */
static double stress_power(const dlp__ProbeInput *input, const dlp__Particles *p, int64_t i)
{
    static const int symmetric[9] = {0, 3, 4, 3, 1, 5, 4, 5, 2};
    double power = 0.0;
    for (int n = 0; n < 9; n++) {
        const double stress = (double)p->stress[symmetric[n]][i] + (n % 4 == 0 ? (double)p->pressure[0][i] : 0.0);
        power += stress * (double)p->velocity_gradient[n][i];
    }
    return input->spacing * input->spacing * input->spacing * power;
}

static bool has_stress(const dlp__ProbeInput *input)
{
    const dlp__Particles *p = &input->domains->part[0].particles;
    return input->method->elastic_energy != NULL && dlp__particles_have(p, DLP_FIELD_stress) &&
           dlp__particles_have(p, DLP_FIELD_velocity_gradient);
}

void dlp__energy_probe_end(dlp__Probe *probe, const dlp__ProbeInput *input)
{
    if (!has_stress(input)) {
        return;
    }
    const double work = input->dt * sum_over(input, stress_power);
    if (!probe->state.started) { /* elastic energy is known from the end of the first substep on */
        probe->state.elastic = sum_over(input, elastic) - work;
        probe->state.started = true;
    }
    probe->state.work += work;
}

void dlp__energy_probe_sample(dlp__Probe *probe, const dlp__ProbeInput *input)
{
    double *values = probe->values;
    values[1] = sum_over(input, kinetic);
    values[2] = sum_over(input, potential);
    values[4] = values[1] + values[2];
    if (has_stress(input)) {
        values[3] = sum_over(input, elastic);
        values[4] += values[3];
        values[5] = probe->state.work - (values[3] - probe->state.elastic);
    }
    values[6] = input->heat;
}

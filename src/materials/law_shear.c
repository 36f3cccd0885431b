/* The response of the law of a material to a history of shear rate or to a constant shear stress: the equations of its elements in homogeneous
 * simple shear, integrated in time.
 *
 * Each element has A = Q - I in units of its modulus, with the components xx, zz and xz; x is along the flow, z along the gradient. Ayy is 0,
 * or Azz in FENE-P. A thixotropic structure is broken by the rate of flow: of a viscous fluid the shear rate, of an elastic one the rate at which
 * its stress t would drive a viscous one. A yield law without a modulus has that of dlp__law_modulus(). */
#include "base/error.h"
#include "base/root.h"
#include "materials/flow_law.h"
#include "materials/law_parts.h"
#include "materials/maxwell.h"
#include "materials/stiff_ode.h"

#include <dollop/rheology.h>
#include <math.h>

/* Error of a step over the stress; 1e-6 remains after many steps. */
static const double TOLERANCE = 1e-8;

/* Unknowns: three components of each element, then the structure and the strain. */
enum { XX, ZZ, XZ, COMPONENTS };

/* What a material is exposed to. */
typedef struct Test {
    dlp__LawParts law;
    dlp_ShearRateFunction rate; /* null: creep */
    void *user;
    double stress; /* Pa, of creep */
} Test;

static int structure_of(const dlp__LawParts *law)
{
    return COMPONENTS * law->mode_count;
}

static int strain_of(const dlp__LawParts *law)
{
    return structure_of(law) + 1;
}

/* f of dlp__maxwell_stretched(); NaN beyond the limit. */
static double stiffening(const dlp__LawParts *law, const double *a)
{
    const double left = law->limit - 3.0 - a[XX] - 2.0 * a[ZZ];
    return law->limit > 0.0 ? (left > 0.0 ? (law->limit - 3.0) / left : NAN) : 1.0;
}

static dlp__LawStress element_stress(const dlp__LawParts *law, int k, const double *a)
{
    const double g = law->mode[k].modulus * stiffening(law, a);
    return (dlp__LawStress){g * a[XX], law->limit > 0.0 ? g * a[ZZ] : 0.0, g * a[ZZ], g * a[XZ]};
}

/* 1/s, the rate of flow under the stress of an element. */
static double element_flow(const dlp__LawParts *law, int k, const double *a, double structure)
{
    const dlp__LawStress stress = element_stress(law, k, a);
    const double size = dlp__law_stress_size(&stress);
    return law->kind == DLP_LAW_PLASTIC ? dlp__flow_rate_at(law->material, size, structure)
                                        : dlp__law_element_flow(&law->mode[k], size, structure);
}

/* How fast A of Saramito's law relaxes. */
static void relax_plastic(const dlp__LawParts *law, const double *a, double structure, double *change)
{
    const dlp__LawStress stress = element_stress(law, 0, a);
    const double size = dlp__law_stress_size(&stress), flow = element_flow(law, 0, a, structure);
    const double per_time = flow > 0.0 ? law->mode[0].modulus * flow / size : 0.0;
    for (int n = 0; n < COMPONENTS; n++) {
        change[n] = -per_time * a[n];
    }
}

/* How fast A of a Maxwell element relaxes. */
static void relax_element(const dlp__LawParts *law, int k, const double *a, double structure, double *change)
{
    const dlp_MaterialDef *m = law->material;
    const double per_time = 1.0 / (structure * law->mode[k].relaxation_time), f = stiffening(law, a);
    const double pull = law->limit > 0.0 ? f * (a[XX] + 2.0 * a[ZZ]) / (law->limit - 3.0) : 0.0; /* f - 1 */
    const bool giesekus = law->limit <= 0.0 && m->elastic_law == DLP_ELASTIC_GIESEKUS;
    const double alpha = giesekus ? m->mobility : 0.0, excess = m->ptt_epsilon * (a[XX] + a[ZZ]), turn = a[XZ] * a[XZ];
    const double faster = law->limit > 0.0                                ? f
                          : m->elastic_law == DLP_ELASTIC_PTT_LINEAR      ? 1.0 + excess
                          : m->elastic_law == DLP_ELASTIC_PTT_EXPONENTIAL ? exp(excess)
                                                                          : 1.0;
    change[XX] = -per_time * (faster * a[XX] + pull + alpha * (a[XX] * a[XX] + turn));
    change[ZZ] = -per_time * (faster * a[ZZ] + pull + alpha * (a[ZZ] * a[ZZ] + turn));
    change[XZ] = -per_time * (faster + alpha * (a[XX] + a[ZZ])) * a[XZ];
}

/* Pa/s, the rate of the shear stress of an element whose A changes at that rate. */
static double stress_rate(const dlp__LawParts *law, int k, const double *a, const double *change)
{
    const double f = stiffening(law, a);
    const double stretch = law->limit > 0.0 ? f * f / (law->limit - 3.0) * (change[XX] + 2.0 * change[ZZ]) : 0.0;
    return law->mode[k].modulus * (f * change[XZ] + a[XZ] * stretch);
}

/* A viscous fluid, with solvent, at a shear stress. */
typedef struct ViscousCreep {
    const dlp_MaterialDef *material;
    double structure, stress;
} ViscousCreep;

static double viscous_excess(const void *user, double rate)
{
    const ViscousCreep *c = user;
    return dlp__flow_stress(c->material, rate, c->structure) + c->material->solvent_viscosity * rate - c->stress;
}

/* 1/s, of a viscous fluid under a shear stress above zero. */
static double viscous_creep(const dlp_MaterialDef *m, double structure, double stress)
{
    const ViscousCreep creep = {m, structure, stress};
    const double alone = dlp__flow_rate_at(m, stress, structure);
    return m->solvent_viscosity > 0.0
               ? dlp__find_root(viscous_excess, &creep, 0.0, fmin(alone, stress / m->solvent_viscosity))
               : alone;
}

/* Pa, the shear stress without solvent. */
static double shear_stress(const dlp__LawParts *law, const double *y, double rate)
{
    double sum = law->kind == DLP_LAW_VISCOUS && rate != 0.0
                     ? copysign(dlp__flow_stress(law->material, fabs(rate), y[structure_of(law)]), rate)
                     : 0.0;
    for (int k = 0; k < law->mode_count; k++) {
        sum += element_stress(law, k, y + k * COMPONENTS).xz;
    }
    return sum;
}

/* 1/s, at which elements under a constant stress are sheared: the solvent supports the rest of the stress, or, without solvent, the
 * stress by shear makes up for relaxation. `relaxed` is the change of all A by relaxation. */
static double elastic_creep(const Test *test, const double *y, const double *relaxed)
{
    const dlp__LawParts *law = &test->law;
    const double solvent = law->material->solvent_viscosity;
    if (solvent > 0.0) {
        return (test->stress - shear_stress(law, y, 0.0)) / solvent;
    }
    double lost = 0.0, gained = 0.0; /* Pa/s, Pa per unit of strain */
    for (int k = 0; k < law->mode_count; k++) {
        const double *a = y + k * COMPONENTS, sheared[COMPONENTS] = {[XX] = 2.0 * a[XZ], [XZ] = 1.0 + a[ZZ]};
        lost -= stress_rate(law, k, a, relaxed + k * COMPONENTS);
        gained += stress_rate(law, k, a, sheared);
    }
    return lost / gained;
}

/* The change of all A by relaxation. */
static void relax(const dlp__LawParts *law, const double *y, double *change)
{
    const double structure = y[structure_of(law)];
    for (int k = 0; k < law->mode_count; k++) {
        const double *a = y + k * COMPONENTS;
        if (law->kind == DLP_LAW_PLASTIC) {
            relax_plastic(law, a, structure, change + k * COMPONENTS);
        } else {
            relax_element(law, k, a, structure, change + k * COMPONENTS);
        }
    }
}

/* 1/s, the shear rate; `relaxed` as above. */
static double rate_at(const Test *test, double time, const double *y, const double *relaxed)
{
    const dlp__LawParts *law = &test->law;
    if (test->rate != NULL) {
        return test->rate(test->user, time);
    }
    if (law->kind == DLP_LAW_ELASTIC || law->kind == DLP_LAW_PLASTIC) {
        return elastic_creep(test, y, relaxed);
    }
    return test->stress == 0.0
               ? 0.0
               : copysign(viscous_creep(law->material, y[structure_of(law)], fabs(test->stress)), test->stress);
}

/* 1/s; NaN without any structure, where the viscosity would be 0. */
static double structure_rate(const dlp__LawParts *law, const double *y, double rate)
{
    const dlp_MaterialDef *m = law->material;
    const double structure = y[structure_of(law)];
    if (m->recovery_time <= 0.0) {
        return 0.0;
    }
    const double flow = law->kind == DLP_LAW_VISCOUS ? fabs(rate) : element_flow(law, 0, y, structure);
    return structure > 0.0 ? (1.0 - structure) / m->recovery_time - m->breakdown * flow * structure : NAN;
}

static void derivative(const void *user, double time, const double *y, double *change)
{
    const Test *test = user;
    const dlp__LawParts *law = &test->law;
    relax(law, y, change);
    const double rate = rate_at(test, time, y, change);
    for (int k = 0; k < law->mode_count; k++) {
        const double *a = y + k * COMPONENTS;
        change[k * COMPONENTS + XX] += 2.0 * rate * a[XZ];
        change[k * COMPONENTS + XZ] += rate * (1.0 + a[ZZ]);
    }
    change[structure_of(law)] = structure_rate(law, y, rate);
    change[strain_of(law)] = rate;
}

static void sizes(const void *user, const double *y, double *size)
{
    const dlp__LawParts *law = &((const Test *)user)->law;
    for (int k = 0; k < law->mode_count; k++) {
        const double *a = y + k * COMPONENTS;
        size[k * COMPONENTS + XX] = fabs(a[XX]);
        size[k * COMPONENTS + ZZ] = fmax(fabs(a[ZZ]), fabs(a[XX])); /* N1 and N2 are of one order */
        size[k * COMPONENTS + XZ] = fabs(a[XZ]);
    }
    size[structure_of(law)] = fabs(y[structure_of(law)]);
    size[strain_of(law)] = fabs(y[strain_of(law)]);
}

static dlp_ShearState state_at(const Test *test, double time, const double *y)
{
    const dlp__LawParts *law = &test->law;
    double relaxed[DLP_STIFF_MOST];
    relax(law, y, relaxed);
    const double rate = rate_at(test, time, y, relaxed);
    dlp_ShearState state = {.time = time, .rate = rate, .strain = y[strain_of(law)], .structure = y[structure_of(law)]};
    state.stress = test->rate == NULL ? test->stress
                                      : shear_stress(law, y, rate) + law->material->solvent_viscosity * rate;
    for (int k = 0; k < law->mode_count; k++) {
        const dlp__LawStress s = element_stress(law, k, y + k * COMPONENTS);
        state.normal_stress += s.xx - s.zz;
    }
    return state;
}

static dlp_Result check_times(const double *times, int count, const dlp_ShearState *states, dlp_Error *error)
{
    if (times == NULL || states == NULL) {
        return dlp__fail_null(error);
    }
    if (count < 0) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "the number of times is %d: give 0 or more", count);
    }
    for (int k = 0; k < count; k++) {
        if (!(times[k] >= 0.0 && isfinite(times[k])) || (k > 0 && !(times[k] > times[k - 1]))) {
            return dlp__fail(error, DLP_ERROR_ARGUMENT,
                             "time %d of a shear test is %g s: times start at 0 or later and increase", k, times[k]);
        }
    }
    return DLP_OK;
}

/* Fills the states. From a time on at which there is no solution they are NaN. */
static dlp_Result run(const Test *test, double *y, const double *times, int count, dlp_ShearState *states,
                      dlp_Error *error)
{
    dlp__StiffOde ode = {.count = strain_of(&test->law) + 1,
                         .user = test,
                         .derivative = derivative,
                         .sizes = sizes,
                         .tolerance = TOLERANCE};
    bool solved = true;
    int done = 0;
    for (int k = 0; k < count; k++) {
        solved = solved && dlp__stiff_advance(&ode, k > 0 ? times[k - 1] : 0.0, times[k], y);
        states[k] = state_at(test, times[k], y);
        solved = solved && isfinite(states[k].rate) && isfinite(states[k].stress) && isfinite(states[k].normal_stress);
        if (!solved) {
            states[k] = (dlp_ShearState){times[k], NAN, NAN, NAN, NAN, NAN};
        }
        done += solved ? 1 : 0;
    }
    return solved
               ? DLP_OK
               : dlp__fail(
                     error, DLP_ERROR_NOT_FINITE,
                     "the %s of material '%s' cannot be followed up to %g s: its rate grows beyond all limits, or the law is too stiff",
                     test->rate != NULL ? "shear" : "creep", test->law.material->name, times[done]);
}

dlp_Result dlp_material_shear(const dlp_MaterialDef *material, dlp_ShearRateFunction rate, void *user,
                              const double *times, int count, dlp_ShearState *states, dlp_Error *error)
{
    dlp_Result checked = material != NULL && rate != NULL ? check_times(times, count, states, error)
                                                          : dlp__fail_null(error);
    checked = checked == DLP_OK ? dlp_material_check(material, error) : checked;
    if (checked != DLP_OK) {
        return checked;
    }
    const Test test = {.law = dlp__law_parts(material), .rate = rate, .user = user};
    double y[DLP_STIFF_MOST] = {0};
    y[structure_of(&test.law)] = 1.0;
    return run(&test, y, times, count, states, error);
}

/* Stress of the elements strained at once, less that of creep; both divided by the sum of the moduli. */
static double jump_excess(const void *user, double strain)
{
    const Test *test = user;
    const double a[COMPONENTS] = {[XX] = strain * strain, [XZ] = strain}, f = stiffening(&test->law, a);
    return isnan(f) ? INFINITY : f * strain - test->stress;
}

/* Strain at once under the stress of creep, if no solvent slows it. */
static void jump(const Test *test, double *y)
{
    const dlp__LawParts *law = &test->law;
    double modulus = 0.0;
    for (int k = 0; k < law->mode_count; k++) {
        modulus += law->mode[k].modulus;
    }
    if (modulus <= 0.0 || law->material->solvent_viscosity > 0.0) {
        return;
    }
    double strain = test->stress / modulus;
    if (law->limit > 0.0) {
        Test unit = *test;
        unit.stress = fabs(strain);
        strain = copysign(dlp__find_root(jump_excess, &unit, 0.0, fmin(unit.stress, sqrt(law->limit))), strain);
    }
    for (int k = 0; k < law->mode_count; k++) {
        y[k * COMPONENTS + XX] = strain * strain;
        y[k * COMPONENTS + XZ] = strain;
    }
    y[strain_of(law)] = strain;
}

dlp_Result dlp_material_creep(const dlp_MaterialDef *material, double stress, const double *times, int count,
                              dlp_ShearState *states, dlp_Error *error)
{
    dlp_Result checked = material != NULL ? check_times(times, count, states, error) : dlp__fail_null(error);
    if (checked == DLP_OK && !isfinite(stress)) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "the stress of a creep test is %g Pa: give a finite number",
                         stress);
    }
    checked = checked == DLP_OK ? dlp_material_check(material, error) : checked;
    if (checked != DLP_OK) {
        return checked;
    }
    const Test test = {.law = dlp__law_parts(material), .stress = stress};
    double y[DLP_STIFF_MOST] = {0};
    y[structure_of(&test.law)] = 1.0;
    jump(&test, y);
    return run(&test, y, times, count, states, error);
}

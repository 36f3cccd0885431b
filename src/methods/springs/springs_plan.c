#include "methods/springs/springs_plan.h"

#include <math.h>
#include <stdio.h>

static const double NEAR_OVER_FAR = 2.5; /* k_near / k, as in the paper's typical values */

/* Stability limits of a step, on k dt^2 / h of pressures and of the attraction alone, on sigma dt of viscosity impulses (in sequence no
 * impulse can reverse an approach) and on spring stiffness times dt^2. They are lower in gather form, where the displacements of all
 * pairs add up. The attraction contracts groups of fewer than about 40 particles to several times the density at rest, where they gain
 * energy from steps that are stable in larger bodies. */
typedef struct StabilityLimits {
    double pressure, attraction, impulses, springs;
} StabilityLimits;
static const StabilityLimits GATHER_LIMITS = {0.008, 0.0035, 0.5, 0.2}, SEQUENCE_LIMITS = {0.016, 0.009, INFINITY, 0.3};

/* Where no sound_speed is given, the attraction has the surface tension whose capillary length under standard gravity is one spacing: a
 * weaker one is not seen at this spacing. Against compression the fluid is as stiff as the time step allows, but no stiffer than to
 * lose 16 % of its volume under 40 spacings of fluid. Both would otherwise release more energy the shorter the steps are. */
static const double STANDARD_GRAVITY = 9.80665; /* m/s2 */
/* surface tension over density, sound speed squared and spacing: study clavet-float */
static const double TENSION_OVER_SOUND = 0.033;
static const double STIFFEST = 250.0; /* sound speed squared over standard gravity and spacing */
static const double MARGIN = 0.8;     /* fraction of the pressure limit that is used then */

/* Far density of a wall as a fraction of that of fluid in its place. At one half a drop neither spreads nor retracts:
 * the attraction to the wall is then half of that within the fluid. With 1, surface particles never came to rest at a
 * wall; with one half, in a tank 20 spacings deep, the first two spacings at the floor were 5 % denser than the fluid
 * above, and 56 % without sheets. Without surface tension nothing spreads or retracts, and the fraction is 1. */
static double wetting_of(double tension)
{
    return 1.0 - 0.5 * tension;
}

dlp__SpringsRest dlp__springs_rest(double support)
{
    static const double basis[4][3] = {{0.0, 0.0, 0.0}, {0.5, 0.5, 0.0}, {0.5, 0.0, 0.5}, {0.0, 0.5, 0.5}};
    const double edge = cbrt(4.0) / support; /* of a cell of four particles, in units of h */
    const int reach = (int)ceil(1.0 / edge);
    dlp__SpringsRest rest = {0};
    double far_change = 0.0, near_change = 0.0; /* how both moments grow with the logarithm of density */
    const int side = 2 * reach + 1;
    for (int n = 0; n < 4 * side * side * side; n++) {
        const int cell[3] = {n / 4 % side - reach, n / 4 / side % side - reach, n / 4 / side / side - reach};
        double q2 = 0.0;
        for (int a = 0; a < 3; a++) {
            const double along = edge * (cell[a] + basis[n % 4][a]);
            q2 += along * along;
        }
        if (q2 > 0.0 && q2 < 1.0) {
            const double q = sqrt(q2), s = 1.0 - q;
            rest.density += s * s;
            rest.near += s * s * s;
            rest.far_moment += q * s;
            rest.near_moment += q * s * s;
            rest.moment += q2 * s;
            far_change -= q * (1.0 - 2.0 * q) / 3.0;
            near_change -= q * s * (1.0 - 3.0 * q) / 3.0;
        }
    }
    /* The pressure over density is h / 6 (P far_moment + P_near near_moment); at rest it vanishes. */
    const double push = NEAR_OVER_FAR * rest.near, pull = -push * rest.near_moment / rest.far_moment;
    rest.target = rest.density - pull;
    rest.stiffness = (2.0 / 3.0 * rest.far_moment * rest.far_moment + pull * far_change +
                      NEAR_OVER_FAR * rest.near_moment * rest.near_moment + push * near_change) /
                     6.0;
    return rest;
}

static const StabilityLimits *limits_of(bool in_sequence)
{
    return in_sequence ? &SEQUENCE_LIMITS : &GATHER_LIMITS;
}

dlp__SpringsStiffness dlp__springs_default_stiffness(const dlp__SpringsRest *rest, double support, double spacing,
                                                     double dt, bool in_sequence)
{
    const StabilityLimits *limits = limits_of(in_sequence);
    const double unit = STANDARD_GRAVITY * spacing / (rest->stiffness * support), per_limit = support / (dt * dt);
    return (dlp__SpringsStiffness){.attraction = fmin(limits->attraction * per_limit, unit / TENSION_OVER_SOUND),
                                   .compression = fmin(MARGIN * limits->pressure * per_limit, STIFFEST * unit)};
}

/* Both pushes are the gradient of one energy. */
dlp__SpringsStiffening dlp__springs_stiffening(const dlp__SpringsRest *rest, const dlp__SpringsStiffness *stiffness)
{
    const double balance = rest->near_moment / rest->far_moment, near_share = 1.5 * NEAR_OVER_FAR * balance;
    const double far = (stiffness->compression / stiffness->attraction - 1.0) / (1.0 + near_share * balance);
    return (dlp__SpringsStiffening){far, near_share * far};
}

bool dlp__springs_can_sequence(const dlp__Domains *domains)
{
    const int64_t *periodic = domains->frame.periodic;
    return domains->count == 1 && dlp__ranks_count(domains->ranks) == 1 && periodic[0] == 0 && periodic[1] == 0 &&
           periodic[2] == 0;
}

/* Settings for a step of `requested_dt`. */
typedef struct StepSettings {
    dlp__SpringsRest rest;
    double moment; /* m2 */
    double sigma;  /* 1/s, the largest of all materials */
    int most_viscous_material;
    double spring; /* 1/s2, the largest spring stiffness */
    int stiffest_material;
    bool in_sequence;
    bool same_density;           /* all materials have the same density */
    bool depends_on_temperature; /* some law depends on temperature */
    double longest;              /* s, limit of impulses and springs */
    dlp__SpringsStiffness stiffness;
} StepSettings;

static StepSettings choose_settings(const dlp__StepContext *step)
{
    const dlp__SpringsParams *own = step->params;
    const dlp__SpringsMaterial *material = step->material_params;
    const double h = (double)step->kernel->support, dt = step->requested_dt;
    StepSettings settings = {.rest = dlp__springs_rest(h / (double)step->spacing), .same_density = true};
    settings.moment = settings.rest.moment * h * h;
    for (int m = 0; m < step->material_count; m++) {
        const dlp__HeatRange range = dlp__heat_range(step->heat, step->materials, m, step->domains);
        const dlp__SpringLaw cold = dlp__spring_law(&range.cold, &range.cold_scale, &material[m], settings.moment, dt),
                             hot = dlp__spring_law(&range.hot, &range.hot_scale, &material[m], settings.moment, dt);
        const double sigma = (double)fmaxf(cold.sigma, hot.sigma),
                     spring = (double)fmaxf(cold.stiffness, hot.stiffness);
        settings.same_density = settings.same_density && step->materials[m].density == step->materials[0].density;
        settings.depends_on_temperature = settings.depends_on_temperature ||
                                          dlp__heat_material_varies(step->heat, step->materials, m);
        settings.most_viscous_material = sigma > settings.sigma ? m : settings.most_viscous_material;
        settings.sigma = fmax(settings.sigma, sigma);
        settings.stiffest_material = spring > settings.spring ? m : settings.stiffest_material;
        settings.spring = fmax(settings.spring, spring);
    }
    const bool too_viscous_to_gather = settings.sigma * dt > GATHER_LIMITS.impulses;
    settings.in_sequence = own->form == DLP_SPRINGS_SEQUENCE ||
                           (own->form == DLP_SPRINGS_AUTO && too_viscous_to_gather &&
                            dlp__springs_can_sequence(step->domains));
    const StabilityLimits *limits = limits_of(settings.in_sequence);
    settings.longest = fmin(fmin(dt, limits->impulses / settings.sigma), sqrt(limits->springs / settings.spring));
    if (own->sound_speed > 0.0) {
        const double given = own->sound_speed * own->sound_speed / (settings.rest.stiffness * h);
        settings.stiffness = (dlp__SpringsStiffness){given, given};
    } else {
        settings.stiffness = dlp__springs_default_stiffness(&settings.rest, h, (double)step->spacing, settings.longest,
                                                            settings.in_sequence);
    }
    return settings;
}

dlp__LongestStep dlp__springs_limit(const dlp__StepContext *step)
{
    const dlp__SpringsParams *own = step->params;
    const StepSettings settings = choose_settings(step);
    const StabilityLimits *limits = limits_of(settings.in_sequence);
    const double most = fmin(limits->pressure, limits->attraction / own->tension); /* of k dt^2 / h */
    const double relaxation = own->sound_speed > 0.0
                                  ? sqrt(most * (double)step->kernel->support / settings.stiffness.attraction)
                                  : INFINITY;
    dlp__LongestStep limit = {.longest = fmin(settings.longest, relaxation)};
    if (limit.longest == relaxation) {
        snprintf(limit.cause, sizeof limit.cause, "a sound_speed of %.3g m/s (k dt^2 / h <= %.2g)", own->sound_speed,
                 most);
    } else if (limit.longest == limits->impulses / settings.sigma) {
        snprintf(limit.cause, sizeof limit.cause,
                 "the viscosity of material '%.64s' (sigma dt <= %g, sigma = %.3g 1/s)",
                 step->materials[settings.most_viscous_material].name, limits->impulses, settings.sigma);
    } else if (step->material_count > 0) {
        snprintf(limit.cause, sizeof limit.cause, "the modulus of material '%.64s' (k dt^2 <= %g, k = %.3g 1/s2)",
                 step->materials[settings.stiffest_material].name, limits->springs, settings.spring);
    }
    return limit;
}

/* Report why pairs are processed in sequence if the form was chosen automatically. */
static void note_form(dlp__StepContext *step, const StepSettings *settings)
{
    const dlp__SpringsParams *own = step->params;
    if (own->form == DLP_SPRINGS_AUTO && settings->in_sequence) {
        snprintf(
            step->note, sizeof step->note,
            "springs: pairs are processed in sequence, because material '%.64s' is too viscous to gather (sigma dt "
            "= %.3g, "
            "above %g)",
            step->materials[settings->most_viscous_material].name, settings->sigma * step->requested_dt,
            GATHER_LIMITS.impulses);
    }
}

static bool any_bonds(const dlp__StepContext *step)
{
    bool found = false;
    for (int d = 0; d < step->domains->count; d++) {
        found = found || step->bonds->part[d].count > 0;
    }
    return dlp__ranks_any(step->domains->ranks, found);
}

bool dlp__springs_plan(dlp__StepContext *step, dlp__SpringsPlan *plan)
{
    const dlp__SpringsParams *own = step->params;
    const dlp__SpringsMaterial *material = step->material_params;
    const StepSettings settings = choose_settings(step);
    const double h = (double)step->kernel->support, dt = (double)step->dt,
                 far = settings.stiffness.attraction * dt * dt;
    const StabilityLimits *limits = limits_of(settings.in_sequence);
    dlp__SpringLaw *law = dlp__step_scratch(step->domains, step->material_count, sizeof *law,
                                            "the springs of materials");
    if (settings.in_sequence && !dlp__springs_can_sequence(step->domains)) {
        dlp__domains_fail(step->domains, DLP_ERROR_ARGUMENT,
                          "method.form = sequence needs a single subdomain without periodic axes: set "
                          "world.subdomains = 1 and no periodic axis, or method.form = gather");
    }
    if (law == NULL || !dlp__step_is_ok(step->domains)) {
        return false;
    }
    for (int m = 0; m < step->material_count; m++) {
        law[m] = dlp__spring_law(&step->materials[m], &dlp__flow_as_given, &material[m], settings.moment, dt);
    }
    note_form(step, &settings);
    const double pressure = h / (6.0 * dt * dt);
    const dlp__SpringsStiffening stiffening = dlp__springs_stiffening(&settings.rest, &settings.stiffness);
    *plan = (dlp__SpringsPlan){
        .rest = settings.rest,
        .in_sequence = settings.in_sequence,
        .same_density = settings.same_density,
        .viscous = settings.sigma > 0.0 || own->beta > 0.0,
        .has_springs = settings.spring > 0.0,
        .uses_bonds = settings.spring > 0.0 || any_bonds(step),
        .support = (float)h,
        .spacing = step->spacing,
        .per_h = (float)(1.0 / h),
        .dt = step->dt,
        .far = (float)far,
        .near = (float)(NEAR_OVER_FAR * far),
        .target = (float)settings.rest.target,
        .slack = (float)(1.0 - own->tension),
        .balance = (float)(settings.rest.near_moment / settings.rest.far_moment),
        .stiffening = (float)stiffening.far,
        .near_stiffening = (float)stiffening.near,
        .wetting = (float)wetting_of(own->tension),
        .beta = (float)own->beta,
        .per_density = (float)(1.0 / settings.rest.density),
        .far_pressure = (float)(pressure * settings.rest.far_moment),
        .near_pressure = (float)(pressure * settings.rest.near_moment),
        .materials = step->materials,
        .own = material,
        .law = law,
        .one_law = step->material_count == 1,
        .depends_on_temperature = settings.depends_on_temperature,
        .moment = settings.moment,
        .sigma_most = (float)fmin(limits->impulses / dt, 1e30),
        .stiffness_most = (float)fmin(limits->springs / (dt * dt), 1e30),
        .heat = step->heat,
        .bonds = step->bonds,
        .domains = step->domains,
    };
    return true;
}

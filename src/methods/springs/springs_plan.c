#include "methods/springs/springs_plan.h"

#include <math.h>
#include <stdio.h>

static const double NEAR_OVER_FAR = 2.5; /* k_near / k, as in the paper's typical values */

/* What a step bears: in sequence each pair finds the others' moves made, in gather form all moves add up. Each for k dt^2 / h, for
 * sigma dt of viscosity impulses (in sequence no impulse can turn an approach around), and for the stiffness of springs times dt^2. */
typedef struct Bearable {
    double relaxation, impulses, springs;
} Bearable;
static const Bearable IN_GATHER = {0.008, 0.5, 0.2}, IN_SEQUENCE = {0.016, INFINITY, 0.3};

static const double MARGIN = 0.8; /* of what the relaxation bears, where no speed of sound is asked for */

/* Part of the far density that walls have of what sheets of fluid would have: the attraction between unlike bodies at which a drop
 * neither spreads nor shrinks back is half of that between like ones. With all of it particles of the surface never came to rest
 * at a wall; with half, in a tank 20 spacings deep, the first two spacings at the floor were 5 % denser than the fluid above, and
 * 56 % without sheets. Where surfaces have no tension there is nothing to spread or to shrink. */
static double wetting_of(double tension)
{
    return 1.0 - 0.5 * tension;
}

dlp__SpringsRest dlp__springs_rest(double support)
{
    static const double basis[4][3] = {{0.0, 0.0, 0.0}, {0.5, 0.5, 0.0}, {0.5, 0.0, 0.5}, {0.0, 0.5, 0.5}};
    const double edge = cbrt(4.0) / support; /* of a cell with four particles, in units of h */
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

bool dlp__springs_can_sequence(const dlp__Domains *domains)
{
    const int64_t *periodic = domains->frame.periodic;
    return domains->count == 1 && periodic[0] == 0 && periodic[1] == 0 && periodic[2] == 0;
}

/* How a step of `requested_dt` is to be made. */
typedef struct Choice {
    dlp__SpringsRest rest;
    double moment; /* m2 */
    double sigma;  /* 1/s, the largest of all materials, and which it is */
    int thickest;
    double spring; /* 1/s2, the same of springs */
    int stiffest;
    bool in_sequence;
    bool alike;       /* all materials are as dense */
    bool by_heat;     /* some are not the same at all temperatures */
    double longest;   /* s, for impulses and springs */
    double stiffness; /* m/s2, k */
} Choice;

static Choice choose(const dlp__StepContext *step)
{
    const dlp__SpringsParams *own = step->params;
    const dlp__SpringsMaterial *material = step->material_params;
    const double h = (double)step->kernel->support, dt = step->requested_dt;
    Choice choice = {.rest = dlp__springs_rest(h / (double)step->spacing), .alike = true};
    choice.moment = choice.rest.moment * h * h;
    for (int m = 0; m < step->material_count; m++) {
        const dlp__HeatRange range = dlp__heat_range(step->heat, step->materials, m, step->domains);
        const dlp__SpringLaw cold = dlp__spring_law(&range.cold, &range.cold_scale, &material[m], choice.moment, dt),
                             hot = dlp__spring_law(&range.hot, &range.hot_scale, &material[m], choice.moment, dt);
        const double sigma = (double)fmaxf(cold.sigma, hot.sigma),
                     spring = (double)fmaxf(cold.stiffness, hot.stiffness);
        choice.alike = choice.alike && step->materials[m].density == step->materials[0].density;
        choice.by_heat = choice.by_heat || dlp__heat_material_varies(step->heat, step->materials, m);
        choice.thickest = sigma > choice.sigma ? m : choice.thickest;
        choice.sigma = fmax(choice.sigma, sigma);
        choice.stiffest = spring > choice.spring ? m : choice.stiffest;
        choice.spring = fmax(choice.spring, spring);
    }
    const bool thick = choice.sigma * dt > IN_GATHER.impulses;
    choice.in_sequence = own->form == DLP_SPRINGS_SEQUENCE ||
                         (own->form == DLP_SPRINGS_AUTO && thick && dlp__springs_can_sequence(step->domains));
    const Bearable *bearable = choice.in_sequence ? &IN_SEQUENCE : &IN_GATHER;
    choice.longest = fmin(fmin(dt, bearable->impulses / choice.sigma), sqrt(bearable->springs / choice.spring));
    if (own->sound_speed > 0.0) {
        choice.stiffness = own->sound_speed * own->sound_speed / (choice.rest.stiffness * h);
    } else {
        choice.stiffness = MARGIN * bearable->relaxation * h / (choice.longest * choice.longest);
    }
    return choice;
}

dlp__StepLimit dlp__springs_limit(const dlp__StepContext *step)
{
    const dlp__SpringsParams *own = step->params;
    const Choice choice = choose(step);
    const Bearable *bearable = choice.in_sequence ? &IN_SEQUENCE : &IN_GATHER;
    const double relaxation = sqrt(bearable->relaxation * (double)step->kernel->support / choice.stiffness);
    dlp__StepLimit limit = {.longest = fmin(choice.longest, relaxation)};
    if (limit.longest == relaxation) {
        snprintf(limit.cause, sizeof limit.cause, "a sound_speed of %.3g m/s (k dt^2 / h <= %g)", own->sound_speed,
                 bearable->relaxation);
    } else if (limit.longest == bearable->impulses / choice.sigma) {
        snprintf(limit.cause, sizeof limit.cause,
                 "the viscosity of material '%.64s' (sigma dt <= %g, sigma = %.3g 1/s)",
                 step->materials[choice.thickest].name, bearable->impulses, choice.sigma);
    } else if (step->material_count > 0) {
        snprintf(limit.cause, sizeof limit.cause, "the modulus of material '%.64s' (k dt^2 <= %g, k = %.3g 1/s2)",
                 step->materials[choice.stiffest].name, bearable->springs, choice.spring);
    }
    return limit;
}

/* Why it is done in which form, where that is not plain. */
static void note_form(dlp__StepContext *step, const Choice *choice)
{
    const dlp__SpringsParams *own = step->params;
    if (own->form == DLP_SPRINGS_AUTO && choice->in_sequence) {
        snprintf(
            step->note, sizeof step->note,
            "springs: pairs are gone through in sequence, for material '%.64s' is too viscous to gather (sigma dt = %.3g, "
            "above %g)",
            step->materials[choice->thickest].name, choice->sigma * step->requested_dt, IN_GATHER.impulses);
    }
}

bool dlp__springs_plan(dlp__StepContext *step, dlp__SpringsPlan *plan)
{
    const dlp__SpringsParams *own = step->params;
    const dlp__SpringsMaterial *material = step->material_params;
    const Choice choice = choose(step);
    const double h = (double)step->kernel->support, dt = (double)step->dt, far = choice.stiffness * dt * dt;
    const Bearable *bearable = choice.in_sequence ? &IN_SEQUENCE : &IN_GATHER;
    dlp__SpringLaw *law = dlp__arena_take(&step->domains->arena, step->material_count, sizeof *law);
    dlp__require_memory(step->domains, law != NULL, "the springs of materials");
    if (choice.in_sequence && !dlp__springs_can_sequence(step->domains)) {
        dlp__domains_fail(
            step->domains, DLP_ERROR_ARGUMENT,
            "method.form = sequence goes through the pairs of one world without end: set world.subdomains "
            "= 1 and no periodic axis, or method.form = gather");
    }
    if (!dlp__step_is_ok(step->domains)) {
        return false;
    }
    for (int m = 0; m < step->material_count; m++) {
        law[m] = dlp__spring_law(&step->materials[m], &dlp__flow_as_given, &material[m], choice.moment, dt);
    }
    note_form(step, &choice);
    const double pressure = h / (6.0 * dt * dt);
    *plan = (dlp__SpringsPlan){
        .rest = choice.rest,
        .in_sequence = choice.in_sequence,
        .alike = choice.alike,
        .viscous = choice.sigma > 0.0 || own->beta > 0.0,
        .sprung = choice.spring > 0.0,
        .support = (float)h,
        .spacing = step->spacing,
        .per_h = (float)(1.0 / h),
        .dt = step->dt,
        .far = (float)far,
        .near = (float)(NEAR_OVER_FAR * far),
        .target = (float)choice.rest.target,
        .slack = (float)(1.0 - own->tension),
        .balance = (float)(choice.rest.near_moment / choice.rest.far_moment),
        .wetting = (float)wetting_of(own->tension),
        .beta = (float)own->beta,
        .per_density = (float)(1.0 / choice.rest.density),
        .far_pressure = (float)(pressure * choice.rest.far_moment),
        .near_pressure = (float)(pressure * choice.rest.near_moment),
        .materials = step->materials,
        .own = material,
        .law = law,
        .one_law = step->material_count == 1,
        .by_heat = choice.by_heat,
        .moment = choice.moment,
        .sigma_most = (float)fmin(bearable->impulses / dt, 1e30),
        .stiffness_most = (float)fmin(bearable->springs / (dt * dt), 1e30),
        .heat = step->heat,
        .bonds = step->bonds,
        .domains = step->domains,
    };
    return true;
}

#include "methods/blend/blend_plan.h"

#include "methods/fluid_weight.h"
#include "sph/lattice.h"

#include <math.h>
#include <stdio.h>

/* The derived speed of sound, over the speeds that occur: compression is the square of the inverse. */
static const double SOUND_PER_FALL = 10.0; /* of the speed gained in a fall by half the height of the fluid        */
static const double SOUND_PER_SPEED = 4.0; /* of the fastest particle: only impacts compress it so much           */
static const double SOUND_PER_WAVE = 4.0;  /* of shear waves                                                      */
static const double SOUND_LEAST = 1.0;     /* m/s, of fluid at rest without gravity                               */

/* Fractions of the stability limits. */
static const double COURANT = 0.4, VISCOUS_SAFETY = 0.6, MATCHING_SAFETY = 1.0;
/* Spacings that the fastest particle may move in a step. The paper allows the whole support: particles pass through each other then. */
static const double FLIGHT = 0.4;

/* A lattice is denser than its rest density by rounding errors; compression up to here has no pressure. */
static const double REST_MARGIN = 1e-5;

/* Viscosity of sheared fluid over that of a random arrangement: the pressure keeps particles in layers. Measured in a shear wave with
 * the default kernel (test_blend). */
static const double SHEARED = 0.82;

/* Sums over the neighbourhood of a particle in a full lattice. */
typedef struct Neighborhood {
    double spread;       /* m2, mean of z^2 over the particles of a cluster */
    double shear;        /* sum of V (-W'/r) r^2 / 30: half the mean of x^2 z^2 / r^2 over directions */
    double largest_rate; /* 1/m2, sum of V (-W'/r) / 3, twice: the fastest mode of the viscous operator */
} Neighborhood;

static Neighborhood sum_neighborhood(const dlp__Kernel *kernel, double spacing)
{
    Neighborhood sums = {0.0, 0.0, 0.0};
    const int reach = (int)ceil((double)kernel->support / spacing);
    const double volume = spacing * spacing * spacing;
    double count = 0.0;
    for (int x = -reach; x <= reach; x++) {
        for (int y = -reach; y <= reach; y++) {
            for (int z = -reach; z <= reach; z++) {
                const double r = spacing * sqrt((double)(x * x + y * y + z * z));
                if (r < (double)kernel->support) {
                    const double weight = r > 0.0 ? -volume * dlp__kernel_slope(kernel, r) / r : 0.0;
                    count += 1.0;
                    sums.spread += spacing * spacing * z * z;
                    sums.shear += weight * r * r / 30.0;
                    sums.largest_rate += 2.0 * weight / 3.0;
                }
            }
        }
    }
    sums.spread /= count;
    return sums;
}

/* Properties of the strongest law among all materials and temperatures. */
typedef struct Strongest {
    double wave_speed;         /* m/s, of shear waves */
    double kinematic;          /* m2/s */
    double stiffness;          /* 1/s2 */
    double lightest, heaviest; /* kg/m3 */
    int viscous, stiff;        /* the materials */
} Strongest;

static void consider(Strongest *strongest, const dlp_MaterialDef *material, int m, const dlp__BlendLaw *law,
                     const dlp__BlendScene *scene)
{
    const double viscosity = fmax(law->viscosity, dlp__blend_slush_viscosity(material, scene));
    const double kinematic = viscosity / material->density;
    strongest->viscous = kinematic > strongest->kinematic ? m : strongest->viscous;
    strongest->stiff = law->stiffness > strongest->stiffness ? m : strongest->stiff;
    strongest->kinematic = fmax(strongest->kinematic, kinematic);
    strongest->stiffness = fmax(strongest->stiffness, law->stiffness);
    strongest->lightest = fmin(strongest->lightest, material->density);
    strongest->heaviest = fmax(strongest->heaviest, material->density);
    strongest->wave_speed = fmax(strongest->wave_speed, sqrt(law->modulus / material->density));
}

static Strongest find_strongest(const dlp__StepContext *step, const dlp__BlendScene *scene)
{
    const dlp__BlendMaterial *own = step->material_params;
    Strongest strongest = {.lightest = INFINITY};
    for (int m = 0; m < step->material_count; m++) {
        const dlp__HeatRange range = dlp__heat_range(step->heat, step->materials, m, step->domains);
        const dlp__BlendLaw cold = dlp__blend_law(&range.cold, &range.cold_scale, &own[m], scene),
                            hot = dlp__blend_law(&range.hot, &range.hot_scale, &own[m], scene);
        consider(&strongest, &range.cold, m, &cold, scene);
        consider(&strongest, &range.hot, m, &hot, scene);
    }
    return strongest;
}

static dlp__BlendScene scene_of(const dlp__StepContext *step, const Neighborhood *neighborhood)
{
    const dlp__BlendParams *own = step->params;
    dlp__BlendScene scene = {.spread = neighborhood->spread,
                             .spacing = (double)step->spacing,
                             .sound_speed = own->sound_speed,
                             .damping = own->damping};
    if (!(scene.sound_speed > 0.0)) {
        const double fall = sqrt(dlp__fluid_weight(step, 0.0)),
                     speed = dlp__domains_max_speed(step->domains, NULL, NULL);
        const double wave = find_strongest(step, &scene).wave_speed;
        scene.sound_speed = fmax(fmax(SOUND_PER_FALL * fall, SOUND_LEAST),
                                 fmax(SOUND_PER_SPEED * speed, SOUND_PER_WAVE * wave));
    }
    return scene;
}

/* The particles around a free body are heavier than a small body of their density. */
static const double BODY_COUPLING = 3.0;

/* By how much the pressure of the heaviest fluid accelerates the particles of a lighter one, or a free body, faster than its own: the
 * square root of the ratio of their masses. */
static double mass_contrast(const dlp__StepContext *step, const Strongest *strongest)
{
    double contrast = step->material_count > 0 ? sqrt(strongest->heaviest / strongest->lightest) : 1.0;
    for (int n = 0; n < step->solids->count; n++) {
        const dlp__Solid *solid = &step->solids->solid[n];
        if (solid->body >= 0 && step->material_count > 0) {
            contrast = fmax(contrast, BODY_COUPLING * sqrt(fmax(strongest->heaviest / solid->def.density, 1.0)));
        }
    }
    return contrast;
}

dlp__LongestStep dlp__blend_limit(const dlp__StepContext *step)
{
    const Neighborhood neighborhood = sum_neighborhood(step->kernel, (double)step->spacing);
    const dlp__BlendScene scene = scene_of(step, &neighborhood);
    const Strongest strongest = find_strongest(step, &scene);
    const double support = (double)step->kernel->support, speed = dlp__domains_max_speed(step->domains, NULL, NULL);
    const double contrast = mass_contrast(step, &strongest);
    const double sound = COURANT * 0.5 * support / (contrast * (scene.sound_speed + strongest.wave_speed));
    const double flight = speed > 0.0 ? FLIGHT * (double)step->spacing / speed : INFINITY; /* eq. 12 */
    const double rate = strongest.kinematic * neighborhood.largest_rate / (SHEARED * neighborhood.shear);
    const double viscous = rate > 0.0 ? VISCOUS_SAFETY * 2.0 / rate : INFINITY;
    const double matching = strongest.stiffness > 0.0 ? MATCHING_SAFETY / sqrt(strongest.stiffness) : INFINITY;
    dlp__LongestStep limit = {.longest = fmin(fmin(fmin(sound, flight), fmin(viscous, matching)), step->requested_dt)};
    if (limit.longest == sound) {
        snprintf(limit.cause, sizeof limit.cause, "a sound speed of %.3g m/s (method.sound_speed)%s", scene.sound_speed,
                 contrast > 2.0 ? " and light bodies or materials of very different density" : "");
    } else if (limit.longest == flight) {
        snprintf(limit.cause, sizeof limit.cause, "particles of %.3g m/s", speed);
    } else if (limit.longest == viscous && step->material_count > 0) {
        snprintf(limit.cause, sizeof limit.cause, "the viscosity of material '%.64s'",
                 step->materials[strongest.viscous].name);
    } else if (limit.longest == matching && step->material_count > 0) {
        snprintf(limit.cause, sizeof limit.cause, "the elasticity of material '%.64s'",
                 step->materials[strongest.stiff].name);
    }
    return limit;
}

void dlp__blend_deliver(const dlp__StepContext *step, int material, dlp_DeliveredMaterial *delivered)
{
    const Neighborhood neighborhood = sum_neighborhood(step->kernel, (double)step->spacing);
    const dlp__BlendScene scene = scene_of(step, &neighborhood);
    const dlp__BlendMaterial *own = (const dlp__BlendMaterial *)step->material_params + material;
    const dlp_MaterialDef *def = &step->materials[material];
    const dlp__BlendLaw law = dlp__blend_law(def, &dlp__flow_as_given, own, &scene);
    dlp__BlendScene undamped = scene;
    undamped.damping = 0.0;
    const bool is_damped = law.viscosity > dlp__blend_law(def, &dlp__flow_as_given, own, &undamped).viscosity;
    delivered->modulus = law.modulus;
    delivered->viscosity = law.viscosity;
    snprintf(delivered->note, sizeof delivered->note, "alpha %.3g, sound speed %.3g m/s%s%s", law.alpha,
             scene.sound_speed, is_damped ? "; the viscosity is numerical, see method.damping" : "",
             def->relaxation_time > 0.0 ? "; does not relax" : "");
}

dlp__BlendLaw dlp__blend_law_of(const dlp__BlendPlan *plan, const dlp__Particles *p, int64_t i)
{
    const dlp__StepContext *step = plan->step;
    const int m = p->material[0][i];
    const dlp__BlendMaterial *own = step->material_params;
    if (!dlp__heat_material_varies(step->heat, step->materials, m)) {
        return plan->law[m];
    }
    const dlp__MaterialState state = dlp__heat_state(step->heat, step->materials, p, i);
    return dlp__blend_law(&state.material, &state.scale, &own[m], &plan->scene);
}

/* Whether a multiple of the interval is passed in this step. */
static bool passes_check(const dlp__StepContext *step, double interval)
{
    const double begin = step->time - (double)step->dt,
                 rounding = 1e-6; /* of the times of steps that end at a multiple */
    return floor(step->time / interval + rounding) > floor(begin / interval + rounding);
}

bool dlp__blend_plan(dlp__StepContext *step, dlp__BlendPlan *plan)
{
    const dlp__BlendParams *own = step->params;
    const dlp__BlendMaterial *materials = step->material_params;
    const double spacing = (double)step->spacing, volume = spacing * spacing * spacing;
    const Neighborhood neighborhood = sum_neighborhood(step->kernel, spacing);
    const dlp__BlendScene scene = scene_of(step, &neighborhood);
    dlp__BlendLaw *law = dlp__step_scratch(step->domains, step->material_count, sizeof *law, "the laws of materials");
    float *tear = dlp__step_scratch(step->domains, step->material_count, sizeof *tear, "the laws of materials");
    if (!dlp__step_is_ok(step->domains)) {
        return false;
    }
    for (int m = 0; m < step->material_count; m++) {
        law[m] = dlp__blend_law(&step->materials[m], &dlp__flow_as_given, &materials[m], &scene);
        tear[m] = (float)materials[m].tear_stretch;
    }
    *plan = (dlp__BlendPlan){
        .step = step,
        .scene = scene,
        .law = law,
        .clusters = {step->domains, step->bonds, step->spacing, step->material_count, tear},
        .matches = find_strongest(step, &scene).stiffness > 0.0,
        .is_checked = passes_check(step, own->update_interval),
        .kernel = *step->kernel,
        .dt = step->dt,
        .volume = (float)volume,
        .self = (float)(volume * dlp__kernel_value(step->kernel, 0.0)),
        .per_rest = (float)(1.0 / (dlp__lattice_sums(step->kernel, spacing).value * (1.0 + REST_MARGIN))),
        .square = (float)(scene.sound_speed * scene.sound_speed),
        .shear = (float)(volume / (SHEARED * neighborhood.shear)),
        .gravity = {step->gravity[0], step->gravity[1], step->gravity[2]},
    };
    return true;
}

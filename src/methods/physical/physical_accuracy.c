/* The length of the next automatic step, from how fast the flow changes.
 *
 * Viscous forces are those at the end of a step, so Newtonian flow is first order in time: its error is proportional to the change of
 * velocity in a step. Elastic and inviscid flow is second order and allows more. The measure is the mean change of velocity over
 * the mean speed. A change counts as far as it goes on in the next step in the same direction: where a body hits the floor, one layer after
 * the other stops at once, and a stiff fluid that meets a plate follows at once, at any step. Free fall is exact and does not count. */
#include "methods/physical/physical_fields.h"
#include "methods/physical/physical_solver.h"

#include <math.h>

/* Mean change of velocity in a step over the mean speed, of inviscid, elastic and viscous flow. The last two were tuned on the study
 * oscillatory-shear: with ELASTIC = 0.1 a free elastic wave is off by 2.04 % there, with 0.075 by 1.75 %. */
static const double INVISCID = 0.3, ELASTIC = 0.075, VISCOUS = 0.03;

/* Stress matters from about this value of viscosity * dt / (density * spacing^2) on; (wave speed * dt / spacing)^2 if elastic. */
static const double STRESSED = 1e-3;

/* Changes of position by less than this fraction of a spacing per step are not resolved: mostly noise. Surface tension jitters as particles
 * move along a surface, more so in short steps, because surfaces are levelled per step. */
static const double UNRESOLVED = 1e-5, UNRESOLVED_WITH_TENSION = 1e-3;

/* Fraction of the largest mean speed and mean acceleration that fades per step: while a flow oscillates, one of them passes through
 * zero, but the step should not change. With faster fading (1/16) a free elastic wave is off by 2.7 % instead of 2 %. */
static const double FADING = 1.0 / 64.0;

/* At the end of the step. */
static void add_speed(const void *context, int part, int64_t begin, int64_t end, dlp__ExactSum *sum)
{
    const dlp__Domains *domains = context;
    const dlp__Particles *p = &domains->part[part].particles;
    for (int64_t i = begin; i < end; i++) {
        const float x = p->velocity[0][i] + p->change[0][i], y = p->velocity[1][i] + p->change[1][i],
                    z = p->velocity[2][i] + p->change[2][i];
        dlp__exact_add(sum, (double)sqrtf(x * x + y * y + z * z));
    }
}

typedef struct Changes {
    const dlp__Domains *domains;
    float dt;          /* s */
    float fall[3];     /* m/s, change of velocity in free fall */
    float per_inertia; /* s/m2: viscosity over density times this is the ratio to which STRESSED refers */
} Changes;

/* change, or that relative to free fall if it is smaller. */
static void without_fall(const Changes *changes, float change[3])
{
    float square = 0.0f, falling = 0.0f;
    for (int a = 0; a < 3; a++) {
        const float off = change[a] - changes->fall[a];
        square += change[a] * change[a];
        falling += off * off;
    }
    for (int a = 0; a < 3 && falling < square; a++) {
        change[a] -= changes->fall[a];
    }
}

/* The geometric mean of the change of velocity and that at the acceleration of the last step, as far as they have one direction; weighted by how inaccurate
 * the material is. */
static void add_change(const void *context, int part, int64_t begin, int64_t end, dlp__ExactSum *sum)
{
    const Changes *changes = context;
    const dlp__Particles *p = &changes->domains->part[part].particles;
    const dlp__PhysicalFields *f = dlp__own_fields(p);
    const float viscous = (float)(INVISCID / VISCOUS - 1.0), elastic = (float)(INVISCID / ELASTIC - 1.0);
    for (int64_t i = begin; i < end; i++) {
        float now[3], last[3], common = 0.0f;
        for (int a = 0; a < 3; a++) {
            now[a] = p->change[a][i];
            last[a] = changes->dt * f->acceleration[a][i];
        }
        without_fall(changes, now);
        without_fall(changes, last);
        for (int a = 0; a < 3; a++) {
            common += now[a] * last[a];
        }
        const float ratio = (f->viscosity[0][i] + f->solvent[0][i]) * p->specific_volume[0][i] * changes->per_inertia;
        const float kept = f->retention[0][i], stressed = ratio / (ratio + (float)STRESSED);
        const float weight = 1.0f + stressed * (viscous * (1.0f - kept) + elastic * kept);
        dlp__exact_add(sum, (double)(weight * sqrtf(fmaxf(common, 0.0f))));
    }
}

void dlp__physical_limit_next_step(const dlp__PhysicalSolver *solver)
{
    dlp__StepContext *step = solver->step;
    /* In the first step forces meet a fluid that is not in balance with them. */
    if (!step->adaptive || step->dt_last == 0.0f || !dlp__step_is_ok(step->domains)) {
        return;
    }
    const double dt = (double)step->dt, spacing = (double)step->spacing;
    const double count = fmax((double)dlp__domains_particles(step->domains), 1.0);
    Changes changes = {.domains = step->domains, .dt = step->dt, .per_inertia = (float)(dt / (spacing * spacing))};
    for (int a = 0; a < 3; a++) {
        changes.fall[a] = solver->arguments.kick[a] / solver->arguments.inertia;
    }
    const double speed = dlp__physical_sum(step->domains, add_speed, step->domains) / count;
    const double change = dlp__physical_sum(step->domains, add_change, &changes) / count;
    step->flow_speed = fmax(speed, (1.0 - FADING) * step->flow_speed);
    const double acceleration = change * (double)solver->arguments.inertia / dt;
    step->flow_acceleration = fmax(acceleration, (1.0 - FADING) * step->flow_acceleration);
    const double resolved = INVISCID * step->flow_speed / step->flow_acceleration;
    const double unresolved = solver->arguments.has_tension ? UNRESOLVED_WITH_TENSION : UNRESOLVED;
    const double noticeable = sqrt(unresolved * spacing / step->flow_acceleration);
    step->next_dt = step->flow_acceleration > 0.0 ? fmax(resolved, noticeable) : 0.0;
}

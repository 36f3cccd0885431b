#include "methods/physical/physical_friction.h"
#include "boundary/wall_watch.h"
#include "methods/physical/physical_fields.h"

#include <math.h>

/* Stiffness of a wall that a particle sticks to, in densities of the fluid: a column of as many particles is stopped within a step. */
static const float STICK_STIFFNESS = 1e3f;

/* A friction ratio of this length is that of a particle that slides. */
static const float SLIDING = 0.9999f;

/* Speed that friction can stop, as a fraction of that for the first layer alone: roughly one over the layers above it. */
static const float STOPPABLE = 0.05f;

static float length_of(float *const field[3], int64_t i)
{
    return sqrtf(field[0][i] * field[0][i] + field[1][i] * field[1][i] + field[2][i] * field[2][i]);
}

/* kg/m3: momentum that the wall takes for a unit of velocity; 0 for particles that slide or touch no rough wall. */
static float stick_stiffness(const dlp__Particles *p, int64_t i)
{
    const dlp__PhysicalFields *f = dlp__own_fields(p);
    const bool sticks = p->contact[3][i] > 0.0f && length_of(f->friction_ratio, i) < SLIDING;
    return sticks ? STICK_STIFFNESS / p->specific_volume[0][i] : 0.0f;
}

/* A particle starts to slide where the contact is new, or where it is faster than friction can stop within the step. `most` is
 * the momentum that friction can take. */
static void update_direction(dlp__Particles *p, int64_t i, float most)
{
    const dlp__PhysicalFields *f = dlp__own_fields(p);
    const float size = length_of(f->friction_ratio, i), speed = length_of(p->slide, i);
    const bool too_fast = speed > STOPPABLE * most * p->specific_volume[0][i];
    const bool slides = (size == 0.0f || size >= SLIDING || too_fast) && speed > 0.0f;
    for (int a = 0; a < 3; a++) {
        f->friction_ratio[a][i] = most <= 0.0f ? 0.0f : slides ? -p->slide[a][i] / speed : f->friction_ratio[a][i];
    }
}

static void balance(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__StepContext *step = c->arguments;
    dlp__Particles *p = c->particles;
    const dlp__PhysicalFields *f = dlp__own_fields(p);
    for (int64_t i = begin; i < end; i++) {
        const float most = step->dt * p->contact[3][i];
        update_direction(p, i, most);
        const float stiffness = stick_stiffness(p, i);
        for (int a = 0; a < 3 && most > 0.0f; a++) {
            p->residual[a][i] += most * f->friction_ratio[a][i] - stiffness * p->slide[a][i];
        }
    }
}

static void precondition(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i++) {
        p->mobility[0][i] = p->mobility[0][i] / (1.0f + p->mobility[0][i] * stick_stiffness(p, i));
    }
}

static float normal_part(float *const field[3], const dlp__Particles *p, int64_t i)
{
    return field[0][i] * p->contact[0][i] + field[1][i] * p->contact[1][i] + field[2][i] * p->contact[2][i];
}

static void apply(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i++) {
        const float stiffness = stick_stiffness(p, i);
        if (stiffness > 0.0f) {
            const float away = normal_part(p->search, p, i);
            for (int a = 0; a < 3; a++) {
                p->product[a][i] += stiffness * (p->search[a][i] - away * p->contact[a][i]);
            }
        }
    }
}

/* A particle that slid and is about to reverse sticks from now on. */
static void update(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__StepContext *step = c->arguments;
    dlp__Particles *p = c->particles;
    const dlp__PhysicalFields *f = dlp__own_fields(p);
    for (int64_t i = begin; i < end; i++) {
        const float most = step->dt * p->contact[3][i], stiffness = stick_stiffness(p, i);
        if (most <= 0.0f) {
            continue;
        }
        const float away = normal_part(p->change, p, i);
        double pull[3], square = 0.0, back = 0.0; /* doubles, because the squares of floats may be 0 or infinite */
        for (int a = 0; a < 3; a++) {
            p->slide[a][i] += p->change[a][i] - away * p->contact[a][i];
            pull[a] = (double)most * (double)f->friction_ratio[a][i] - (double)stiffness * (double)p->slide[a][i];
            square += pull[a] * pull[a];
            back += (double)p->slide[a][i] * (double)f->friction_ratio[a][i];
        }
        const double largest = fmax(sqrt(square), (double)most), kept = stiffness == 0.0f && back > 0.0 ? 0.9 : 1.0;
        for (int a = 0; a < 3; a++) {
            f->friction_ratio[a][i] = (float)(kept * pull[a] / largest);
        }
    }
}

/* The momentum that friction gives to the particles, from the right side and from the operator on the solution. */
static void add_friction(const void *context, int part, int64_t begin, int64_t end, dlp__ImpulseSums *sums)
{
    const dlp__StepContext *step = context;
    const dlp__Particles *p = &step->domains->part[part].particles;
    const dlp__PhysicalFields *f = dlp__own_fields(p);
    const double spacing = (double)step->spacing, volume = spacing * spacing * spacing;
    for (int64_t i = begin; i < end; i++) {
        const float most = step->dt * p->contact[3][i], stiffness = stick_stiffness(p, i);
        double impulse[3];
        if (most <= 0.0f) {
            continue;
        }
        const float away = normal_part(p->change, p, i);
        for (int a = 0; a < 3; a++) {
            const float moved = p->slide[a][i] + p->change[a][i] - away * p->contact[a][i];
            impulse[a] = -volume * (double)(most * f->friction_ratio[a][i] - stiffness * moved);
        }
        dlp__add_impulse_to_nearest(
            step->solids, sums,
            dlp__vec3((double)p->position[0][i], (double)p->position[1][i], (double)p->position[2][i]),
            dlp__vec3(impulse[0], impulse[1], impulse[2]));
    }
}

void dlp__friction_record(dlp__StepContext *step)
{
    dlp__require_memory(step->domains,
                        dlp__wall_impulses_sum(&step->solids->impulses, step->domains, add_friction, step),
                        "wall impulses");
}

bool dlp__friction_balance(dlp__StepContext *step)
{
    static const dlp__Stage stage = {.name = "friction",
                                     .function = balance,
                                     .reads = {DLP_FIELD_contact, DLP_FIELD_slide, DLP_FIELD_specific_volume},
                                     .writes = {DLP_FIELD_residual, OWN_friction_ratio}};
    static const dlp__FieldId fields[] = {DLP_FIELD_contact, DLP_FIELD_slide, DLP_FIELD_NONE};
    if (step->solids->laws.rough) {
        dlp__require_memory(step->domains, dlp__domains_add_fields(step->domains, fields), "friction");
    }
    const bool has_friction = dlp__boundary_find_rough_contacts(step->solids, step->domains);
    if (has_friction) {
        dlp__run(step->domains, &stage, step);
    }
    return has_friction;
}

void dlp__friction_precondition(dlp__StepContext *step)
{
    static const dlp__Stage stage = {.name = "friction",
                                     .function = precondition,
                                     .reads = {DLP_FIELD_contact, DLP_FIELD_specific_volume, OWN_friction_ratio},
                                     .writes = {DLP_FIELD_mobility}};
    dlp__run(step->domains, &stage, step);
}

void dlp__friction_apply(dlp__StepContext *step)
{
    static const dlp__Stage stage = {
        .name = "friction",
        .function = apply,
        .reads = {DLP_FIELD_contact, DLP_FIELD_specific_volume, DLP_FIELD_search, OWN_friction_ratio},
        .writes = {DLP_FIELD_product}};
    dlp__run(step->domains, &stage, step);
}

void dlp__friction_update(dlp__StepContext *step, bool has_friction)
{
    static const dlp__Stage stage = {.name = "friction",
                                     .function = update,
                                     .reads = {DLP_FIELD_contact, DLP_FIELD_specific_volume, DLP_FIELD_change},
                                     .writes = {DLP_FIELD_slide, OWN_friction_ratio}};
    if (has_friction) {
        dlp__run(step->domains, &stage, step);
    }
}

#include "methods/conformation/physical_friction.h"

#include <math.h>

/* How stiffly a wall holds, in densities of the fluid: a column of as many particles is held within a step. */
static const float HOLD = 1e3f;

/* A grip of this length is one that slides. */
static const float SLIDES = 0.9999f;

/* What friction can stop, in parts of what it could if the first layer were alone: one over the layers above it, roughly. */
static const float PUSHED = 0.05f;

static float length_of(float *const field[3], int64_t i)
{
    return sqrtf(field[0][i] * field[0][i] + field[1][i] * field[1][i] + field[2][i] * field[2][i]);
}

/* kg/m3: momentum that the wall takes for a unit of velocity; 0 for what slides or touches no rough wall. */
static float holding(const dlp__Particles *p, int64_t i)
{
    const bool held = p->contact[3][i] > 0.0f && length_of(p->grip, i) < SLIDES;
    return held ? HOLD / p->specific_volume[0][i] : 0.0f;
}

/* Where the wall is new to it, or a push came that friction cannot stop within the step, it begins to slide. `most` is the
 * momentum that friction can take. */
static void turn_grip(dlp__Particles *p, int64_t i, float most)
{
    const float size = length_of(p->grip, i), speed = length_of(p->slide, i);
    const bool pushed = speed > PUSHED * most * p->specific_volume[0][i];
    const bool slides = (size == 0.0f || size >= SLIDES || pushed) && speed > 0.0f;
    for (int a = 0; a < 3; a++) {
        p->grip[a][i] = most <= 0.0f ? 0.0f : slides ? -p->slide[a][i] / speed : p->grip[a][i];
    }
}

static void balance(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__StepContext *step = c->arguments;
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i++) {
        const float most = step->dt * p->contact[3][i];
        turn_grip(p, i, most);
        const float hold = holding(p, i);
        for (int a = 0; a < 3 && most > 0.0f; a++) {
            p->residual[a][i] += most * p->grip[a][i] - hold * p->slide[a][i];
        }
    }
}

static void ready(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i++) {
        p->mobility[0][i] = p->mobility[0][i] / (1.0f + p->mobility[0][i] * holding(p, i));
    }
}

static float along_normal(float *const field[3], const dlp__Particles *p, int64_t i)
{
    return field[0][i] * p->contact[0][i] + field[1][i] * p->contact[1][i] + field[2][i] * p->contact[2][i];
}

static void pull(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i++) {
        const float hold = holding(p, i);
        if (hold > 0.0f) {
            const float away = along_normal(p->search, p, i);
            for (int a = 0; a < 3; a++) {
                p->product[a][i] += hold * (p->search[a][i] - away * p->contact[a][i]);
            }
        }
    }
}

/* What slid and is about to slide back is held from now on. */
static void settle(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__StepContext *step = c->arguments;
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i++) {
        const float most = step->dt * p->contact[3][i], hold = holding(p, i);
        if (most <= 0.0f) {
            continue;
        }
        const float away = along_normal(p->change, p, i);
        float back = 0.0f;
        for (int a = 0; a < 3; a++) {
            p->slide[a][i] += p->change[a][i] - away * p->contact[a][i];
            back += p->slide[a][i] * p->grip[a][i];
            p->grip[a][i] -= hold / most * p->slide[a][i];
        }
        const float size = length_of(p->grip, i);
        const float part = hold == 0.0f ? (back > 0.0f ? 0.9f : 1.0f) : 1.0f / fmaxf(size, 1.0f);
        for (int a = 0; a < 3; a++) {
            p->grip[a][i] *= part;
        }
    }
}

bool dlp__friction_balance(dlp__StepContext *step, bool *rough)
{
    static const dlp__Stage stage = {
        .name = "friction", .function = balance, .writes = DLP_FIELD_BIT(residual) | DLP_FIELD_BIT(grip)};
    *rough = dlp__boundary_find_rough_contacts(step->solids, step->domains);
    return !*rough || dlp__run(step->domains, &stage, step);
}

bool dlp__friction_ready(dlp__StepContext *step)
{
    static const dlp__Stage stage = {.name = "friction", .function = ready, .writes = DLP_FIELD_BIT(mobility)};
    return dlp__run(step->domains, &stage, step);
}

bool dlp__friction_pull(dlp__StepContext *step)
{
    static const dlp__Stage stage = {.name = "friction", .function = pull, .writes = DLP_FIELD_BIT(product)};
    return dlp__run(step->domains, &stage, step);
}

bool dlp__friction_settle(dlp__StepContext *step)
{
    static const dlp__Stage stage = {
        .name = "friction", .function = settle, .writes = DLP_FIELD_BIT(slide) | DLP_FIELD_BIT(grip)};
    return dlp__run(step->domains, &stage, step);
}

#include "methods/squeeze_limit.h"

#include <math.h>

/* Spacings per second: the speed at which compressed fluid may expand in any case. */
static const float RECOVERY = 10.0f;

/* Velocity of the k-th of the neighbours and wall samples of particle i. */
static const float *velocity_around(const dlp__StageContext *c, int64_t i, int32_t k)
{
    const int32_t fluid = c->fluid->count[i];
    if (k < fluid) {
        return c->rows[0] + 4 * (int64_t)*dlp__neighbors_entry(c->fluid, i, k);
    }
    return c->samples->velocity_friction + 4 * (dlp__neighbors_entry(c->boundary, i, k - fluid) - c->boundary->entry);
}

static float speed_between(const float a[3], const float b[3])
{
    const float x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrtf(x * x + y * y + z * z);
}

static void limit_particle(const dlp__StageContext *c, int64_t i)
{
    const dlp__StepContext *step = c->arguments;
    const int32_t count = c->fluid->count[i] + c->boundary->count[i];
    const float *before = c->rows[0] + 4 * i, slow = RECOVERY * step->spacing;
    float *const *correction = c->particles->correction;
    float after[3], mean[3] = {0.0f, 0.0f, 0.0f}, spread = 0.0f;
    for (int a = 0; a < 3; a++) {
        after[a] = before[a] + correction[a][i] / step->dt;
    }
    if (speed_between(after, before) <= slow) {
        return;
    }
    for (int32_t k = 0; k < count; k++) {
        for (int a = 0; a < 3; a++) {
            mean[a] += velocity_around(c, i, k)[a] / (float)count;
        }
    }
    for (int32_t k = 0; k < count; k++) {
        spread = fmaxf(spread, speed_between(velocity_around(c, i, k), mean));
    }
    const float most = fmaxf(speed_between(before, mean), spread + slow), speed = speed_between(after, mean);
    for (int a = 0; a < 3 && speed > most; a++) {
        correction[a][i] = step->dt * (mean[a] + (after[a] - mean[a]) * (most / speed) - before[a]);
    }
}

static void limit_range(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++) {
        if (c->boundary->count[i] > 0) {
            limit_particle(c, i);
        }
    }
}

void dlp__limit_squeezing(dlp__StepContext *step)
{
    static const dlp__Stage stage = {.name = "squeeze limit",
                                     .function = limit_range,
                                     .gathers = {DLP_ROW_VECTOR(DLP_FIELD_velocity)},
                                     .writes = {DLP_FIELD_correction}};
    if (step->solids->count > 0) {
        dlp__run(step->domains, &stage, step);
    }
}

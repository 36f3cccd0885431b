/* The mean force is taken over each connected object, not over all particles, without gravity, and over the time since the last check,
 * so that an impact counts whenever it happens. */
#include "methods/blend/blend_reference.h"

#include "methods/blend/blend_fields.h"

#include <math.h>

/* Means over an object as integers, which add up to the same sum in any order. */
typedef struct ObjectSum {
    int64_t force; /* sum of acceleration over threshold, in FORCE_UNIT */
    int64_t count;
} ObjectSum;

static const double FORCE_UNIT = 1.0 / (1 << 20);
static const double FORCE_MOST = 1e3; /* acceleration of one particle, in thresholds */

/* Of particle i, its mean acceleration since the last check over its threshold. */
static int64_t force_on(const dlp__BlendPlan *plan, const dlp__Particles *p, int64_t i)
{
    const dlp__BlendParams *own = plan->step->params;
    const dlp__BlendFields *f = dlp__own_fields(p);
    const double x = (double)f->external[0][i], y = (double)f->external[1][i], z = (double)f->external[2][i];
    const double acceleration = sqrt(x * x + y * y + z * z) / own->update_interval;
    const double threshold = dlp__blend_law_of(plan, p, i).update_threshold;
    const double ratio = threshold > 0.0      ? fmin(acceleration / threshold, FORCE_MOST)
                         : acceleration > 0.0 ? FORCE_MOST
                                              : 0.0;
    return llround(ratio / FORCE_UNIT);
}

/* The object that a particle was just numbered for; 0: none. A particle that melted keeps an old number until it leaves its object. */
static int64_t object_of(const dlp__Particles *p, int64_t i)
{
    return p->cluster_stiffness[0][i] > 0.0f ? (int64_t)p->object[0][i] : 0;
}

static void add_forces(const dlp__BlendPlan *plan, ObjectSum *sums, int64_t objects)
{
    const dlp__Domains *domains = plan->step->domains;
    for (int d = 0; d < domains->count; d++) {
        const dlp__Particles *p = &domains->part[d].particles;
        for (int64_t i = 0; i < p->count; i++) {
            const int64_t object = object_of(p, i);
            if (object > 0) {
                sums[object].force += force_on(plan, p, i);
                sums[object].count++;
            }
        }
    }
    _Static_assert(sizeof *sums == 2 * sizeof(int64_t), "they are summed as integers");
    dlp__ranks_reduce(domains->ranks, DLP_REDUCE_SUM, sums, 2 * (objects + 1));
}

static void dissolve(dlp__StepContext *step, const ObjectSum *sums)
{
    for (int d = 0; d < step->domains->count; d++) {
        dlp__Particles *p = &step->domains->part[d].particles;
        const dlp__BlendFields *f = dlp__own_fields(p);
        for (int64_t i = 0; i < p->count; i++) {
            const ObjectSum *sum = &sums[object_of(p, i)];
            if ((double)sum->force * FORCE_UNIT > (double)sum->count) {
                p->object[0][i] = 0.0f;
            }
            f->external[0][i] = f->external[1][i] = f->external[2][i] = 0.0f;
        }
    }
}

void dlp__blend_check_reference(dlp__StepContext *step, const dlp__BlendPlan *plan)
{
    if (!plan->is_checked || !plan->matches) {
        return;
    }
    const int64_t objects = dlp__clusters_number_objects(&plan->clusters);
    ObjectSum *sums = dlp__step_scratch(step->domains, objects + 1, sizeof *sums, "the forces on objects");
    if (objects < 0 || sums == NULL) {
        return;
    }
    for (int64_t n = 0; n <= objects; n++) {
        sums[n] = (ObjectSum){0, 0};
    }
    add_forces(plan, sums, objects);
    dissolve(step, sums);
}

static void record_external(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__Particles *p = c->particles;
    const dlp__BlendFields *f = dlp__own_fields(p);
    for (int a = 0; a < 3; a++) {
        for (int64_t i = begin; i < end; i++) {
            f->external[a][i] += p->velocity[a][i] - f->free_velocity[a][i];
        }
    }
}

void dlp__blend_record_external(dlp__StepContext *step)
{
    static const dlp__Stage stage = {.name = "blend external",
                                     .function = record_external,
                                     .reads = {DLP_FIELD_velocity, OWN_free_velocity},
                                     .writes = {OWN_external}};
    dlp__run(step->domains, &stage, NULL);
}

/* A sheared periodic box (Lees-Edwards boundary conditions): what may be in it, and its rate. Images across the z faces are displaced and
 * faster where ghosts are built (neighbors/halo.c). */
#include "world/world_state.h"

#include <math.h>

/* Flow through an opening and values at points are measured with neighbours that are not displaced. */
static bool needs_plain_box(dlp_ProbeKind kind)
{
    return kind == DLP_PROBE_FLOW || kind == DLP_PROBE_POINT || kind == DLP_PROBE_LINE;
}

static dlp_Result check_contents(const dlp_World *world)
{
    const char *item = world->solids.count > 0       ? "solids"
                       : world->companions.count > 0 ? "companions"
                       : world->emitter_count > 0    ? "emitters"
                                                     : NULL;
    for (int n = 0; n < world->probes.count && item == NULL; n++) {
        item = needs_plain_box(world->probes.probe[n].def.kind) ? "probes of flow, at points or along lines" : NULL;
    }
    return item == NULL
               ? DLP_OK
               : dlp__fail(dlp__error_of(world), DLP_ERROR_UNSUPPORTED,
                           "a sheared box cannot contain %s: leave them out, or use a box that is not sheared", item);
}

dlp_Result dlp__world_check_shear(const dlp_World *world)
{
    const int64_t *periodic = world->domains.frame.periodic;
    dlp_Error *error = dlp__error_of(world);
    if (!world->method->shears) {
        return dlp__fail(error, DLP_ERROR_UNSUPPORTED,
                         "method %s has no sheared periodic box: use method physical, or move plates",
                         world->method->name);
    }
    if (periodic[0] == 0 || periodic[1] == 0 || periodic[2] == 0) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT,
                         "a box is sheared only if it is periodic along x, y and z: set all of world.periodic_size");
    }
    if (dlp__ranks_count(world->parallel.ranks) > 1) {
        return dlp__fail(error, DLP_ERROR_UNSUPPORTED,
                         "a box cannot be sheared in a world over %d ranks: use one process",
                         dlp__ranks_count(world->parallel.ranks));
    }
    return check_contents(world);
}

/* The linear flow of a change of rate. */
typedef struct Flow {
    dlp__Particles *particles;
    double rate;   /* 1/s */
    double middle; /* m */
} Flow;

static void add_flow(void *context, int64_t begin, int64_t end)
{
    const Flow *flow = context;
    dlp__Particles *p = flow->particles;
    for (int64_t i = begin; i < end; i++) {
        const double height = (double)p->position[2][i] - flow->middle;
        p->velocity[0][i] = (float)((double)p->velocity[0][i] + flow->rate * height);
    }
}

dlp_Result dlp_world_set_shear(dlp_World *world, double rate)
{
    if (world == NULL) {
        return dlp__world_fail_null(world);
    }
    if (!(fabs(rate) <= DLP_SHEAR_RATE_MOST)) {
        return dlp__fail(&world->error, DLP_ERROR_ARGUMENT, "the shear rate must be between %g and %g 1/s, not %g",
                         -DLP_SHEAR_RATE_MOST, DLP_SHEAR_RATE_MOST, rate);
    }
    const dlp_Result checked = dlp__world_check_shear(world);
    dlp__CellFrame *frame = &world->domains.frame;
    const double change = rate - frame->shear.rate;
    if (checked != DLP_OK || change == 0.0) {
        return checked;
    }
    for (int d = 0; d < world->domains.count; d++) {
        dlp__Particles *p = &world->domains.part[d].particles;
        Flow flow = {p, change, frame->origin[2] + 0.5 * frame->period[2]};
        dlp__parallel_for(&world->parallel, p->count, DLP_SUM_BLOCK, add_flow, &flow);
    }
    dlp__cell_frame_shear(frame, rate, frame->shear.strain);
    world->derived = 0;
    return DLP_OK;
}

dlp_Result dlp_world_get_shear(const dlp_World *world, double *rate, double *strain)
{
    if (world == NULL || rate == NULL || strain == NULL) {
        return dlp__world_fail_null(world);
    }
    *rate = world->domains.frame.shear.rate;
    *strain = world->domains.frame.shear.strain;
    return DLP_OK;
}

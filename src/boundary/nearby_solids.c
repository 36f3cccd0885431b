/* Finds the solids near groups of particles by bounding boxes: first for a block of groups, by the tree of the solids if there are
 * many, then for each group among the solids found for the block. */
#include "boundary/nearby_solids.h"

typedef struct Bounds {
    float lower[3], upper[3]; /* m */
} Bounds;

static const Bounds NOTHING = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

/* Minimum and maximum of a group by repeated halving: the compiler vectorizes the loops. The comparisons ignore a
 * NaN or make the bounds NaN; either way the world's own check reports it. */
static void bound_whole_group(Bounds *bounds, int axis, const float *x)
{
    float lower[DLP_GROUP / 2], upper[DLP_GROUP / 2];
    for (int k = 0; k < DLP_GROUP / 2; k++) {
        float a = x[k], b = x[k + DLP_GROUP / 2];
        lower[k] = a < b ? a : b;
        upper[k] = a > b ? a : b;
    }
    for (int k = 0; k < DLP_GROUP / 4; k++) {
        lower[k] = lower[k] < lower[k + DLP_GROUP / 4] ? lower[k] : lower[k + DLP_GROUP / 4];
        upper[k] = upper[k] > upper[k + DLP_GROUP / 4] ? upper[k] : upper[k + DLP_GROUP / 4];
    }
    float low = lower[0] < lower[1] ? lower[0] : lower[1], low2 = lower[2] < lower[3] ? lower[2] : lower[3];
    float high = upper[0] > upper[1] ? upper[0] : upper[1], high2 = upper[2] > upper[3] ? upper[2] : upper[3];
    bounds->lower[axis] = low < low2 ? low : low2;
    bounds->upper[axis] = high > high2 ? high : high2;
}

static Bounds bound_group(const dlp__Particles *particles, int64_t begin, int64_t end)
{
    Bounds bounds = NOTHING;
    for (int axis = 0; axis < 3; axis++) {
        const float *x = particles->position[axis] + begin;
        if (end - begin == DLP_GROUP) {
            bound_whole_group(&bounds, axis, x);
            continue;
        }
        for (int64_t i = 0; i < end - begin; i++) {
            bounds.lower[axis] = x[i] < bounds.lower[axis] ? x[i] : bounds.lower[axis];
            bounds.upper[axis] = x[i] > bounds.upper[axis] ? x[i] : bounds.upper[axis];
        }
    }
    return bounds;
}

static void extend(Bounds *bounds, const Bounds *other)
{
    for (int axis = 0; axis < 3; axis++) {
        float lower = other->lower[axis], upper = other->upper[axis];
        bounds->lower[axis] = bounds->lower[axis] < lower ? bounds->lower[axis] : lower;
        bounds->upper[axis] = bounds->upper[axis] > upper ? bounds->upper[axis] : upper;
    }
}

/* The solids in the tree that may be closer than `reach` to a point within the bounds; false if there are too many. */
static bool find_in_tree(const dlp__Solids *solids, const Bounds *bounds, double reach, dlp__NearbySolids *found)
{
    dlp__Box place;
    for (int axis = 0; axis < 3; axis++) {
        place.lower[axis] = (double)bounds->lower[axis] - reach;
        place.upper[axis] = (double)bounds->upper[axis] + reach;
    }
    found->all = false;
    found->count = dlp__box_tree_find(&solids->tree, &place, found->index, DLP_NEARBY_MOST);
    return found->count <= DLP_NEARBY_MOST;
}

/* The solids of `among` that may be closer than `reach` to a point within the bounds. A distance function has slope
 * at most one, so the distance at the centre minus half the diagonal is a lower bound anywhere in the box. */
static void select_solids(const dlp__Solids *solids, const dlp__NearbySolids *among, const Bounds *bounds, double reach,
                          dlp__NearbySolids *near)
{
    double center[3], diagonal = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        double lower = (double)bounds->lower[axis], upper = (double)bounds->upper[axis];
        center[axis] = 0.5 * (lower + upper);
        diagonal += (upper - lower) * (upper - lower);
    }
    double radius = 0.5 * sqrt(diagonal) * (1.0 + 1e-6); /* more than the rounding of distances */
    dlp__NearbySolids found;
    if (among->all && solids->tree.count > 0) {
        if (!find_in_tree(solids, bounds, reach, &found)) {
            near->count = solids->count;
            near->all = true;
            return;
        }
        among = &found;
    }
    near->count = 0;
    near->all = false;
    for (int k = 0; k < among->count; k++) {
        int index = dlp__nearby_index(among, k);
        double distance = dlp__shape_distance(&solids->solid[index].shape, dlp__vec3(center[0], center[1], center[2]),
                                              NULL);
        if (distance - radius >= reach) {
            continue;
        }
        if (near->count == DLP_NEARBY_MOST) {
            near->count = solids->count;
            near->all = true;
            return;
        }
        near->index[near->count++] = index;
    }
}

bool dlp__particle_is_shielded(const dlp__Particles *particles, const dlp__NeighborList *list, double spacing,
                               int64_t i, dlp_Vec3 normal)
{
    const dlp_Vec3 point = dlp__particle_position(particles, i);
    for (int32_t k = 0; k < list->count[i]; k++) {
        const dlp_Vec3 other = dlp__particle_position(particles, *dlp__neighbors_entry(list, i, k));
        const dlp_Vec3 away = dlp__sub(other, point);
        const double along = dlp__dot(away, normal);
        if (along < -0.5 * spacing && dlp__dot(away, away) - along * along < spacing * spacing) {
            return true;
        }
    }
    return false;
}

typedef struct Visit {
    const dlp__Solids *solids;
    const dlp__Particles *particles;
    double reach; /* m */
    dlp__NearbySolidsFunction function;
    void *context;
} Visit;

/* Visit the particles begin <= i < end of a group. Groups are large where a row of cells ends and the next begins far away: one that
 * is near too many solids is divided. */
static void visit_group(const Visit *visit, int64_t begin, int64_t end, const Bounds *bounds,
                        const dlp__NearbySolids *among)
{
    dlp__NearbySolids near;
    select_solids(visit->solids, among, bounds, visit->reach, &near);
    if (near.all && end - begin > 1) {
        const dlp__NearbySolids every = {.count = visit->solids->count, .all = true};
        const int64_t middle = (begin + end) / 2;
        const Bounds lower = bound_group(visit->particles, begin, middle),
                     upper = bound_group(visit->particles, middle, end);
        visit_group(visit, begin, middle, &lower, &every);
        visit_group(visit, middle, end, &upper, &every);
    } else if (near.count > 0) {
        visit->function(visit->context, begin, end, &near);
    }
}

void dlp__for_groups_near_solids(const dlp__Solids *solids, const dlp__Particles *particles, int64_t begin, int64_t end,
                                 double reach, dlp__NearbySolidsFunction visit, void *context)
{
    const dlp__NearbySolids every = {.count = solids->count, .all = true};
    const Visit of = {solids, particles, reach, visit, context};
    for (int64_t first = begin; first < end; first += DLP_NEARBY_BLOCK) {
        int64_t last = first + DLP_NEARBY_BLOCK < end ? first + DLP_NEARBY_BLOCK : end;
        Bounds group[DLP_NEARBY_BLOCK / DLP_GROUP], block = NOTHING;
        for (int64_t i = first; i < last; i += DLP_GROUP) {
            Bounds *bounds = &group[(i - first) / DLP_GROUP];
            *bounds = bound_group(particles, i, i + DLP_GROUP < last ? i + DLP_GROUP : last);
            extend(&block, bounds);
        }
        dlp__NearbySolids near_block = every;
        if (last - first > DLP_GROUP) {
            select_solids(solids, &every, &block, reach, &near_block);
        }
        for (int64_t i = first; i < last && near_block.count > 0; i += DLP_GROUP) {
            visit_group(&of, i, i + DLP_GROUP < last ? i + DLP_GROUP : last, &group[(i - first) / DLP_GROUP],
                        &near_block);
        }
    }
}

const dlp__Solid *dlp__nearest_wall(const dlp__Solids *solids, const dlp__NearbySolids *near, dlp_Vec3 point,
                                    double reach, dlp__Wall *nearest)
{
    const dlp__Solid *found = NULL;
    *nearest = (dlp__Wall){reach, {0.0, 0.0, 1.0}};
    for (int k = 0; k < near->count; k++) {
        const dlp__Solid *solid = &solids->solid[dlp__nearby_index(near, k)];
        dlp__Wall wall[DLP_SHAPE_WALLS];
        int walls = dlp__shape_walls(&solid->shape, point, reach, wall);
        for (int w = 0; w < walls; w++) {
            if (wall[w].distance < nearest->distance) {
                *nearest = wall[w];
                found = solid;
            }
        }
    }
    return found;
}

double dlp__tension_along(const dlp__Particles *p, int64_t i, dlp_Vec3 n)
{
    double s[6];
    for (int k = 0; k < 6; k++) {
        s[k] = (double)p->stress[k][i];
    }
    return n.x * n.x * s[0] + n.y * n.y * s[1] + n.z * n.z * s[2] +
           2.0 * (n.x * n.y * s[3] + n.x * n.z * s[4] + n.y * n.z * s[5]);
}

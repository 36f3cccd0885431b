/* Adding many particles at once: shapes filled with fluid, and points given by the caller. */
#include "geometry/shape.h"
#include "world/world_state.h"

#include <math.h>

static const float MAX_COORDINATE = 1e9f; /* m: squared distances must stay finite in single precision */
static const double MAX_SPEED = 1e6;      /* m/s */

/* New particles. With several ranks each holds a share of those that fill a shape, from the number `first` on, until the next step gives
 * them to the rank that owns their place. */
typedef struct Addition {
    int64_t all, first, count; /* of all ranks; of this rank */
    int64_t index;             /* of its first one in the first subdomain */
} Addition;

static Addition addition_of(const dlp_World *world, int64_t all, bool shared)
{
    const dlp_Ranks *ranks = world->parallel.ranks;
    const int count = dlp__ranks_count(ranks), rank = dlp_ranks_number(ranks);
    if (!shared) {
        return (Addition){.all = all, .count = all};
    }
    const int64_t first = all * rank / count;
    return (Addition){.all = all, .first = first, .count = all * (rank + 1) / count - first};
}

/* Whether this rank can hold so many more. */
static dlp_Result check_count(dlp_World *world, int64_t count)
{
    return count <= INT32_MAX - DLP_GROUP - world->domains.part[0].particles.count
               ? DLP_OK
               : dlp__fail(&world->error, DLP_ERROR_RESOURCE,
                           "%lld more particles are too many: a subdomain holds at most %d; use a larger spacing",
                           (long long)count, INT32_MAX);
}

/* Append them to the first subdomain, from which they migrate in the next step; null on failure, with the error set. */
static dlp__Particles *append_particles(dlp_World *world, Addition *added)
{
    dlp__Particles *particles = &world->domains.part[0].particles;
    if (check_count(world, added->count) != DLP_OK) {
        return NULL;
    }
    added->index = added->count > 0 ? dlp__particles_add(particles, added->count) : particles->count;
    if (added->index < 0) {
        dlp__fail(&world->error, DLP_ERROR_MEMORY,
                  "no memory for %lld more particles (%lld MiB are in use): use a larger spacing",
                  (long long)added->count, (long long)(world->memory.bytes >> 20));
        return NULL;
    }
    world->domains.remote_count += added->all - added->count;
    return particles;
}

/* Positions, x y z each, become particles. */
static dlp_Result add_at(dlp_World *world, Addition *added, const float *const position[3], int stride, int material,
                         dlp_Vec3 velocity)
{
    dlp__Particles *particles = append_particles(world, added);
    if (particles == NULL) {
        return world->error.code;
    }
    for (int64_t k = 0; k < added->count; k++) {
        const int64_t i = added->index + k;
        for (int a = 0; a < 3; a++) {
            particles->position[a][i] = position[a][stride * (added->first + k)];
        }
        particles->id[0][i] = world->next_id + (uint64_t)(added->first + k);
        particles->material[0][i] = (uint16_t)material;
        particles->velocity[0][i] = (float)velocity.x;
        particles->velocity[1][i] = (float)velocity.y;
        particles->velocity[2][i] = (float)velocity.z;
        particles->density[0][i] = (float)world->materials[material].density;
    }
    world->next_id += (uint64_t)added->all;
    dlp__world_warm_new(world, added->index, added->count, 0.0);
    return DLP_OK;
}

static dlp_Result check_material(dlp_World *world, int material)
{
    return material >= 0 && material < world->material_count
               ? DLP_OK
               : dlp__fail(&world->error, DLP_ERROR_ARGUMENT, "there is no material %d: the world has %d", material,
                           world->material_count);
}

/* velocity + spin x r, where r is from the shape's position. */
static void set_spinning(dlp__Particles *particles, int64_t first, int64_t count, const dlp_FluidDef *def)
{
    const bool spins = dlp__length(def->spin) > 0.0;
    for (int64_t i = first; spins && i < first + count; i++) {
        const dlp_Vec3 at = dlp__vec3((double)particles->position[0][i], (double)particles->position[1][i],
                                      (double)particles->position[2][i]);
        const dlp_Vec3 velocity = dlp__add(def->velocity, dlp__cross(def->spin, dlp__sub(at, def->shape.position)));
        particles->velocity[0][i] = (float)velocity.x;
        particles->velocity[1][i] = (float)velocity.y;
        particles->velocity[2][i] = (float)velocity.z;
    }
}

/* Remove places that overlap a solid. Fluid that fills a box up to its walls is half a spacing away from them; a particle
 * closer than half of that counts as inside. Returns how many of the `count` places remain. */
static int64_t remove_overlap(dlp_World *world, float *const position[3], int64_t count)
{
    const double min_distance = 0.25 * world->def.spacing;
    const dlp_Vec3 half = dlp__vec3(min_distance, min_distance, min_distance);
    int64_t kept = 0;
    dlp__solids_build_tree(&world->solids);
    for (int64_t i = 0; i < count; i++) {
        const dlp_Vec3 point = dlp__vec3((double)position[0][i], (double)position[1][i], (double)position[2][i]);
        const dlp__Box place = dlp__box_around(point, half);
        bool inside = false;
        for (int k = -1; !inside && (k = dlp__solids_next(&world->solids, &place, k)) < world->solids.count;) {
            inside = dlp__shape_distance(&world->solids.solid[k].shape, point, NULL) < min_distance;
        }
        for (int a = 0; a < 3 && !inside; a++) {
            position[a][kept] = position[a][i];
        }
        kept += !inside;
    }
    return kept;
}

/* Fill a shape; `shared`: each rank gets a share, else every rank all particles. */
static dlp_Result fill(dlp_World *world, dlp_MaterialId material, const dlp_ShapeDef *def, dlp_Vec3 velocity,
                       bool shared, Addition *added)
{
    dlp__Shape shape = dlp__shape_place(def, &world->meshes);
    const int64_t count = dlp__shape_fill_count(&shape, world->def.spacing);
    dlp_Result result = check_material(world, material);
    if (count <= 0) {
        return dlp__fail(
            &world->error, DLP_ERROR_ARGUMENT,
            count < 0 ? "planes and containers have no inside to fill: use a box, sphere, capsule, cylinder or mesh"
                      : "the shape is too small to hold a single particle: use a smaller spacing");
    }
    result = result == DLP_OK ? check_count(world, addition_of(world, count, shared).count) : result;
    if (result != DLP_OK) {
        return result;
    }
    float *all = dlp__memory_get(&world->memory, 3 * count, sizeof *all);
    if (all == NULL) {
        return dlp__fail(&world->error, DLP_ERROR_MEMORY,
                         "no memory for %lld more particles (%lld MiB are in use): use a larger spacing",
                         (long long)count, (long long)(world->memory.bytes >> 20));
    }
    float *const position[3] = {all, all + count, all + 2 * count};
    dlp__shape_fill(&shape, world->def.spacing, position[0], position[1], position[2]);
    *added = addition_of(world, remove_overlap(world, position, count), shared);
    result = add_at(world, added, (const float *const *)position, 1, material, velocity);
    dlp__memory_release(&world->memory, all, 3 * count, sizeof *all);
    return result;
}

dlp_Result dlp__fill_shape(dlp_World *world, dlp_MaterialId material, const dlp_ShapeDef *def, dlp_Vec3 velocity,
                           int64_t *added)
{
    Addition addition = {0};
    const dlp_Result result = fill(world, material, def, velocity, false, &addition);
    *added = addition.all;
    return result;
}

static dlp_Result check_spin(dlp_World *world, const dlp_FluidDef *def)
{
    const dlp__Shape shape = dlp__shape_place(&def->shape, &world->meshes);
    const double rim = dlp__length(def->spin) * dlp__shape_radius(&shape); /* m/s */
    return dlp__length(def->spin) == 0.0 || rim <= MAX_SPEED
               ? DLP_OK
               : dlp__fail(
                     &world->error, DLP_ERROR_ARGUMENT,
                     "the fluid's spin would move its rim at %g m/s, but at most %g m/s is allowed: use a lower spin",
                     rim, MAX_SPEED);
}

dlp_Result dlp_world_add_fluid(dlp_World *world, const dlp_FluidDef *def, int64_t *added)
{
    if (world == NULL) {
        return dlp__world_fail_null(world);
    }
    Addition addition = {0};
    dlp_Result result = dlp__check_def(dlp_fluid_params(), def, &world->error);
    if (result == DLP_OK) {
        result = dlp__mesh_list_check(&world->meshes, &def->shape, &world->error);
    }
    if (result == DLP_OK) {
        result = check_spin(world, def);
    }
    if (result == DLP_OK) {
        result = fill(world, def->material, &def->shape, def->velocity, true, &addition);
    }
    if (result == DLP_OK) {
        set_spinning(&world->domains.part[0].particles, addition.index, addition.count, def);
        dlp__world_warm_new(world, addition.index, addition.count, def->temperature);
    }
    if (result == DLP_OK && added != NULL) {
        *added = addition.all;
    }
    return result;
}

dlp_Result dlp_world_add_points(dlp_World *world, dlp_MaterialId material, const float *points, int64_t count,
                                dlp_Vec3 velocity)
{
    if (world == NULL) {
        return dlp__world_fail_null(world);
    }
    if (count < 0 || (count > 0 && points == NULL)) {
        return dlp__fail(&world->error, DLP_ERROR_ARGUMENT, "%lld points at %p: give an array and its length",
                         (long long)count, (const void *)points);
    }
    for (int64_t k = 0; k < 3 * count; k++) {
        if (!(fabsf(points[k]) <= MAX_COORDINATE)) {
            return dlp__fail(&world->error, DLP_ERROR_ARGUMENT,
                             "point %lld lies at (%g, %g, %g): coordinates must be finite and within 1e9 m",
                             (long long)(k / 3), (double)points[k / 3 * 3], (double)points[k / 3 * 3 + 1],
                             (double)points[k / 3 * 3 + 2]);
        }
    }
    if (!(dlp__length(velocity) <= MAX_SPEED)) {
        return dlp__fail(&world->error, DLP_ERROR_ARGUMENT, "the points' velocity must be finite and within 1e6 m/s");
    }
    if (count == 0) {
        return DLP_OK;
    }
    Addition addition = addition_of(world, count, true);
    const float *const position[3] = {points, points + 1, points + 2};
    const dlp_Result result = check_material(world, material);
    return result == DLP_OK ? add_at(world, &addition, position, 3, material, velocity) : result;
}

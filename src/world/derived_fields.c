/* Derived fields. Velocity gradients need neighbours at the current positions, but a step may leave positions that are not wrapped
 * into the periodic box and particles that are not sorted. A copy of positions and velocities is sorted instead, in one subdomain of
 * each rank, so the particles of the world stay as they are, and the sums are those of any division. A copy may go to another rank, which
 * sends the velocity gradient back. */
#include "world/derived_fields.h"

#include "base/rank_agreement.h"

#include "neighbors/partition.h"
#include "sph/operators.h"

#include <math.h>
#include <string.h>

const dlp__DerivedField dlp__derived_fields[DLP_DERIVED_FIELDS] = {
    {{DLP_DERIVED_SHEAR_RATE, "shear_rate", "1/s", "sqrt(2 D:D), D the symmetric velocity gradient", 1},
     DLP_FIELD_shear_rate},
    {{DLP_DERIVED_STRESS, "stress", "Pa", "extra stress of the material law, without pressure: xx yy zz xy yz xz", 6},
     DLP_FIELD_extra_stress},
    {{DLP_DERIVED_VISCOSITY, "viscosity", "Pa.s", "in steady shear, at the particle's temperature and stretch", 1},
     DLP_FIELD_steady_viscosity},
};

bool dlp_derived_info(int index, dlp_DerivedInfo *info)
{
    if (info == NULL) {
        return false;
    }
    if (index < 0 || index >= DLP_DERIVED_FIELDS) {
        return false;
    }
    *info = dlp__derived_fields[index].info;
    return true;
}

const dlp_DerivedInfo *dlp__derived_info_of(int field)
{
    for (int n = 0; n < DLP_DERIVED_FIELDS; n++) {
        if (dlp__derived_fields[n].field == field) {
            return &dlp__derived_fields[n].info;
        }
    }
    return NULL;
}

dlp_Result dlp__check_derived(const dlp_World *world, int fields)
{
    int known = 0;
    for (int n = 0; n < DLP_DERIVED_FIELDS; n++) {
        const dlp_DerivedInfo *info = &dlp__derived_fields[n].info;
        known |= (int)info->field;
        if ((fields & (int)info->field) != 0 && info->field != DLP_DERIVED_SHEAR_RATE &&
            world->method->rheology == NULL) {
            return dlp__fail(dlp__error_of(world), DLP_ERROR_UNSUPPORTED,
                             "method %s has no field %s, because it has no material law in physical units: use method "
                             "physical, or leave it out",
                             world->method->name, info->name);
        }
    }
    return (fields & ~known) == 0
               ? DLP_OK
               : dlp__fail(dlp__error_of(world), DLP_ERROR_ARGUMENT,
                           "there are no derived fields 0x%x: see dlp_DerivedField", (unsigned)(fields & ~known));
}

/* The copy of the particles. */

#define COPY_FIELDS(X) X(origin, uint64_t, 1, "", 0, "where the particle is in the world: see origin_at()")
DLP_DECLARE_OWN_FIELDS(CopyFields, COPY_FIELDS);
extern const dlp__FieldTable dlp__gradient_copy_fields;
DLP_DEFINE_OWN_FIELDS(CopyFields, COPY_FIELDS, dlp__gradient_copy_fields);

enum { OWNER_SHIFT = 40 }; /* of the subdomain, or with several ranks the rank, in `origin` */

static uint64_t origin_at(int owner, int64_t index)
{
    return (uint64_t)owner << OWNER_SHIFT | (uint64_t)index;
}

static int owner_of(uint64_t origin)
{
    return (int)(origin >> OWNER_SHIFT);
}

static int64_t index_of(uint64_t origin)
{
    return (int64_t)(origin & (((uint64_t)1 << OWNER_SHIFT) - 1));
}

static dlp_Result fill_copy(const dlp_World *world, dlp__Domains *copy)
{
    dlp__Particles *to = &copy->part[0].particles;
    const int64_t count = dlp__domains_own_particles(&world->domains);
    if (count > 0 && dlp__particles_add(to, count) < 0) {
        return dlp__domains_fail(copy, DLP_ERROR_MEMORY, "no memory for the velocity gradients of %lld particles",
                                 (long long)count);
    }
    const CopyFields *own = dlp__own_fields(to);
    const bool has_ranks = dlp__ranks_count(copy->ranks) > 1;
    int64_t n = 0;
    for (int d = 0; d < world->domains.count; d++) {
        const dlp__Particles *from = &world->domains.part[d].particles;
        for (int64_t i = 0; i < from->count; i++, n++) {
            bool finite = true;
            for (int a = 0; a < 3; a++) {
                to->position[a][n] = from->position[a][i];
                to->velocity[a][n] = from->velocity[a][i];
                finite = finite && isfinite(from->position[a][i]) && isfinite(from->velocity[a][i]);
            }
            if (!finite) {
                return dlp__domains_fail(copy, DLP_ERROR_NOT_FINITE,
                                         "position or velocity of particle %llu is not finite: it has no shear rate",
                                         (unsigned long long)from->id[0][i]);
            }
            to->id[0][n] = from->id[0][i];
            own->origin[0][n] = origin_at(has_ranks ? copy->ranks->rank : d, i);
        }
    }
    return DLP_OK;
}

static void compute_gradients(const dlp_World *world, dlp__Domains *copy)
{
    const double spacing = world->def.spacing;
    const dlp__OperatorArguments arguments = {world->kernel, (float)(spacing * spacing * spacing)};
    int64_t removed = 0;
    dlp__require_memory(copy, dlp__partition_copy(copy, &world->domains), "velocity gradients");
    dlp__domains_count(copy);
    dlp__domains_update(copy, &removed);
    dlp__run(copy, &dlp__operators(copy->width)->correction_matrix, &arguments);
    dlp__run(copy, &dlp__operators(copy->width)->velocity_gradient, &arguments);
}

/* The velocity gradient of a particle of another rank, for that rank. */
typedef struct Gradient {
    int64_t index;
    float component[9];
} Gradient;

static Gradient gradient_of(const dlp__Particles *copy, int64_t n)
{
    const CopyFields *own = dlp__own_fields(copy);
    Gradient gradient = {.index = index_of(own->origin[0][n])};
    for (int c = 0; c < 9; c++) {
        gradient.component[c] = copy->velocity_gradient[c][n];
    }
    return gradient;
}

/* Whether copy n is that of a particle of another rank. */
static bool is_foreign(const dlp__Domains *copy, int64_t n)
{
    const CopyFields *own = dlp__own_fields(&copy->part[0].particles);
    return dlp__ranks_count(copy->ranks) > 1 && owner_of(own->origin[0][n]) != copy->ranks->rank;
}

/* Send gradients to the ranks of their particles; `count` came from others. */
static const Gradient *exchange_gradients(dlp__Domains *copy, int64_t *count)
{
    const dlp__Particles *p = &copy->part[0].particles;
    const CopyFields *own = dlp__own_fields(p);
    dlp__Exchange *exchange = &copy->gathered;
    const int64_t size = (int64_t)sizeof(Gradient);
    *count = 0;
    if (dlp__ranks_count(copy->ranks) == 1) {
        return NULL;
    }
    bool ok = dlp__exchange_begin(exchange, copy->memory, copy->ranks);
    for (int64_t n = 0; n < p->count && ok; n++) {
        exchange->sent.size[owner_of(own->origin[0][n])] += is_foreign(copy, n) ? size : 0;
    }
    ok = ok && dlp__exchange_reserve(exchange, copy->memory, copy->ranks);
    for (int64_t n = 0; n < p->count && ok; n++) {
        if (is_foreign(copy, n)) {
            const Gradient gradient = gradient_of(p, n);
            memcpy(dlp__exchange_place(exchange, owner_of(own->origin[0][n]), size), &gradient, sizeof gradient);
        }
    }
    ok = ok && dlp__exchange_run(exchange, copy->memory, copy->ranks);
    dlp__require_memory(copy, ok, "velocity gradients");
    *count = ok ? dlp__exchange_received(exchange, copy->ranks) / size : 0;
    return ok ? (const Gradient *)(const void *)exchange->received.data : NULL;
}

/* The fields of each particle, from its velocity gradient and its material law. */

typedef struct Derivation {
    dlp_World *world;
    const dlp__Domains *copy;
    const Gradient *received;
    dlp__RheologyContext context;
    int fields;
} Derivation;

/* A value that is not finite would fail the next step. */
static float bounded(double value)
{
    return (float)fmax(fmin(value, 1e30), -1e30);
}

static void store_stress(dlp__Particles *p, int64_t i, const dlp__Rheology *law, const double twice_rate[6])
{
    static const int stored[6] = {0, 1, 2, 3, 5, 4}; /* the conformation has xz before yz */
    for (int n = 0; n < 6; n++) {
        p->extra_stress[n][i] = bounded(law->modulus * law->conformation[stored[n]] + law->viscous * twice_rate[n]);
    }
}

static void derive(const Derivation *derivation, int part, const Gradient *gradient)
{
    static const int row[6] = {0, 1, 2, 0, 1, 0}, column[6] = {0, 1, 2, 1, 2, 2}; /* xx yy zz xy yz xz */
    const dlp__Method *method = derivation->world->method;
    const bool needs_law = (derivation->fields & (DLP_DERIVED_STRESS | DLP_DERIVED_VISCOSITY)) != 0;
    dlp__Particles *p = &derivation->world->domains.part[part].particles;
    const int64_t i = gradient->index;
    const float *component = gradient->component;
    double twice_rate[6], square = 0.0; /* 2 D and 2 D:D */
    for (int c = 0; c < 6; c++) {
        twice_rate[c] = (double)component[3 * row[c] + column[c]] + (double)component[3 * column[c] + row[c]];
        square += (c < 3 ? 0.5 : 1.0) * twice_rate[c] * twice_rate[c];
    }
    if ((derivation->fields & DLP_DERIVED_SHEAR_RATE) != 0) {
        p->shear_rate[0][i] = bounded(sqrt(square));
    }
    const dlp__Rheology law = needs_law ? method->rheology(&derivation->context, p, i) : (dlp__Rheology){0};
    if ((derivation->fields & DLP_DERIVED_STRESS) != 0) {
        store_stress(p, i, &law, twice_rate);
    }
    if ((derivation->fields & DLP_DERIVED_VISCOSITY) != 0) {
        p->steady_viscosity[0][i] = bounded(law.viscosity);
    }
}

/* Particles of this rank whose copies are here. */
static void derive_range(void *context, int64_t begin, int64_t end)
{
    const Derivation *derivation = context;
    const dlp__Domains *copy = derivation->copy;
    const dlp__Particles *p = &copy->part[0].particles;
    const CopyFields *own = dlp__own_fields(p);
    for (int64_t n = begin; n < end; n++) {
        if (!is_foreign(copy, n)) {
            const Gradient gradient = gradient_of(p, n);
            derive(derivation, dlp__ranks_count(copy->ranks) > 1 ? 0 : owner_of(own->origin[0][n]), &gradient);
        }
    }
}

/* Particles of this rank whose copies went to others. */
static void derive_received(void *context, int64_t begin, int64_t end)
{
    const Derivation *derivation = context;
    for (int64_t n = begin; n < end; n++) {
        derive(derivation, 0, &derivation->received[n]);
    }
}

static void derive_all(dlp_World *world, dlp__Domains *copy, int fields)
{
    int64_t received = 0;
    Derivation derivation = {.world = world,
                             .copy = copy,
                             .received = exchange_gradients(copy, &received),
                             .context = {&world->heat, world->materials, world->def.spacing, world->dt_last},
                             .fields = fields};
    dlp__parallel_for(&world->parallel, copy->part[0].particles.count, DLP_SUM_BLOCK, derive_range, &derivation);
    dlp__parallel_for(&world->parallel, received, DLP_SUM_BLOCK, derive_received, &derivation);
    world->derived = fields;
}

static bool allocate(dlp_World *world, int fields)
{
    for (int d = 0; d < world->domains.count; d++) {
        for (int n = 0; n < DLP_DERIVED_FIELDS; n++) {
            const dlp__DerivedField *derived = &dlp__derived_fields[n];
            if ((fields & (int)derived->info.field) != 0 &&
                !dlp__particles_add_fields(&world->domains.part[d].particles,
                                           (const dlp__FieldId[]){derived->field, DLP_FIELD_NONE})) {
                return false;
            }
        }
    }
    return true;
}

dlp_Result dlp_world_derive(dlp_World *world, int fields)
{
    static const dlp__FieldId copied[] = {
        DLP_FIELD_id, DLP_FIELD_position, DLP_FIELD_velocity, DLP_FIELD_correction_matrix, DLP_FIELD_velocity_gradient,
        OWN_origin,   DLP_FIELD_NONE};
    if (world == NULL) {
        return dlp__world_fail_null(world);
    }
    const double started = dlp__clock();
    dlp_Result result = dlp__check_derived(world, fields);
    if (result != DLP_OK || fields == 0) {
        return result;
    }
    if (!allocate(world, fields)) {
        dlp__ranks_fail(world->parallel.ranks, "no memory for derived fields");
        return dlp__fail(&world->error, DLP_ERROR_MEMORY, "no memory for the derived fields of %lld particles",
                         (long long)dlp_world_particle_count(world));
    }
    dlp__Domains copy;
    dlp__domains_init(&copy, &world->memory, &world->parallel, 1, &dlp__gradient_copy_fields, copied);
    copy.error = &world->error;
    copy.width = world->domains.width;
    copy.support = world->domains.support;
    copy.frame = world->domains.frame;
    result = dlp__ranks_agree(copy.ranks, fill_copy(world, &copy), copy.error);
    if (result == DLP_OK) {
        compute_gradients(world, &copy);
        result = copy.failure;
    }
    if (result == DLP_OK) {
        derive_all(world, &copy, fields);
        result = copy.failure;
    }
    dlp__domains_release(&copy);
    dlp__profile_add(&world->domains, "derived fields", started);
    return result;
}

dlp_Result dlp_world_set_frame_fields(dlp_World *world, int fields)
{
    if (world == NULL) {
        return dlp__world_fail_null(world);
    }
    const dlp_Result checked = dlp__check_derived(world, fields);
    world->frame_fields = checked == DLP_OK ? fields : world->frame_fields;
    return checked;
}

dlp_Result dlp__derive_for_files(dlp_World *world)
{
    const dlp_Result result = dlp_world_derive(world, world->frame_fields);
    if (result == DLP_ERROR_NOT_FINITE) {
        world->derived = 0;
        return DLP_OK;
    }
    return result;
}

void dlp__view_derived(const dlp_World *world, const dlp__Particles *particles, dlp_ParticleView *view)
{
    if ((world->derived & DLP_DERIVED_SHEAR_RATE) != 0) {
        view->shear_rate = particles->shear_rate[0];
    }
    for (int n = 0; n < 6 && (world->derived & DLP_DERIVED_STRESS) != 0; n++) {
        view->stress[n] = particles->extra_stress[n];
    }
    if ((world->derived & DLP_DERIVED_VISCOSITY) != 0) {
        view->viscosity = particles->steady_viscosity[0];
    }
}

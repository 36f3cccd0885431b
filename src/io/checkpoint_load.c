/* Reading a checkpoint. The checksum rules out accidental damage; a file may still be malicious, so every value goes
 * through the public calls and their checks, and sizes are limited by the size of the file. */
#include "io/hdf5_bonds.h"
#include "io/checkpoint.h"
#include "io/checkpoint_former.h"
#include "io/file_summary.h"
#include "io/hdf5_mesh_frames.h"
#include "io/hdf5_keys.h"
#include "io/hdf5_meshes.h"
#include "io/particle_checks.h"
#include "io/verified_file.h"

#include <dollop/files.h>
#include <stdio.h>
#include <string.h>

typedef struct Loader {
    hid_t file;
    int64_t bytes; /* size of the file */
    dlp__Summary summary;
    dlp_World *world;
    int64_t first;  /* of the particles that this rank reads */
    bool is_former; /* see checkpoint_former.h */
    dlp_Error *error;
} Loader;

/* A value that the world rejects means a broken file, not a bad argument of the caller. */
static dlp_Result fail_in_file(const Loader *loader, dlp_Result result, const char *what, int index)
{
    dlp_Result code = result == DLP_ERROR_MEMORY || result == DLP_ERROR_RESOURCE ? result : DLP_ERROR_FORMAT;
    return dlp__fail(loader->error, code, "%s/%d: %s", what, index, dlp_world_error(loader->world));
}

static dlp_Result load_world(Loader *loader, const dlp_WorldDef *host)
{
    dlp_WorldDef def = dlp_default_world_def();
    dlp_Result result = dlp__hdf5_read_group(loader->file, "world", &(dlp__Record){dlp_world_params(), &def}, 1,
                                             loader->error);
    if (result != DLP_OK) {
        return result;
    }
    loader->is_former = dlp__checkpoint_is_former(loader->file, def.method);
    def.hooks = host->hooks;
    def.threads = host->threads;
    def.simd = host->simd;
    def.subdomains = host->subdomains;
    result = dlp_world_create(&def, &loader->world, loader->error);
    return result == DLP_ERROR_ARGUMENT ? DLP_ERROR_FORMAT : result;
}

static dlp_Result load_method(const Loader *loader)
{
    dlp_World *world = loader->world;
    const dlp_ParamTable *table = world->method->params;
    void *params = dlp__memory_get(&world->memory, 1, table->size);
    if (params == NULL) {
        return dlp__fail(loader->error, DLP_ERROR_MEMORY, "out of memory for the parameters of the method");
    }
    dlp__Record records[3] = {{table, params}};
    const int count = 1 + (loader->is_former ? dlp__former_method_records(world->method->name, records + 1) : 0);
    dlp_Result result = dlp__hdf5_read_group(loader->file, "method", records, count, loader->error);
    if (result == DLP_OK) {
        result = dlp_world_set_method(world, params, table->size);
        if (result != DLP_OK) {
            result = fail_in_file(loader, result, "method", 0);
        }
    }
    dlp__memory_release(&world->memory, params, 1, table->size);
    return result;
}

static dlp_Result load_state(const Loader *loader)
{
    dlp__SavedState state;
    dlp_Result result = dlp__hdf5_read_group(loader->file, "state", &(dlp__Record){&dlp__saved_state_table, &state}, 1,
                                             loader->error);
    if (result == DLP_OK && dlp_params_check(&dlp__saved_state_table, &state, loader->error) != DLP_OK) {
        result = DLP_ERROR_FORMAT;
    }
    if (result == DLP_OK) {
        loader->world->time = loader->summary.time;
        loader->world->solids.now = loader->summary.time;
        loader->world->meshes.now = loader->summary.time;
        loader->world->step = loader->summary.step;
        loader->world->next_id = (uint64_t)state.next_id;
        loader->world->removed = state.removed;
        loader->world->iterations = state.iterations;
        loader->world->dt_last = state.dt_last;
        loader->world->dt_next = state.dt_next;
        loader->world->flow_speed = state.flow_speed;
        loader->world->flow_acceleration = state.flow_acceleration;
        loader->world->dt_most = state.dt_most > 0.0 ? state.dt_most : state.dt_last; /* none in older files */
    }
    if (result == DLP_OK && (state.shear_rate != 0.0 || state.shear_strain != 0.0)) {
        dlp__cell_frame_shear(&loader->world->domains.frame, state.shear_rate, state.shear_strain);
        result = dlp__world_check_shear(loader->world);
        result = result == DLP_OK ? DLP_OK : fail_in_file(loader, result, "state", 0);
    }
    return result;
}

static dlp_Result add_item(void *context, const dlp__ItemList *list, int index, const dlp__Item *item)
{
    const Loader *loader = context;
    const dlp_Result result = list->add(loader->world, item);
    return result == DLP_OK ? DLP_OK : fail_in_file(loader, result, list->name, index);
}

static dlp_Result add_mesh(void *context, int index, const dlp_MeshDef *def, const dlp_Mesh *mesh)
{
    const Loader *loader = context;
    const dlp_Result result = dlp_world_add_mesh(loader->world, def, mesh, NULL);
    return result == DLP_OK ? DLP_OK : fail_in_file(loader, result, "meshes", index);
}

static bool is_saved(const dlp__Particles *particles, int field)
{
    return (dlp__field_info(particles, field)->flags & DLP_FIELD_SAVED) != 0 && dlp__particles_have(particles, field);
}

/* Fields that older files lack are read only if the file has them. */
static bool should_read(hid_t group, const dlp__Particles *particles, int field)
{
    const char *name = dlp__field_info(particles, field)->name;
    return is_saved(particles, field) && (!dlp__field_may_lack(name) || dlp__hdf5_has(group, name));
}

/* This rank's share of the particles. */
static dlp_Result add_share(Loader *loader, dlp__Particles *particles, dlp_Error *error)
{
    const dlp_Ranks *ranks = loader->world->parallel.ranks;
    const int64_t all = loader->summary.particles, count = dlp__ranks_count(ranks), rank = dlp_ranks_number(ranks);
    loader->first = all / count * rank + all % count * rank / count;
    const int64_t end = all / count * (rank + 1) + all % count * (rank + 1) / count, own = end - loader->first;
    return (count > 1 && own == 0) || dlp__particles_add(particles, own) >= 0
               ? DLP_OK
               : dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for %lld particles", (long long)own);
}

/* Fields that few worlds need get memory where the file has them. */
static bool add_fields_on_demand(hid_t group, dlp__Particles *particles)
{
    enum { ON_DEMAND = DLP_FIELD_SAVED | DLP_FIELD_ON_DEMAND };
    bool added = true;
    for (int field = DLP_FIELD_END; field < dlp__fields_end(particles); field++) {
        const dlp__FieldInfo *info = dlp__field_info(particles, field);
        const dlp__FieldId needed[] = {(dlp__FieldId)field, DLP_FIELD_NONE};
        if ((info->flags & ON_DEMAND) == ON_DEMAND && dlp__hdf5_has(group, info->name)) {
            added = added && dlp__particles_add_fields(particles, needed);
        }
    }
    return added;
}

/* Every saved field of the method must exist with the same number of particles, and nothing else. */
static dlp_Result read_fields(Loader *loader, hid_t group, dlp__Particles *particles)
{
    int64_t fields = 0, count = 0;
    if (!add_fields_on_demand(group, particles)) {
        return dlp__fail(loader->error, DLP_ERROR_MEMORY, "out of memory for the fields of particles");
    }
    for (int field = 1; field < dlp__fields_end(particles); field++) {
        fields += should_read(group, particles, field);
    }
    if (!loader->is_former && dlp__hdf5_group_size(group) != fields) {
        return dlp__fail(loader->error, DLP_ERROR_FORMAT, "there should be %d fields, but there are %d", (int)fields,
                         (int)dlp__hdf5_group_size(group));
    }
    dlp_Result result = dlp__hdf5_field_count(group, "id", particles, DLP_FIELD_id, loader->bytes, &count,
                                              loader->error);
    if (result != DLP_OK) {
        return result;
    }
    if (count != loader->summary.particles) {
        return dlp__fail(loader->error, DLP_ERROR_FORMAT, "there should be %lld particles, but there are %lld",
                         (long long)loader->summary.particles, (long long)count);
    }
    result = add_share(loader, particles, loader->error);
    for (int field = 1; field < dlp__fields_end(particles) && result == DLP_OK; field++) {
        if (should_read(group, particles, field)) {
            const char *name = dlp__field_info(particles, field)->name;
            result = dlp__hdf5_read_field(group, loader->is_former ? dlp__former_field_name(name) : name, field,
                                          loader->bytes, loader->first, count, particles, loader->error);
        }
    }
    return result;
}

static dlp_Result load_particles(Loader *loader)
{
    dlp__Particles *particles = &loader->world->domains.part[0].particles;
    hid_t group = dlp__hdf5_open_group(loader->file, "particles", loader->error);
    if (group < 0) {
        return DLP_ERROR_FORMAT;
    }
    dlp_Result result = read_fields(loader, group, particles);
    H5Gclose(group);
    int field = DLP_FIELD_NONE;
    int64_t index = 0;
    if (result == DLP_OK && dlp__particles_find_bad(particles, &loader->world->parallel, NULL, &field, &index)) {
        result = dlp__fail(loader->error, DLP_ERROR_FORMAT, "%s of particle %llu is not finite",
                           dlp__field_info(particles, field)->name, (unsigned long long)particles->id[0][index]);
    }
    if (result == DLP_OK) {
        result = dlp__particles_check(particles, loader->world->next_id, loader->world->material_count, loader->error);
    }
    if (result == DLP_OK) {
        result = dlp__particles_check_companions(particles, loader->world->companions.count, loader->error);
    }
    if (result != DLP_OK) {
        dlp__error_prefix(loader->error, "particles: ");
    }
    return result;
}

static dlp_Result load_all(Loader *loader, const dlp_WorldDef *host)
{
    dlp_Result result = dlp__summary_read(loader->file, &loader->summary, loader->error);
    if (result == DLP_OK) {
        result = load_world(loader, host);
    }
    if (result == DLP_OK) {
        result = load_method(loader);
    }
    if (result == DLP_OK) {
        result = load_state(loader);
    }
    if (result == DLP_OK) {
        result = dlp__hdf5_read_meshes(loader->file, loader->bytes, &loader->world->memory, add_mesh, loader,
                                       loader->error);
    }
    if (result == DLP_OK) {
        result = dlp__hdf5_read_mesh_frames(loader->file, loader->bytes, loader->world, loader->error);
    }
    for (int i = 0; i < DLP_ITEM_LISTS && result == DLP_OK; i++) {
        const bool may_lack = i == DLP_ITEMS_COMPANIONS || i == DLP_ITEMS_PROBES;
        if (may_lack && !dlp__hdf5_has(loader->file, dlp__item_lists[i].name)) {
            continue; /* older files have none */
        }
        result = dlp__hdf5_read_items(loader->file, &dlp__item_lists[i], loader->world, add_item, loader,
                                      loader->error);
    }
    if (result == DLP_OK) {
        result = dlp__hdf5_read_keys(loader->file, loader->bytes, loader->world, loader->error);
    }
    if (result == DLP_OK) {
        dlp__solids_move_to(&loader->world->solids, loader->world->time);
        result = load_particles(loader);
    }
    if (result == DLP_OK) {
        result = dlp__hdf5_read_bonds(loader->file, loader->bytes, loader->world, loader->error);
    }
    return result;
}

dlp_Result dlp_world_load(const char *path, const dlp_WorldDef *host, dlp_World **world, dlp_Error *error)
{
    dlp_Error ignored;
    error = error != NULL ? error : &ignored;
    dlp_WorldDef defaults = dlp_default_world_def();
    if (world == NULL) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "`world` is null, but must receive the loaded world");
    }
    *world = NULL;
    if (host != NULL && host->size != sizeof *host) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "the host's world def was not filled by dlp_default_world_def()");
    }
    dlp_Ranks *ranks = host != NULL ? host->hooks.ranks : NULL;
    dlp__VerifiedFile file;
    dlp_Result result = dlp__verified_file_open(&file, path, ranks, error);
    if (result != DLP_OK) {
        return result;
    }
    Loader loader = {.file = file.hdf5.file, .bytes = file.bytes, .error = error};
    if (file.kind != DLP_FILE_CHECKPOINT) {
        result = dlp__fail(error, DLP_ERROR_FORMAT,
                           "it is a frame, which does not contain the whole state: give a checkpoint");
    } else {
        result = load_all(&loader, host != NULL ? host : &defaults);
    }
    result = dlp__ranks_agree(ranks, dlp__verified_file_close(&file, result, error), error);
    if (result == DLP_OK && loader.world != NULL) {
        result = dlp__particles_check_ranks(&loader.world->domains.part[0].particles, ranks, loader.world->next_id,
                                            error);
    }
    if (result != DLP_OK || loader.world == NULL) {
        dlp_world_destroy(loader.world);
        return result;
    }
    dlp__domains_count(&loader.world->domains);
    const dlp_Hooks *hooks = &loader.world->def.hooks;
    if (loader.is_former && hooks->log != NULL) {
        hooks->log(hooks->log_user, DLP_LOG_INFO,
                   "read an older checkpoint of method conformation; save it again to update it");
    }
    *world = loader.world;
    return DLP_OK;
}

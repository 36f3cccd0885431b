/* Reading a checkpoint. The seal keeps accidents out; a file may still have been made to do harm, so every value goes
 * through the public calls and their checks, and sizes are believed only as far as the file can hold them. */
#include "io/bond_groups.h"
#include "io/checkpoint.h"
#include "io/file_summary.h"
#include "io/frame_groups.h"
#include "io/key_groups.h"
#include "io/mesh_groups.h"
#include "io/particle_checks.h"
#include "io/sealed_file.h"

#include <dollop/files.h>
#include <stdio.h>
#include <string.h>

typedef struct Loader {
    hid_t file;
    int64_t bytes; /* of the file */
    dlp__Summary summary;
    dlp_World *world;
    dlp_Error *error;
} Loader;

/* A value that the world does not take makes a broken file, not a bad argument of the caller's. */
static dlp_Result refused(const Loader *load, dlp_Result result, const char *what, int index)
{
    dlp_Result code = result == DLP_ERROR_MEMORY ? result : DLP_ERROR_FORMAT;
    return dlp__fail(load->error, code, "%s/%d: %s", what, index, dlp_world_error(load->world));
}

static dlp_Result load_world(Loader *load, const dlp_WorldDef *host)
{
    dlp_WorldDef def = dlp_default_world_def();
    dlp_Result result = dlp__group_read(load->file, "world", &(dlp__Record){dlp_world_params(), &def}, 1, load->error);
    if (result != DLP_OK) {
        return result;
    }
    def.hooks = host->hooks;
    def.threads = host->threads;
    def.simd = host->simd;
    def.subdomains = host->subdomains;
    result = dlp_world_create(&def, &load->world, load->error);
    return result == DLP_ERROR_ARGUMENT ? DLP_ERROR_FORMAT : result;
}

static dlp_Result load_method(const Loader *load)
{
    dlp_World *world = load->world;
    const dlp_ParamTable *table = world->method->params;
    void *params = dlp__memory_get(&world->memory, 1, table->size);
    if (params == NULL) {
        return dlp__fail(load->error, DLP_ERROR_MEMORY, "no memory is left for the parameters of the method");
    }
    dlp_Result result = dlp__group_read(load->file, "method", &(dlp__Record){table, params}, 1, load->error);
    if (result == DLP_OK) {
        result = dlp_world_set_method(world, params, table->size);
        if (result != DLP_OK) {
            result = refused(load, result, "method", 0);
        }
    }
    dlp__memory_release(&world->memory, params, 1, table->size);
    return result;
}

static dlp_Result load_state(const Loader *load)
{
    dlp__SavedState state;
    dlp_Result result = dlp__group_read(load->file, "state", &(dlp__Record){&dlp__saved_state_table, &state}, 1,
                                        load->error);
    if (result == DLP_OK && dlp_params_check(&dlp__saved_state_table, &state, load->error) != DLP_OK) {
        result = DLP_ERROR_FORMAT;
    }
    if (result == DLP_OK) {
        load->world->time = load->summary.time;
        load->world->solids.now = load->summary.time;
        load->world->meshes.now = load->summary.time;
        load->world->step = load->summary.step;
        load->world->next_id = (uint64_t)state.next_id;
        load->world->removed = state.removed;
        load->world->iterations = state.iterations;
        load->world->dt_last = state.dt_last;
    }
    return result;
}

static dlp_Result take_item(void *context, const dlp__ItemList *list, int index, const dlp__Item *item)
{
    const Loader *load = context;
    const dlp_Result result = list->add(load->world, item);
    return result == DLP_OK ? DLP_OK : refused(load, result, list->name, index);
}

static dlp_Result take_mesh(void *context, int index, const dlp_MeshDef *def, const dlp_Mesh *mesh)
{
    const Loader *load = context;
    const dlp_Result result = dlp_world_add_mesh(load->world, def, mesh, NULL);
    return result == DLP_OK ? DLP_OK : refused(load, result, "meshes", index);
}

static bool is_saved(const dlp__Particles *particles, int field)
{
    return (dlp__field_info(field)->flags & DLP_FIELD_SAVED) != 0 && dlp__particles_have(particles, field);
}

/* Every saved field of the method must be there with the same number of particles, and nothing else. */
static dlp_Result read_fields(const Loader *load, hid_t group, dlp__Particles *particles)
{
    int64_t fields = 0, count = 0;
    for (int field = 1; field < DLP_FIELD_END; field++) {
        fields += is_saved(particles, field);
    }
    if (dlp__hdf5_group_size(group) != fields) {
        return dlp__fail(load->error, DLP_ERROR_FORMAT, "there should be %d fields, but there are %d", (int)fields,
                         (int)dlp__hdf5_group_size(group));
    }
    dlp_Result result = dlp__hdf5_field_count(group, "id", DLP_FIELD_id, load->bytes, &count, load->error);
    if (result != DLP_OK) {
        return result;
    }
    if (count != load->summary.particles) {
        return dlp__fail(load->error, DLP_ERROR_FORMAT, "there should be %lld particles, but there are %lld",
                         (long long)load->summary.particles, (long long)count);
    }
    if (dlp__particles_add(particles, count) < 0) {
        return dlp__fail(load->error, DLP_ERROR_MEMORY, "no memory is left for %lld particles", (long long)count);
    }
    for (int field = 1; field < DLP_FIELD_END && result == DLP_OK; field++) {
        if (is_saved(particles, field)) {
            result = dlp__hdf5_read_field(group, dlp__field_info(field)->name, field, load->bytes, particles,
                                          load->error);
        }
    }
    return result;
}

static dlp_Result load_particles(const Loader *load)
{
    dlp__Particles *particles = &load->world->domains.part[0].particles;
    hid_t group = dlp__hdf5_open_group(load->file, "particles", load->error);
    if (group < 0) {
        return DLP_ERROR_FORMAT;
    }
    dlp_Result result = read_fields(load, group, particles);
    H5Gclose(group);
    int field = DLP_FIELD_NONE;
    int64_t index = 0;
    if (result == DLP_OK &&
        dlp__particles_find_bad(particles, &load->world->parallel, dlp__fields_with(DLP_FIELD_SAVED), &field, &index)) {
        result = dlp__fail(load->error, DLP_ERROR_FORMAT, "%s of particle %llu is not finite",
                           dlp__field_info(field)->name, (unsigned long long)particles->id[0][index]);
    }
    if (result == DLP_OK) {
        result = dlp__particles_check(particles, load->world->next_id, load->world->material_count, load->error);
    }
    if (result == DLP_OK) {
        result = dlp__particles_check_companions(particles, load->world->companions.count, load->error);
    }
    if (result != DLP_OK) {
        dlp__error_prefix(load->error, "particles: ");
    }
    return result;
}

static dlp_Result load_all(Loader *load, const dlp_WorldDef *host)
{
    dlp_Result result = dlp__summary_read(load->file, &load->summary, load->error);
    if (result == DLP_OK) {
        result = load_world(load, host);
    }
    if (result == DLP_OK) {
        result = load_method(load);
    }
    if (result == DLP_OK) {
        result = load_state(load);
    }
    if (result == DLP_OK) {
        result = dlp__mesh_groups_read(load->file, load->bytes, &load->world->memory, take_mesh, load, load->error);
    }
    if (result == DLP_OK) {
        result = dlp__frame_groups_read(load->file, load->bytes, load->world, load->error);
    }
    for (int i = 0; i < DLP_ITEM_LISTS && result == DLP_OK; i++) {
        if (i == DLP_ITEMS_COMPANIONS && !dlp__hdf5_has(load->file, dlp__item_lists[i].name)) {
            continue; /* files were written before there were any */
        }
        result = dlp__items_read(load->file, &dlp__item_lists[i], take_item, load, load->error);
    }
    if (result == DLP_OK) {
        result = dlp__key_groups_read(load->file, load->bytes, load->world, load->error);
    }
    if (result == DLP_OK) {
        result = dlp__bond_groups_read(load->file, load->bytes, load->world, load->error);
    }
    if (result == DLP_OK) {
        dlp__solids_place(&load->world->solids, load->world->time);
        result = load_particles(load);
    }
    return result;
}

dlp_Result dlp_world_load(const char *path, const dlp_WorldDef *host, dlp_World **world, dlp_Error *error)
{
    dlp_Error unread;
    error = error != NULL ? error : &unread;
    dlp_WorldDef plain = dlp_default_world_def();
    if (world == NULL) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "there is nowhere to put the loaded world: `world` is null");
    }
    *world = NULL;
    if (host != NULL && host->size != sizeof *host) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "the host's world def was not filled by dlp_default_world_def()");
    }
    dlp__SealedFile file;
    dlp_Result result = dlp__sealed_open(&file, path, error);
    if (result != DLP_OK) {
        return result;
    }
    Loader load = {.file = file.hdf5.file, .bytes = file.bytes, .error = error};
    if (file.kind != DLP_FILE_CHECKPOINT) {
        result = dlp__fail(error, DLP_ERROR_FORMAT,
                           "it is a frame, which holds what is shown and not the whole state: give a checkpoint");
    } else {
        result = load_all(&load, host != NULL ? host : &plain);
    }
    dlp__sealed_close(&file);
    if (result != DLP_OK) {
        dlp__error_prefix(error, "'%.512s': ", path);
        dlp_world_destroy(load.world);
        return result;
    }
    *world = load.world;
    return DLP_OK;
}

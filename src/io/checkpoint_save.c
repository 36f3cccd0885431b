/* Writing a checkpoint: everything that the future of a world depends on. */
#include "io/bond_groups.h"
#include "io/checkpoint.h"
#include "io/file_summary.h"
#include "io/frame_groups.h"
#include "io/key_groups.h"
#include "io/mesh_groups.h"
#include "io/sealed_file.h"

#include <dollop/files.h>

/* Threads, lanes and parts belong to the machine, not to the world: a checkpoint does not carry them. */
static dlp_Result save_parameters(hid_t file, const dlp_World *world, dlp_Error *error)
{
    dlp_WorldDef def = dlp_world_def(world), plain = dlp_default_world_def();
    def.threads = plain.threads;
    def.simd = plain.simd;
    def.subdomains = plain.subdomains;
    dlp__SavedState state = {sizeof state, (int64_t)world->next_id, world->removed, world->iterations, world->dt_last};
    dlp_Result result = dlp__group_write(file, "world", &(dlp__Record){dlp_world_params(), &def}, 1, error);
    if (result == DLP_OK) {
        result = dlp__group_write(file, "method", &(dlp__Record){world->method->params, world->method_params}, 1,
                                  error);
    }
    if (result == DLP_OK) {
        result = dlp__group_write(file, "state", &(dlp__Record){&dlp__saved_state_table, &state}, 1, error);
    }
    return result;
}

static dlp_Result save_particles(hid_t file, const dlp_World *world, dlp_Error *error)
{
    hid_t group = dlp__hdf5_make_group(file, "particles");
    if (group < 0) {
        return dlp__hdf5_fail(error, "make", "particles");
    }
    dlp_Result result = DLP_OK;
    for (int field = 1; field < DLP_FIELD_END && result == DLP_OK; field++) {
        const dlp__FieldInfo *info = dlp__field_info(field);
        if ((info->flags & DLP_FIELD_SAVED) != 0 && dlp__particles_have(&world->domains.part[0].particles, field)) {
            result = dlp__hdf5_write_field(group, info->name, &world->domains, field, error);
        }
    }
    H5Gclose(group);
    return result;
}

/* A checkpoint must be worth coming back to: a world that has gone wrong may not replace a good one. */
static dlp_Result refuse_bad(const dlp_World *world, dlp_Error *error)
{
    if (world->spoiled) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT,
                         "an earlier step failed half-way and left the world unfit: go back to an earlier checkpoint");
    }
    for (int p = 0; p < world->domains.count; p++) {
        const dlp__Particles *particles = &world->domains.part[p].particles;
        int field = DLP_FIELD_NONE;
        int64_t i = 0;
        if (dlp__particles_find_bad(particles, &world->parallel, dlp__fields_with(DLP_FIELD_SAVED), &field, &i)) {
            return dlp__fail(error, DLP_ERROR_NOT_FINITE,
                             "%s of particle %llu is not finite: go back to an earlier checkpoint and use a smaller "
                             "time step",
                             dlp__field_info(field)->name, (unsigned long long)particles->id[0][i]);
        }
    }
    return DLP_OK;
}

static dlp_Result save_all(hid_t file, const dlp_World *world, dlp_Error *error)
{
    dlp_Result result = dlp__summary_write(file, world, error);
    if (result == DLP_OK) {
        result = save_parameters(file, world, error);
    }
    if (result == DLP_OK) {
        result = dlp__mesh_groups_write(file, world, error);
    }
    if (result == DLP_OK) {
        result = dlp__frame_groups_write(file, world, error);
    }
    for (int i = 0; i < DLP_ITEM_LISTS && result == DLP_OK; i++) {
        result = dlp__items_write(file, &dlp__item_lists[i], world, error);
    }
    if (result == DLP_OK) {
        result = dlp__key_groups_write(file, world, error);
    }
    if (result == DLP_OK) {
        result = dlp__bond_groups_write(file, world, error);
    }
    if (result == DLP_OK) {
        result = save_particles(file, world, error);
    }
    return result;
}

dlp_Result dlp_world_save(dlp_World *world, const char *path)
{
    dlp_Result result = refuse_bad(world, &world->error);
    if (result != DLP_OK) {
        dlp__error_prefix(&world->error, "'%.512s' was not written: ", path != NULL ? path : "");
        return result;
    }
    return dlp__sealed_write(world, path, DLP_FILE_CHECKPOINT, save_all);
}

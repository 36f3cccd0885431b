/* Writing a checkpoint: everything that affects the future of a world. */
#include "io/hdf5_bonds.h"
#include "io/checkpoint.h"
#include "io/file_summary.h"
#include "io/hdf5_mesh_frames.h"
#include "io/hdf5_keys.h"
#include "io/hdf5_meshes.h"
#include "io/output.h"

#include <dollop/files.h>

/* Threads, SIMD width and subdomains depend on the machine and are not saved. */
static dlp_Result save_parameters(hid_t file, const dlp_World *world, dlp_Error *error)
{
    dlp_WorldDef def = dlp_world_def(world), defaults = dlp_default_world_def();
    def.threads = defaults.threads;
    def.simd = defaults.simd;
    def.subdomains = defaults.subdomains;
    dlp__SavedState state = {.size = sizeof state,
                             .next_id = (int64_t)world->next_id,
                             .removed = world->removed,
                             .iterations = world->iterations,
                             .dt_last = world->dt_last,
                             .dt_most = world->dt_most,
                             .dt_next = world->dt_next,
                             .flow_speed = world->flow_speed,
                             .flow_acceleration = world->flow_acceleration,
                             .shear_rate = world->domains.frame.shear.rate,
                             .shear_strain = world->domains.frame.shear.strain};
    dlp_Result result = dlp__hdf5_write_group(file, "world", &(dlp__Record){dlp_world_params(), &def}, 1, error);
    if (result == DLP_OK) {
        result = dlp__hdf5_write_group(file, "method", &(dlp__Record){world->method->params, world->method_params}, 1,
                                       error);
    }
    if (result == DLP_OK) {
        result = dlp__hdf5_write_group(file, "state", &(dlp__Record){&dlp__saved_state_table, &state}, 1, error);
    }
    return result;
}

static bool is_saved(const dlp_World *world, int field, int flags)
{
    (void)world;
    (void)field;
    return (flags & DLP_FIELD_SAVED) != 0;
}

static dlp_Result save_particles(hid_t file, dlp__Hdf5Pending *pending, const dlp_World *world, dlp_Error *error)
{
    hid_t group = dlp__hdf5_make_group(file, "particles");
    if (group < 0) {
        return dlp__hdf5_fail(error, "make", "particles");
    }
    dlp_Result result = DLP_OK;
    const dlp__Particles *particles = &world->domains.part[0].particles;
    for (int field = 1; field < dlp__fields_end(particles) && result == DLP_OK; field++) {
        const dlp__FieldInfo *info = dlp__field_info(particles, field);
        if (is_saved(world, field, info->flags) && dlp__particles_have(particles, field)) {
            result = dlp__hdf5_write_field(pending, group, info->name, &world->domains, field, error);
        }
    }
    H5Gclose(group);
    return result;
}

/* A corrupt world must not replace a good checkpoint. */
static dlp_Result check_saveable(const dlp_World *world, dlp_Error *error)
{
    if (world->failed) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT,
                         "an earlier step failed and left the world in an invalid state: go back to an earlier "
                         "checkpoint");
    }
    for (int p = 0; p < world->domains.count; p++) {
        const dlp__Particles *particles = &world->domains.part[p].particles;
        int field = DLP_FIELD_NONE;
        int64_t i = 0;
        if (dlp__particles_find_bad(particles, &world->parallel, NULL, &field, &i)) {
            return dlp__fail(error, DLP_ERROR_NOT_FINITE,
                             "%s of particle %llu is not finite: go back to an earlier checkpoint and use a smaller "
                             "time step",
                             dlp__field_info(particles, field)->name, (unsigned long long)particles->id[0][i]);
        }
    }
    return DLP_OK;
}

static dlp_Result save_all(dlp__FileInWork *work, const dlp_World *world, dlp_Error *error)
{
    const hid_t file = work->hdf5.file;
    dlp_Result result = dlp__summary_write(file, &work->summary, error);
    if (result == DLP_OK) {
        result = save_parameters(file, world, error);
    }
    if (result == DLP_OK) {
        result = dlp__hdf5_write_meshes(file, world, error);
    }
    if (result == DLP_OK) {
        result = dlp__hdf5_write_mesh_frames(file, world, error);
    }
    for (int i = 0; i < DLP_ITEM_LISTS && result == DLP_OK; i++) {
        result = dlp__hdf5_write_items(file, &dlp__item_lists[i], world, error);
    }
    if (result == DLP_OK) {
        result = dlp__hdf5_write_keys(file, world, error);
    }
    if (result == DLP_OK) {
        result = dlp__hdf5_write_bonds(file, &work->pending, world, work->bonds, error);
    }
    if (result == DLP_OK) {
        result = save_particles(file, &work->pending, world, error);
    }
    return result;
}

static dlp_Result begin(dlp__Output *output, dlp_World *world, const char *path)
{
    const dlp_Result result = dlp__ranks_agree(world->parallel.ranks, check_saveable(world, &world->error),
                                               &world->error);
    if (result != DLP_OK) {
        dlp__error_prefix(&world->error, "'%.512s' was not written: ", path != NULL ? path : "");
        return result;
    }
    dlp__hdf5_count_bonds(world, output->file.bonds);
    return dlp__verified_file_begin(&output->file, world, path, save_all, &world->error);
}

static dlp_Result finish(dlp__Output *output, const dlp__OutputSource *source, dlp_Error *error)
{
    return dlp__verified_file_finish(&output->file, DLP_FILE_CHECKPOINT, source->parts, source->parallel,
                                     source->memory, error);
}

const dlp__OutputKind dlp__checkpoint_output = {is_saved, begin, finish, dlp__output_discard_verified};

dlp_Result dlp_world_save(dlp_World *world, const char *path)
{
    return dlp__output_write(&dlp__checkpoint_output, world, path);
}

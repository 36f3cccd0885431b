/* Free solids: the rigid bodies behind them, and their part in a step. */
#include "bodies/reactions.h"

static dlp__BodyForm form_of(const dlp__Solids *solids, const dlp__Solid *solid)
{
    const dlp__MeshItem *mesh = dlp__mesh_list_find(solids->meshes, &solid->def.shape);
    return (dlp__BodyForm){.shape = solid->shape,
                           .mesh = mesh != NULL ? &mesh->mesh : NULL,
                           .friction = solid->def.grip,
                           .restitution = solid->def.bounce};
}

dlp__Solid *dlp__free_body_at(const dlp__Solids *solids, int body)
{
    return &solids->solid[solids->solid_of_body[body]];
}

static dlp_Result add_free(dlp__Solids *solids, dlp__Solid *solid, dlp_Error *error)
{
    const dlp__BodyDef def = {.form = form_of(solids, solid), .density = solid->def.density};
    dlp_Result result = dlp__bodies_add(solids->bodies, &def, &solid->body, error);
    if (result == DLP_OK) {
        solids->solid_of_body[solid->body] = (int32_t)(solid - solids->solid);
        solids->body_count++;
        result = dlp__bodies_set_state(solids->bodies, solid->body, &solid->state, error);
    }
    return result;
}

/* Create all bodies again, in the order of the solids and with the solids' states: when they are created makes no
 * difference. */
static dlp_Result create_bodies(dlp__Solids *solids, dlp_Error *error)
{
    bool any = false;
    for (int k = 0; k < solids->count; k++) {
        any |= solids->solid[k].def.density > 0.0;
    }
    dlp__bodies_destroy(solids->bodies);
    solids->bodies = NULL;
    solids->body_count = 0;
    if (!dlp__buffer_reserve(solids->memory, &solids->body_buffer, solids->count, sizeof *solids->solid_of_body)) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "no memory for the bodies of %d solids", solids->count);
    }
    solids->solid_of_body = solids->body_buffer.data;
    dlp_Result result = any ? dlp__bodies_create(solids->memory, &solids->bodies, error) : DLP_OK;
    for (int k = 0; k < solids->count && any && result == DLP_OK; k++) {
        dlp__Solid *solid = &solids->solid[k];
        const dlp__BodyForm form = form_of(solids, solid);
        result = solid->def.density > 0.0 ? add_free(solids, solid, error)
                                          : dlp__bodies_add_obstacle(solids->bodies, &form, NULL, error);
        if (result != DLP_OK) {
            dlp__error_prefix(error, solid->def.name[0] != 0 ? "solid %d, '%s': " : "solid %d: ", k, solid->def.name);
        }
    }
    if (result == DLP_OK && any) {
        result = dlp__joints_create(solids, error);
    }
    solids->stale = result != DLP_OK;
    return result;
}

static dlp_Result place_obstacles(const dlp__Solids *solids, dlp_Error *error)
{
    dlp_Result result = DLP_OK;
    int obstacle = 0;
    for (int k = 0; k < solids->count && result == DLP_OK; k++) {
        const dlp__Solid *solid = &solids->solid[k];
        if (solid->body < 0) {
            result = dlp__bodies_place_obstacle(solids->bodies, obstacle++, solid->shape.position,
                                                &solid->shape.rotation, solid->velocity, solid->spin, error);
        }
    }
    return result;
}

dlp_Result dlp__solids_begin_step(dlp__Solids *solids, double time, double dt, dlp_Vec3 gravity, dlp_Error *error)
{
    solids->stale |= solids->bodies != NULL && dlp__mesh_list_deforms(solids->meshes);
    dlp_Result result = solids->stale ? create_bodies(solids, error) : DLP_OK;
    if (result == DLP_OK && solids->bodies != NULL) {
        result = place_obstacles(solids, error);
    }
    solids->dt = dt;
    solids->gravity = gravity;
    solids->bodies_predicted = solids->short_of_memory = false;
    result = result == DLP_OK ? dlp__mesh_list_advance(solids->meshes, solids->now, time, error) : result;
    if (result != DLP_OK) {
        return result;
    }
    dlp__solids_move_to(solids, time);
    dlp__solids_build_tree(solids);
    for (int k = 0; k < solids->count && result == DLP_OK; k++) {
        dlp__Solid *solid = &solids->solid[k];
        if (solid->body >= 0) {
            solid->mass_properties = dlp__bodies_mass(solids->bodies, solid->body);
        }
    }
    return result;
}

dlp_Result dlp__solids_end_step(dlp__Solids *solids, int64_t step, double dt, dlp_Vec3 gravity, dlp_Error *error)
{
    if (solids->bodies == NULL) {
        return DLP_OK;
    }
    if (solids->short_of_memory) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "no memory for the reactions of %d free solids", solids->body_count);
    }
    dlp__solids_apply_pending_impulses(solids);
    dlp_Result result = dlp__bodies_step(solids->bodies, step, dt, gravity, error);
    for (int k = 0; k < solids->count && result == DLP_OK; k++) {
        if (solids->solid[k].body >= 0) {
            solids->solid[k].state = dlp__bodies_state(solids->bodies, solids->solid[k].body);
        }
    }
    dlp__solids_move_to(solids, solids->now);
    return result;
}

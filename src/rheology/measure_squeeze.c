/* Squeeze flow: the force of a disc on plates that approach each other at a constant speed, without slip.
 *
 * Three planes of symmetry leave an eighth of the disc: x = 0 and y = 0 through its axis, and z = 0 halfway between the plates, all of
 * which the fluid slides along. Beside the force stands that of lubrication theory for a disc of the radius at which the fluid
 * touches the plates. */
#include "rheology/rheometer_parts.h"
#include "rheology/sample_world.h"

#include <dollop/rheology.h>
#include <math.h>

static const double PI = 3.14159265358979323846;
static const double STRAIN_PER_STEP = 0.04; /* at the plates at the rim */
/* The pressure rises as the gap closes, by compression of bulk * viscosity within a step. With the default of 7 the sample would lose a
 * fifth of the flow in compression. */
static const double BULK = 100.0;
static const double READ_PART = 0.3; /* of the way from one point to the next, over which force and law are averaged */
static const double GAPS_OF_RADIUS = 6.0, LAST_GAP = 0.7; /* the latter over the first */
enum { PLATE = 3 };

dlp_Result dlp__complete_squeeze(dlp_RheometerDef *def, const dlp_MaterialDef *material, dlp_Error *error)
{
    const double longest = dlp__material_times(material).longest;
    const double slow =
        0.1; /* part of a fluid's memory in which the gap changes little, so that its law is that of steady flow */
    /* of the flow between the plates, rate gap^2 / 18 times density over viscosity at this radius: then the force of inertia is small */
    const double reynolds = 0.3 / (double)(def->edge * def->edge);
    def->rate = dlp__or_else(def->rate, longest > 0.0 ? fmin(1.0, slow / longest) : 1.0);
    def->edge += def->edge % 2;
    if (def->spacing > 0.0 && def->to > 0.0) {
        def->edge = 2 * (int64_t)lround(0.5 * fmin(def->to / def->spacing, 1e3));
        def->spacing = def->to / (double)def->edge;
    } else if (def->to > 0.0) {
        def->spacing = def->to / (double)def->edge;
    }
    def->spacing = dlp__or_else(def->spacing, dlp__suitable_spacing(def, material, def->rate, reynolds));
    def->to = (double)def->edge * def->spacing;
    def->from = dlp__or_else(def->from, LAST_GAP * def->to);
    def->radius = dlp__or_else(def->radius, GAPS_OF_RADIUS * def->to);
    if (!(def->from < def->to) || !(def->from >= 3.0 * def->spacing) || def->edge < 4 || def->edge > 32) {
        return dlp__rheometer_fail(
            error, DLP_ERROR_ARGUMENT,
            "a gap that closes from %g to %g m with a spacing of %g m: give a first gap of 4 to 32 "
            "spacings, and a last one of 3 spacings at least",
            def->to, def->from, def->spacing);
    }
    if (!(def->radius >= 2.0 * def->to) || !(def->radius <= 200.0 * def->spacing)) {
        return dlp__rheometer_fail(
            error, DLP_ERROR_ARGUMENT,
            "a disc with a radius of %g m: give at least 2 gaps, and at most 200 spacings of %g m", def->radius,
            def->spacing);
    }
    return DLP_OK;
}

/* The sample while it is squeezed. */
typedef struct Squeeze {
    dlp_World *world;
    double gap, speed, spacing; /* m, m/s, m */
    double time;
} Squeeze;

static bool is_in_disc(const void *user, dlp_Vec3 place)
{
    const double radius = *(const double *)user;
    return hypot(place.x, place.y) < radius;
}

/* m, of the disc where it touches the plate: of an even layer of particles beside it. The free surface bulges, so that is less than the radius of a
 * disc of this volume, by a sixth of the gap. */
static dlp_Result find_radius(const Squeeze *squeeze, double *radius, dlp_Error *error)
{
    double square = 0.0, count = 0.0;
    for (int part = 0; part < dlp_world_part_count(squeeze->world); part++) {
        dlp_ParticleView view;
        const dlp_Result result = dlp_world_view(squeeze->world, part, &view);
        if (result != DLP_OK) {
            return dlp__sample_fail(squeeze->world, result, error);
        }
        for (int64_t i = 0; i < view.count; i++) {
            const double x = (double)view.position[0][i], y = (double)view.position[1][i];
            if ((double)view.position[2][i] > 0.5 * squeeze->gap - squeeze->spacing) {
                square += x * x + y * y;
                count += 1.0;
            }
        }
    }
    *radius = sqrt(2.0 * square / fmax(count, 1.0));
    return DLP_OK;
}

/* The planes of symmetry, then the plate that moves down. */
static dlp_Result add_walls(const Squeeze *squeeze, double hold, dlp_Error *error)
{
    const dlp_Vec3 turns[PLATE + 1] = {{0, 0.5 * PI, 0}, {-0.5 * PI, 0, 0}, {0, 0, 0}, {PI, 0, 0}};
    dlp_Result result = DLP_OK;
    for (int n = 0; n <= PLATE && result == DLP_OK; n++) {
        dlp_SolidDef plane = dlp_default_solid_def();
        plane.shape.rotation = turns[n];
        plane.stickiness = hold;
        plane.friction = n == PLATE ? 1.0 : 0.0;
        if (n == PLATE) {
            plane.shape.position.z = 0.5 * squeeze->gap;
            plane.velocity.z = -0.5 * squeeze->speed;
        }
        result = dlp__sample_add_solid(squeeze->world, &plane, error);
    }
    return result;
}

static dlp_Result prepare(Squeeze *squeeze, dlp_Measurement *measurement, dlp_Error *error)
{
    const dlp_RheometerDef *def = &measurement->def;
    const double s = def->spacing;
    const int across = (int)(def->radius / s) + 1;
    const dlp__SampleLattice lattice = {.spacing = s,
                                        .first = {0.5 * s, 0.5 * s, 0.5 * s},
                                        .counts = {across, across, (int)def->edge / 2},
                                        .disorder = 0.15,
                                        .has_place = is_in_disc,
                                        .user = &def->radius};
    squeeze->gap = def->to;
    squeeze->spacing = s;
    squeeze->speed = def->rate * def->to * def->to / (3.0 * def->radius); /* of a Newtonian fluid */
    dlp_Result result = dlp__sample_world(&squeeze->world, &measurement->material, s, (dlp_Vec3){0, 0, 0}, def->threads,
                                          error);
    result = result == DLP_OK ? dlp__sample_set(squeeze->world, "bulk", BULK, error) : result;
    result = result == DLP_OK ? add_walls(squeeze, dlp__wall_hold(&measurement->material, 10.0 * def->rate), error)
                              : result;
    result = result == DLP_OK ? dlp__sample_fill(squeeze->world, &lattice, error) : result;
    if (result == DLP_OK) {
        measurement->particles = dlp_world_particle_count(squeeze->world);
    }
    return result;
}

/* Close the gap by `part` of the way that is left to `until`; the means of the force and of its law over that way. */
static dlp_Result squeeze_to(Squeeze *squeeze, const dlp_Measurement *measurement, double until,
                             dlp_MeasuredPoint *point, dlp_Error *error)
{
    const double from = squeeze->gap;
    double radius = 0.0;
    dlp_Result result = find_radius(squeeze, &radius, error);
    if (result != DLP_OK) {
        return result;
    }
    const double rim_rate = 3.0 * squeeze->speed * radius / (from * from);
    const double longest = fmin(measurement->def.time_step_factor * STRAIN_PER_STEP / rim_rate,
                                dlp__longest_step(measurement));
    const double duration = (from - until) / squeeze->speed;
    const double given = measurement->def.time_step;
    const int64_t steps = (int64_t)fmax(ceil(duration / (given > 0.0 ? given : longest) - 1e-6), 1.0);
    const double dt = duration / (double)steps;
    point->measured.force = point->law.force = point->radius = 0.0;
    for (int64_t n = 0; n < steps && result == DLP_OK; n++) {
        dlp__SolidForce plate;
        const double gap = squeeze->gap - 0.5 * squeeze->speed * dt; /* in the middle of the step */
        result = dlp_world_step(squeeze->world, dt);
        if (result != DLP_OK) {
            return dlp__sample_fail(squeeze->world, result, error);
        }
        result = dlp__sample_force(squeeze->world, PLATE, &plate, error);
        result = result == DLP_OK ? find_radius(squeeze, &radius, error) : result;
        squeeze->gap -= squeeze->speed * dt;
        squeeze->time += dt;
        /* a quarter of the plate */
        point->measured.force += 4.0 * plate.force.z / (double)steps;
        point->law.force += dlp_material_squeeze_force(&measurement->material, DLP_SQUEEZE_DISC, radius, gap,
                                                       squeeze->speed) /
                            (double)steps;
        point->radius += radius / (double)steps;
    }
    point->gap = 0.5 * (from + squeeze->gap);
    point->rate = rim_rate;
    point->time = squeeze->time;
    point->time_step = dt;
    point->steps += steps;
    return result;
}

dlp_Result dlp__measure_squeeze(dlp_Measurement *measurement, dlp_Error *error)
{
    const dlp_RheometerDef *def = &measurement->def;
    Squeeze squeeze = {.world = NULL};
    dlp_Result result = prepare(&squeeze, measurement, error);
    for (int k = 0; k < def->points && result == DLP_OK; k++) {
        dlp_MeasuredPoint *point = &measurement->points[measurement->count];
        const double next = def->to * pow(def->from / def->to, (double)(k + 1) / (double)def->points);
        *point = dlp__empty_point();
        result = squeeze_to(&squeeze, measurement, next + READ_PART * (squeeze.gap - next), point, error);
        result = result == DLP_OK ? squeeze_to(&squeeze, measurement, next, point, error) : result;
        measurement->count += result == DLP_OK;
        dlp__rheometer_report(measurement, (double)(k + 1) / (double)def->points);
    }
    dlp_world_destroy(squeeze.world);
    return result;
}

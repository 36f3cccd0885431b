/* Bob or vane in a cup: the torque at shear rates from slow to fast, one sample. The axis is periodic, so there is no bottom and no free
 * surface. A vane is made of crossed blades; its torque stands beside that of a bob as wide as the vane. */
#include "rheology/rheometer_parts.h"
#include "rheology/sample_world.h"

#include <dollop/rheology.h>
#include <math.h>
#include <stdlib.h>

static const double PI = 3.14159265358979323846;
static const double STRAIN_PER_STEP = 0.05,
                    TIME_PER_STEP = 0.1; /* at the bob; the latter of the longest relaxation time */
/* The torque is averaged over windows as in a flow curve, and is steady when it changes by less from window to window. */
static const double WINDOW_STRAIN = 0.25, WINDOW_TIME = 0.5, STEADY_CHANGE = 1e-3;
static const double CUP = 1.5; /* radius over that of the bob */
static const double BLADE =
    2.0; /* spacings, thickness: particles on its two sides are farther apart than their support */
enum { LAYERS = 6, LEAST_WINDOWS = 3, MOST_WINDOWS = 12, LEAST_STEPS = 5, SIDES = 256, PARTICLES_MOST = 400000 };

dlp_Result dlp__complete_cup(dlp_RheometerDef *def, const dlp_MaterialDef *material, dlp_Error *error)
{
    const double reynolds = 0.02;
    const bool has_bob = def->radius > 0.0, has_cup = def->cup > 0.0, has_spacing = def->spacing > 0.0;
    const double edge = (double)def->edge;
    if (!has_bob) {
        def->spacing = dlp__or_else(def->spacing, dlp__suitable_spacing(def, material, def->to, reynolds));
        def->radius = has_cup ? def->cup / CUP : edge * def->spacing / (CUP - 1.0);
    }
    def->cup = dlp__or_else(def->cup, CUP * def->radius);
    if (has_spacing) {
        def->edge = (int64_t)lround(fmin((def->cup - def->radius) / def->spacing, 1e3));
    }
    def->spacing = (def->cup - def->radius) / (double)def->edge;
    def->blades = def->blades > 0 ? def->blades : 4;
    if (!(def->cup > def->radius) || def->edge < 4 || def->edge > 32) {
        return dlp__rheometer_fail(
            error, DLP_ERROR_ARGUMENT,
            "a radius of %g m in a cup of %g m with a spacing of %g m: give a gap of 4 to 32 spacings", def->radius,
            def->cup, def->spacing);
    }
    if (!(PI * LAYERS * pow(def->cup / def->spacing, 2.0) <= PARTICLES_MOST)) {
        return dlp__rheometer_fail(
            error, DLP_ERROR_ARGUMENT,
            "a cup with a radius of %g m needs more than %d particles with a spacing of %g m: give a "
            "smaller one, or a larger spacing",
            def->cup, PARTICLES_MOST, def->spacing);
    }
    if (def->blades % 2 != 0 || def->blades > 8 ||
        (def->test == DLP_RHEOMETER_VANE && def->radius < 2.0 * BLADE * def->spacing)) {
        return dlp__rheometer_fail(
            error, DLP_ERROR_ARGUMENT,
            "a vane of %lld blades with a radius of %g m: give 2, 4, 6 or 8 blades, and a radius of %g "
            "spacings at least",
            (long long)def->blades, def->radius, 2.0 * BLADE);
    }
    return DLP_OK;
}

/* The sample around bob or vane. */
typedef struct Cup {
    const dlp_RheometerDef *def;
    dlp_World *world;
    int rotors;   /* solids that turn: the first ones. The cup is the next */
    double depth; /* m, along the axis */
} Cup;

static dlp_Vec3 rotor_turn(const Cup *cup, int rotor)
{
    return (dlp_Vec3){0, 0, PI * rotor / cup->rotors};
}

/* Half the length of two opposite blades, whose corners are at the radius. */
static double blade_length(const dlp_RheometerDef *def)
{
    return sqrt(def->radius * def->radius - 0.25 * BLADE * BLADE * def->spacing * def->spacing);
}

static bool is_in_rotor(const Cup *cup, dlp_Vec3 place)
{
    const dlp_RheometerDef *def = cup->def;
    if (def->test == DLP_RHEOMETER_COUETTE) {
        return hypot(place.x, place.y) <= def->radius;
    }
    for (int n = 0; n < cup->rotors; n++) {
        const double angle = rotor_turn(cup, n).z;
        const double along = cos(angle) * place.x + sin(angle) * place.y;
        const double across = cos(angle) * place.y - sin(angle) * place.x;
        if (fabs(along) <= blade_length(def) && fabs(across) <= 0.5 * BLADE * def->spacing) {
            return true;
        }
    }
    return false;
}

static bool is_in_gap(const void *user, dlp_Vec3 place)
{
    const Cup *cup = user;
    return hypot(place.x, place.y) < cup->def->cup && !is_in_rotor(cup, place);
}

static dlp_Result add_rotor(const Cup *cup, double hold, dlp_Error *error)
{
    const dlp_RheometerDef *def = cup->def;
    const double length = 4.0 * cup->depth;
    dlp_Result result = DLP_OK;
    for (int n = 0; n < cup->rotors && result == DLP_OK; n++) {
        dlp_SolidDef rotor = dlp_default_solid_def();
        rotor.friction = 1.0;
        rotor.stickiness = hold;
        if (def->test == DLP_RHEOMETER_COUETTE) {
            rotor.shape.kind = DLP_SHAPE_CYLINDER;
            rotor.shape.radius = def->radius;
            rotor.shape.length = length;
        } else {
            rotor.shape.kind = DLP_SHAPE_BOX;
            rotor.shape.size = (dlp_Vec3){2.0 * blade_length(def), BLADE * def->spacing, length};
            rotor.shape.rotation = rotor_turn(cup, n);
        }
        result = dlp__sample_add_solid(cup->world, &rotor, error);
    }
    return result;
}

/* A ring of quadrangles that is longer than the period, as two triangles each: inner bottom, outer bottom, outer top, inner top. */
static dlp_Result add_cup(const Cup *cup, double hold, dlp_Error *error)
{
    static const int corners[6] = {0, 1, 2, 0, 2, 3};
    const dlp_RheometerDef *def = cup->def;
    const double outer = def->cup + 6.0 * def->spacing, half = 2.0 * cup->depth;
    const double radius[4] = {def->cup, outer, outer, def->cup}, level[4] = {-half, -half, half, half};
    float x[4 * SIDES][3];
    uint32_t triangle[24 * SIDES];
    for (uint32_t n = 0; n < 4 * SIDES; n++) {
        const uint32_t side = n / 4, corner = n % 4, next = (side + 1) % SIDES, after = (corner + 1) % 4;
        const double angle = 2.0 * PI * side / SIDES;
        const uint32_t quad[4] = {n, 4 * next + corner, 4 * next + after, 4 * side + after};
        x[n][0] = (float)(radius[corner] * cos(angle));
        x[n][1] = (float)(radius[corner] * sin(angle));
        x[n][2] = (float)level[corner];
        for (int k = 0; k < 6; k++) {
            triangle[6 * n + (uint32_t)k] = quad[corners[k]];
        }
    }
    const dlp_Mesh mesh = {
        .vertex_count = 4 * SIDES, .triangle_count = 8 * SIDES, .position = x[0], .triangle = triangle};
    const dlp_MeshDef mesh_def = dlp_default_mesh_def();
    dlp_SolidDef solid = dlp_default_solid_def();
    solid.friction = 1.0;
    solid.stickiness = hold;
    solid.shape.kind = DLP_SHAPE_MESH;
    const dlp_Result result = dlp_world_add_mesh(cup->world, &mesh_def, &mesh, &solid.shape.mesh);
    return result == DLP_OK ? dlp__sample_add_solid(cup->world, &solid, error)
                            : dlp__sample_fail(cup->world, result, error);
}

static dlp_Result prepare(Cup *cup, dlp_Measurement *measurement, dlp_Error *error)
{
    const dlp_RheometerDef *def = cup->def;
    const double s = def->spacing, hold = dlp__wall_hold(&measurement->material, 10.0 * def->to);
    const int half = (int)ceil(def->cup / s);
    const dlp__SampleLattice lattice = {.spacing = s,
                                        .first = {(0.5 - half) * s, (0.5 - half) * s, 0.5 * s},
                                        .counts = {2 * half, 2 * half, LAYERS},
                                        .disorder = 0.15,
                                        .has_place = is_in_gap,
                                        .user = cup};
    dlp_Result result = dlp__sample_world(&cup->world, &measurement->material, s, (dlp_Vec3){0, 0, cup->depth},
                                          def->threads, error);
    result = result == DLP_OK ? add_rotor(cup, hold, error) : result;
    result = result == DLP_OK ? add_cup(cup, hold, error) : result;
    result = result == DLP_OK ? dlp__sample_fill(cup->world, &lattice, error) : result;
    measurement->particles = result == DLP_OK ? dlp_world_particle_count(cup->world) : 0;
    return result;
}

/* rad/s, from now on; the rotor goes on from where it is. */
static dlp_Result turn_at(const Cup *cup, double rotation, dlp_Error *error)
{
    dlp_Result result = DLP_OK;
    for (int n = 0; n < cup->rotors && result == DLP_OK; n++) {
        dlp_SolidState state;
        dlp_SolidDef rotor;
        result = dlp_world_solid_state(cup->world, n, &state);
        result = result == DLP_OK ? dlp_world_get_solid(cup->world, n, &rotor) : result;
        rotor.shape.rotation = state.rotation;
        rotor.spin.z = rotation;
        result = result == DLP_OK ? dlp_world_set_solid(cup->world, n, &rotor) : result;
    }
    return result == DLP_OK ? DLP_OK : dlp__sample_fail(cup->world, result, error);
}

/* Means over a window of steps, N m per m. */
typedef struct Window {
    double torque, cup_torque;
} Window;

static dlp_Result average(const Cup *cup, double dt, int64_t steps, Window *window, dlp_Error *error)
{
    *window = (Window){0.0, 0.0};
    for (int64_t n = 0; n < steps; n++) {
        dlp_Result result = dlp_world_step(cup->world, dt);
        if (result != DLP_OK) {
            return dlp__sample_fail(cup->world, result, error);
        }
        for (int solid = 0; solid <= cup->rotors && result == DLP_OK; solid++) {
            dlp__SolidForce force;
            result = dlp__sample_force(cup->world, solid, &force, error);
            const double part = force.torque.z / (cup->depth * (double)steps);
            window->torque -= solid < cup->rotors ? part : 0.0;
            window->cup_torque += solid == cup->rotors ? part : 0.0;
        }
        if (result != DLP_OK) {
            return result;
        }
    }
    return DLP_OK;
}

static dlp_Result measure_point(const Cup *cup, const dlp_Measurement *measurement, dlp_MeasuredPoint *point,
                                dlp_Error *error)
{
    const dlp_RheometerDef *def = cup->def;
    const double ratio = def->radius / def->cup, memory = dlp__material_times(&measurement->material).longest;
    const double by_strain = STRAIN_PER_STEP / point->rate, most = dlp__longest_step(measurement);
    const double chosen = memory > 0.0 ? fmin(by_strain, TIME_PER_STEP * memory) : by_strain;
    const double dt = def->time_step > 0.0 ? def->time_step : fmin(def->time_step_factor * chosen, most);
    const double duration = fmax(WINDOW_STRAIN / point->rate, WINDOW_TIME * memory);
    const int64_t steps = (int64_t)fmax(ceil(duration / dt - 1e-9), LEAST_STEPS);
    point->rotation = 0.5 * point->rate * (1.0 - ratio * ratio);
    point->drift = INFINITY;
    Window before = {0.0, 0.0}, now = {0.0, 0.0};
    dlp_Result result = turn_at(cup, point->rotation, error);
    for (int n = 0; n < MOST_WINDOWS && (n < LEAST_WINDOWS || point->drift > STEADY_CHANGE) && result == DLP_OK; n++) {
        before = now;
        result = average(cup, dt, steps, &now, error);
        point->steps += steps;
        point->drift = fabs(now.torque - before.torque) / fabs(now.torque);
    }
    point->time_step = dt;
    point->time = dlp_world_time(cup->world);
    point->measured.torque = now.torque;
    point->measured.cup_torque = now.cup_torque;
    point->law.torque = point->law.cup_torque = dlp_material_couette_torque(&measurement->material, def->radius,
                                                                            def->cup, point->rotation);
    return result;
}

dlp_Result dlp__measure_cup(dlp_Measurement *measurement, dlp_Error *error)
{
    const dlp_RheometerDef *def = &measurement->def;
    Cup cup = {.def = def,
               .rotors = def->test == DLP_RHEOMETER_COUETTE ? 1 : (int)def->blades / 2,
               .depth = LAYERS * def->spacing};
    dlp_Result result = prepare(&cup, measurement, error);
    for (int k = 0; k < def->points && result == DLP_OK; k++) {
        dlp_MeasuredPoint *point = &measurement->points[measurement->count];
        *point = dlp__empty_point();
        point->rate = dlp__rheometer_position(def, k);
        result = measure_point(&cup, measurement, point, error);
        measurement->count += result == DLP_OK;
        dlp__rheometer_report(measurement, (double)(k + 1) / (double)def->points);
    }
    dlp_world_destroy(cup.world);
    return result;
}

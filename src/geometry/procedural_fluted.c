/* Forms whose radius varies around the z axis: the gear, the nozzle with its star, the flat star, the scalloped mould.
 * All their loops have points at the same angles, a whole number per tooth, so that corners stay sharp and bands of
 * triangles do not intersect. */
#include "geometry/mesh_loft.h"
#include "geometry/procedural_mesh.h"

static const double PI = 3.14159265358979323846;

/* A loop at height z with the radius `radius` * (1 - depth * dent), where the dent goes from 0 to 1 and back with each
 * tooth. */
typedef struct Fluted {
    double (*dent)(double fraction, int64_t teeth); /* `fraction` of a tooth: 0 at its middle, 1/2 between two teeth */
    int64_t teeth;
    double radius, depth, wall, z; /* `wall` is added to the radius at all angles */
} Fluted;

static dlp_Vec3 fluted_point(const void *context, double turn)
{
    const Fluted *loop = context;
    const double teeth = turn * (double)loop->teeth, fraction = fabs(teeth - floor(teeth + 0.5));
    const double radius = loop->radius * (1.0 - loop->depth * loop->dent(fraction, loop->teeth)) + loop->wall;
    return dlp__vec3(radius * cos(2.0 * PI * turn), radius * sin(2.0 * PI * turn), loop->z);
}

/* Number of points around, a multiple of `per_tooth` for each tooth. */
static int64_t points_around(int64_t teeth, int64_t per_tooth)
{
    const int64_t times = (DLP_CIRCLE_POINTS + teeth * per_tooth - 1) / (teeth * per_tooth);
    return teeth * per_tooth * times;
}

/* A flat disc from the axis outwards or back, excluding `radius` itself. */
static void add_disc(dlp__Loft *loft, double radius, double outer, double z, bool outwards)
{
    const int64_t rings = dlp__segment_count(radius, 2.0 * PI * outer / DLP_CIRCLE_POINTS, 100);
    for (int64_t n = 0; n < rings; n++) {
        const double r = radius * (double)(outwards ? n : rings - 1 - n) / (double)rings;
        dlp__loft_circle(loft, dlp__circle_points(r, outer), r, z);
    }
}

/* A gear's tooth: flat on top and below, with straight flanks between 0.2 and 0.3 of a tooth from its middle. */
static double gear_dent(double fraction, int64_t teeth)
{
    (void)teeth;
    return fmin(fmax((fraction - 0.2) / 0.1, 0.0), 1.0);
}

/* The loop of a gear, interpolated between its round core (0) and its teeth (1). */
static void add_gear_loop(dlp__Loft *loft, const dlp_MeshDef *def, int64_t points, double core, double fraction,
                          double z)
{
    const Fluted loop = {.dent = gear_dent,
                         .teeth = def->count,
                         .radius = fraction * def->radius,
                         .depth = def->thickness / def->radius,
                         .wall = (1.0 - fraction) * core,
                         .z = z};
    dlp__loft_add(loft, points, fluted_point, &loop);
}

dlp_Result dlp__generate_gear(dlp_Model *model, const dlp_MeshDef *def, dlp_Error *error)
{
    enum { STEPS = 4 };
    dlp_Result result = dlp__check_size_below("thickness", def->thickness, "radius", def->radius, 0.7, error);
    if (result != DLP_OK) {
        return result;
    }
    const double r = def->radius, h = def->height, core = 0.85 * (r - def->thickness);
    const int64_t points = points_around(def->count, def->count <= 20 ? 20 : 10);
    const int64_t rows = dlp__segment_count(h, 2.0 * PI * r / DLP_CIRCLE_POINTS, 100);
    dlp__Loft loft = {.model = model};
    add_disc(&loft, core, r, 0.0, true);
    for (int n = 0; n < STEPS; n++) {
        add_gear_loop(&loft, def, points, core, (double)n / STEPS, 0.0);
    }
    for (int64_t n = 0; n <= rows; n++) {
        add_gear_loop(&loft, def, points, core, 1.0, h * (double)n / (double)rows);
    }
    for (int n = STEPS - 1; n >= 0; n--) {
        add_gear_loop(&loft, def, points, core, (double)n / STEPS, h);
    }
    add_disc(&loft, core, r, h, false);
    return DLP_OK;
}

/* A star with straight sides; between two points its radius is half of that at the points. */
static double star_dent(double fraction, int64_t teeth)
{
    const double wedge = PI / (double)teeth, angle = 2.0 * fraction * wedge;
    const double radius = 0.5 * sin(wedge) / (sin(angle) + 0.5 * sin(wedge - angle));
    return 1.0 - radius;
}

dlp_Result dlp__generate_nozzle(dlp_Model *model, const dlp_MeshDef *def, dlp_Error *error)
{
    static const double ROUND_FROM = 0.75; /* of the height; above, the inside is a plain cone */
    const double t = def->thickness;
    dlp_Result result = dlp__check_size_below("hole and thickness together", def->hole + t, "radius", def->radius, 1.0,
                                              error);
    if (result != DLP_OK) {
        return result;
    }
    const int64_t points = points_around(def->count, 8);
    const int64_t rows = dlp__segment_count(def->height, 2.0 * PI * def->radius / DLP_CIRCLE_POINTS, 100);
    dlp__Loft loft = {.model = model};
    for (int64_t n = 0; n < 2 * (rows + 1); n++) { /* up the outer side, down the inner side */
        const bool outer = n <= rows;
        const double up = (double)(outer ? n : 2 * rows + 1 - n) / (double)rows;
        const Fluted loop = {.dent = star_dent,
                             .teeth = def->count,
                             .radius = def->hole + up * (def->radius - t - def->hole),
                             .depth = 1.0 - dlp__smoothstep(up / ROUND_FROM),
                             .wall = outer ? t : 0.0,
                             .z = up * def->height};
        dlp__loft_add(&loft, points, fluted_point, &loop);
    }
    dlp__loft_close(&loft);
    return DLP_OK;
}

/* A triangle fan around the center. */
dlp_Result dlp__generate_star(dlp_Model *model, const dlp_MeshDef *def, dlp_Error *error)
{
    dlp_Result result = dlp__check_size_below("hole", def->hole, "radius", def->radius, 1.0, error);
    if (result != DLP_OK) {
        return result;
    }
    const int64_t corners = 2 * def->count;
    dlp__model_add_vertex(model, 0.0, 0.0, 0.0);
    for (int64_t n = 0; n < corners; n++) {
        const double angle = 2.0 * PI * (double)n / (double)corners, radius = n % 2 == 0 ? def->radius : def->hole;
        dlp__model_add_vertex(model, radius * cos(angle), radius * sin(angle), 0.0);
        dlp__model_add_triangle(model, 0, 1 + n, 1 + (n + 1) % corners);
    }
    return DLP_OK;
}

/* Round bulges with ridges between them. */
static double scallop_dent(double fraction, int64_t teeth)
{
    (void)teeth;
    return 1.0 - fabs(cos(PI * fraction));
}

/* The cavity of a mould from its upper edge down to the round center of its floor. */
static void add_hollow(dlp__Loft *loft, const dlp_MeshDef *def, int64_t points, double pitch)
{
    enum { ROUND = 8, FLOOR = 5 };
    static const double LEAN = 0.25; /* narrowing towards the bottom, so that the cast comes out */
    const double top = def->radius - def->thickness, deep = def->height - def->thickness;
    const double edge = fmin(0.3 * deep, 0.2 * top), slope = LEAN * top / deep;
    Fluted loop = {scallop_dent, def->count, top, fmin(0.12, 2.0 / (double)def->count), 0.0, def->height};
    const int64_t rows = dlp__segment_count(deep - edge, pitch, 100);
    for (int64_t n = 0; n < rows; n++) {
        const double down = (deep - edge) * (double)n / (double)rows;
        loop.radius = top - slope * down;
        loop.z = def->height - down;
        dlp__loft_add(loft, points, fluted_point, &loop);
    }
    const double low = top - slope * (deep - edge);
    for (int n = 0; n <= ROUND; n++) {
        const double angle = 0.5 * PI * n / ROUND;
        loop.radius = low - edge * (1.0 - cos(angle));
        loop.z = def->thickness + edge * (1.0 - sin(angle));
        dlp__loft_add(loft, points, fluted_point, &loop);
    }
    const double floor_radius = loop.radius, depth = loop.depth;
    for (int n = 1; n <= FLOOR; n++) { /* the scallops fade into a circle */
        loop.radius = floor_radius * (1.0 - 0.35 * n / FLOOR);
        loop.depth = depth * (1.0 - (double)n / FLOOR);
        dlp__loft_add(loft, points, fluted_point, &loop);
    }
    add_disc(loft, loop.radius, def->radius, def->thickness, false);
}

dlp_Result dlp__generate_mould(dlp_Model *model, const dlp_MeshDef *def, dlp_Error *error)
{
    const double r = def->radius, h = def->height, pitch = 2.0 * PI * r / DLP_CIRCLE_POINTS;
    dlp_Result result = dlp__check_size_below("thickness", def->thickness, "radius", r, 0.8, error);
    if (result == DLP_OK) {
        result = dlp__check_size_below("thickness", def->thickness, "height", h, 0.9, error);
    }
    if (result != DLP_OK) {
        return result;
    }
    const int64_t points = points_around(def->count, 8), rows = dlp__segment_count(h, pitch, 100);
    dlp__Loft loft = {.model = model};
    add_disc(&loft, r, r, 0.0, true);
    for (int64_t n = 0; n <= rows; n++) {
        dlp__loft_circle(&loft, n < rows ? DLP_CIRCLE_POINTS : points, r, h * (double)n / (double)rows);
    }
    add_hollow(&loft, def, points, pitch);
    return DLP_OK;
}

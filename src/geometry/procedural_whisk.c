/* The whisk: hairpins of wire below a handle. Each goes down along the round outline of the whisk, turns back close to
 * the axis and goes up again beside itself, so that no two wires touch. The handle ends just above the wires. */
#include "base/error.h"
#include "geometry/mesh_loft.h"
#include "geometry/procedural_mesh.h"

static const double PI = 3.14159265358979323846;

enum { LEG = 40, BELLY = 30, BEND = 12, AROUND = 12 }; /* points of the parts of a wire, and of a ring around it */
enum { POINTS = 2 * (LEG + BELLY) + BEND + 1 };

/* Lengths in m. The center line of a wire is at `ring` from the axis at both ends, and at `wide` where the whisk is
 * widest. */
typedef struct Whisk {
    double wire;            /* radius of a wire */
    double half;            /* half the angle between the two legs of a hairpin, and between neighboring hairpins */
    double ring, wide;      /* from the axis */
    double low, belly, top; /* z of the lowest, widest and highest point of the center line */
} Whisk;

/* A leg from its end below the handle down to the start of the bend, as distance from the axis and height. */
static dlp__ProfilePoint leg_point(const Whisk *whisk, int n)
{
    if (n < LEG) {
        const double fraction = (double)n / LEG;
        return (dlp__ProfilePoint){whisk->ring + (whisk->wide - whisk->ring) * 0.5 * (1.0 - cos(PI * fraction)),
                                   whisk->top + fraction * (whisk->belly - whisk->top)};
    }
    const double angle = 0.5 * PI * (n - LEG) / BELLY;
    return (dlp__ProfilePoint){whisk->ring + (whisk->wide - whisk->ring) * cos(angle),
                               whisk->belly - (whisk->belly - whisk->low) * sin(angle)};
}

static dlp_Vec3 polar_point(double radius, double angle, double z)
{
    return dlp__vec3(radius * cos(angle), radius * sin(angle), z);
}

/* The bend is an arc tangent to both legs at the distance `ring` from the axis, on the axis' side. */
static void wire_points(const Whisk *whisk, double angle, dlp_Vec3 *points)
{
    const int legs = LEG + BELLY;
    const double center = whisk->ring / cos(whisk->half), arc = whisk->ring * tan(whisk->half);
    for (int n = 0; n < legs; n++) {
        const dlp__ProfilePoint at = leg_point(whisk, n);
        points[n] = polar_point(at.radius, angle - whisk->half, at.z);
        points[POINTS - 1 - n] = polar_point(at.radius, angle + whisk->half, at.z);
    }
    for (int n = 0; n <= BEND; n++) {
        const double turn = (0.5 * PI - whisk->half) * (2.0 * n / BEND - 1.0);
        const dlp_Vec3 arc_center = polar_point(center, angle, whisk->low);
        points[legs + n] = dlp__add(arc_center, polar_point(arc, angle + PI - turn, 0.0));
    }
}

/* A rod with round edges about z. */
static void add_handle(dlp_Model *model, double radius, double bottom, double top)
{
    enum { ROUND = 8 };
    const double edge = fmin(0.6 * radius, 0.4 * (top - bottom));
    dlp__ProfilePoint outline[2 * ROUND + 4] = {{0.0, bottom}};
    int count = 1;
    for (int n = 0; n <= 2 * ROUND + 1; n++) {
        const int step = n <= ROUND ? n : n - 1; /* both ends of the straight side have the same angle */
        const double angle = 0.5 * PI * ((double)step / ROUND - 1.0);
        outline[count++] = (dlp__ProfilePoint){radius - edge * (1.0 - cos(angle)),
                                               (n <= ROUND ? bottom + edge : top - edge) + edge * sin(angle)};
    }
    outline[count++] = (dlp__ProfilePoint){0.0, top};
    dlp__loft_revolve(model, outline, count, false);
}

/* Check that the bends are wider than the wires. */
static dlp_Result check_bends(const Whisk *whisk, const dlp_MeshDef *def, dlp_Error *error)
{
    const double reach = whisk->wide - whisk->ring, up = whisk->belly - whisk->low, above = whisk->top - whisk->belly;
    const double min_radius = 1.05 * whisk->wire;
    const double ellipse = fmin(up * up / reach, reach * reach / up);
    const double shoulder = 2.0 * above * above / (PI * PI * reach);
    if (reach < 2.0 * whisk->wire || ellipse < min_radius || shoulder < min_radius) {
        return dlp__fail(
            error, DLP_ERROR_ARGUMENT,
            "radius is %g m and height %g m cannot have %lld wires %g m thick: the bends would be too tight; reduce "
            "thickness or count, or increase height",
            def->radius, def->height, (long long)def->count, def->thickness);
    }
    return DLP_OK;
}

dlp_Result dlp__generate_whisk(dlp_Model *model, const dlp_MeshDef *def, dlp_Error *error)
{
    static const double APART = 1.3; /* between center lines, in thicknesses */
    const double t = def->thickness, half = 0.5 * PI / (double)def->count;
    /* Wires take three quarters of a squat whisk, and about half of a slender one. */
    const double wires = fmin(fmax(2.2 * def->radius, 0.55 * def->height), 0.75 * def->height);
    /* Legs must not touch at the ring, nor the bends of opposite hairpins. */
    const double ring = 0.5 * APART * t * fmax(1.0 / sin(half), cos(half) / (1.0 - sin(half)));
    const double low = 0.5 * t;
    const Whisk whisk = {0.5 * t, half, ring, def->radius - 0.5 * t, low, low + 0.38 * (wires - low), wires};
    dlp_Result result = check_bends(&whisk, def, error);
    if (result != DLP_OK) {
        return result;
    }
    dlp_Vec3 points[POINTS];
    for (int64_t n = 0; n < def->count; n++) {
        wire_points(&whisk, 2.0 * PI * (double)n / (double)def->count, points);
        dlp__loft_tube(model, points, POINTS, whisk.wire, AROUND);
    }
    add_handle(model, ring + t, wires + 0.3 * t, def->height);
    return DLP_OK;
}

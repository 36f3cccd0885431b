/* The spoon: cross sections along x, from the tip of its bowl to the end of its handle. Each is a thin strip with round
 * edges on the middle surface, which is a paraboloid in the bowl; the first and the last shrink to points. */
#include "geometry/mesh_loft.h"
#include "geometry/procedural_mesh.h"

static const double PI = 3.14159265358979323846;

/* Relative to the radius of the bowl. */
static const double BOWL_WIDTH = 0.68, BOWL_DEPTH = 0.35, HANDLE_WIDTH = 0.13, HANDLE_BEND = 0.3;

enum { FLAT = 18, EDGE = 6, AROUND = 2 * (FLAT + EDGE) }; /* points of a cross section */

typedef struct Spoon {
    double radius, thickness, handle; /* m */
} Spoon;

typedef struct Section {
    const Spoon *spoon;
    double x, half_width, half_thickness; /* m */
} Section;

/* Height of a rounded edge, from 0 to 1, at the distance `inside` from its rim. */
static double rounded(double inside, double radius)
{
    const double missing = 1.0 - fmin(fmax(inside / radius, 0.0), 1.0);
    return sqrt(fmax(1.0 - missing * missing, 0.0));
}

/* Height of the middle surface above its lowest point, and its slope. Behind the bowl the handle continues with the
 * slope of the bowl's end and levels off. */
static double middle_surface(const Spoon *spoon, double x, double y, double *slope)
{
    const double r = spoon->radius, depth = BOWL_DEPTH * r, width = BOWL_WIDTH * r;
    const double across = depth * (y / width) * (y / width), slope_y = 2.0 * depth * y / (width * width);
    double along = depth * (x / r) * (x / r), slope_x = 2.0 * depth * x / (r * r);
    if (x > r) {
        const double bend = HANDLE_BEND * r, fade = exp(-(x - r) / bend);
        slope_x = 2.0 * BOWL_DEPTH * fade;
        along = depth + 2.0 * BOWL_DEPTH * bend * (1.0 - fade);
    }
    *slope = hypot(slope_x, slope_y);
    return along + across;
}

static double half_width(const Spoon *spoon, double x)
{
    const double r = spoon->radius, end = r + spoon->handle, fraction = x / r;
    const double bowl = fraction < 1.0 ? BOWL_WIDTH * r * sqrt(fmax(1.0 - fraction * fraction, 0.0)) : 0.0;
    /* The handle grows out of the bowl and is a little wider at its end. */
    const double handle_width = HANDLE_WIDTH * r * (1.0 + 0.4 * dlp__smoothstep((x - r) / spoon->handle));
    const double handle = handle_width * dlp__smoothstep(fraction) *
                          rounded(end - x, fmin(handle_width, 0.5 * spoon->handle));
    return pow(pow(bowl, 4.0) + pow(handle, 4.0), 0.25);
}

/* Once around a strip from its right edge: along the upper side to the left, around the edge, back along the lower
 * side. `y` is the position across; `up` the side, from -1 to 1 times the half thickness. */
static void strip_point(double turn, double width, double edge, double *y, double *up)
{
    const double step = turn * AROUND;
    const bool below = step > 0.5 * AROUND;
    const double on = below ? AROUND - step : step; /* from the right edge to the left, 0 to FLAT + EDGE */
    const double flat = width - edge, half = 0.5 * EDGE;
    double angle = 0.5 * PI;
    if (on < half) {
        angle = 0.5 * PI * on / half;
        *y = flat + edge * cos(angle);
    } else if (on > half + FLAT) {
        angle = 0.5 * PI * (1.0 + (on - half - FLAT) / half);
        *y = -flat + edge * cos(angle);
    } else {
        *y = flat * (1.0 - 2.0 * (on - half) / FLAT);
    }
    *up = below ? -sin(angle) : sin(angle);
}

static dlp_Vec3 section_point(const void *context, double turn)
{
    const Section *section = context;
    const double lowest = 0.5 * section->spoon->thickness;
    double y = 0.0, up = 0.0, slope = 0.0;
    strip_point(turn, section->half_width, fmin(section->half_width, section->half_thickness), &y, &up);
    const double z = middle_surface(section->spoon, section->x, y, &slope);
    /* The vertical thickness of a sloping wall is larger than the perpendicular one. */
    return dlp__vec3(section->x, y, lowest + z + up * section->half_thickness * sqrt(1.0 + slope * slope));
}

dlp_Result dlp__generate_spoon(dlp_Model *model, const dlp_MeshDef *def, dlp_Error *error)
{
    const Spoon spoon = {def->radius, def->thickness, def->height};
    dlp_Result result = dlp__check_size_below("thickness", def->thickness, "radius", def->radius, 0.25, error);
    if (result == DLP_OK) {
        /* The facets of both sides of a thinner bowl could intersect at its edge. */
        result = dlp__check_size_below("radius", def->radius, "50 times the thickness", 50.0 * def->thickness, 1.0,
                                       error);
    }
    if (result != DLP_OK) {
        return result;
    }
    const double length = 2.0 * spoon.radius + spoon.handle;
    const int64_t rows = 40 + 2 * dlp__segment_count(length, 0.05 * spoon.radius, 200);
    dlp__Loft loft = {.model = model};
    for (int64_t n = 0; n <= rows; n++) {
        /* Denser at the ends, where the outline is round. */
        const double fraction = 0.5 * (1.0 - cos(PI * (double)n / (double)rows));
        const double x = -spoon.radius + length * fraction, to_end = fmin(length * fraction, length * (1.0 - fraction));
        const Section section = {&spoon, x, half_width(&spoon, x),
                                 0.5 * spoon.thickness * rounded(to_end, 0.5 * spoon.thickness)};
        dlp__loft_add(&loft, n == 0 || n == rows ? 1 : AROUND, section_point, &section);
    }
    return DLP_OK;
}

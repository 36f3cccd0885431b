/* The table of mesh generators, the checks of their sizes, and the forms that are surfaces of revolution about the z
 * axis. */
#include "base/error.h"
#include "geometry/mesh_loft.h"
#include "geometry/procedural_mesh.h"

#include <stdio.h>

static const double PI = 3.14159265358979323846;

/* Largest ratio of two sizes of a form. With thinner walls the polygons of DLP_CIRCLE_POINTS points on both sides could
 * intersect. */
static const double MAX_ASPECT = 500.0;

dlp_Result dlp__check_size_below(const char *small_name, double small, const char *large_name, double large,
                                 double fraction, dlp_Error *error)
{
    if (small < fraction * large) {
        return DLP_OK;
    }
    char limit[32] = "";
    if (fraction < 1.0) {
        snprintf(limit, sizeof limit, "%.3g of ", fraction);
    }
    return dlp__fail(error, DLP_ERROR_ARGUMENT,
                     "%s is %g m and %s %g m cannot be made: the first must be less than %sthe second", small_name,
                     small, large_name, large, limit);
}

/* A hollow form: its wall must leave space inside. */
static dlp_Result check_hollow(const dlp_MeshDef *def, dlp_Error *error)
{
    dlp_Result result = dlp__check_size_below("thickness", def->thickness, "radius", def->radius, 1.0, error);
    return result == DLP_OK ? dlp__check_size_below("thickness", def->thickness, "height", def->height, 1.0, error)
                            : result;
}

static dlp_Result generate_cup(dlp_Model *model, const dlp_MeshDef *def, dlp_Error *error)
{
    const double r = def->radius, h = def->height, t = def->thickness;
    const dlp__ProfilePoint outline[] = {{0, 0}, {r, 0}, {r, h}, {r - t, h}, {r - t, t}, {0, t}};
    dlp_Result result = check_hollow(def, error);
    if (result == DLP_OK) {
        dlp__loft_revolve(model, outline, 6, false);
    }
    return result;
}

/* The rim rises from 0.7 of the radius; its wall is as thick as the floor, measured perpendicular to it. */
static dlp_Result generate_plate(dlp_Model *model, const dlp_MeshDef *def, dlp_Error *error)
{
    const double r = def->radius, h = def->height, t = def->thickness, foot = 0.7 * r;
    const double slope = atan2(h, r - foot), inner_foot = foot - t * tan(0.5 * slope), inner = r - t / sin(slope);
    const dlp__ProfilePoint outline[] = {{0, 0}, {foot, 0}, {r, h}, {inner, h}, {inner_foot, t}, {0, t}};
    dlp_Result result = check_hollow(def, error);
    if (result == DLP_OK && inner_foot <= 0.0) {
        return dlp__check_size_below("thickness", t, "radius", r, 0.7 / tan(0.5 * slope), error);
    }
    if (result == DLP_OK) {
        dlp__loft_revolve(model, outline, 6, false);
    }
    return result;
}

/* Half an ellipsoid of height `height`, and another one, smaller by `thickness`, inside it; both are centered in the
 * upper opening. The foot is a disc below. */
static dlp_Result generate_bowl(dlp_Model *model, const dlp_MeshDef *def, dlp_Error *error)
{
    enum { ARC = 32 };
    const double r = def->radius, h = def->height, t = def->thickness, foot = 0.4;
    const double lowest = asin(foot); /* angle from straight down where the outer side meets the foot */
    dlp__ProfilePoint outline[2 * ARC + 4] = {{0, 0}, {foot * r, 0}};
    int count = 2;
    dlp_Result result = check_hollow(def, error);
    if (result != DLP_OK) {
        return result;
    }
    for (int n = 0; n <= ARC; n++) {
        const double angle = lowest + (0.5 * PI - lowest) * n / ARC;
        outline[count++] = (dlp__ProfilePoint){r * sin(angle), h - h * cos(angle)};
    }
    for (int n = 0; n <= ARC; n++) {
        const double angle = 0.5 * PI * (1.0 - (double)n / ARC);
        outline[count++] = (dlp__ProfilePoint){n < ARC ? (r - t) * sin(angle) : 0.0, h - (h - t) * cos(angle)};
    }
    dlp__loft_revolve(model, outline, count, false);
    return DLP_OK;
}

static dlp_Result generate_funnel(dlp_Model *model, const dlp_MeshDef *def, dlp_Error *error)
{
    const double r = def->radius, h = def->height, t = def->thickness, hole = def->hole;
    const dlp__ProfilePoint outline[] = {{hole, 0}, {hole + t, 0}, {r, h}, {r - t, h}};
    dlp_Result result = dlp__check_size_below("hole and thickness together", hole + t, "radius", r, 1.0, error);
    if (result == DLP_OK) {
        dlp__loft_revolve(model, outline, 4, true);
    }
    return result;
}

/* Not a revolved profile, because a thin ring needs more points around than a thick one. */
static dlp_Result generate_torus(dlp_Model *model, const dlp_MeshDef *def, dlp_Error *error)
{
    enum { TUBE_POINTS = 40 };
    const double tube = 0.5 * def->thickness;
    dlp_Result result = dlp__check_size_below("thickness", def->thickness, "twice the radius", 2.0 * def->radius, 1.0,
                                              error);
    if (result != DLP_OK) {
        return result;
    }
    int64_t points = 4 * dlp__segment_count(0.25 * def->radius * TUBE_POINTS, tube, 64);
    points = points < DLP_CIRCLE_POINTS ? DLP_CIRCLE_POINTS : points;
    dlp__Loft loft = {.model = model};
    for (int n = 0; n < TUBE_POINTS; n++) {
        const double angle = 2.0 * PI * n / TUBE_POINTS;
        dlp__loft_circle(&loft, points, def->radius + tube * cos(angle), tube * sin(angle));
    }
    dlp__loft_close(&loft);
    return DLP_OK;
}

/* The sizes that a form uses. */
enum { RADIUS = 1, HEIGHT = 2, THICKNESS = 4, HOLE = 8 };

static const struct {
    const char *name;
    dlp__MeshGenerator make;
    int sizes;
} generators[] = {
    [DLP_FORM_BOWL] = {"bowl", generate_bowl, RADIUS | HEIGHT | THICKNESS},
    [DLP_FORM_CUP] = {"cup", generate_cup, RADIUS | HEIGHT | THICKNESS},
    [DLP_FORM_PLATE] = {"plate", generate_plate, RADIUS | HEIGHT | THICKNESS},
    [DLP_FORM_SPOON] = {"spoon", dlp__generate_spoon, RADIUS | HEIGHT | THICKNESS},
    [DLP_FORM_TORUS] = {"torus", generate_torus, RADIUS | THICKNESS},
    [DLP_FORM_GEAR] = {"gear", dlp__generate_gear, RADIUS | HEIGHT | THICKNESS},
    [DLP_FORM_FUNNEL] = {"funnel", generate_funnel, RADIUS | HEIGHT | THICKNESS | HOLE},
    [DLP_FORM_NOZZLE] = {"nozzle", dlp__generate_nozzle, RADIUS | HEIGHT | THICKNESS | HOLE},
    [DLP_FORM_WHISK] = {"whisk", dlp__generate_whisk, RADIUS | HEIGHT | THICKNESS},
    [DLP_FORM_MOULD] = {"mould", dlp__generate_mould, RADIUS | HEIGHT | THICKNESS},
    [DLP_FORM_STAR] = {"star", dlp__generate_star, RADIUS | HOLE},
};

/* Whether single precision and the number of points can resolve all sizes of a form. */
static dlp_Result check_aspect(const dlp_MeshDef *def, int sizes, dlp_Error *error)
{
    const struct {
        const char *name;
        double value;
        bool used;
    } size[] = {
        {"radius", def->radius, (sizes & RADIUS) != 0},
        {"height", def->height, (sizes & HEIGHT) != 0},
        {"thickness", def->thickness, (sizes & THICKNESS) != 0},
        {"hole", def->hole, (sizes & HOLE) != 0},
    };
    double largest = 0.0;
    for (int n = 0; n < 4; n++) {
        largest = size[n].used ? fmax(largest, size[n].value) : largest;
    }
    for (int n = 0; n < 4; n++) {
        if (size[n].used && size[n].value * MAX_ASPECT < largest) {
            return dlp__fail(
                error, DLP_ERROR_ARGUMENT,
                "%s is %g m cannot be made: that is less than 1/%.0f of its largest size, %g m; make it larger, or "
                "read such a form from a file",
                size[n].name, size[n].value, MAX_ASPECT, largest);
        }
    }
    return DLP_OK;
}

dlp_Result dlp__model_generate(dlp_Model *model, const dlp_MeshDef *def, dlp_Error *error)
{
    dlp_Result result = check_aspect(def, generators[def->form].sizes, error);
    if (result == DLP_OK) {
        result = generators[def->form].make(model, def, error);
    }
    if (result != DLP_OK) {
        dlp__error_prefix(error, "a %s whose ", generators[def->form].name);
    }
    return result;
}

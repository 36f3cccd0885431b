/* Which form is made by what, the checks of its sizes, and the forms that are an outline turned about the z axis. */
#include "base/error.h"
#include "geometry/form_loops.h"
#include "geometry/form_shapes.h"

#include <stdio.h>

static const double PI = 3.14159265358979323846;

/* Walls may be this many times thinner than a form is wide: circles of DLP_FORM_COLUMNS points on the two sides of a
 * thinner one could meet. */
static const double THIN_MOST = 500.0;

dlp_Result dlp__form_check_less(const char *small_name, double small, const char *large_name, double large, double part,
                                dlp_Error *error)
{
    if (small < part * large) {
        return DLP_OK;
    }
    char limit[32] = "";
    if (part < 1.0) {
        snprintf(limit, sizeof limit, "%.3g of ", part);
    }
    return dlp__fail(error, DLP_ERROR_ARGUMENT,
                     "%s is %g m and %s %g m cannot be made: the first must be less than %sthe second", small_name,
                     small, large_name, large, limit);
}

/* A hollow thing: its wall must leave room inside. */
static dlp_Result check_hollow(const dlp_MeshDef *def, dlp_Error *error)
{
    dlp_Result result = dlp__form_check_less("thickness", def->thickness, "radius", def->radius, 1.0, error);
    return result == DLP_OK ? dlp__form_check_less("thickness", def->thickness, "height", def->height, 1.0, error)
                            : result;
}

static dlp_Result make_cup(dlp_Model *model, const dlp_MeshDef *def, dlp_Error *error)
{
    const double r = def->radius, h = def->height, t = def->thickness;
    const dlp__Rim outline[] = {{0, 0}, {r, 0}, {r, h}, {r - t, h}, {r - t, t}, {0, t}};
    dlp_Result result = check_hollow(def, error);
    if (result == DLP_OK) {
        dlp__form_turn(model, outline, 6, false);
    }
    return result;
}

/* The rim rises from 0.7 of the radius; its wall is as thick as the floor, measured across. */
static dlp_Result make_plate(dlp_Model *model, const dlp_MeshDef *def, dlp_Error *error)
{
    const double r = def->radius, h = def->height, t = def->thickness, foot = 0.7 * r;
    const double slope = atan2(h, r - foot), inner_foot = foot - t * tan(0.5 * slope), inner = r - t / sin(slope);
    const dlp__Rim outline[] = {{0, 0}, {foot, 0}, {r, h}, {inner, h}, {inner_foot, t}, {0, t}};
    dlp_Result result = check_hollow(def, error);
    if (result == DLP_OK && inner_foot <= 0.0) {
        return dlp__form_check_less("thickness", t, "radius", r, 0.7 / tan(0.5 * slope), error);
    }
    if (result == DLP_OK) {
        dlp__form_turn(model, outline, 6, false);
    }
    return result;
}

/* Half an ellipsoid as high as `height`, and another one `thickness` smaller inside it; both have the middle of the
 * upper opening as their centre. The foot is a disc below. */
static dlp_Result make_bowl(dlp_Model *model, const dlp_MeshDef *def, dlp_Error *error)
{
    enum { ARC = 32 };
    const double r = def->radius, h = def->height, t = def->thickness, foot = 0.4;
    const double lowest = asin(foot); /* where the outer side meets the foot, from straight down */
    dlp__Rim outline[2 * ARC + 4] = {{0, 0}, {foot * r, 0}};
    int count = 2;
    dlp_Result result = check_hollow(def, error);
    if (result != DLP_OK) {
        return result;
    }
    for (int n = 0; n <= ARC; n++) {
        const double angle = lowest + (0.5 * PI - lowest) * n / ARC;
        outline[count++] = (dlp__Rim){r * sin(angle), h - h * cos(angle)};
    }
    for (int n = 0; n <= ARC; n++) {
        const double angle = 0.5 * PI * (1.0 - (double)n / ARC);
        outline[count++] = (dlp__Rim){n < ARC ? (r - t) * sin(angle) : 0.0, h - (h - t) * cos(angle)};
    }
    dlp__form_turn(model, outline, count, false);
    return DLP_OK;
}

static dlp_Result make_funnel(dlp_Model *model, const dlp_MeshDef *def, dlp_Error *error)
{
    const double r = def->radius, h = def->height, t = def->thickness, hole = def->hole;
    const dlp__Rim outline[] = {{hole, 0}, {hole + t, 0}, {r, h}, {r - t, h}};
    dlp_Result result = dlp__form_check_less("hole and thickness together", hole + t, "radius", r, 1.0, error);
    if (result == DLP_OK) {
        dlp__form_turn(model, outline, 4, true);
    }
    return result;
}

/* Not turned as an outline, because a thin ring needs more points around than a thick one. */
static dlp_Result make_torus(dlp_Model *model, const dlp_MeshDef *def, dlp_Error *error)
{
    enum { AROUND = 40 };
    const double tube = 0.5 * def->thickness;
    dlp_Result result = dlp__form_check_less("thickness", def->thickness, "twice the radius", 2.0 * def->radius, 1.0,
                                             error);
    if (result != DLP_OK) {
        return result;
    }
    int64_t columns = 4 * dlp__form_pieces(0.25 * def->radius * AROUND, tube, 64);
    columns = columns < DLP_FORM_COLUMNS ? DLP_FORM_COLUMNS : columns;
    dlp__Stack stack = {.model = model};
    for (int n = 0; n < AROUND; n++) {
        const double angle = 2.0 * PI * n / AROUND;
        dlp__stack_circle(&stack, columns, def->radius + tube * cos(angle), tube * sin(angle));
    }
    dlp__stack_close(&stack);
    return DLP_OK;
}

/* Which sizes a form takes. */
enum { RADIUS = 1, HEIGHT = 2, THICKNESS = 4, HOLE = 8 };

static const struct {
    const char *name;
    dlp__FormMaker make;
    int sizes;
} forms[] = {
    [DLP_FORM_BOWL] = {"bowl", make_bowl, RADIUS | HEIGHT | THICKNESS},
    [DLP_FORM_CUP] = {"cup", make_cup, RADIUS | HEIGHT | THICKNESS},
    [DLP_FORM_PLATE] = {"plate", make_plate, RADIUS | HEIGHT | THICKNESS},
    [DLP_FORM_SPOON] = {"spoon", dlp__form_spoon, RADIUS | HEIGHT | THICKNESS},
    [DLP_FORM_TORUS] = {"torus", make_torus, RADIUS | THICKNESS},
    [DLP_FORM_GEAR] = {"gear", dlp__form_gear, RADIUS | HEIGHT | THICKNESS},
    [DLP_FORM_FUNNEL] = {"funnel", make_funnel, RADIUS | HEIGHT | THICKNESS | HOLE},
    [DLP_FORM_NOZZLE] = {"nozzle", dlp__form_nozzle, RADIUS | HEIGHT | THICKNESS | HOLE},
    [DLP_FORM_WHISK] = {"whisk", dlp__form_whisk, RADIUS | HEIGHT | THICKNESS},
    [DLP_FORM_MOULD] = {"mould", dlp__form_mould, RADIUS | HEIGHT | THICKNESS},
    [DLP_FORM_STAR] = {"star", dlp__form_star, RADIUS | HOLE},
};

/* Whether single precision and the number of points can show all sizes of a form at once. */
static dlp_Result check_thin(const dlp_MeshDef *def, int sizes, dlp_Error *error)
{
    const struct {
        const char *name;
        double value;
        bool used;
    } all[] = {
        {"radius", def->radius, (sizes & RADIUS) != 0},
        {"height", def->height, (sizes & HEIGHT) != 0},
        {"thickness", def->thickness, (sizes & THICKNESS) != 0},
        {"hole", def->hole, (sizes & HOLE) != 0},
    };
    double most = 0.0;
    for (int n = 0; n < 4; n++) {
        most = all[n].used ? fmax(most, all[n].value) : most;
    }
    for (int n = 0; n < 4; n++) {
        if (all[n].used && all[n].value * THIN_MOST < most) {
            return dlp__fail(
                error, DLP_ERROR_ARGUMENT,
                "%s is %g m cannot be made: that is less than 1/%.0f of its largest size, %g m; make it larger, or "
                "read such a form from a file",
                all[n].name, all[n].value, THIN_MOST, most);
        }
    }
    return DLP_OK;
}

dlp_Result dlp__model_make(dlp_Model *model, const dlp_MeshDef *def, dlp_Error *error)
{
    dlp_Result result = check_thin(def, forms[def->form].sizes, error);
    if (result == DLP_OK) {
        result = forms[def->form].make(model, def, error);
    }
    if (result != DLP_OK) {
        dlp__error_prefix(error, "a %s whose ", forms[def->form].name);
    }
    return result;
}

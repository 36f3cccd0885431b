/* The floor and the box of casters, from the solids of a drawing. */
#include "render/scene_extent.h"

#include "render/solid_shapes.h"

static const dlp_Vec3 STUDIO_FLOOR = {0.68, 0.68, 0.68};

static void extend(dlp__Box *box, dlp_Vec3 lower, dlp_Vec3 upper)
{
    box->lower = dlp__vec3(fmin(box->lower.x, lower.x), fmin(box->lower.y, lower.y), fmin(box->lower.z, lower.z));
    box->upper = dlp__vec3(fmax(box->upper.x, upper.x), fmax(box->upper.y, upper.y), fmax(box->upper.z, upper.z));
}

static bool solid_box(const dlp_Drawing *drawing, const dlp_SolidDef *solid, dlp__Box *box)
{
    return solid->visible &&
           dlp_shape_bounds(&solid->shape, drawing->solid_meshes, drawing->solid_mesh_count, &box->lower, &box->upper);
}

dlp__Box dlp__casters_box(const dlp_Drawing *drawing, double plane_half)
{
    const bool given = dlp__length(dlp__sub(drawing->casters_upper, drawing->casters_lower)) > 0.0;
    const dlp_Vec3 plane = {plane_half, plane_half, plane_half};
    dlp__Box all = {drawing->lower, drawing->upper}, box;
    if (given) {
        extend(&all, drawing->casters_lower, drawing->casters_upper);
    }
    for (int i = 0; i < drawing->solid_count; i++) {
        const dlp_SolidDef *solid = &drawing->solids[i];
        if (!given && solid_box(drawing, solid, &box)) {
            extend(&all, box.lower, box.upper);
        }
        if (solid->visible && solid->shape.kind == DLP_SHAPE_PLANE && !dlp__plane_is_level(&solid->shape)) {
            extend(&all, dlp__sub(solid->shape.position, plane), dlp__add(solid->shape.position, plane));
        }
    }
    return all;
}

dlp__Floor dlp__floor_of(const dlp_Drawing *drawing)
{
    double lowest = drawing->floor, bottom = NAN;
    for (int i = 0; i < drawing->solid_count; i++) {
        const dlp_SolidDef *solid = &drawing->solids[i];
        dlp__Box box;
        if (solid->visible && dlp__plane_is_level(&solid->shape)) {
            const dlp_Vec3 default_value = dlp_default_solid_def().color;
            const bool has_own_color = dlp__length(dlp__sub(solid->color, default_value)) > 0.0;
            return (dlp__Floor){solid->shape.position.z, has_own_color ? solid->color : STUDIO_FLOOR};
        }
        if (!solid_box(drawing, solid, &box)) {
            continue;
        }
        if (solid->shape.kind != DLP_SHAPE_CONTAINER) {
            lowest = isnan(lowest) ? lowest : fmin(lowest, box.lower.z);
        } else if (dlp__length(solid->shape.rotation) == 0.0 && isnan(bottom)) {
            bottom = box.lower.z;
        }
    }
    return (dlp__Floor){isnan(bottom) ? lowest : bottom, STUDIO_FLOOR};
}

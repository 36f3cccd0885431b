/* Surface tension: a stress along the surface in the layer of particles that forms it.
 *
 * The sum of kernel gradients m of a particle, images in walls included, is zero inside and about half per spacing at a surface; its
 * direction n is the normal. With s from 0 inside to 1 at the surface, and the area per volume of the surface layer
 *
 *     delta_i = s_i / (V sum_j s_j W2_ij),
 *
 * where W2 is a kernel of two dimensions, which counts the particles of the layer per area, the stress is
 *
 *     T = sigma delta (I - n n^T - depth C).
 *
 * C is the tensor of curvature: see LAYER_DEPTH. The tension between fluid and walls is added: see physical_wetting_wide.c. */
#include "methods/physical/physical_loops.h"

/* Sums over the particles at the surface. */
typedef struct SurfaceSums {
    dlp__Wide per_area;        /* 1/m2, sum of s W2                                                     */
    dlp__Wide weight;          /* sum of s V W                                                          */
    dlp__Wide offset[3];       /* m, sum of s V W (x_j - x_i)                                           */
    dlp__Wide height;          /* m, sum of s V W times the heights of neighbours                        */
    dlp__Wide square;          /* m2, sum of s V W |x_j - x_i|^2                                        */
    SymmetricMatrix curvature; /* m, symmetric part of the sum of 2 s V W (x_j - x_i) (n_j - n_i)^T      */
} SurfaceSums;

/* A neighbour at the surface, or its image in a wall. */
typedef struct SurfaceNeighbor {
    dlp__Wide way[3], r, surface; /* m, from the particle to it; its distance; 1 at the surface, 0 inside */
    dlp__Wide height, normal[3];
} SurfaceNeighbor;

/* 1 for a neighbour at the same side of a film or thread, 0 at the opposite one. */
DLP_INLINE dlp__Wide same_side(const dlp__Wide a[3], const dlp__Wide b[3])
{
    dlp__Wide cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    return dlp__wide_min(dlp__wide_max(cosine + cosine, dlp__wide(0.0f)), dlp__wide(1.0f));
}

DLP_INLINE void add_curvature(SurfaceSums *sums, const SurfaceNeighbor *other, const dlp__Wide normal[3],
                              dlp__Wide weight)
{
    const dlp__Wide *x = other->way,
                    n[3] = {other->normal[0] - normal[0], other->normal[1] - normal[1], other->normal[2] - normal[2]};
    const dlp__Wide twice = weight + weight;
    sums->square += weight * other->r * other->r;
    sums->curvature.xx += twice * x[0] * n[0];
    sums->curvature.yy += twice * x[1] * n[1];
    sums->curvature.zz += twice * x[2] * n[2];
    sums->curvature.xy += weight * (x[0] * n[1] + x[1] * n[0]);
    sums->curvature.xz += weight * (x[0] * n[2] + x[2] * n[0]);
    sums->curvature.yz += weight * (x[1] * n[2] + x[2] * n[1]);
}

DLP_INLINE void add_to_surface(SurfaceSums *sums, const dlp__PhysicalArguments *arguments, const SurfaceNeighbor *other,
                               const dlp__Wide normal[3], bool bent, dlp_KernelKind kind)
{
    dlp__Wide surface = other->surface * same_side(normal, other->normal);
    dlp__Wide weight = surface * dlp__wide(arguments->volume) * dlp__pair_value(&arguments->kernel, other->r, kind);
    sums->per_area += surface * flat_value(other->r * dlp__wide(1.0f / arguments->kernel.support));
    sums->weight += weight;
    for (int a = 0; a < 3; a++) {
        sums->offset[a] += weight * other->way[a];
    }
    sums->height += weight * other->height;
    if (bent) {
        add_curvature(sums, other, normal, weight);
    }
}

/* Where the image of a neighbour in a wall is. */
typedef struct ImagePlace {
    dlp__Wide way[3], r; /* m */
    dlp__WideMask there;
} ImagePlace;

DLP_INLINE ImagePlace place_of(const float *parts)
{
    dlp__Wide w = dlp__image_part(parts, DLP_IMAGE_WEIGHT),
              per_w = dlp__wide(1.0f) / dlp__wide_max(w, dlp__wide(1e-30f));
    ImagePlace place = {.there = dlp__wide_less(dlp__wide(0.0f), w)};
    for (int a = 0; a < 3; a++) {
        place.way[a] = per_w * dlp__image_part(parts, DLP_IMAGE_GRADIENT + a);
    }
    place.r = dlp__wide_sqrt(place.way[0] * place.way[0] + place.way[1] * place.way[1] + place.way[2] * place.way[2]);
    return place;
}

/* Rows: position and surface; normal and height. `bent`: also curvature, without images in walls: the surface
 * has an edge there unless the contact angle is 90 degrees. */
DLP_INLINE SurfaceSums surface_sums(const dlp__StageContext *c, int64_t i, bool bent, dlp_KernelKind kind)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    const dlp__Wide zero = dlp__wide(0.0f);
    dlp__WideRow at = dlp__own_rows(c->rows[0], i), own = dlp__own_rows(c->rows[1], i);
    const dlp__Wide normal[3] = {own.x, own.y, own.z};
    SurfaceSums sums = {zero, zero, {zero, zero, zero}, zero, zero, {zero, zero, zero, zero, zero, zero}};
    if (dlp__wide_bits(dlp__wide_less(zero, at.w)) == 0) {
        return sums; /* all are inside */
    }
    const SurfaceNeighbor self = {{zero, zero, zero}, zero, at.w, own.w, {own.x, own.y, own.z}};
    add_to_surface(&sums, arguments, &self, normal, bent, kind);
    dlp__Lanes lanes = dlp__lanes(c->fluid, i);
    for (int32_t k = 0; k < lanes.longest; k++) {
        dlp__Pair pair = dlp__pair(&lanes, k, c->rows[0], &at);
        dlp__WideRow there = dlp__wide_rows(c->rows[1], pair.index);
        const SurfaceNeighbor other = {{zero - pair.x, zero - pair.y, zero - pair.z},
                                       pair.r,
                                       dlp__wide_where(pair.there, pair.w),
                                       there.w,
                                       {there.x, there.y, there.z}};
        add_to_surface(&sums, arguments, &other, normal, bent, kind);
    }
    lanes = dlp__lanes(&c->mirror->list, i);
    const float *parts = lanes.longest > 0 ? dlp__images(c, i) : NULL;
    for (int32_t k = 0; k < lanes.longest; k++, parts += DLP_IMAGE_STEP) {
        const int32_t *index = lanes.entry + (int64_t)k * DLP_GROUP;
        Image image = image_at(parts);
        ImagePlace place = place_of(parts);
        dlp__WideRow there = dlp__wide_rows(c->rows[1], index);
        const dlp__Wide source[3] = {there.x, there.y, there.z};
        SurfaceNeighbor other = {{place.way[0], place.way[1], place.way[2]},
                                 place.r,
                                 dlp__wide_where(place.there, dlp__wide_rows(c->rows[0], index).w),
                                 there.w,
                                 {zero, zero, zero}};
        reflected(&image, source, other.normal);
        add_to_surface(&sums, arguments, &other, normal, false, kind);
    }
    return sums;
}

/* I - n n^T */
DLP_INLINE SymmetricMatrix tangential(const dlp__Wide n[3])
{
    const dlp__Wide one = dlp__wide(1.0f), zero = dlp__wide(0.0f);
    return (SymmetricMatrix){one - n[0] * n[0],  one - n[1] * n[1],  one - n[2] * n[2],
                             zero - n[0] * n[1], zero - n[0] * n[2], zero - n[1] * n[2]};
}

/* A contact line moves although the wall holds the fluid behind it: the images of particles there are those of a wall with less friction. */
DLP_INLINE void slip_at_contact_line(const dlp__StageContext *c, int64_t i)
{
    const dlp__Wide one = dlp__wide(1.0f), own = dlp__own_rows(c->rows[2], i).x;
    dlp__Lanes lanes = dlp__lanes(&c->mirror->list, i);
    float *parts = c->mirror->values + (lanes.longest > 0 ? dlp__images(c, i) - c->mirror->values : 0);
    for (int32_t k = 0; k < lanes.longest; k++, parts += DLP_IMAGE_STEP) {
        Image image = image_at(parts);
        dlp__Wide other = dlp__wide_rows(c->rows[2], lanes.entry + (int64_t)k * DLP_GROUP).x;
        dlp__Wide held = one - dlp__wide_max(own, other);
        dlp__wide_store(parts + DLP_IMAGE_NO_SLIP * DLP_GROUP, held * image.no_slip);
        dlp__wide_store(parts + DLP_IMAGE_FREE_SLIP * DLP_GROUP, one - held * (one - image.free_slip));
    }
}

DLP_INLINE void height_range(const dlp__StageContext *c, int64_t begin, int64_t end, dlp_KernelKind kind)
{
    const dlp__Wide zero = dlp__wide(0.0f), tiny = dlp__wide(1e-20f);
    const dlp__PhysicalFields *f = dlp__own_fields(c->particles);
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        SurfaceSums sums = surface_sums(c, i, false, kind);
        dlp__WideRow normal = dlp__own_rows(c->rows[1], i);
        dlp__Wide along = normal.x * sums.offset[0] + normal.y * sums.offset[1] + normal.z * sums.offset[2];
        slip_at_contact_line(c, i);
        dlp__WideMask at_surface = dlp__wide_less(zero, dlp__wide_load(f->surface[0] + i));
        dlp__Wide height = along / dlp__wide_max(sums.weight, tiny);
        dlp__wide_store(f->height[0] + i, dlp__wide_where(at_surface, height));
    }
}

static void find_heights(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    DLP_BY_KERNEL(arguments->kernel.kind, height_range, c, begin, end)
}

/* Shift of a particle towards the mean surface around it, as a fraction of its distance; and of particles that are closer to each other
 * than CLOSE spacings, as a fraction of what is missing. */
static const float LEVELLING = 0.5f, SEPARATION = 0.2f, CLOSE = 0.7f;

/* The sum without its parts along the normal: P m P with P = I - n n^T. */
DLP_INLINE SymmetricMatrix projected(const SymmetricMatrix *m, const dlp__Wide n[3])
{
    const dlp__Wide v[3] = {m->xx * n[0] + m->xy * n[1] + m->xz * n[2], m->xy * n[0] + m->yy * n[1] + m->yz * n[2],
                            m->xz * n[0] + m->yz * n[1] + m->zz * n[2]};
    dlp__Wide both = v[0] * n[0] + v[1] * n[1] + v[2] * n[2], two = dlp__wide(2.0f);
    return (SymmetricMatrix){
        m->xx - two * v[0] * n[0] + both * n[0] * n[0],         m->yy - two * v[1] * n[1] + both * n[1] * n[1],
        m->zz - two * v[2] * n[2] + both * n[2] * n[2],         m->xy - v[0] * n[1] - v[1] * n[0] + both * n[0] * n[1],
        m->xz - v[0] * n[2] - v[2] * n[0] + both * n[0] * n[2], m->yz - v[1] * n[2] - v[2] * n[1] + both * n[1] * n[2]};
}

/* Depth of the layer below the surface that encloses the volumes of the particles, in spacings. The particles at the surface are 0.67 deep
 * on average; 0.72 gives the right pressure in drops and threads of 4 to 12 particles a radius. */
static const float LAYER_DEPTH = 0.72f;

/* The layer that carries the tension lies below the surface, and is more curved. The stress sigma delta (I - n n^T - depth C), with the
 * tensor C of curvature of the surface, gives the pressure in a drop and the pull of a thread that tension at the surface would. */
DLP_INLINE void store_stress(const dlp__StageContext *c, int64_t i, const SurfaceSums *sums, const dlp__Wide normal[3])
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    const dlp__Wide tiny = dlp__wide(1e-20f);
    const float support = arguments->kernel.support;
    const dlp__Wide per_volume = dlp__wide(7.0f * 3.14159265f * support * support / (40.0f * arguments->volume));
    const dlp__PhysicalFields *f = dlp__own_fields(c->particles);
    SymmetricMatrix bent = projected(&sums->curvature, normal);
    dlp__Wide across = bent.xy * bent.xy + bent.xz * bent.xz + bent.yz * bent.yz;
    dlp__Wide size = dlp__wide_sqrt(bent.xx * bent.xx + bent.yy * bent.yy + bent.zz * bent.zz + across + across);
    dlp__Wide depth = dlp__wide(LAYER_DEPTH / arguments->per_spacing) / dlp__wide_max(sums->square, tiny);
    depth = dlp__wide_min(depth, dlp__wide(0.5f) / dlp__wide_max(size, tiny));
    dlp__WideRow at = dlp__own_rows(c->rows[0], i);
    dlp__Wide area = per_volume * dlp__wide_load(f->tension[0] + i) * at.w / dlp__wide_max(sums->per_area, tiny);
    SymmetricMatrix stress = tangential(normal);
    stress = weighted(&stress, area, &bent, area * depth); /* n points inwards: bent is -C */
    if (arguments->has_wetting) {
        const dlp__Wide wall[3] = {dlp__wide_load(f->wall_normal[0] + i), dlp__wide_load(f->wall_normal[1] + i),
                                   dlp__wide_load(f->wall_normal[2] + i)};
        SymmetricMatrix spread = tangential(wall);
        stress = weighted(&stress, dlp__wide(1.0f), &spread, dlp__wide(-1.0f) * dlp__wide_load(f->wall_stress[0] + i));
    }
    store_symmetric(f->surface_stress, i, &stress);
}

/* Add the shift of a particle away from another one at `way` from it, if that is too close. */
DLP_INLINE void separate(const dlp__PhysicalArguments *arguments, const dlp__Wide way[3], dlp__Wide r,
                         dlp__WideMask there, dlp__Wide shift[3])
{
    const dlp__Wide zero = dlp__wide(0.0f), tiny = dlp__wide(1e-20f);
    dlp__Wide missing = dlp__wide_max(dlp__wide(CLOSE / arguments->per_spacing) - r, zero) / dlp__wide_max(r, tiny);
    missing = dlp__wide_where(there, dlp__wide(SEPARATION) * missing);
    for (int a = 0; a < 3; a++) {
        shift[a] -= missing * way[a];
    }
}

DLP_INLINE void separate_all(const dlp__StageContext *c, int64_t i, const dlp__WideRow *at, dlp__Wide shift[3])
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    const dlp__Wide zero = dlp__wide(0.0f);
    dlp__Lanes lanes = dlp__lanes(c->fluid, i);
    for (int32_t k = 0; k < lanes.longest; k++) {
        dlp__Pair pair = dlp__pair(&lanes, k, c->rows[0], at);
        const dlp__Wide way[3] = {zero - pair.x, zero - pair.y, zero - pair.z};
        separate(arguments, way, pair.r, pair.there, shift);
    }
    lanes = dlp__lanes(&c->mirror->list, i);
    const float *parts = lanes.longest > 0 ? dlp__images(c, i) : NULL;
    for (int32_t k = 0; k < lanes.longest; k++, parts += DLP_IMAGE_STEP) {
        ImagePlace place = place_of(parts);
        separate(arguments, place.way, place.r, place.there, shift);
    }
}

DLP_INLINE void level_range(const dlp__StageContext *c, int64_t begin, int64_t end, dlp_KernelKind kind)
{
    const dlp__Wide zero = dlp__wide(0.0f), tiny = dlp__wide(1e-20f);
    const dlp__PhysicalFields *f = dlp__own_fields(c->particles);
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        SurfaceSums sums = surface_sums(c, i, true, kind);
        dlp__WideRow at = dlp__own_rows(c->rows[0], i), own = dlp__own_rows(c->rows[1], i);
        const dlp__Wide normal[3] = {own.x, own.y, own.z};
        dlp__Wide shift[3] = {zero, zero, zero};
        dlp__WideMask tense = dlp__wide_less(zero, dlp__wide_load(f->tension[0] + i));
        dlp__Wide mean = sums.height / dlp__wide_max(sums.weight, tiny);
        dlp__Wide part = dlp__wide(LEVELLING) * at.w * (own.w - mean);
        store_stress(c, i, &sums, normal);
        separate_all(c, i, &at, shift);
        for (int a = 0; a < 3; a++) {
            dlp__wide_store(f->surface_shift[a] + i, dlp__wide_where(tense, shift[a] + part * normal[a]));
        }
    }
}

static void level_surface(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    DLP_BY_KERNEL(arguments->kernel.kind, level_range, c, begin, end)
}

#define SURFACE_ROW DLP_ROW_VECTOR_SCALAR(DLP_FIELD_position, OWN_surface)

const dlp__PhysicalTensionStages DLP_WIDE(dlp__physical_tension_stages) = {
    .heights = {.name = "physical surface heights",
                .function = find_heights,
                .gathers = {SURFACE_ROW, DLP_ROW_VECTOR(OWN_normal), DLP_ROW_SCALAR(OWN_slip)},
                .reads = {OWN_surface},
                .writes = {OWN_height}},
    .stress = {.name = "physical surface stress",
               .function = level_surface,
               .gathers = {SURFACE_ROW, DLP_ROW_VECTOR_SCALAR(OWN_normal, OWN_height)},
               .reads = {OWN_wall_normal, OWN_wall_stress, OWN_tension},
               .writes = {OWN_surface_stress, OWN_surface_shift}},
};

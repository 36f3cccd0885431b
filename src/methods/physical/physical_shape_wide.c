/* Sums over positions, and the particle shift (Fick's law and density correction). */
#include "methods/physical/physical_loops.h"

/* Sums over neighbours that depend on positions alone. */
typedef struct ShapeSums {
    SymmetricMatrix moment;
    dlp__Wide value, gradient[3], square;
    dlp__Wide images, wall[3], wall_normal[3]; /* sums of the weights and gradients of images in walls */
} ShapeSums;

DLP_INLINE void add_shape(ShapeSums *sums, const dlp__Wide g[3], dlp__Wide w, dlp__Wide value)
{
    const dlp__Wide tiny = dlp__wide(1e-30f);
    dlp__Wide per_w = dlp__wide(1.0f) / dlp__wide_max(w, tiny);
    sums->moment.xx += g[0] * g[0] * per_w;
    sums->moment.yy += g[1] * g[1] * per_w;
    sums->moment.zz += g[2] * g[2] * per_w;
    sums->moment.xy += g[0] * g[1] * per_w;
    sums->moment.xz += g[0] * g[2] * per_w;
    sums->moment.yz += g[1] * g[2] * per_w;
    sums->value += value;
    for (int a = 0; a < 3; a++) {
        sums->gradient[a] += g[a];
    }
    sums->square += g[0] * g[0] + g[1] * g[1] + g[2] * g[2];
}

/* `inside` is 1 inside the fluid and 0 at a free surface, where the neighbourhood is so one-sided that density does not measure
 * compression. `dilated` is 1 inside fluid that is dilated by tension. */
typedef struct Depth {
    dlp__Wide inside, dilated;
} Depth;

/* The correction matrix K shows that neighbours are missing, but takes dilated fluid for a surface. Under tension, that is at negative
 * pressure, fluid also counts as inside while the sum of kernel gradients, `lean` per spacing, shows that its neighbours are spread evenly:
 * it is 0.5 at the surface of a lattice and 0 inside at any density. (In compressed fluid this second measure would spread the front
 * of a thin layer by its disorder.) That counts as far as viscosity `holds` the fluid together. */
DLP_INLINE Depth depth_of(const SymmetricMatrix *k, dlp__Wide filled, dlp__Wide lean, dlp__Wide holds)
{
    const dlp__Wide zero = dlp__wide(0.0f), one = dlp__wide(1.0f), none = dlp__wide(1e-6f);
    dlp__Wide mean = mean_diagonal(k->xx, k->yy, k->zz);
    dlp__WideMask known = dlp__wide_less(zero, mean);
    dlp__Wide complete = dlp__wide_min(dlp__wide_max((dlp__wide(1.1f) - mean) * dlp__wide(20.0f), zero), one);
    dlp__Wide one_sided = lean / dlp__wide_max(dlp__wide_min(filled, one), none);
    dlp__Wide even = dlp__wide_min(dlp__wide_max((dlp__wide(0.3f) - one_sided) * dlp__wide(10.0f), zero), one);
    dlp__Wide inside = dlp__wide_max(complete, holds * even);
    return (Depth){dlp__wide_where(known, inside), dlp__wide_where(known, inside - complete)};
}

/* Viscosity over inertia in tension, at most 1: eta / (spacing sqrt(density tension)), an inverse Reynolds number of a spacing. 0 without
 * tension, that is at positive pressure, and for solids. */
DLP_INLINE dlp__Wide held_by_viscosity(const dlp__StageContext *c, int64_t i)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    const dlp__Wide zero = dlp__wide(0.0f), one = dlp__wide(1.0f), tiny = dlp__wide(1e-6f);
    const dlp__Particles *p = c->particles;
    const dlp__PhysicalFields *f = dlp__own_fields(p);
    dlp__Wide tension = zero - dlp__wide_load(p->pressure[0] + i), retention = dlp__wide_load(f->retention[0] + i);
    dlp__Wide viscosity = dlp__wide_load(f->viscosity[0] + i) / dlp__wide_max(one - retention, tiny) +
                          dlp__wide_load(f->solvent[0] + i);
    dlp__Wide inertia = dlp__wide_sqrt(dlp__wide_max(tension, tiny) / dlp__wide_load(p->specific_volume[0] + i));
    dlp__Wide ratio = dlp__wide(arguments->per_spacing) * viscosity / inertia;
    return dlp__wide_where(dlp__wide_less(zero, tension), fluidity(retention) * dlp__wide_min(ratio, one));
}

/* The sum of kernel gradients, in one over spacings, at which a particle begins to be at the surface, and the range to that at which it wholly is. */
static const float SURFACE_BEGIN = 0.15f, SURFACE_RANGE = 0.2f;

/* The same for the layer of particles at a wall, and images in it: a lone particle on a wall is not part of a layer. */
static const float WETTED_BEGIN = 0.15f, WETTED_RANGE = 0.15f;

/* 0 inside to 1 at a surface, from the length of the sum of kernel gradients in one over spacings. */
DLP_INLINE dlp__Wide at_surface(dlp__Wide lean, float begin, float range)
{
    dlp__Wide part = (lean - dlp__wide(begin)) * dlp__wide(1.0f / range);
    return dlp__wide_min(dlp__wide_max(part, dlp__wide(0.0f)), dlp__wide(1.0f));
}

/* Viscosity of a layer that spreads on a wall, over sqrt(density surface_tension spacing) and the cosine of the contact angle. The tension that
 * spreads it is as large over one spacing as inertia: thin fluids would be scattered along the wall. */
static const float SPREADING_VISCOSITY = 0.3f;

/* Store the direction of a vector, and return its length. */
DLP_INLINE dlp__Wide store_direction(float *const to[3], int64_t i, const dlp__Wide v[3])
{
    dlp__Wide length = dlp__wide_sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    dlp__Wide per_length = dlp__wide(1.0f) / dlp__wide_max(length, dlp__wide(1e-20f));
    for (int a = 0; a < 3; a++) {
        dlp__wide_store(to[a] + i, per_length * v[a]);
    }
    return length;
}

/* Squared sine of the angle between surface and wall. */
DLP_INLINE dlp__Wide steepness(const dlp__PhysicalFields *f, int64_t i)
{
    dlp__Wide cosine = dlp__wide(0.0f);
    for (int a = 0; a < 3; a++) {
        cosine += dlp__wide_load(f->normal[a] + i) * dlp__wide_load(f->wall_normal[a] + i);
    }
    return dlp__wide(1.0f) - cosine * cosine;
}

/* The normals of surface and walls, and whether particles i, i + 1, ... are at them. */
DLP_INLINE void store_surface(const dlp__StageContext *c, int64_t i, const ShapeSums *sums)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    const dlp__PhysicalFields *f = dlp__own_fields(c->particles);
    const dlp__Wide zero = dlp__wide(0.0f), spacing = dlp__wide(1.0f / arguments->per_spacing), *wall = sums->wall;
    dlp__WideMask tense = dlp__wide_less(zero, dlp__wide_load(f->tension[0] + i));
    dlp__WideMask near_wall = dlp__wide_less(zero, sums->images);
    dlp__Wide wall_length = dlp__wide_sqrt(wall[0] * wall[0] + wall[1] * wall[1] + wall[2] * wall[2]);
    dlp__Wide length = store_direction(f->normal, i, sums->gradient);
    store_direction(f->wall_normal, i, sums->wall_normal);
    dlp__Wide surface = dlp__wide_where(tense, at_surface(spacing * length, SURFACE_BEGIN, SURFACE_RANGE));
    dlp__Wide wetted = at_surface(spacing * wall_length, WETTED_BEGIN, WETTED_RANGE), steep = steepness(f, i);
    dlp__wide_store(f->surface[0] + i, surface);
    wetted = dlp__wide_where(tense, wetted);
    dlp__wide_store(f->wetted[0] + i, wetted);
    dlp__Wide spreads = wetted * dlp__wide_max(dlp__wide_load(f->wetting[0] + i), zero);
    dlp__Wide extra = dlp__wide(SPREADING_VISCOSITY) * spreads * capillary_scale(c, i);
    dlp__wide_store(f->solvent[0] + i, dlp__wide_load(f->solvent[0] + i) + extra);
    dlp__Wide slip = surface * dlp__wide_min(steep + steep, dlp__wide(1.0f));
    dlp__wide_store(f->slip[0] + i, dlp__wide_where(near_wall, slip));
}

/* Correction matrix, density, depth and the shift of particles i, i + 1, ...: along the kernel-sum gradient (Fick), and to correct
 * density. */
DLP_INLINE void store_shape(const dlp__StageContext *c, int64_t i, const ShapeSums *sums)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    const dlp__Wide zero = dlp__wide(0.0f), one = dlp__wide(1.0f);
    dlp__Particles *p = c->particles;
    const dlp__PhysicalFields *f = dlp__own_fields(p);
    SymmetricMatrix correction = invert(&sums->moment);
    const dlp__Wide *gradient = sums->gradient;
    dlp__Wide own = gradient[0] * gradient[0] + gradient[1] * gradient[1] + gradient[2] * gradient[2];
    dlp__Wide filled = sums->value * dlp__wide(arguments->per_rest);
    dlp__Wide lean = dlp__wide_sqrt(own) / dlp__wide(arguments->per_spacing);
    if (arguments->has_tension) {
        store_surface(c, i, sums);
    }
    Depth depth = depth_of(&correction, filled, lean, held_by_viscosity(c, i));
    dlp__Wide fluid = dlp__wide_min(dlp__wide(20.0f) * (one - dlp__wide_load(f->retention[0] + i)), one);
    dlp__Wide error = filled - one;
    error = dlp__wide_max(error, zero) + depth.inside * fluid * dlp__wide_min(error, zero);
    for (int a = 0; a < 3; a++) {
        dlp__wide_store(p->correction[a] + i, zero - dlp__wide(arguments->fick) * depth.inside * gradient[a]);
    }
    dlp__Wide stiff = own + sums->square + dlp__wide(arguments->softness);
    store_symmetric(p->correction_matrix, i, &correction);
    dlp__wide_store(f->depth[0] + i, depth.inside);
    /* A sticky wall holds its layer apart from the next one without a flow. */
    dlp__WideMask near_wall = dlp__wide_less(zero, sums->images);
    dlp__wide_store(f->dilation[0] + i, dlp__wide_where(dlp__wide_not(near_wall), depth.dilated));
    dlp__wide_store(f->density_shift[0] + i, dlp__wide(arguments->density_rate) * error / stiff);
    dlp__wide_store(p->density[0] + i, filled / dlp__wide_load(p->specific_volume[0] + i));
}

DLP_INLINE void shape_range(const dlp__StageContext *c, int64_t begin, int64_t end, dlp_KernelKind kind)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    const dlp__Kernel *kernel = &arguments->kernel;
    const dlp__Wide zero = dlp__wide(0.0f), volume = dlp__wide(arguments->volume);
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__WideRow at = dlp__own_rows(c->rows[0], i);
        ShapeSums sums = {{zero, zero, zero, zero, zero, zero},
                          zero,
                          {zero, zero, zero},
                          zero,
                          zero,
                          {zero, zero, zero},
                          {zero, zero, zero}};
        sums.value = volume * dlp__pair_value(kernel, zero, kind);
        dlp__Lanes lanes = dlp__lanes(c->fluid, i);
        float *slopes = dlp__pair_weights(c, i);
        for (int32_t k = 0; k < lanes.longest; k++, slopes += DLP_GROUP) {
            dlp__Pair pair = dlp__pair(&lanes, k, c->rows[0], &at);
            dlp__Wide slope = dlp__wide_where(pair.there, volume * dlp__pair_slope(kernel, pair.r, kind));
            const dlp__Wide g[3] = {slope * pair.x, slope * pair.y, slope * pair.z};
            dlp__Wide value = dlp__wide_where(pair.there, volume * dlp__pair_value(kernel, pair.r, kind));
            add_shape(&sums, g, zero - slope, value);
            dlp__wide_store(slopes, slope);
        }
        lanes = dlp__lanes(&c->mirror->list, i);
        const float *parts = lanes.longest > 0 ? dlp__images(c, i) : NULL;
        for (int32_t k = 0; k < lanes.longest; k++, parts += DLP_IMAGE_STEP) {
            Image image = image_at(parts);
            dlp__Wide size = dlp__wide_sqrt(image.g[0] * image.g[0] + image.g[1] * image.g[1] +
                                            image.g[2] * image.g[2]);
            dlp__WideMask there = dlp__wide_less(zero, image.w);
            dlp__Wide r = size / dlp__wide_max(image.w, dlp__wide(1e-30f));
            sums.images += image.w;
            for (int a = 0; a < 3; a++) {
                sums.wall[a] += image.g[a];
                sums.wall_normal[a] += image.w * image.e[a];
            }
            add_shape(&sums, image.g, image.w, dlp__wide_where(there, volume * dlp__pair_value(kernel, r, kind)));
        }
        store_shape(c, i, &sums);
    }
}

static void shape(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    DLP_BY_KERNEL(arguments->kernel.kind, shape_range, c, begin, end)
}

/* Disorder that a unit of strain adds to the packing, in spacings. */
static const float DISORDER = 0.5f;

/* Numbers from -1 to 1 that belong to particles i, i + 1, ... */
DLP_INLINE void random_direction(const dlp__Particles *p, int64_t i, dlp__Wide direction[3])
{
    float number[3][DLP_WIDTH];
    for (int lane = 0; lane < DLP_WIDTH; lane++) {
        uint64_t bits = (p->id[0][i + lane] + 1) * 0x9e3779b97f4a7c15u;
        bits = (bits ^ bits >> 29) * 0xbf58476d1ce4e5b9u;
        for (int a = 0; a < 3; a++) {
            number[a][lane] = (float)(int32_t)(bits >> (20 * a) & 0xfffff) * (1.0f / 0x80000) - 1.0f;
        }
    }
    for (int a = 0; a < 3; a++) {
        direction[a] = dlp__wide_load(number[a]);
    }
}

/* Disorder that a unit of strain adds at free surfaces under tension, in spacings; measured on hanging threads. */
static const float SURFACE_DISORDER = 0.5f;

/* Rows of particles at the surface of a stretched lattice move apart too, and have no Fick shift. In fluids with memory that relax, at negative
 * pressure, each is shifted along the directions of strain, mainly the stretched one: by the squared rate of strain over its size, times the
 * direction of its id. (Newtonian threads do not tear there, and a thin layer that spreads would depend more on the spacing.) */
DLP_INLINE void add_surface_disorder(const dlp__StageContext *c, int64_t i, const dlp__Wide gradient[9],
                                     dlp__Wide relaxing, const dlp__Wide direction[3], dlp__Wide move[3])
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    const dlp__Particles *p = c->particles;
    const dlp__PhysicalFields *f = dlp__own_fields(p);
    const dlp__Wide zero = dlp__wide(0.0f), one = dlp__wide(1.0f), tiny = dlp__wide(1e-6f);
    SymmetricMatrix rate = twice_symmetric(gradient);
    dlp__Wide along[3], stretched[3];
    dlp__WideMask pulled = dlp__wide_less(dlp__wide_load(p->pressure[0] + i), zero);
    dlp__Wide surface = dlp__wide_where(pulled, relaxing * (one - dlp__wide_load(f->depth[0] + i)));
    dlp__Wide part = dlp__wide(SURFACE_DISORDER * arguments->dt / arguments->per_spacing) * surface /
                     dlp__wide_max(strain_rate(gradient), tiny);
    symmetric_product(&rate, direction, along);
    symmetric_product(&rate, along, stretched);
    for (int a = 0; a < 3; a++) {
        move[a] += part * stretched[a];
    }
}

/* Strain of a step from about which on the packing of a yield-stress fluid is renewed by full shifts, times 20. With a hundred times as much a
 * disordered paste that begins to flow has 1.6 % too little stress; heaps that are about to stop are strained by 1e-5 or less per step. */
static const float RENEWING_STRAIN = 5e-3f;

/* The part of the packing that a step keeps: that of the stress. A yield-stress fluid relaxes by as much as it is strained, however slowly it
 * flows: full shifts would move a heap that is about to stop more than its flow does, and it would creep for ever. */
DLP_INLINE dlp__Wide packing_retention(const dlp__StageContext *c, int64_t i, dlp__Wide strain)
{
    const dlp__PhysicalFields *f = dlp__own_fields(c->particles);
    const dlp__Wide one = dlp__wide(1.0f), retention = dlp__wide_load(f->retention[0] + i);
    return dlp__wide_select(
        is_plastic(c, i),
        dlp__wide_max(retention, one - dlp__wide_min(dlp__wide(1.0f / RENEWING_STRAIN) * strain, one)), retention);
}

/* The Fick shift, full in dilated fluid, where strain relaxes within about twenty steps or grows faster than that, and in relaxing fluids with
 * surface tension: their surface is levelled in each step, but becomes uneven where the particles below it do. (An Oldroyd-B thread
 * whose elasticity should slow it then necks twice as fast as a Newtonian one.) The shift vanishes by symmetry in a lattice that is stretched to a thread, although the layers move apart until
 * they lose contact. So each particle of dilated fluid stretched along an axis is also shifted in a direction given by its id, in proportion to
 * the strain of the step. */
DLP_INLINE void fick_shift(const dlp__StageContext *c, int64_t i, const dlp__Wide gradient[9], dlp__Wide move[3])
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    const dlp__Particles *p = c->particles;
    const dlp__PhysicalFields *f = dlp__own_fields(p);
    const dlp__Wide one = dlp__wide(1.0f);
    SymmetricMatrix k = load_symmetric(p->correction_matrix, i); /* large where neighbours are sparse */
    dlp__Wide strain = dlp__wide(arguments->dt) * strain_rate(gradient);
    dlp__Wide retention = packing_retention(c, i, strain), fluid = fluidity(retention), direction[3];
    dlp__Wide dilated = fluid * dlp__wide_load(f->dilation[0] + i);
    dlp__Wide flowing = dlp__wide_min(dlp__wide(20.0f) * (one - retention + fluid * strain), one);
    dlp__Wide part = dlp__wide_max(flowing, dilated);
    if (arguments->has_tension) {
        const dlp__Wide tension = dlp__wide_load(f->tension[0] + i);
        dlp__WideMask yields = dlp__wide_less(remembering(c, i), one);
        dlp__Wide tense = dlp__wide_where(dlp__wide_less(dlp__wide(0.0f), tension), fluid);
        part = dlp__wide_max(part, dlp__wide_where(dlp__wide_not(yields), tense));
    }
    dlp__Wide disorder = dlp__wide(DISORDER / arguments->per_spacing) * dilated * uniaxial_part(&k) * strain;
    random_direction(p, i, direction);
    for (int a = 0; a < 3; a++) {
        move[a] = part * dlp__wide_load(p->correction[a] + i) + disorder * direction[a];
        if (arguments->has_tension) {
            move[a] += dlp__wide_load(f->surface_shift[a] + i);
        }
    }
    dlp__Wide relaxing = dlp__wide_where(dlp__wide_less(dlp__wide(0.0f), retention), fluid);
    add_surface_disorder(c, i, gradient, relaxing, direction, move);
}

static void shift(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    const dlp__Wide farthest = dlp__wide(0.05f * arguments->kernel.support);
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__Wide move[3], gradient[9];
        dlp__WideRow own = dlp__own_rows(c->rows[0], i);
        for (int n = 0; n < 9; n++) {
            gradient[n] = dlp__wide_load(p->velocity_gradient[n] + i);
        }
        fick_shift(c, i, gradient, move);
        dlp__Lanes lanes = dlp__lanes(c->fluid, i);
        const float *slopes = dlp__pair_weights(c, i);
        for (int32_t k = 0; k < lanes.longest; k++, slopes += DLP_GROUP) {
            dlp__WideRow other = dlp__wide_rows(c->rows[0], lanes.entry + (int64_t)k * DLP_GROUP);
            dlp__Wide factor = (own.w + other.w) * dlp__wide_load(slopes);
            move[0] -= factor * (own.x - other.x);
            move[1] -= factor * (own.y - other.y);
            move[2] -= factor * (own.z - other.z);
        }
        lanes = dlp__lanes(&c->mirror->list, i);
        const float *parts = lanes.longest > 0 ? dlp__images(c, i) : NULL;
        for (int32_t k = 0; k < lanes.longest; k++, parts += DLP_IMAGE_STEP) {
            dlp__Wide both = own.w + dlp__wide_rows(c->rows[0], lanes.entry + (int64_t)k * DLP_GROUP).w;
            for (int a = 0; a < 3; a++) {
                move[a] -= both * dlp__image_part(parts, DLP_IMAGE_GRADIENT + a);
            }
        }
        dlp__Wide size = dlp__wide_sqrt(move[0] * move[0] + move[1] * move[1] + move[2] * move[2]);
        dlp__Wide part = farthest / dlp__wide_max(size, farthest);
        for (int a = 0; a < 3; a++) {
            move[a] = move[a] * part;
            dlp__wide_store(p->correction[a] + i, move[a]);
        }
        dlp__Wide limited = second_order_limit(gradient, dlp__wide(arguments->dt));
        for (int a = 0; a < 3; a++) {
            dlp__Wide gain = gradient[3 * a] * move[0] + gradient[3 * a + 1] * move[1] + gradient[3 * a + 2] * move[2];
            dlp__wide_store(p->change[a] + i, limited * gain);
        }
    }
}

const dlp__PhysicalShapeStages DLP_WIDE(dlp__physical_shape_stages) = {
    .shape = {.name = "physical shape",
              .function = shape,
              .gathers = {DLP_ROW_VECTOR(DLP_FIELD_position)},
              .reads = {DLP_FIELD_specific_volume, DLP_FIELD_pressure, OWN_retention, OWN_viscosity, OWN_tension,
                        OWN_wetting},
              .writes = {DLP_FIELD_correction_matrix, DLP_FIELD_correction, OWN_depth, OWN_dilation, OWN_density_shift,
                         DLP_FIELD_density, OWN_surface, OWN_normal, OWN_wetted, OWN_wall_normal, OWN_slip,
                         OWN_solvent},
              .pair_weights = DLP_PAIRS_WRITTEN},
    .shift = {.name = "physical shift",
              .function = shift,
              .gathers = {DLP_ROW_VECTOR_SCALAR(DLP_FIELD_position, OWN_density_shift)},
              .reads = {DLP_FIELD_id, DLP_FIELD_velocity_gradient, DLP_FIELD_correction_matrix, DLP_FIELD_pressure,
                        OWN_dilation, OWN_depth, OWN_retention, OWN_surface_shift, OWN_law_memory, OWN_tension},
              .writes = {DLP_FIELD_correction, DLP_FIELD_change},
              .pair_weights = DLP_PAIRS_READ},
};

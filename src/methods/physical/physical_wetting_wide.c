/* Wetting: the tension between fluid and walls, by Young's equation, as a stress in the layer of particles at a wall.
 *
 * With w from 0 to 1 in the layer, the area per volume of the layer as in physical_tension_wide.c, and the normal n of the wall, the stress is
 *
 *     T = -sigma cos(angle) delta (I - n n^T),    delta_i = w_i / (V sum_j w_j W2_ij).
 *
 * Where the wall is curved or has an edge, this tension turns with it. The fluid next to the wall would have to carry the force along the normal
 * that turns it; in truth the wall does. So the wall pulls: the force of T without its part along the normal remains, and the wall
 * receives the rest. */
#include "methods/physical/physical_loops.h"

/* Particles in the layer per area of the wall, over one per spacing squared, from which a spreading fluid pushes a particle along the wall, and the
 * range to that at which it wholly does. A lone particle has 0.45, one at the straight edge of the layer 0.7. */
static const float COVER_BEGIN = 0.5f, COVER_RANGE = 0.2f;

/* Particles in the layer around particles i, i + 1, ... per area, over one per spacing squared. Row: position and w. */
DLP_INLINE dlp__Wide layer_density(const dlp__StageContext *c, int64_t i)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    const float support = arguments->kernel.support;
    const float per_lattice = 40.0f / (7.0f * 3.14159265f * support * support * arguments->per_spacing *
                                       arguments->per_spacing);
    dlp__WideRow at = dlp__own_rows(c->rows[0], i);
    dlp__Lanes lanes = dlp__lanes(c->fluid, i);
    dlp__Wide sum = flat_value(dlp__wide(0.0f));
    for (int32_t k = 0; k < lanes.longest; k++) {
        dlp__Pair pair = dlp__pair(&lanes, k, c->rows[0], &at);
        sum += dlp__wide_where(pair.there, pair.w) * flat_value(pair.r * dlp__wide(1.0f / support));
    }
    return dlp__wide(per_lattice) * sum;
}

/* Least density of the layer at a contact line, where it ends and half of its neighbours are missing, of a fluid that spreads and of one that
 * recedes. Measured on drops of 8 particles a radius; the layer around an edge of a wall keeps its density. */
static const float SPREADING_DENSITY = 1.25f, RECEDING_DENSITY = 0.87f;

static void find_wall_stress(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    const dlp__Wide zero = dlp__wide(0.0f), one = dlp__wide(1.0f);
    const dlp__PhysicalFields *f = dlp__own_fields(c->particles);
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__Wide wetted = dlp__own_rows(c->rows[0], i).w, stress = zero;
        if (dlp__wide_bits(dlp__wide_less(zero, wetted)) != 0) {
            dlp__Wide density = layer_density(c, i), wetting = dlp__wide_load(f->wetting[0] + i);
            dlp__Wide surface = dlp__wide_load(f->surface[0] + i);
            dlp__Wide covers = (density - dlp__wide(COVER_BEGIN)) * dlp__wide(1.0f / COVER_RANGE);
            dlp__Wide spreads = dlp__wide_min(dlp__wide_max(covers, zero), one) /
                                dlp__wide_max(density, dlp__wide(SPREADING_DENSITY) * surface);
            dlp__Wide recedes = one / dlp__wide_max(density, dlp__wide(RECEDING_DENSITY) * surface);
            stress = dlp__wide(arguments->per_spacing) * wetted * dlp__wide_load(f->tension[0] + i) * wetting *
                     dlp__wide_select(dlp__wide_less(zero, wetting), spreads, recedes);
        }
        dlp__wide_store(f->wall_stress[0] + i, stress);
    }
}

/* Sums over the layer at a wall around a particle. */
typedef struct LayerSums {
    dlp__Wide force[3];  /* N/m3, of the stress in the layer                        */
    dlp__Wide normal[3]; /* Pa, sum of V W times the stress and the normal of walls */
    dlp__Wide weight;    /* Pa, sum of V W times the size of the stress             */
} LayerSums;

/* T g, with the stress and the normal of a wall in a row. */
DLP_INLINE void add_layer_force(dlp__Wide force[3], const dlp__WideRow *wall, const dlp__Wide g[3])
{
    dlp__Wide along = wall->x * g[0] + wall->y * g[1] + wall->z * g[2];
    force[0] -= wall->w * (g[0] - along * wall->x);
    force[1] -= wall->w * (g[1] - along * wall->y);
    force[2] -= wall->w * (g[2] - along * wall->z);
}

DLP_INLINE dlp__Wide size_of(dlp__Wide x)
{
    return dlp__wide_max(x, dlp__wide(0.0f) - x);
}

DLP_INLINE void add_layer_normal(LayerSums *sums, const dlp__WideRow *wall, dlp__Wide value)
{
    dlp__Wide weight = value * size_of(wall->w);
    sums->weight += weight;
    sums->normal[0] += weight * wall->x;
    sums->normal[1] += weight * wall->y;
    sums->normal[2] += weight * wall->z;
}

/* Rows: position; normal and stress of walls. */
DLP_INLINE LayerSums layer_sums(const dlp__StageContext *c, int64_t i, dlp_KernelKind kind)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    const dlp__Kernel *kernel = &arguments->kernel;
    const dlp__Wide zero = dlp__wide(0.0f), volume = dlp__wide(arguments->volume);
    dlp__WideRow at = dlp__own_rows(c->rows[0], i), own = dlp__own_rows(c->rows[1], i);
    LayerSums sums = {{zero, zero, zero}, {zero, zero, zero}, zero};
    add_layer_normal(&sums, &own, volume * dlp__pair_value(kernel, zero, kind));
    dlp__Lanes lanes = dlp__lanes(c->fluid, i);
    for (int32_t k = 0; k < lanes.longest; k++) {
        dlp__WideRow other = dlp__wide_rows(c->rows[1], lanes.entry + (int64_t)k * DLP_GROUP);
        if (dlp__wide_bits(dlp__wide_less(zero, size_of(own.w) + size_of(other.w))) == 0) {
            continue; /* no particle of the layer */
        }
        dlp__Pair pair = dlp__pair(&lanes, k, c->rows[0], &at);
        dlp__Wide slope = dlp__wide_where(pair.there, volume * dlp__pair_slope(kernel, pair.r, kind));
        const dlp__Wide g[3] = {slope * pair.x, slope * pair.y, slope * pair.z};
        add_layer_force(sums.force, &own, g);
        add_layer_force(sums.force, &other, g);
        add_layer_normal(&sums, &other, dlp__wide_where(pair.there, volume * dlp__pair_value(kernel, pair.r, kind)));
    }
    lanes = dlp__lanes(&c->mirror->list, i);
    const float *parts = lanes.longest > 0 ? dlp__images(c, i) : NULL;
    for (int32_t k = 0; k < lanes.longest; k++, parts += DLP_IMAGE_STEP) {
        Image image = image_at(parts);
        dlp__WideRow there = dlp__wide_rows(c->rows[1], lanes.entry + (int64_t)k * DLP_GROUP);
        const dlp__Wide source[3] = {there.x, there.y, there.z};
        dlp__Wide mirrored[3];
        reflected(&image, source, mirrored);
        const dlp__WideRow other = {mirrored[0], mirrored[1], mirrored[2], there.w};
        add_layer_force(sums.force, &own, image.g);
        add_layer_force(sums.force, &other, image.g);
    }
    return sums;
}

/* The part of the force along the mean normal of walls around, reversed. */
DLP_INLINE void pull_range(const dlp__StageContext *c, int64_t begin, int64_t end, dlp_KernelKind kind)
{
    const dlp__Wide zero = dlp__wide(0.0f), tiny = dlp__wide(1e-30f);
    const dlp__PhysicalFields *f = dlp__own_fields(c->particles);
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        LayerSums sums = layer_sums(c, i, kind);
        const dlp__Wide per_weight = dlp__wide(1.0f) / dlp__wide_max(sums.weight, tiny);
        const dlp__Wide n[3] = {per_weight * sums.normal[0], per_weight * sums.normal[1], per_weight * sums.normal[2]};
        dlp__Wide squared = dlp__wide_max(n[0] * n[0] + n[1] * n[1] + n[2] * n[2], dlp__wide(1e-6f));
        dlp__Wide away = (n[0] * sums.force[0] + n[1] * sums.force[1] + n[2] * sums.force[2]) / squared;
        for (int a = 0; a < 3; a++) {
            dlp__wide_store(f->wall_pull[a] + i, zero - away * n[a]);
        }
        dlp__wide_store(f->wall_share[0] + i, dlp__wide_where(dlp__wide_less(tiny, sums.weight), per_weight));
    }
}

static void find_pull(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    DLP_BY_KERNEL(arguments->kernel.kind, pull_range, c, begin, end)
}

DLP_INLINE dlp__Wide image_weights(const dlp__StageContext *c, int64_t i)
{
    dlp__Wide sum = dlp__wide(0.0f);
    dlp__Lanes lanes = dlp__lanes(&c->mirror->list, i);
    const float *parts = lanes.longest > 0 ? dlp__images(c, i) : NULL;
    for (int32_t k = 0; k < lanes.longest; k++, parts += DLP_IMAGE_STEP) {
        sum += dlp__image_part(parts, DLP_IMAGE_WEIGHT);
    }
    return sum;
}

/* Each particle of the layer hands its part of the pull on the particles around to the walls that it sees images in. */
DLP_INLINE void reaction_range(const dlp__StageContext *c, int64_t begin, int64_t end, dlp_KernelKind kind)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    const dlp__Kernel *kernel = &arguments->kernel;
    const dlp__Wide zero = dlp__wide(0.0f), tiny = dlp__wide(1e-30f), volume = dlp__wide(arguments->volume);
    const dlp__PhysicalFields *f = dlp__own_fields(c->particles);
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__WideRow at = dlp__own_rows(c->rows[0], i), own = dlp__own_rows(c->rows[1], i);
        dlp__Wide stress = size_of(dlp__wide_load(f->wall_stress[0] + i)), weights = image_weights(c, i);
        dlp__Wide share = own.w * volume * dlp__pair_value(kernel, zero, kind);
        dlp__Wide sum[3] = {share * own.x, share * own.y, share * own.z};
        dlp__Lanes lanes = dlp__lanes(c->fluid, i);
        for (int32_t k = 0; k < lanes.longest; k++) {
            dlp__Pair pair = dlp__pair(&lanes, k, c->rows[0], &at);
            dlp__WideRow other = dlp__wide_rows(c->rows[1], pair.index);
            share = dlp__wide_where(pair.there, other.w * volume * dlp__pair_value(kernel, pair.r, kind));
            sum[0] += share * other.x;
            sum[1] += share * other.y;
            sum[2] += share * other.z;
        }
        dlp__Wide per_weight = dlp__wide(arguments->dt) * stress / dlp__wide_max(weights, tiny);
        per_weight = dlp__wide_where(dlp__wide_less(tiny, weights), per_weight);
        for (int a = 0; a < 3; a++) {
            dlp__wide_store(f->wall_reaction[a] + i, per_weight * sum[a]);
        }
    }
}

static void find_reaction(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    DLP_BY_KERNEL(arguments->kernel.kind, reaction_range, c, begin, end)
}

const dlp__PhysicalWettingStages DLP_WIDE(dlp__physical_wetting_stages) = {
    .stress = {.name = "physical wetting",
               .function = find_wall_stress,
               .gathers = {DLP_ROW_VECTOR_SCALAR(DLP_FIELD_position, OWN_wetted)},
               .reads = {OWN_tension, OWN_wetting, OWN_surface},
               .writes = {OWN_wall_stress}},
    .pull = {.name = "physical wall pull",
             .function = find_pull,
             .gathers = {DLP_ROW_VECTOR(DLP_FIELD_position), DLP_ROW_VECTOR_SCALAR(OWN_wall_normal, OWN_wall_stress)},
             .writes = {OWN_wall_pull, OWN_wall_share}},
    .reaction = {.name = "physical wall reaction",
                 .function = find_reaction,
                 .gathers = {DLP_ROW_VECTOR(DLP_FIELD_position), DLP_ROW_VECTOR_SCALAR(OWN_wall_pull, OWN_wall_share)},
                 .reads = {OWN_wall_stress},
                 .writes = {OWN_wall_reaction}},
};

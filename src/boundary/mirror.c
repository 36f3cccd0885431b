/* Mirror images of the fluid in walls: visits the particles near solids twice, first to count each one's images,
 * then to write them into the lists. */
#include "boundary/nearby_solids.h"

#include <math.h>
#include <string.h>

typedef struct Job {
    const dlp__Solids *solids;
    dlp__Domain *domain;
    const dlp__Kernel *kernel;
    double volume; /* m3, of a particle */
    bool counting;
} Job;

/* A wall as a plane. */
typedef struct Plane {
    dlp_Vec3 normal;
    dlp_Vec3 point; /* m, on it */
    const dlp__Solid *solid;
} Plane;

static Plane plane_of(const dlp__Solid *solid, const dlp__Wall *wall, dlp_Vec3 from)
{
    dlp_Vec3 point = dlp__sub(from, dlp__scale(wall->normal, wall->distance));
    return (Plane){wall->normal, point, solid};
}

static double height_over(const Plane *plane, dlp_Vec3 point)
{
    return dlp__dot(dlp__sub(point, plane->point), plane->normal);
}

static dlp_Vec3 reflect(const Plane *plane, dlp_Vec3 point)
{
    return dlp__sub(point, dlp__scale(plane->normal, 2.0 * height_over(plane, point)));
}

/* Planes at right angles that an image was reflected in one after the other: one, two or three. */
typedef struct Corner {
    Plane plane[3];
    int count;
} Corner;

static void put(float *part, int number, dlp_Vec3 value)
{
    part[number * DLP_GROUP] = (float)value.x;
    part[(number + 1) * DLP_GROUP] = (float)value.y;
    part[(number + 2) * DLP_GROUP] = (float)value.z;
}

/* The friction of a wall as no-slip weight of its images; walls with Coulomb friction mirror as free-slip, the
 * friction force is added separately. */
static double image_friction(const Job *job, const dlp__Solid *solid, int material)
{
    const double friction = dlp__contact_law(job->solids, solid, material).friction;
    return dlp__has_coulomb_friction(solid, friction) ? 0.0 : friction;
}

/* The mean over the materials of both particles, so that the images are symmetric in i and j. */
static double friction_of(const Job *job, const dlp__Solid *solid, int64_t i, int32_t j)
{
    const uint16_t *material = job->domain->particles.material[0];
    return 0.5 * (image_friction(job, solid, material[i]) + image_friction(job, solid, material[j]));
}

static dlp__ImageWalls walls_of(const Job *job, const Corner *corner, dlp_Vec3 surface)
{
    dlp__ImageWalls walls = {.count = corner->count, .point = {(float)surface.x, (float)surface.y, (float)surface.z}};
    for (int n = 0; n < corner->count; n++) {
        const Plane *plane = &corner->plane[n];
        walls.solid[n] = (int32_t)(plane->solid - job->solids->solid);
        walls.normal[n][0] = (float)plane->normal.x;
        walls.normal[n][1] = (float)plane->normal.y;
        walls.normal[n][2] = (float)plane->normal.z;
    }
    return walls;
}

/* One reflection reverses a vector's normal component; two rotate it by half a turn about the edge; three reverse
 * it. */
static void write_image(const Job *job, int64_t i, int64_t row, const Corner *corner, dlp_Vec3 offset, double weight,
                        dlp_Vec3 surface)
{
    const Plane *plane = corner->plane;
    float *part = job->domain->mirror.values + row / DLP_GROUP * DLP_GROUP * DLP_IMAGE_VALUES + row % DLP_GROUP;
    dlp_Vec3 axis = {0.0, 0.0, 0.0}, velocity = axis;
    double friction = 0.0, share = 1.0 / corner->count, no_slip_sign = corner->count == 2 ? 1.0 : -1.0;
    for (int n = 0; n < corner->count; n++) {
        velocity = dlp__add(velocity, dlp__scale(dlp__solid_velocity(plane[n].solid, surface), share));
        friction += share * friction_of(job, plane[n].solid, i, job->domain->mirror.list.entry[row]);
    }
    if (corner->count == 1) {
        axis = dlp__scale(plane[0].normal, sqrt(2.0));
    } else if (corner->count == 2) {
        axis = dlp__scale(dlp__cross(plane[0].normal, plane[1].normal), sqrt(2.0));
    }
    const dlp__Mirror *mirror = &job->domain->mirror;
    const dlp__Solid *solid = plane[0].solid;
    if (mirror->body != NULL && solid != NULL && solid->body >= 0) {
        const dlp_Vec3 arm = dlp__sub(surface, solid->mass_properties.center);
        mirror->body[row] = 1 + solid->body;
        mirror->arm[3 * row] = (float)arm.x;
        mirror->arm[3 * row + 1] = (float)arm.y;
        mirror->arm[3 * row + 2] = (float)arm.z;
    }
    if (mirror->walls != NULL) {
        mirror->walls[row] = walls_of(job, corner, surface);
    }
    put(part, DLP_IMAGE_GRADIENT, dlp__scale(offset, weight));
    put(part, DLP_IMAGE_AXIS, axis);
    put(part, DLP_IMAGE_VELOCITY, velocity);
    part[DLP_IMAGE_WEIGHT * DLP_GROUP] = (float)weight;
    part[DLP_IMAGE_SIGN * DLP_GROUP] = corner->count == 1 ? 1.0f : -1.0f;
    part[DLP_IMAGE_NO_SLIP * DLP_GROUP] = (float)(friction * no_slip_sign);
    part[DLP_IMAGE_FREE_SLIP * DLP_GROUP] = (float)(1.0 - friction);
}

/* Weights, in spacings to the minus two, below which an image at the edge of the support is dropped: the square of
 * its gradient would underflow in single precision, and the distance found from it would be zero. */
static const double MIN_WEIGHT = 1e-12;

/* Images farther than this many supports are skipped before their weight is computed. */
static const double FAR = 1.0 + 1e-6;

/* Add the image of particle j in the corner, if it is within the support of i. */
static void add_image(const Job *job, int64_t i, int32_t j, const Corner *corner)
{
    dlp__NeighborList *list = &job->domain->mirror.list;
    const float *detached = job->domain->particles.detached[0];
    if (detached[i] > 0.5f && detached[j] > 0.5f) {
        return;
    }
    const dlp_Vec3 own = dlp__particle_position(&job->domain->particles, i);
    const dlp_Vec3 source = dlp__particle_position(&job->domain->particles, j);
    dlp_Vec3 image = source;
    for (int n = 0; n < corner->count; n++) {
        image = reflect(&corner->plane[n], image);
    }
    const dlp_Vec3 offset = dlp__sub(image, own);
    const double far = FAR * (double)job->kernel->support;
    if (dlp__dot(offset, offset) > far * far) {
        return;
    }
    double r = fmax(dlp__length(offset), 1e-3 * (double)job->solids->spacing);
    double weight = r < (double)job->kernel->support ? -job->volume * dlp__kernel_slope(job->kernel, r) / r : 0.0;
    if (!(weight * (double)job->solids->spacing * (double)job->solids->spacing > MIN_WEIGHT)) {
        return;
    }
    if (!job->counting) {
        int32_t *entry = dlp__neighbors_entry(list, i, list->count[i]);
        *entry = j;
        write_image(job, i, entry - list->entry, corner, offset, weight, dlp__scale(dlp__add(source, image), 0.5));
    }
    list->count[i]++;
}

/* Add the images of i and all its neighbours in a corner of flat walls. A single wall's image is as deep below it as its particle is high. */
static void mirror_in(const Job *job, int64_t i, const Corner *corner)
{
    const dlp__NeighborList *fluid = &job->domain->fluid;
    const dlp__Particles *particles = &job->domain->particles;
    const Plane *wall = &corner->plane[0];
    const double highest = FAR * (double)job->kernel->support - height_over(wall, dlp__particle_position(particles, i));
    add_image(job, i, (int32_t)i, corner);
    for (int32_t k = 0; k < fluid->count[i]; k++) {
        const int32_t j = *dlp__neighbors_entry(fluid, i, k);
        if (corner->count > 1 || height_over(wall, dlp__particle_position(particles, j)) <= highest) {
            add_image(job, i, j, corner);
        }
    }
}

static bool are_perpendicular(const Plane *a, const Plane *b)
{
    return fabs(dlp__dot(a->normal, b->normal)) < 0.1;
}

/* Flat walls, their edges and their corners. */
static void mirror_flat(const Job *job, int64_t i, const Plane *plane, int count)
{
    for (int a = 0; a < count; a++) {
        mirror_in(job, i, &(Corner){{plane[a]}, 1});
        for (int b = a + 1; b < count; b++) {
            if (!are_perpendicular(&plane[a], &plane[b])) {
                continue;
            }
            mirror_in(job, i, &(Corner){{plane[a], plane[b]}, 2});
            for (int c = b + 1; c < count; c++) {
                if (are_perpendicular(&plane[a], &plane[c]) && are_perpendicular(&plane[b], &plane[c])) {
                    mirror_in(job, i, &(Corner){{plane[a], plane[b], plane[c]}, 3});
                }
            }
        }
    }
}

/* Edges and corners between a curved wall and flat ones. */
static void mirror_edges(const Job *job, int64_t i, int32_t j, const Plane *own, const Plane *flat, int count)
{
    for (int a = 0; a < count; a++) {
        if (!are_perpendicular(own, &flat[a])) {
            continue;
        }
        add_image(job, i, j, &(Corner){{*own, flat[a]}, 2});
        for (int b = a + 1; b < count; b++) {
            if (are_perpendicular(own, &flat[b]) && are_perpendicular(&flat[a], &flat[b])) {
                add_image(job, i, j, &(Corner){{*own, flat[a], flat[b]}, 3});
            }
        }
    }
}

/* Each pair in its own tangent plane; for a particle and itself at its nearest point. A free body has no shared
 * images with other walls, so that each image acts on one body only. */
static void mirror_curved(const Job *job, int64_t i, const dlp__Solid *solid, const Plane *flat, int count)
{
    const dlp__NeighborList *fluid = &job->domain->fluid;
    const dlp__Particles *particles = &job->domain->particles;
    dlp_Vec3 own = dlp__particle_position(particles, i);
    for (int32_t k = -1; k < fluid->count[i]; k++) {
        int32_t j = k < 0 ? (int32_t)i : *dlp__neighbors_entry(fluid, i, k);
        dlp_Vec3 middle = dlp__scale(dlp__add(own, dlp__particle_position(particles, j)), 0.5);
        dlp__Wall wall;
        wall.distance = dlp__shape_distance(&solid->shape, middle, &wall.normal);
        if (wall.distance < 0.5 * (double)job->kernel->support) {
            const Plane plane = plane_of(solid, &wall, middle);
            add_image(job, i, j, &(Corner){{plane}, 1});
            mirror_edges(job, i, j, &plane, flat, solid->body < 0 ? count : 0);
        }
    }
}

enum { MAX_PLANES = 12 };

static bool is_flat(const dlp__Solid *solid)
{
    return solid->shape.kind == DLP_SHAPE_PLANE || solid->shape.kind == DLP_SHAPE_CONTAINER;
}

static void mirror_particle(const Job *job, int64_t i, const dlp__NearbySolids *near)
{
    Plane plane[MAX_PLANES];
    int planes = 0;
    dlp_Vec3 point = dlp__particle_position(&job->domain->particles, i);
    double reach = (double)job->kernel->support;
    for (int k = 0; k < near->count; k++) {
        const dlp__Solid *solid = &job->solids->solid[dlp__nearby_index(near, k)];
        dlp__Wall wall[DLP_SHAPE_WALLS];
        int walls = is_flat(solid) ? dlp__shape_walls(&solid->shape, point, reach, wall) : 0;
        for (int w = 0; w < walls && planes < MAX_PLANES; w++) {
            plane[planes++] = plane_of(solid, &wall[w], point);
        }
    }
    mirror_flat(job, i, plane, planes);
    for (int k = 0; k < near->count; k++) {
        const dlp__Solid *solid = &job->solids->solid[dlp__nearby_index(near, k)];
        dlp__Wall wall[DLP_SHAPE_WALLS];
        if (!is_flat(solid) && dlp__shape_walls(&solid->shape, point, reach, wall) > 0) {
            mirror_curved(job, i, solid, plane, planes);
        }
    }
}

static void mirror_group(void *context, int64_t begin, int64_t end, const dlp__NearbySolids *near)
{
    for (int64_t i = begin; i < end; i++) {
        mirror_particle(context, i, near);
    }
}

static void count_images(void *context, int64_t begin, int64_t end)
{
    const Job *job = context;
    memset(job->domain->mirror.list.count + begin, 0, (size_t)(end - begin) * sizeof(int32_t));
    dlp__for_groups_near_solids(job->solids, &job->domain->particles, begin, end, (double)job->kernel->support,
                                mirror_group, context);
}

/* Pad the lists of a group to its longest: the particle itself with zero weight. */
static void pad_group(const Job *job, int64_t group)
{
    const dlp__Mirror *mirror = &job->domain->mirror;
    const int64_t begin = mirror->list.start[group] * DLP_GROUP, end = mirror->list.start[group + 1] * DLP_GROUP;
    const int64_t last = job->domain->particles.count - 1;
    for (int64_t row = begin; row < end; row++) {
        int64_t i = group * DLP_GROUP + row % DLP_GROUP;
        mirror->list.entry[row] = (int32_t)(i < last ? i : last);
    }
    if (mirror->body != NULL) {
        memset(mirror->body + begin, 0, (size_t)(end - begin) * sizeof *mirror->body);
    }
    if (mirror->walls != NULL) {
        memset(mirror->walls + begin, 0, (size_t)(end - begin) * sizeof *mirror->walls);
    }
    memset(mirror->values + begin * DLP_IMAGE_VALUES, 0, (size_t)(end - begin) * DLP_IMAGE_VALUES * sizeof(float));
}

static void fill_images(void *context, int64_t begin, int64_t end)
{
    const Job *job = context;
    dlp__NeighborList *list = &job->domain->mirror.list;
    for (int64_t first = begin; first < end; first += DLP_GROUP) {
        int64_t group = first / DLP_GROUP, last = first + DLP_GROUP < end ? first + DLP_GROUP : end;
        if (list->start[group] == list->start[group + 1]) {
            continue;
        }
        pad_group(job, group);
        memset(list->count + first, 0, (size_t)(last - first) * sizeof(int32_t));
        dlp__for_groups_near_solids(job->solids, &job->domain->particles, first, last, (double)job->kernel->support,
                                    mirror_group, context);
    }
}

static bool reserve_images(dlp__Mirror *mirror, dlp__Memory *memory, bool bodies, bool walls)
{
    const int64_t entries = dlp__neighbors_entries(&mirror->list) + DLP_GROUP;
    if (!dlp__buffer_reserve(memory, &mirror->buffer[0], entries, DLP_IMAGE_VALUES * sizeof(float)) ||
        (bodies && (!dlp__buffer_reserve(memory, &mirror->buffer[1], entries, 3 * sizeof(float)) ||
                    !dlp__buffer_reserve(memory, &mirror->buffer[2], entries, sizeof(int32_t)))) ||
        (walls && !dlp__buffer_reserve(memory, &mirror->buffer[3], entries, sizeof *mirror->walls))) {
        return false;
    }
    mirror->values = mirror->buffer[0].data;
    mirror->arm = bodies ? mirror->buffer[1].data : NULL;
    mirror->body = bodies ? mirror->buffer[2].data : NULL;
    mirror->walls = walls ? mirror->buffer[3].data : NULL;
    return true;
}

static bool mirror_parts(dlp__Solids *solids, dlp__Domains *domains, const dlp__Kernel *kernel)
{
    double spacing = (double)solids->spacing;
    for (int part = 0; part < domains->count; part++) {
        dlp__Domain *domain = &domains->part[part];
        dlp__Mirror *mirror = &domain->mirror;
        Job job = {solids, domain, kernel, spacing * spacing * spacing, true};
        int64_t particles = domain->particles.count, grain = 4 * DLP_NEARBY_BLOCK;
        if (!dlp__neighbors_reserve_counts(&mirror->list, domains->memory, particles)) {
            return false;
        }
        dlp__parallel_for(domains->parallel, particles, grain, count_images, &job);
        if (!dlp__neighbors_layout(&mirror->list, domains->memory, particles) ||
            !reserve_images(mirror, domains->memory, solids->body_count > 0, solids->impulses.count > 0)) {
            return false;
        }
        job.counting = false;
        dlp__parallel_for(domains->parallel, particles, grain, fill_images, &job);
    }
    return true;
}

void dlp__boundary_build_images(dlp__Solids *solids, dlp__Domains *domains, const dlp__Kernel *kernel)
{
    if (dlp__step_is_ok(domains)) {
        dlp__require_memory(domains, mirror_parts(solids, domains, kernel), "mirror images");
    }
}

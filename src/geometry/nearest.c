#include "geometry/nearest.h"

#include "base/error.h"
#include "geometry/mesh_normals.h"
#include "geometry/mesh_triangle.h"
#include "geometry/model.h"

#ifdef DLP_EMBREE
#include <embree3/rtcore.h>
#include <float.h>
#include <string.h>

/* Most triangles of a box that is near enough are not: the distance from a disc around each tells that at little cost. */
typedef struct Disc {
    float center[3], radius; /* m */
    float normal[3], rounding;
} Disc;

/* The side on which a point lies is told by the normal at the nearest point: of the face, of both faces at an edge, and of all
 * around a corner (mesh_normals.h). */
struct dlp__Nearest {
    dlp__Memory *memory;
    const dlp_Mesh *mesh;
    RTCDevice device;
    RTCScene scene;
    uint32_t *twin;   /* of each side    */
    dlp_Vec3 *corner; /* normal of each vertex, of any length */
    Disc *disc;       /* around each triangle */
};

static dlp_Vec3 face_normal(const dlp_Mesh *mesh, int64_t triangle)
{
    return dlp__unit(dlp__triangle_area(mesh->position, mesh->triangle + 3 * triangle));
}

static void read_corners(const dlp_Mesh *mesh, int64_t triangle, dlp_Vec3 corner[3])
{
    for (int k = 0; k < 3; k++) {
        corner[k] = dlp__mesh_vertex(mesh->position, mesh->triangle[3 * triangle + k]);
    }
}

/* Where on a triangle: 0 to 2 a corner, 3 to 5 the side that begins at that corner, 6 the face. */
enum { ON_SIDE = 3, ON_FACE = 6 };

/* Whether a side that has a length lies from before the point to behind it. */
static bool passes(double from_begin, double from_end)
{
    return from_begin >= 0.0 && from_end <= 0.0 && from_begin > from_end;
}

/* A point of a triangle, by what it takes of the sides that leave corner 0. */
static dlp_Vec3 point_on(dlp_Vec3 corner, dlp_Vec3 to_1, double part_1, dlp_Vec3 to_2, double part_2)
{
    return dlp__add(corner, dlp__add(dlp__scale(to_1, part_1), dlp__scale(to_2, part_2)));
}

/* Which of the corners, sides or the face the point is over is told by how far it goes along the two sides from corner 0, as
 * seen from each corner. */
static dlp_Vec3 nearest_on_triangle(const dlp_Vec3 corner[3], dlp_Vec3 p, int *feature)
{
    const dlp_Vec3 to_1 = dlp__sub(corner[1], corner[0]), to_2 = dlp__sub(corner[2], corner[0]);
    double along_1[3], along_2[3];
    for (int k = 0; k < 3; k++) {
        const dlp_Vec3 from = dlp__sub(p, corner[k]);
        along_1[k] = dlp__dot(to_1, from);
        along_2[k] = dlp__dot(to_2, from);
    }
    const double from_1 = along_2[1] - along_1[1], from_2 = along_1[2] - along_2[2]; /* along the side between them */
    const bool beyond_0 = along_1[0] <= 0.0 && along_2[0] <= 0.0;
    const bool beyond_1 = along_1[1] >= 0.0 && from_1 <= 0.0, beyond_2 = along_2[2] >= 0.0 && from_2 <= 0.0;
    if (beyond_0 || beyond_1 || beyond_2) {
        *feature = beyond_0 ? 0 : beyond_1 ? 1 : 2;
        return corner[*feature];
    }
    /* The parts of the area that lie across from each corner. */
    const double area_0 = along_1[1] * along_2[2] - along_1[2] * along_2[1];
    const double area_1 = along_1[2] * along_2[0] - along_1[0] * along_2[2];
    const double area_2 = along_1[0] * along_2[1] - along_1[1] * along_2[0];
    if (area_2 <= 0.0 && passes(along_1[0], along_1[1])) {
        *feature = ON_SIDE;
        return point_on(corner[0], to_1, along_1[0] / (along_1[0] - along_1[1]), to_2, 0.0);
    }
    if (area_1 <= 0.0 && passes(along_2[0], along_2[2])) {
        *feature = ON_SIDE + 2;
        return point_on(corner[0], to_1, 0.0, to_2, along_2[0] / (along_2[0] - along_2[2]));
    }
    if (area_0 <= 0.0) {
        const double part = from_1 / (from_1 + from_2);
        *feature = ON_SIDE + 1;
        return point_on(corner[0], to_1, 1.0 - part, to_2, part);
    }
    const double area = area_0 + area_1 + area_2;
    *feature = ON_FACE;
    return point_on(corner[0], to_1, area_1 / area, to_2, area_2 / area);
}

typedef struct Search {
    const dlp__Nearest *nearest;
    dlp_Vec3 point;
    double square; /* m2, of the least distance so far */
    dlp_Vec3 best;
    uint32_t triangle;
    int feature;
} Search;

/* Whether it is the nearest so far. */
static bool try_triangle(Search *search, uint32_t triangle)
{
    dlp_Vec3 corner[3];
    read_corners(search->nearest->mesh, triangle, corner);
    int feature = ON_FACE;
    const dlp_Vec3 at = nearest_on_triangle(corner, search->point, &feature), away = dlp__sub(search->point, at);
    const double square = dlp__dot(away, away);
    /* Of triangles as near the one with the lower number is taken, in whatever order they are tried. */
    if (square > search->square || (square == search->square && triangle > search->triangle)) {
        return false;
    }
    search->square = square;
    search->best = at;
    search->triangle = triangle;
    search->feature = feature;
    return true;
}

/* From triangle to triangle, across the side that is nearest, as long as that leads nearer. */
static void walk_from(Search *search, uint32_t triangle)
{
    enum { STEPS_MOST = 8 };
    for (int step = 0; step < STEPS_MOST && try_triangle(search, triangle) && search->feature != ON_FACE; step++) {
        triangle = search->nearest->twin[3 * (int64_t)triangle + search->feature % ON_SIDE] / 3;
    }
}

/* m, a little more than the least distance so far: places in single precision may be off by a rounding error. */
static float radius_of(const Search *search)
{
    const dlp_Vec3 p = search->point;
    const double rounding = 4.0 * (double)FLT_EPSILON * (fabs(p.x) + fabs(p.y) + fabs(p.z));
    return (float)fmin(sqrt(search->square) * (1.0 + 1e-6) + rounding, (double)FLT_MAX);
}

static Disc disc_around(const dlp_Mesh *mesh, int64_t triangle)
{
    const dlp_Vec3 normal = dlp__triangle_area(mesh->position, mesh->triangle + 3 * triangle);
    const double area = dlp__length(normal), scale = area > 0.0 ? 1.0 / area : 0.0;
    dlp_Vec3 corner[3];
    read_corners(mesh, triangle, corner);
    const dlp_Vec3 center = dlp__scale(dlp__add(dlp__add(corner[0], corner[1]), corner[2]), 1.0 / 3.0);
    double radius = 0.0;
    for (int k = 0; k < 3; k++) {
        radius = fmax(radius, dlp__length(dlp__sub(corner[k], center)));
    }
    const double rounding = 8.0 * (double)FLT_EPSILON * (fabs(center.x) + fabs(center.y) + fabs(center.z) + radius);
    return (Disc){{(float)center.x, (float)center.y, (float)center.z},
                  (float)radius,
                  {(float)(scale * normal.x), (float)(scale * normal.y), (float)(scale * normal.z)},
                  (float)rounding};
}

/* Whether the disc is farther than the query asks for, also if rounding errors made it seem so. */
static bool is_beyond(const struct RTCPointQuery *query, const Disc *disc)
{
    const float x = query->x - disc->center[0], y = query->y - disc->center[1], z = query->z - disc->center[2];
    const float over = disc->normal[0] * x + disc->normal[1] * y + disc->normal[2] * z;
    const float within = query->radius * 1.00001f + disc->rounding;
    const float across = x * x + y * y + z * z - over * over, most = within * within - over * over; /* both squared */
    if (most < 0.0f || across <= disc->radius * disc->radius) {
        return most < 0.0f;
    }
    const float beside = sqrtf(across) - disc->radius;
    return beside * beside > most;
}

static bool visit(struct RTCPointQueryFunctionArguments *arguments)
{
    Search *search = arguments->userPtr;
    if (is_beyond(arguments->query, &search->nearest->disc[arguments->primID]) ||
        !try_triangle(search, arguments->primID)) {
        return false;
    }
    arguments->query->radius = radius_of(search);
    return true;
}

static dlp_Vec3 normal_at(const Search *search)
{
    const dlp_Mesh *mesh = search->nearest->mesh;
    const int64_t first = 3 * (int64_t)search->triangle;
    if (search->feature < ON_SIDE) {
        return search->nearest->corner[mesh->triangle[first + search->feature]];
    }
    const dlp_Vec3 own = face_normal(mesh, search->triangle);
    if (search->feature == ON_FACE) {
        return own;
    }
    return dlp__add(own, face_normal(mesh, search->nearest->twin[first + search->feature - ON_SIDE] / 3));
}

bool dlp__nearest_find(const dlp__Nearest *nearest, dlp_Vec3 point, double within, uint32_t hint,
                       dlp__NearestPoint *found)
{
    Search search = {.nearest = nearest, .point = point, .square = within * within, .triangle = UINT32_MAX};
    if (hint != DLP_NEAREST_NO_HINT) {
        walk_from(&search, hint);
    }
    struct RTCPointQuery query = {
        .x = (float)point.x, .y = (float)point.y, .z = (float)point.z, .radius = radius_of(&search)};
    struct RTCPointQueryContext context;
    rtcInitPointQueryContext(&context);
    rtcPointQuery(nearest->scene, &query, &context, visit, &search);
    if (search.triangle == UINT32_MAX) {
        return false;
    }
    const double side = dlp__dot(dlp__sub(point, search.best), normal_at(&search));
    *found = (dlp__NearestPoint){side < 0.0 ? -sqrt(search.square) : sqrt(search.square), search.best, search.triangle};
    return true;
}

/* Embree reads its buffers in steps of 16 bytes, so they are its own. */
static bool fill_scene(dlp__Nearest *nearest)
{
    const dlp_Mesh *mesh = nearest->mesh;
    RTCGeometry geometry = rtcNewGeometry(nearest->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    void *places = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float),
                                           (size_t)mesh->vertex_count);
    void *corners = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(uint32_t),
                                            (size_t)mesh->triangle_count);
    if (places != NULL && corners != NULL) {
        memcpy(places, mesh->position, (size_t)mesh->vertex_count * 3 * sizeof(float));
        memcpy(corners, mesh->triangle, (size_t)mesh->triangle_count * 3 * sizeof(uint32_t));
        rtcCommitGeometry(geometry);
        rtcAttachGeometry(nearest->scene, geometry);
    }
    rtcReleaseGeometry(geometry);
    rtcCommitScene(nearest->scene);
    return rtcGetDeviceError(nearest->device) == RTC_ERROR_NONE;
}

static bool fill(dlp__Nearest *nearest)
{
    const dlp_Mesh *mesh = nearest->mesh;
    nearest->twin = dlp__memory_get(nearest->memory, 3 * mesh->triangle_count, sizeof *nearest->twin);
    nearest->corner = dlp__memory_get(nearest->memory, mesh->vertex_count, sizeof *nearest->corner);
    nearest->disc = dlp__memory_get(nearest->memory, mesh->triangle_count, sizeof *nearest->disc);
    nearest->device = rtcNewDevice("threads=1,set_affinity=0");
    if (nearest->twin == NULL || nearest->corner == NULL || nearest->disc == NULL || nearest->device == NULL ||
        !dlp__mesh_twins(mesh, nearest->memory, nearest->twin)) {
        return false;
    }
    nearest->scene = rtcNewScene(nearest->device);
    dlp__mesh_normals(mesh, DLP_NORMALS_OF_SIDES, nearest->corner);
    for (int64_t n = 0; n < mesh->triangle_count; n++) {
        nearest->disc[n] = disc_around(mesh, n);
    }
    return nearest->scene != NULL && fill_scene(nearest);
}

dlp_Result dlp__nearest_create(const dlp_Mesh *mesh, dlp__Memory *memory, dlp__Nearest **nearest, dlp_Error *error)
{
    *nearest = NULL;
    dlp__Nearest *made = dlp__memory_get(memory, 1, sizeof *made);
    if (made != NULL) {
        *made = (dlp__Nearest){.memory = memory, .mesh = mesh};
        if (fill(made)) {
            *nearest = made;
            return DLP_OK;
        }
        dlp__nearest_destroy(made);
    }
    return dlp__fail(error, DLP_ERROR_MEMORY, "no memory to look for the nearest of %lld triangles",
                     (long long)mesh->triangle_count);
}

void dlp__nearest_destroy(dlp__Nearest *nearest)
{
    if (nearest == NULL) {
        return;
    }
    if (nearest->scene != NULL) {
        rtcReleaseScene(nearest->scene);
    }
    if (nearest->device != NULL) {
        rtcReleaseDevice(nearest->device);
    }
    dlp__memory_release(nearest->memory, nearest->disc, nearest->mesh->triangle_count, sizeof *nearest->disc);
    dlp__memory_release(nearest->memory, nearest->corner, nearest->mesh->vertex_count, sizeof *nearest->corner);
    dlp__memory_release(nearest->memory, nearest->twin, 3 * nearest->mesh->triangle_count, sizeof *nearest->twin);
    dlp__memory_release(nearest->memory, nearest, 1, sizeof *nearest);
}

#else

dlp_Result dlp__nearest_create(const dlp_Mesh *mesh, dlp__Memory *memory, dlp__Nearest **nearest, dlp_Error *error)
{
    (void)mesh;
    (void)memory;
    *nearest = NULL;
    return dlp__fail(
        error, DLP_ERROR_UNSUPPORTED,
        "this build of dollop has no meshes as shapes: install Embree (Debian: libembree-dev), and build with "
        "-DDOLLOP_EMBREE=ON");
}

void dlp__nearest_destroy(dlp__Nearest *nearest)
{
    (void)nearest;
}

bool dlp__nearest_find(const dlp__Nearest *nearest, dlp_Vec3 point, double within, uint32_t hint,
                       dlp__NearestPoint *found)
{
    (void)nearest;
    (void)hint;
    (void)point;
    (void)within;
    (void)found;
    return false;
}

#endif

/* Closest point queries: Embree's point query over triangle boxes, a cheap rejection by bounding discs, and an exact
 * test in double precision. */
#include "geometry/closest_point.h"

#include "base/error.h"
#include "geometry/mesh_normals.h"
#include "geometry/mesh_triangle.h"
#include "geometry/mesh_builder.h"

#ifdef DLP_EMBREE
#include <embree3/rtcore.h>
#include <float.h>
#include <string.h>

/* Embree returns all triangles whose box is close enough; the distance from a bounding disc rejects most of them
 * cheaply. */
typedef struct Disc {
    float center[3], radius; /* m */
    float normal[3], rounding;
} Disc;

/* The normal at the closest point tells on which side a point lies: that of the face, the sum of both faces at an edge,
 * and the angle-weighted sum at a vertex (mesh_normals.h). */
struct dlp__ClosestPointQuery {
    dlp__Memory *memory;
    const dlp_Mesh *mesh;
    RTCDevice device;
    RTCScene scene;
    uint32_t *twin_edge;     /* of each half-edge */
    dlp_Vec3 *vertex_normal; /* not normalized */
    Disc *disc;              /* around each triangle */
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

/* Feature of a triangle: 0 to 2 a corner, 3 to 5 the edge that starts at that corner, 6 the face. */
enum { ON_EDGE = 3, ON_FACE = 6 };

/* Whether a point projects inside an edge that is not degenerate. */
static bool projects_inside(double from_begin, double from_end)
{
    return from_begin >= 0.0 && from_end <= 0.0 && from_begin > from_end;
}

/* A point of a triangle as a combination of the edges from corner 0. */
static dlp_Vec3 point_from_edges(dlp_Vec3 corner, dlp_Vec3 edge_1, double fraction_1, dlp_Vec3 edge_2,
                                 double fraction_2)
{
    return dlp__add(corner, dlp__add(dlp__scale(edge_1, fraction_1), dlp__scale(edge_2, fraction_2)));
}

/* The Voronoi region of the point, by its projections on the two edges from corner 0 as seen from each corner (Ericson
 * 2005, 5.1.5). */
static dlp_Vec3 closest_on_triangle(const dlp_Vec3 corner[3], dlp_Vec3 p, int *feature)
{
    const dlp_Vec3 edge_1 = dlp__sub(corner[1], corner[0]), edge_2 = dlp__sub(corner[2], corner[0]);
    double along_1[3], along_2[3];
    for (int k = 0; k < 3; k++) {
        const dlp_Vec3 from = dlp__sub(p, corner[k]);
        along_1[k] = dlp__dot(edge_1, from);
        along_2[k] = dlp__dot(edge_2, from);
    }
    const double from_1 = along_2[1] - along_1[1],
                 from_2 = along_1[2] - along_2[2]; /* along the edge between corners 1 and 2 */
    const bool beyond_0 = along_1[0] <= 0.0 && along_2[0] <= 0.0;
    const bool beyond_1 = along_1[1] >= 0.0 && from_1 <= 0.0, beyond_2 = along_2[2] >= 0.0 && from_2 <= 0.0;
    if (beyond_0 || beyond_1 || beyond_2) {
        *feature = beyond_0 ? 0 : beyond_1 ? 1 : 2;
        return corner[*feature];
    }
    /* Barycentric areas opposite each corner. */
    const double area_0 = along_1[1] * along_2[2] - along_1[2] * along_2[1];
    const double area_1 = along_1[2] * along_2[0] - along_1[0] * along_2[2];
    const double area_2 = along_1[0] * along_2[1] - along_1[1] * along_2[0];
    if (area_2 <= 0.0 && projects_inside(along_1[0], along_1[1])) {
        *feature = ON_EDGE;
        return point_from_edges(corner[0], edge_1, along_1[0] / (along_1[0] - along_1[1]), edge_2, 0.0);
    }
    if (area_1 <= 0.0 && projects_inside(along_2[0], along_2[2])) {
        *feature = ON_EDGE + 2;
        return point_from_edges(corner[0], edge_1, 0.0, edge_2, along_2[0] / (along_2[0] - along_2[2]));
    }
    if (area_0 <= 0.0) {
        const double fraction = from_1 / (from_1 + from_2);
        *feature = ON_EDGE + 1;
        return point_from_edges(corner[0], edge_1, 1.0 - fraction, edge_2, fraction);
    }
    const double area = area_0 + area_1 + area_2;
    *feature = ON_FACE;
    return point_from_edges(corner[0], edge_1, area_1 / area, edge_2, area_2 / area);
}

typedef struct Search {
    const dlp__ClosestPointQuery *query;
    dlp_Vec3 point;
    double squared_distance; /* m2, smallest so far */
    dlp_Vec3 best;
    uint32_t triangle;
    int feature;
} Search;

/* Returns whether the triangle is the closest so far. */
static bool try_triangle(Search *search, uint32_t triangle)
{
    dlp_Vec3 corner[3];
    read_corners(search->query->mesh, triangle, corner);
    int feature = ON_FACE;
    const dlp_Vec3 candidate = closest_on_triangle(corner, search->point, &feature),
                   offset = dlp__sub(search->point, candidate);
    const double squared_distance = dlp__dot(offset, offset);
    /* Of equally close triangles the one with the lowest index is taken, so that the order of the search does not
     * matter. */
    if (squared_distance > search->squared_distance ||
        (squared_distance == search->squared_distance && triangle > search->triangle)) {
        return false;
    }
    search->squared_distance = squared_distance;
    search->best = candidate;
    search->triangle = triangle;
    search->feature = feature;
    return true;
}

/* Walk from triangle to triangle across the closest edge as long as the distance decreases. */
static void walk_mesh(Search *search, uint32_t triangle)
{
    enum { MAX_STEPS = 8 };
    for (int step = 0; step < MAX_STEPS && try_triangle(search, triangle) && search->feature != ON_FACE; step++) {
        triangle = search->query->twin_edge[3 * (int64_t)triangle + search->feature % ON_EDGE] / 3;
    }
}

/* m, slightly more than the smallest distance so far, to allow for single precision rounding. */
static float search_radius(const Search *search)
{
    const dlp_Vec3 p = search->point;
    const double rounding = 4.0 * (double)FLT_EPSILON * (fabs(p.x) + fabs(p.y) + fabs(p.z));
    return (float)fmin(sqrt(search->squared_distance) * (1.0 + 1e-6) + rounding, (double)FLT_MAX);
}

static Disc bounding_disc(const dlp_Mesh *mesh, int64_t triangle)
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

/* Whether the disc is farther than the query radius, with a margin for rounding errors. */
static bool is_beyond(const struct RTCPointQuery *rtc_query, const Disc *disc)
{
    const float x = rtc_query->x - disc->center[0], y = rtc_query->y - disc->center[1],
                z = rtc_query->z - disc->center[2];
    const float height = disc->normal[0] * x + disc->normal[1] * y + disc->normal[2] * z;
    const float max_distance = rtc_query->radius * 1.00001f + disc->rounding;
    const float tangential_squared = x * x + y * y + z * z - height * height,
                limit_squared = max_distance * max_distance - height * height;
    if (limit_squared < 0.0f || tangential_squared <= disc->radius * disc->radius) {
        return limit_squared < 0.0f;
    }
    const float gap = sqrtf(tangential_squared) - disc->radius;
    return gap * gap > limit_squared;
}

static bool visit(struct RTCPointQueryFunctionArguments *arguments)
{
    Search *search = arguments->userPtr;
    if (is_beyond(arguments->query, &search->query->disc[arguments->primID]) ||
        !try_triangle(search, arguments->primID)) {
        return false;
    }
    arguments->query->radius = search_radius(search);
    return true;
}

static dlp_Vec3 normal_at(const Search *search)
{
    const dlp_Mesh *mesh = search->query->mesh;
    const int64_t first = 3 * (int64_t)search->triangle;
    if (search->feature < ON_EDGE) {
        return search->query->vertex_normal[mesh->triangle[first + search->feature]];
    }
    const dlp_Vec3 own = face_normal(mesh, search->triangle);
    if (search->feature == ON_FACE) {
        return own;
    }
    return dlp__add(own, face_normal(mesh, search->query->twin_edge[first + search->feature - ON_EDGE] / 3));
}

bool dlp__closest_point_find(const dlp__ClosestPointQuery *query, dlp_Vec3 point, double max_distance, uint32_t hint,
                             dlp__ClosestPoint *result)
{
    Search search = {
        .query = query, .point = point, .squared_distance = max_distance * max_distance, .triangle = UINT32_MAX};
    if (hint != DLP_CLOSEST_POINT_NO_HINT) {
        walk_mesh(&search, hint);
    }
    struct RTCPointQuery rtc_query = {
        .x = (float)point.x, .y = (float)point.y, .z = (float)point.z, .radius = search_radius(&search)};
    struct RTCPointQueryContext context;
    rtcInitPointQueryContext(&context);
    rtcPointQuery(query->scene, &rtc_query, &context, visit, &search);
    if (search.triangle == UINT32_MAX) {
        return false;
    }
    const double side = dlp__dot(dlp__sub(point, search.best), normal_at(&search));
    *result = (dlp__ClosestPoint){side < 0.0 ? -sqrt(search.squared_distance) : sqrt(search.squared_distance),
                                  search.best, search.triangle};
    return true;
}

/* Embree reads its buffers in steps of 16 bytes, so it allocates them itself. */
static bool build_scene(dlp__ClosestPointQuery *query)
{
    const dlp_Mesh *mesh = query->mesh;
    RTCGeometry geometry = rtcNewGeometry(query->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    void *vertices = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float),
                                             (size_t)mesh->vertex_count);
    void *corners = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(uint32_t),
                                            (size_t)mesh->triangle_count);
    if (vertices != NULL && corners != NULL) {
        memcpy(vertices, mesh->position, (size_t)mesh->vertex_count * 3 * sizeof(float));
        memcpy(corners, mesh->triangle, (size_t)mesh->triangle_count * 3 * sizeof(uint32_t));
        rtcCommitGeometry(geometry);
        rtcAttachGeometry(query->scene, geometry);
    }
    rtcReleaseGeometry(geometry);
    rtcCommitScene(query->scene);
    return rtcGetDeviceError(query->device) == RTC_ERROR_NONE;
}

static bool build(dlp__ClosestPointQuery *query)
{
    const dlp_Mesh *mesh = query->mesh;
    query->twin_edge = dlp__memory_get(query->memory, 3 * mesh->triangle_count, sizeof *query->twin_edge);
    query->vertex_normal = dlp__memory_get(query->memory, mesh->vertex_count, sizeof *query->vertex_normal);
    query->disc = dlp__memory_get(query->memory, mesh->triangle_count, sizeof *query->disc);
    query->device = rtcNewDevice("threads=1,set_affinity=0");
    if (query->twin_edge == NULL || query->vertex_normal == NULL || query->disc == NULL || query->device == NULL ||
        !dlp__mesh_twin_edges(mesh, query->memory, query->twin_edge)) {
        return false;
    }
    query->scene = rtcNewScene(query->device);
    dlp__mesh_vertex_normals(mesh, DLP_NORMALS_BY_ANGLE, query->vertex_normal);
    for (int64_t n = 0; n < mesh->triangle_count; n++) {
        query->disc[n] = bounding_disc(mesh, n);
    }
    return query->scene != NULL && build_scene(query);
}

dlp_Result dlp__closest_point_create(const dlp_Mesh *mesh, dlp__Memory *memory, dlp__ClosestPointQuery **query,
                                     dlp_Error *error)
{
    *query = NULL;
    dlp__ClosestPointQuery *created = dlp__memory_get(memory, 1, sizeof *created);
    if (created != NULL) {
        *created = (dlp__ClosestPointQuery){.memory = memory, .mesh = mesh};
        if (build(created)) {
            *query = created;
            return DLP_OK;
        }
        dlp__closest_point_destroy(created);
    }
    return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for closest point queries on %lld triangles",
                     (long long)mesh->triangle_count);
}

void dlp__closest_point_destroy(dlp__ClosestPointQuery *query)
{
    if (query == NULL) {
        return;
    }
    if (query->scene != NULL) {
        rtcReleaseScene(query->scene);
    }
    if (query->device != NULL) {
        rtcReleaseDevice(query->device);
    }
    dlp__memory_release(query->memory, query->disc, query->mesh->triangle_count, sizeof *query->disc);
    dlp__memory_release(query->memory, query->vertex_normal, query->mesh->vertex_count, sizeof *query->vertex_normal);
    dlp__memory_release(query->memory, query->twin_edge, 3 * query->mesh->triangle_count, sizeof *query->twin_edge);
    dlp__memory_release(query->memory, query, 1, sizeof *query);
}

#else

dlp_Result dlp__closest_point_create(const dlp_Mesh *mesh, dlp__Memory *memory, dlp__ClosestPointQuery **query,
                                     dlp_Error *error)
{
    (void)mesh;
    (void)memory;
    *query = NULL;
    return dlp__fail(
        error, DLP_ERROR_UNSUPPORTED,
        "this build of dollop does not support meshes as shapes: install Embree (Debian: libembree-dev), and build "
        "with -DDOLLOP_EMBREE=ON");
}

void dlp__closest_point_destroy(dlp__ClosestPointQuery *query)
{
    (void)query;
}

bool dlp__closest_point_find(const dlp__ClosestPointQuery *query, dlp_Vec3 point, double max_distance, uint32_t hint,
                             dlp__ClosestPoint *result)
{
    (void)query;
    (void)hint;
    (void)point;
    (void)max_distance;
    (void)result;
    return false;
}

#endif

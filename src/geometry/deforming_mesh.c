/* Stores the frames and caches the distance fields of the keys in use. Queries are in interpolated_field.c. */
#include "geometry/deforming_mesh.h"

#include "base/error.h"
#include "geometry/mesh_triangle.h"
#include "geometry/mesh_builder.h"

#include <string.h>

static const double MIN_FRAME_INTERVAL = 1e-9; /* s: the shortest time step */
static const double MAX_TIME = 1e9;            /* s */
static const double MAX_KEYS = 1e6;            /* from one frame to the next */
static const int64_t MAX_BYTES = (int64_t)1 << 32;

static dlp_Result check_times(const dlp_MeshFrames *given, dlp_Error *error)
{
    for (int k = 0; k < given->count; k++) {
        if (!(fabs(given->times[k]) <= MAX_TIME)) {
            return dlp__fail(error, DLP_ERROR_ARGUMENT, "frame %d is at %g s: times must be finite and at most %g s", k,
                             given->times[k], MAX_TIME);
        }
        if (k > 0 && !(given->times[k] - given->times[k - 1] >= MIN_FRAME_INTERVAL)) {
            return dlp__fail(
                error, DLP_ERROR_ARGUMENT,
                "frame %d is at %.17g s and the one before it at %.17g s: each must be at least %g s later than the "
                "one before",
                k, given->times[k], given->times[k - 1], MIN_FRAME_INTERVAL);
        }
    }
    return DLP_OK;
}

static dlp_Result check_frames(const dlp_MeshFrames *given, int64_t vertex_count, dlp_Error *error)
{
    if (given->count < 1 || given->count > DLP_FRAMES_MOST || given->times == NULL || given->positions == NULL) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT,
                         "a deforming mesh has 1 to %d frames, each with a time and vertices, not %d: leave some out",
                         DLP_FRAMES_MOST, given->count);
    }
    const int64_t bytes_each = vertex_count * 3 * (int64_t)sizeof(float);
    if (bytes_each > MAX_BYTES / given->count) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT,
                         "%d frames of %lld vertices are more than 4 GiB: use fewer frames, or a coarser mesh",
                         given->count, (long long)vertex_count);
    }
    for (int64_t n = 0; n < given->count * 3 * vertex_count; n++) {
        if (!(fabs((double)given->positions[n]) <= DLP_MAX_MODEL_COORDINATE)) {
            return dlp__fail(error, DLP_ERROR_ARGUMENT,
                             "vertex %lld of frame %lld has %g m as a coordinate: it must be finite and within 1e9 m",
                             (long long)(n / 3 % vertex_count), (long long)(n / 3 / vertex_count),
                             (double)given->positions[n]);
        }
    }
    return check_times(given, error);
}

static const float *frame_of(const dlp__DeformingMesh *deforming, int64_t k)
{
    return deforming->positions + 3 * deforming->vertex_count * k;
}

/* m, largest displacement of a vertex from frame k to the next. */
static double longest_displacement(const dlp__DeformingMesh *deforming, int k)
{
    const float *from = frame_of(deforming, k), *to = frame_of(deforming, k + 1);
    double largest = 0.0;
    for (int64_t v = 0; v < deforming->vertex_count; v++) {
        largest = fmax(largest,
                       dlp__length(dlp__sub(dlp__mesh_vertex(to, (uint32_t)v), dlp__mesh_vertex(from, (uint32_t)v))));
    }
    return largest;
}

static dlp_Result number_keys(dlp__DeformingMesh *deforming, double key_spacing, dlp_Error *error)
{
    deforming->first_key[0] = 0;
    for (int k = 0; k + 1 < deforming->count; k++) {
        deforming->max_displacement[k] = longest_displacement(deforming, k);
        const double keys = fmax(ceil(deforming->max_displacement[k] / key_spacing), 1.0);
        if (!(keys <= MAX_KEYS)) {
            return dlp__fail(
                error, DLP_ERROR_ARGUMENT,
                "from frame %d to the next a vertex moves by %g m, more than a million spacings: check the scale, "
                "and that the order of the vertices is the same",
                k, deforming->max_displacement[k]);
        }
        deforming->first_key[k + 1] = deforming->first_key[k] + (int64_t)keys;
    }
    return DLP_OK;
}

dlp_Result dlp__deforming_mesh_init(dlp__DeformingMesh *deforming, const dlp_MeshFrames *given, int64_t vertex_count,
                                    double key_spacing, dlp__Memory *memory, dlp_Error *error)
{
    *deforming = (dlp__DeformingMesh){0};
    const dlp_Result result = check_frames(given, vertex_count, error);
    if (result != DLP_OK) {
        return result;
    }
    const int64_t component_count = 3 * vertex_count * given->count;
    *deforming = (dlp__DeformingMesh){.memory = memory, .vertex_count = vertex_count, .count = given->count};
    deforming->times = dlp__memory_get(memory, given->count, sizeof *deforming->times);
    deforming->positions = dlp__memory_get(memory, component_count, sizeof *deforming->positions);
    deforming->max_displacement = dlp__memory_get(memory, given->count, sizeof *deforming->max_displacement);
    deforming->first_key = dlp__memory_get(memory, given->count, sizeof *deforming->first_key);
    if (deforming->times == NULL || deforming->positions == NULL || deforming->max_displacement == NULL ||
        deforming->first_key == NULL) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for %d frames of %lld vertices", given->count,
                         (long long)vertex_count);
    }
    memcpy(deforming->times, given->times, (size_t)given->count * sizeof *deforming->times);
    memcpy(deforming->positions, given->positions, (size_t)component_count * sizeof *deforming->positions);
    return number_keys(deforming, key_spacing, error);
}

static void release_field(dlp__DeformingMesh *deforming, dlp__DistanceField *field)
{
    if (field != NULL) {
        dlp__distance_field_release(field);
        dlp__memory_release(deforming->memory, field, 1, sizeof *field);
    }
}

void dlp__deforming_mesh_release(dlp__DeformingMesh *deforming)
{
    if (deforming->memory == NULL) {
        return;
    }
    for (int n = 0; n < deforming->cached_count; n++) {
        release_field(deforming, deforming->cached[n]);
    }
    dlp__Memory *memory = deforming->memory;
    dlp__memory_release(memory, deforming->first_key, deforming->count, sizeof *deforming->first_key);
    dlp__memory_release(memory, deforming->max_displacement, deforming->count, sizeof *deforming->max_displacement);
    dlp__memory_release(memory, deforming->positions, 3 * deforming->vertex_count * deforming->count,
                        sizeof *deforming->positions);
    dlp__memory_release(memory, deforming->times, deforming->count, sizeof *deforming->times);
    *deforming = (dlp__DeformingMesh){0};
}

/* The last frame at or before a time, or the first frame, by bisection. */
static int frame_before(const dlp__DeformingMesh *deforming, double time)
{
    int low = 0, high = deforming->count; /* low is at or before the time, high after it */
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (deforming->times[middle] <= time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* A time expressed in keys. */
typedef struct KeyTime {
    int64_t key;
    double fraction; /* from this key to the next; 0 while the mesh is at rest */
    double interval; /* s, to the next key; 0 while the mesh is at rest */
} KeyTime;

static KeyTime key_time(const dlp__DeformingMesh *deforming, double time)
{
    const int k = frame_before(deforming, time);
    if (k + 1 == deforming->count || !(time >= deforming->times[k])) {
        return (KeyTime){.key = deforming->first_key[k]};
    }
    const double keys = (double)(deforming->first_key[k + 1] - deforming->first_key[k]),
                 interval = deforming->times[k + 1] - deforming->times[k];
    const double at = fmin((time - deforming->times[k]) / interval, 1.0) * keys, key = fmin(floor(at), keys - 1.0);
    return (KeyTime){deforming->first_key[k] + (int64_t)key, at - key, interval / keys};
}

void dlp__deforming_mesh_vertices(const dlp__DeformingMesh *deforming, double time, float *position)
{
    const int k = frame_before(deforming, time);
    const bool rests = k + 1 == deforming->count || !(time >= deforming->times[k]);
    const float *from = frame_of(deforming, k), *to = rests ? from : frame_of(deforming, k + 1);
    const double fraction = rests ? 0.0
                                  : (time - deforming->times[k]) / (deforming->times[k + 1] - deforming->times[k]);
    for (int64_t n = 0; n < 3 * deforming->vertex_count; n++) {
        position[n] = (float)((double)from[n] + fraction * ((double)to[n] - (double)from[n]));
    }
}

/* The vertices at a key, and their displacements until the next key. */
static void vertices_at_key(const dlp__DeformingMesh *deforming, int64_t key, float *position, float *displacement)
{
    int k = 0;
    while (k + 1 < deforming->count && deforming->first_key[k + 1] <= key) {
        k++;
    }
    const int next = k + 1 < deforming->count ? k + 1 : k;
    const float *from = frame_of(deforming, k), *to = frame_of(deforming, next);
    const double keys = fmax((double)(deforming->first_key[next] - deforming->first_key[k]), 1.0);
    const double fraction = (double)(key - deforming->first_key[k]) / keys;
    for (int64_t n = 0; n < 3 * deforming->vertex_count; n++) {
        const double whole_step = (double)to[n] - (double)from[n];
        position[n] = (float)((double)from[n] + fraction * whole_step);
        displacement[n] = (float)(whole_step / keys);
    }
}

/* The distance field at a key, or null. */
static dlp__DistanceField *make_field(dlp__DeformingMesh *deforming, const dlp_Mesh *mesh, const dlp__DistanceDef *def,
                                      int64_t key, const dlp__Parallel *parallel, dlp_Error *error)
{
    const int64_t component_count = 3 * deforming->vertex_count;
    dlp__DistanceField *field = dlp__memory_get(deforming->memory, 1, sizeof *field);
    float *position = dlp__memory_get(deforming->memory, component_count, sizeof *position);
    float *displacement = dlp__memory_get(deforming->memory, component_count, sizeof *displacement);
    dlp_Result result = DLP_ERROR_MEMORY;
    if (field == NULL || position == NULL || displacement == NULL) {
        dlp__fail(error, result, "out of memory for another shape of a mesh of %lld vertices",
                  (long long)deforming->vertex_count);
    } else {
        dlp_Mesh shape = *mesh;
        dlp__DistanceDef moving = *def;
        vertices_at_key(deforming, key, position, displacement);
        shape.position = position;
        moving.displacement = key < deforming->first_key[deforming->count - 1] ? displacement : NULL;
        result = dlp__distance_field_make(field, &shape, &moving, deforming->memory, parallel, error);
    }
    dlp__memory_release(deforming->memory, displacement, component_count, sizeof *displacement);
    dlp__memory_release(deforming->memory, position, component_count, sizeof *position);
    if (result != DLP_OK) {
        dlp__memory_release(deforming->memory, field, 1, sizeof *field);
        return NULL;
    }
    return field;
}

static bool is_cached(const dlp__DeformingMesh *deforming, int64_t key)
{
    return key >= deforming->cached_first && key < deforming->cached_first + deforming->cached_count;
}

dlp_Result dlp__deforming_mesh_cache_fields(dlp__DeformingMesh *deforming, const dlp_Mesh *mesh,
                                            const dlp__DistanceDef *def, double from, double to,
                                            const dlp__Parallel *parallel, dlp_Error *error)
{
    const KeyTime end = key_time(deforming, to);
    const int64_t first_key = key_time(deforming, from).key, last = end.key + (end.interval > 0.0);
    if (last - first_key >= DLP_MAX_CACHED_FIELDS) {
        return dlp__fail(
            error, DLP_ERROR_ARGUMENT,
            "in the step from %g to %g s a deforming mesh moves by more than %d spacings, or passes as many frames: "
            "use shorter steps",
            from, to, DLP_MAX_CACHED_FIELDS - 2);
    }
    dlp__DistanceField *next[DLP_MAX_CACHED_FIELDS] = {NULL};
    const int count = (int)(last - first_key + 1);
    bool made = true;
    for (int n = 0; n < count && made; n++) {
        next[n] = is_cached(deforming, first_key + n)
                      ? deforming->cached[first_key + n - deforming->cached_first]
                      : make_field(deforming, mesh, def, first_key + n, parallel, error);
        made = next[n] != NULL;
    }
    /* Release the fields that are no longer needed or, on failure, those just made. */
    for (int n = 0; n < (made ? deforming->cached_count : count); n++) {
        const int64_t key = n + (made ? deforming->cached_first : first_key);
        const bool stays = made ? key >= first_key && key <= last : is_cached(deforming, key);
        if (!stays) {
            release_field(deforming, made ? deforming->cached[n] : next[n]);
        }
    }
    if (made) {
        memcpy(deforming->cached, next, sizeof next);
        deforming->cached_first = first_key;
        deforming->cached_count = count;
    }
    return made ? DLP_OK : error->code;
}

dlp__InterpolatedField dlp__deforming_mesh_field(const dlp__DeformingMesh *deforming, double time)
{
    const KeyTime at_key = key_time(deforming, time);
    const int64_t n = at_key.key - deforming->cached_first;
    const int at = n < 0 ? 0 : n >= deforming->cached_count ? deforming->cached_count - 1 : (int)n;
    const bool moves = at_key.interval > 0.0 && at == n && at + 1 < deforming->cached_count;
    return (dlp__InterpolatedField){deforming->cached[at], moves ? deforming->cached[at + 1] : NULL, at_key.fraction,
                                    at_key.interval};
}

/* Sum of the displacement bounds over an interval, and the largest speed in it. */
static double measure(const dlp__DeformingMesh *deforming, double from, double to, double *speed)
{
    double max_displacement = 0.0;
    *speed = 0.0;
    for (int k = frame_before(deforming, from); k + 1 < deforming->count && deforming->times[k] <= to; k++) {
        const double begin = fmax(from, deforming->times[k]), end = fmin(to, deforming->times[k + 1]);
        const double rate = deforming->max_displacement[k] / (deforming->times[k + 1] - deforming->times[k]);
        max_displacement += rate * fmax(end - begin, 0.0);
        *speed = fmax(*speed, rate);
    }
    return max_displacement;
}

double dlp__deforming_mesh_max_displacement(const dlp__DeformingMesh *deforming, double from, double to)
{
    double speed;
    return measure(deforming, from, to, &speed);
}

double dlp__deforming_mesh_max_speed(const dlp__DeformingMesh *deforming, double from, double to)
{
    double speed;
    measure(deforming, from, to, &speed);
    return speed;
}

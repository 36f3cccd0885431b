/* Keeping frames, and the fields of the keys that are needed. What is asked of them is in mesh_moment.c. */
#include "geometry/mesh_frames.h"

#include "base/error.h"
#include "geometry/mesh_triangle.h"
#include "geometry/model.h"

#include <string.h>

static const double FRAMES_APART = 1e-9; /* s: the shortest step of a world */
static const double FARTHEST = 1e9;      /* s: what any time may be at most */
static const double KEYS_MOST = 1e6;     /* from one frame to the next      */
static const int64_t BYTES_MOST = (int64_t)1 << 32;

static dlp_Result check_times(const dlp_MeshFrames *given, dlp_Error *error)
{
    for (int k = 0; k < given->count; k++) {
        if (!(fabs(given->times[k]) <= FARTHEST)) {
            return dlp__fail(error, DLP_ERROR_ARGUMENT, "frame %d is at %g s: times are finite and up to %g s", k,
                             given->times[k], FARTHEST);
        }
        if (k > 0 && !(given->times[k] - given->times[k - 1] >= FRAMES_APART)) {
            return dlp__fail(
                error, DLP_ERROR_ARGUMENT,
                "frame %d is at %.17g s and the one before it at %.17g s: each must come at least %g s after the "
                "one before",
                k, given->times[k], given->times[k - 1], FRAMES_APART);
        }
    }
    return DLP_OK;
}

static dlp_Result check_frames(const dlp_MeshFrames *given, int64_t vertex_count, dlp_Error *error)
{
    if (given->count < 1 || given->count > DLP_FRAMES_MOST || given->times == NULL || given->positions == NULL) {
        return dlp__fail(
            error, DLP_ERROR_ARGUMENT,
            "a mesh that deforms has 1 to %d frames with a time and vertices each, not %d: leave out those in "
            "between",
            DLP_FRAMES_MOST, given->count);
    }
    const int64_t bytes_each = vertex_count * 3 * (int64_t)sizeof(float);
    if (bytes_each > BYTES_MOST / given->count) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT,
                         "%d frames of %lld vertices are more than 4 GiB: take fewer, or a coarser mesh", given->count,
                         (long long)vertex_count);
    }
    for (int64_t n = 0; n < given->count * 3 * vertex_count; n++) {
        if (!(fabs((double)given->positions[n]) <= DLP_MODEL_FARTHEST)) {
            return dlp__fail(error, DLP_ERROR_ARGUMENT,
                             "vertex %lld of frame %lld has %g m as a coordinate: it must be finite and within 1e9 m",
                             (long long)(n / 3 % vertex_count), (long long)(n / 3 / vertex_count),
                             (double)given->positions[n]);
        }
    }
    return check_times(given, error);
}

static const float *frame_of(const dlp__MeshFrames *frames, int64_t k)
{
    return frames->positions + 3 * frames->vertex_count * k;
}

/* m */
static double longest_way(const dlp__MeshFrames *frames, int k)
{
    const float *from = frame_of(frames, k), *to = frame_of(frames, k + 1);
    double most = 0.0;
    for (int64_t v = 0; v < frames->vertex_count; v++) {
        most = fmax(most,
                    dlp__length(dlp__sub(dlp__mesh_vertex(to, (uint32_t)v), dlp__mesh_vertex(from, (uint32_t)v))));
    }
    return most;
}

static dlp_Result number_keys(dlp__MeshFrames *frames, double reach, dlp_Error *error)
{
    frames->first[0] = 0;
    for (int k = 0; k + 1 < frames->count; k++) {
        frames->way[k] = longest_way(frames, k);
        const double keys = fmax(ceil(frames->way[k] / reach), 1.0);
        if (!(keys <= KEYS_MOST)) {
            return dlp__fail(
                error, DLP_ERROR_ARGUMENT,
                "from frame %d to the next something moves by %g m, more than a million spacings: check the "
                "scale, and that vertices come in the same order",
                k, frames->way[k]);
        }
        frames->first[k + 1] = frames->first[k] + (int64_t)keys;
    }
    return DLP_OK;
}

dlp_Result dlp__mesh_frames_set(dlp__MeshFrames *frames, const dlp_MeshFrames *given, int64_t vertex_count,
                                double reach, dlp__Memory *memory, dlp_Error *error)
{
    *frames = (dlp__MeshFrames){0};
    const dlp_Result result = check_frames(given, vertex_count, error);
    if (result != DLP_OK) {
        return result;
    }
    const int64_t numbers = 3 * vertex_count * given->count;
    *frames = (dlp__MeshFrames){.memory = memory, .vertex_count = vertex_count, .count = given->count};
    frames->times = dlp__memory_get(memory, given->count, sizeof *frames->times);
    frames->positions = dlp__memory_get(memory, numbers, sizeof *frames->positions);
    frames->way = dlp__memory_get(memory, given->count, sizeof *frames->way);
    frames->first = dlp__memory_get(memory, given->count, sizeof *frames->first);
    if (frames->times == NULL || frames->positions == NULL || frames->way == NULL || frames->first == NULL) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "no memory for %d frames of %lld vertices", given->count,
                         (long long)vertex_count);
    }
    memcpy(frames->times, given->times, (size_t)given->count * sizeof *frames->times);
    memcpy(frames->positions, given->positions, (size_t)numbers * sizeof *frames->positions);
    return number_keys(frames, reach, error);
}

static void release_field(dlp__MeshFrames *frames, dlp__DistanceField *field)
{
    if (field != NULL) {
        dlp__distance_field_release(field);
        dlp__memory_release(frames->memory, field, 1, sizeof *field);
    }
}

void dlp__mesh_frames_release(dlp__MeshFrames *frames)
{
    if (frames->memory == NULL) {
        return;
    }
    for (int n = 0; n < frames->held_count; n++) {
        release_field(frames, frames->held[n]);
    }
    dlp__Memory *memory = frames->memory;
    dlp__memory_release(memory, frames->first, frames->count, sizeof *frames->first);
    dlp__memory_release(memory, frames->way, frames->count, sizeof *frames->way);
    dlp__memory_release(memory, frames->positions, 3 * frames->vertex_count * frames->count, sizeof *frames->positions);
    dlp__memory_release(memory, frames->times, frames->count, sizeof *frames->times);
    *frames = (dlp__MeshFrames){0};
}

/* The last frame at or before that time, or the first, by bisection. */
static int frame_before(const dlp__MeshFrames *frames, double time)
{
    int low = 0, high = frames->count; /* low is at or before the time, high after it */
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (frames->times[middle] <= time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* A time among the keys. */
typedef struct Place {
    int64_t key;
    double part; /* of the way to the next key; 0 where it rests */
    double span; /* s, to the next key; 0 where it rests */
} Place;

static Place place_of(const dlp__MeshFrames *frames, double time)
{
    const int k = frame_before(frames, time);
    if (k + 1 == frames->count || !(time >= frames->times[k])) {
        return (Place){.key = frames->first[k]};
    }
    const double keys = (double)(frames->first[k + 1] - frames->first[k]),
                 span = frames->times[k + 1] - frames->times[k];
    const double at = fmin((time - frames->times[k]) / span, 1.0) * keys, key = fmin(floor(at), keys - 1.0);
    return (Place){frames->first[k] + (int64_t)key, at - key, span / keys};
}

void dlp__mesh_frames_vertices(const dlp__MeshFrames *frames, double time, float *position)
{
    const int k = frame_before(frames, time);
    const bool rests = k + 1 == frames->count || !(time >= frames->times[k]);
    const float *from = frame_of(frames, k), *to = rests ? from : frame_of(frames, k + 1);
    const double part = rests ? 0.0 : (time - frames->times[k]) / (frames->times[k + 1] - frames->times[k]);
    for (int64_t n = 0; n < 3 * frames->vertex_count; n++) {
        position[n] = (float)((double)from[n] + part * ((double)to[n] - (double)from[n]));
    }
}

/* The vertices at a key, and how far they go until the next; both have room for all of them. */
static void find_key(const dlp__MeshFrames *frames, int64_t key, float *position, float *drift)
{
    int k = 0;
    while (k + 1 < frames->count && frames->first[k + 1] <= key) {
        k++;
    }
    const int next = k + 1 < frames->count ? k + 1 : k;
    const float *from = frame_of(frames, k), *to = frame_of(frames, next);
    const double keys = fmax((double)(frames->first[next] - frames->first[k]), 1.0);
    const double part = (double)(key - frames->first[k]) / keys;
    for (int64_t n = 0; n < 3 * frames->vertex_count; n++) {
        const double way = (double)to[n] - (double)from[n];
        position[n] = (float)((double)from[n] + part * way);
        drift[n] = (float)(way / keys);
    }
}

/* The field at a key, or null. */
static dlp__DistanceField *make_field(dlp__MeshFrames *frames, const dlp_Mesh *mesh, const dlp__DistanceDef *def,
                                      int64_t key, const dlp__Parallel *parallel, dlp_Error *error)
{
    const int64_t numbers = 3 * frames->vertex_count;
    dlp__DistanceField *field = dlp__memory_get(frames->memory, 1, sizeof *field);
    float *position = dlp__memory_get(frames->memory, numbers, sizeof *position);
    float *drift = dlp__memory_get(frames->memory, numbers, sizeof *drift);
    dlp_Result result = DLP_ERROR_MEMORY;
    if (field == NULL || position == NULL || drift == NULL) {
        dlp__fail(error, result, "no memory for another shape of a mesh of %lld vertices",
                  (long long)frames->vertex_count);
    } else {
        dlp_Mesh shape = *mesh;
        dlp__DistanceDef moving = *def;
        find_key(frames, key, position, drift);
        shape.position = position;
        moving.drift = key < frames->first[frames->count - 1] ? drift : NULL;
        result = dlp__distance_field_make(field, &shape, &moving, frames->memory, parallel, error);
    }
    dlp__memory_release(frames->memory, drift, numbers, sizeof *drift);
    dlp__memory_release(frames->memory, position, numbers, sizeof *position);
    if (result != DLP_OK) {
        dlp__memory_release(frames->memory, field, 1, sizeof *field);
        return NULL;
    }
    return field;
}

static bool holds(const dlp__MeshFrames *frames, int64_t key)
{
    return key >= frames->held_first && key < frames->held_first + frames->held_count;
}

dlp_Result dlp__mesh_frames_hold(dlp__MeshFrames *frames, const dlp_Mesh *mesh, const dlp__DistanceDef *def,
                                 double from, double to, const dlp__Parallel *parallel, dlp_Error *error)
{
    const Place end = place_of(frames, to);
    const int64_t first = place_of(frames, from).key, last = end.key + (end.span > 0.0);
    if (last - first >= DLP_KEYS_HELD) {
        return dlp__fail(
            error, DLP_ERROR_ARGUMENT,
            "in the step from %g to %g s a mesh that deforms moves by more than %d spacings, or passes as many "
            "frames: take shorter steps",
            from, to, DLP_KEYS_HELD - 2);
    }
    dlp__DistanceField *next[DLP_KEYS_HELD] = {NULL};
    const int count = (int)(last - first + 1);
    bool made = true;
    for (int n = 0; n < count && made; n++) {
        next[n] = holds(frames, first + n) ? frames->held[first + n - frames->held_first]
                                           : make_field(frames, mesh, def, first + n, parallel, error);
        made = next[n] != NULL;
    }
    /* Give back what is no longer needed, or what was made in vain. */
    for (int n = 0; n < (made ? frames->held_count : count); n++) {
        const int64_t key = n + (made ? frames->held_first : first);
        const bool stays = made ? key >= first && key <= last : holds(frames, key);
        if (!stays) {
            release_field(frames, made ? frames->held[n] : next[n]);
        }
    }
    if (made) {
        memcpy(frames->held, next, sizeof next);
        frames->held_first = first;
        frames->held_count = count;
    }
    return made ? DLP_OK : error->code;
}

dlp__Moment dlp__mesh_frames_moment(const dlp__MeshFrames *frames, double time)
{
    const Place place = place_of(frames, time);
    const int64_t n = place.key - frames->held_first;
    const int at = n < 0 ? 0 : n >= frames->held_count ? frames->held_count - 1 : (int)n;
    const bool moves = place.span > 0.0 && at == n && at + 1 < frames->held_count;
    return (dlp__Moment){frames->held[at], moves ? frames->held[at + 1] : NULL, place.part, place.span};
}

/* Over all stretches between frames that a time passes: how far, and how fast at most. */
static double measure(const dlp__MeshFrames *frames, double from, double to, double *speed)
{
    double way = 0.0;
    *speed = 0.0;
    for (int k = frame_before(frames, from); k + 1 < frames->count && frames->times[k] <= to; k++) {
        const double begin = fmax(from, frames->times[k]), end = fmin(to, frames->times[k + 1]);
        const double rate = frames->way[k] / (frames->times[k + 1] - frames->times[k]);
        way += rate * fmax(end - begin, 0.0);
        *speed = fmax(*speed, rate);
    }
    return way;
}

double dlp__mesh_frames_way(const dlp__MeshFrames *frames, double from, double to)
{
    double speed;
    return measure(frames, from, to, &speed);
}

double dlp__mesh_frames_speed(const dlp__MeshFrames *frames, double from, double to)
{
    double speed;
    measure(frames, from, to, &speed);
    return speed;
}

/* Connected pieces of fluid. Particles closer than the reach of the probe are connected. The length of a piece is that of the
 * longest of its shortest connections: the shortest way through the piece, from particle to particle, between its two ends. The
 * ends are found by two sweeps: the particle farthest from that of the lowest id, and the particle farthest from that one. This is
 * exact for threads, however curled. */
#include "probes/probes.h"

#include "geometry/point_grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A particle that counts. */
typedef struct Node {
    uint64_t id;
    float position[3]; /* m */
} Node;

typedef struct Pieces {
    int64_t count; /* of particles */
    Node *node;    /* sorted by id */
    float *position;
    double *distance; /* m, from the start of the sweep `swept` */
    int32_t *swept;   /* number of the last sweep that reached it, from 1; 0: none */
    int32_t *heap;    /* particles that were reached but not visited, the nearest first */
    int32_t *place;   /* where a particle is on the heap; -1: it is not */
    int64_t heap_count;
    int32_t sweeps;
    dlp__PointGrid grid;
    double reach; /* m */
} Pieces;

static int compare_nodes(const void *a, const void *b)
{
    const uint64_t first = ((const Node *)a)->id, second = ((const Node *)b)->id;
    return (first > second) - (first < second);
}

/* Arrays for `count` particles in the work space of the probe. */
static bool reserve(Pieces *pieces, dlp__Probe *probe, dlp__Memory *memory, int64_t count)
{
    const size_t each = sizeof(double) + sizeof(Node) + 3 * sizeof(float) + 3 * sizeof(int32_t);
    if (!dlp__buffer_reserve(memory, &probe->work, count + 1, each)) {
        return false;
    }
    pieces->distance = probe->work.data;
    pieces->node = (Node *)(void *)(pieces->distance + count);
    pieces->position = (float *)(void *)(pieces->node + count);
    pieces->swept = (int32_t *)(void *)(pieces->position + 3 * count);
    pieces->heap = pieces->swept + count;
    pieces->place = pieces->heap + count;
    return true;
}

/* The particles of all ranks. False without memory. */
static bool gather(Pieces *pieces, const dlp_ProbeDef *def, const dlp__ProbeInput *input)
{
    dlp__Domains *domains = input->domains;
    int64_t own = 0, bytes = 0;
    for (int d = 0; d < domains->count; d++) {
        const dlp__Particles *p = &domains->part[d].particles;
        for (int64_t i = 0; i < p->count; i++) {
            if (dlp__probe_counts(def, p, i)) {
                pieces->node[own++] = (Node){p->id[0][i], {p->position[0][i], p->position[1][i], p->position[2][i]}};
            }
        }
    }
    const void *all = dlp__exchange_gather(&domains->gathered, domains->memory, domains->ranks, pieces->node,
                                           own * (int64_t)sizeof *pieces->node, &bytes);
    if (all == NULL) {
        return false;
    }
    memmove(pieces->node, all, (size_t)bytes);
    pieces->count = bytes / (int64_t)sizeof *pieces->node;
    qsort(pieces->node, (size_t)pieces->count, sizeof *pieces->node, compare_nodes);
    for (int64_t n = 0; n < pieces->count; n++) {
        memcpy(pieces->position + 3 * n, pieces->node[n].position, sizeof pieces->node[n].position);
        pieces->swept[n] = 0;
        pieces->place[n] = -1;
    }
    return true;
}

static void put(Pieces *pieces, int64_t at, int32_t node)
{
    pieces->heap[at] = node;
    pieces->place[node] = (int32_t)at;
}

/* Put a particle on the heap, or move it up after its distance became shorter. */
static void push(Pieces *pieces, int32_t node)
{
    const double *distance = pieces->distance;
    int64_t at = pieces->place[node] >= 0 ? pieces->place[node] : pieces->heap_count++;
    for (; at > 0 && distance[pieces->heap[(at - 1) / 2]] > distance[node]; at = (at - 1) / 2) {
        put(pieces, at, pieces->heap[(at - 1) / 2]);
    }
    put(pieces, at, node);
}

static int32_t pop(Pieces *pieces)
{
    const double *distance = pieces->distance;
    const int32_t *heap = pieces->heap, top = heap[0], last = heap[--pieces->heap_count];
    int64_t at = 0;
    pieces->place[top] = -1;
    if (pieces->heap_count == 0) {
        return top;
    }
    for (int64_t child = 1; child < pieces->heap_count; child = 2 * at + 1) {
        child += child + 1 < pieces->heap_count && distance[heap[child + 1]] < distance[heap[child]];
        if (distance[heap[child]] >= distance[last]) {
            break;
        }
        put(pieces, at, heap[child]);
        at = child;
    }
    put(pieces, at, last);
    return top;
}

typedef struct Visit {
    Pieces *pieces;
    double distance; /* m, of the particle whose neighbours are visited */
} Visit;

static void reach_neighbor(void *context, int32_t node, double square)
{
    const Visit *visit = context;
    Pieces *pieces = visit->pieces;
    const double distance = visit->distance + sqrt(square);
    if (pieces->swept[node] != pieces->sweeps || distance < pieces->distance[node]) {
        pieces->swept[node] = pieces->sweeps;
        pieces->distance[node] = distance;
        push(pieces, node);
    }
}

/* Shortest ways from a particle to all others of its piece (Dijkstra). Returns the farthest one, of the lowest id if there are
 * several, and counts them. */
static int32_t sweep(Pieces *pieces, int32_t start, int64_t *count)
{
    int32_t farthest = start;
    *count = 0;
    pieces->sweeps++;
    pieces->swept[start] = pieces->sweeps;
    pieces->distance[start] = 0.0;
    push(pieces, start);
    while (pieces->heap_count > 0) {
        const int32_t node = pop(pieces);
        const double distance = pieces->distance[node], most = pieces->distance[farthest];
        *count += 1;
        farthest = distance > most || (distance == most && node < farthest) ? node : farthest;
        Visit visit = {pieces, distance};
        dlp__point_grid_visit(&pieces->grid, pieces->position + 3 * (int64_t)node, reach_neighbor, &visit);
    }
    return farthest;
}

/* Keep the three largest. */
static void rank(double volumes[3], double volume)
{
    for (int n = 0; n < 3; n++) {
        if (volume > volumes[n]) {
            const double smaller = volumes[n];
            volumes[n] = volume;
            volume = smaller;
        }
    }
}

static void measure(Pieces *pieces, dlp__Probe *probe, double spacing)
{
    double volumes[3] = {0.0, 0.0, 0.0}, longest = 0.0;
    int64_t found = 0;
    for (int64_t n = 0; n < pieces->count; n++) {
        int64_t size = 0, again = 0;
        if (pieces->swept[n] > 0) {
            continue;
        }
        const int32_t end = sweep(pieces, (int32_t)n, &size);
        rank(volumes, (double)size * spacing * spacing * spacing);
        /* No way is longer than twice the longest of the first sweep: most drops need no second one. */
        if (2.0 * pieces->distance[end] + spacing > longest) {
            const int32_t other = sweep(pieces, end, &again);
            longest = fmax(longest, pieces->distance[other] + spacing);
        }
        found++;
    }
    probe->values[1] = (double)found;
    memcpy(probe->values + 2, volumes, sizeof volumes);
    probe->values[5] = longest;
}

bool dlp__pieces_probe_sample(dlp__Probe *probe, const dlp__ProbeInput *input)
{
    dlp__Memory *memory = input->domains->memory;
    Pieces pieces = {.reach = probe->def.reach * input->spacing};
    if (!reserve(&pieces, probe, memory, dlp__domains_particles(input->domains)) ||
        !gather(&pieces, &probe->def, input)) {
        return false;
    }
    bool ok = pieces.count == 0 ||
              dlp__point_grid_init(&pieces.grid, memory, pieces.position, pieces.count, pieces.reach);
    for (int64_t n = 0; n < pieces.count && ok; n++) {
        dlp__point_grid_add(&pieces.grid, (int32_t)n);
    }
    if (ok) {
        measure(&pieces, probe, input->spacing);
    }
    if (pieces.count > 0) {
        dlp__point_grid_release(&pieces.grid);
    }
    return ok;
}

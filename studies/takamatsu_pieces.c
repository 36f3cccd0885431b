/* Union and find over pairs that are found by sweeping along x. */
#include "studies/takamatsu_pieces.h"

#include <math.h>
#include <stdlib.h>

#define TOUCH    1.6  /* spacings */
#define SMALLEST 0.01 /* of all particles, in a piece that counts */

typedef struct Node {
    float at[3];
    int64_t parent, size;
} Node;

static int by_x(const void *a, const void *b)
{
    const float x = ((const Node *)a)->at[0], y = ((const Node *)b)->at[0];
    return (x > y) - (x < y);
}

static int64_t root_of(Node *nodes, int64_t n)
{
    while (nodes[n].parent != n) {
        nodes[n].parent = nodes[nodes[n].parent].parent;
        n = nodes[n].parent;
    }
    return n;
}

static void connect(Node *nodes, int64_t count, double reach)
{
    for (int64_t i = 0; i < count; i++) {
        for (int64_t j = i + 1; j < count && nodes[j].at[0] - nodes[i].at[0] < reach; j++) {
            const float x = nodes[j].at[0] - nodes[i].at[0], y = nodes[j].at[1] - nodes[i].at[1],
                        z = nodes[j].at[2] - nodes[i].at[2];
            if (x * x + y * y + z * z < reach * reach) {
                nodes[root_of(nodes, j)].parent = root_of(nodes, i);
            }
        }
    }
}

TakamatsuPieces takamatsu_pieces(StudyRun *run, const StudyParticles *particles, double spacing)
{
    TakamatsuPieces pieces = {0};
    const int64_t count = particles->count;
    Node *nodes = malloc((size_t)(count + 1) * sizeof *nodes);
    if (!nodes) {
        study_fail(run, DLP_ERROR_MEMORY, "out of memory");
        return pieces;
    }
    for (int64_t i = 0; i < count; i++) {
        const float *at = particles->position[i];
        nodes[i] = (Node){{at[0], at[1], at[2]}, 0, 0};
    }
    qsort(nodes, (size_t)count, sizeof *nodes, by_x);
    for (int64_t i = 0; i < count; i++) {
        nodes[i].parent = i;
    }
    connect(nodes, count, TOUCH * spacing);
    for (int64_t i = 0; i < count; i++) {
        nodes[root_of(nodes, i)].size++;
    }
    for (int64_t i = 0; i < count; i++) {
        const double part = (double)nodes[i].size / (double)count;
        pieces.count += part >= SMALLEST;
        pieces.loose += part < SMALLEST ? part : 0;
        pieces.largest = fmax(pieces.largest, part);
    }
    free(nodes);
    return pieces;
}

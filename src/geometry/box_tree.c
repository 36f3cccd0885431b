/* The items are sorted along a space-filling curve (Morton order of their centres) and are the leaves of a complete binary tree: node n
 * has the children 2n and 2n + 1. Each node holds the box and the range of numbers of the items below it. */
#include "geometry/box_tree.h"

#include "geometry/radix_sort.h"

#include <math.h>

typedef struct Node {
    dlp__Box box;
    int first, last; /* lowest and highest number */
} Node;

static const Node NOTHING = {
    .box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}}, .first = INT32_MAX, .last = -1};

static const double MARGIN = 1e-9; /* of coordinates; rounding errors are smaller */

dlp__Box dlp__box_around(dlp_Vec3 center, dlp_Vec3 half)
{
    const double middle[3] = {center.x, center.y, center.z}, extent[3] = {half.x, half.y, half.z};
    dlp__Box box;
    for (int a = 0; a < 3; a++) {
        const double reach = extent[a] + MARGIN * (fabs(middle[a]) + extent[a]);
        box.lower[a] = middle[a] - reach;
        box.upper[a] = middle[a] + reach;
    }
    return box;
}

static bool overlap(const dlp__Box *a, const dlp__Box *b)
{
    return a->lower[0] <= b->upper[0] && b->lower[0] <= a->upper[0] && a->lower[1] <= b->upper[1] &&
           b->lower[1] <= a->upper[1] && a->lower[2] <= b->upper[2] && b->lower[2] <= a->upper[2];
}

static Node join(const Node *a, const Node *b)
{
    Node joined = {.first = a->first < b->first ? a->first : b->first, .last = a->last > b->last ? a->last : b->last};
    for (int k = 0; k < 3; k++) {
        joined.box.lower[k] = fmin(a->box.lower[k], b->box.lower[k]);
        joined.box.upper[k] = fmax(a->box.upper[k], b->box.upper[k]);
    }
    return joined;
}

/* The centre along one axis; 0 for an infinite box, which overlaps everything wherever it is sorted. */
static double center_of(const dlp__Box *box, int axis)
{
    const double center = 0.5 * (box->lower[axis] + box->upper[axis]);
    return isfinite(center) ? center : 0.0;
}

/* The range of all centres. */
static dlp__Box centers_of(const dlp__Box *boxes, int count)
{
    dlp__Box range = NOTHING.box;
    for (int n = 0; n < count; n++) {
        for (int a = 0; a < 3; a++) {
            range.lower[a] = fmin(range.lower[a], center_of(&boxes[n], a));
            range.upper[a] = fmax(range.upper[a], center_of(&boxes[n], a));
        }
    }
    return range;
}

/* The bits of the centre's cell in a grid over `range`, interleaved: 21 bits of each axis. */
static uint64_t morton_key(const dlp__Box *box, const dlp__Box *range)
{
    enum { BITS = 21 };
    uint64_t cell[3], key = 0;
    for (int a = 0; a < 3; a++) {
        const double size = range->upper[a] - range->lower[a];
        const double part = size > 0.0 ? (center_of(box, a) - range->lower[a]) / size : 0.0;
        cell[a] = (uint64_t)(part * (double)((1 << BITS) - 1));
    }
    for (int bit = BITS - 1; bit >= 0; bit--) {
        for (int a = 0; a < 3; a++) {
            key = key << 1 | (cell[a] >> bit & 1);
        }
    }
    return key;
}

static void fill_nodes(dlp__BoxTree *tree, const dlp__Box *boxes, const dlp__KeyedIndex *order)
{
    Node *nodes = tree->node_buffer.data;
    for (int n = 0; n < tree->leaves; n++) {
        Node *leaf = &nodes[tree->leaves + n];
        *leaf = NOTHING;
        if (n < tree->count) {
            const int item = (int)order[n].item;
            *leaf = (Node){boxes[item], item, item};
        }
    }
    for (int n = tree->leaves - 1; n > 0; n--) {
        nodes[n] = join(&nodes[2 * n], &nodes[2 * n + 1]);
    }
}

bool dlp__box_tree_build(dlp__BoxTree *tree, dlp__Memory *memory, const dlp__Box *boxes, int count)
{
    int leaves = 1;
    while (leaves < count) {
        leaves *= 2;
    }
    tree->count = 0;
    if (count == 0) {
        return true;
    }
    if (!dlp__buffer_reserve(memory, &tree->node_buffer, 2 * (int64_t)leaves, sizeof(Node)) ||
        !dlp__buffer_reserve(memory, &tree->sort_buffer, 2 * (int64_t)count, sizeof(dlp__KeyedIndex))) {
        return false;
    }
    const dlp__Box range = centers_of(boxes, count);
    dlp__KeyedIndex *order = tree->sort_buffer.data;
    for (int n = 0; n < count; n++) {
        order[n] = (dlp__KeyedIndex){morton_key(&boxes[n], &range), (uint32_t)n};
    }
    dlp__radix_sort(order, order + count, count);
    tree->count = count;
    tree->leaves = leaves;
    fill_nodes(tree, boxes, order);
    return true;
}

void dlp__box_tree_release(dlp__BoxTree *tree, dlp__Memory *memory)
{
    dlp__buffer_release(memory, &tree->node_buffer);
    dlp__buffer_release(memory, &tree->sort_buffer);
    *tree = (dlp__BoxTree){.count = 0};
}

enum { DEPTH_MOST = 34 }; /* numbers have 32 bits */

int dlp__box_tree_next(const dlp__BoxTree *tree, const dlp__Box *place, int after)
{
    const Node *nodes = tree->node_buffer.data;
    int stack[DEPTH_MOST], depth = 0, found = tree->count;
    if (tree->count > 0) {
        stack[depth++] = 1;
    }
    while (depth > 0) {
        const int n = stack[--depth];
        const Node *node = &nodes[n];
        if (node->last <= after || node->first >= found || !overlap(&node->box, place)) {
            continue;
        }
        if (n >= tree->leaves) {
            found = node->first;
            continue;
        }
        stack[depth++] = 2 * n + 1;
        stack[depth++] = 2 * n;
    }
    return found;
}

/* Insert into a sorted list, which is short. */
static void insert(int32_t *numbers, int count, int32_t number)
{
    for (; count > 0 && numbers[count - 1] > number; count--) {
        numbers[count] = numbers[count - 1];
    }
    numbers[count] = number;
}

int dlp__box_tree_find(const dlp__BoxTree *tree, const dlp__Box *place, int32_t *numbers, int most)
{
    const Node *nodes = tree->node_buffer.data;
    int stack[DEPTH_MOST], depth = 0, count = 0;
    if (tree->count > 0) {
        stack[depth++] = 1;
    }
    while (depth > 0) {
        const int n = stack[--depth];
        if (!overlap(&nodes[n].box, place)) {
            continue;
        }
        if (n < tree->leaves) {
            stack[depth++] = 2 * n + 1;
            stack[depth++] = 2 * n;
        } else if (count == most) {
            return most + 1;
        } else {
            insert(numbers, count++, nodes[n].first);
        }
    }
    return count;
}

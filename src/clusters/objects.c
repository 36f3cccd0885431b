/* Connected components by union and find, over the particles of all parts. */
#include "clusters/objects.h"

#include <stdlib.h>

typedef struct Nodes {
    const dlp__Clusters *clusters;
    int64_t first[DLP_DOMAINS_MOST + 1]; /* node of the first particle of each part */
    int32_t *parent;
    uint8_t *touches; /* of a component, at its root: touches an object of its material, which it is not part of yet */
} Nodes;

typedef struct Component {
    uint64_t id; /* lowest of its particles */
    int32_t root;
} Component;

static int32_t find_root(int32_t *parent, int32_t node)
{
    while (parent[node] != node) {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    return node;
}

/* The lower root wins, so that trees do not depend on the order of unions. */
static void unite(int32_t *parent, int32_t a, int32_t b)
{
    const int32_t first = find_root(parent, a), second = find_root(parent, b);
    if (first < second) {
        parent[second] = first;
    } else {
        parent[first] = second;
    }
}

/* The owner of particle or ghost j of a part. */
typedef struct Owner {
    const dlp__Particles *particles;
    int64_t index;
    int32_t node;
} Owner;

static Owner owner_of(const Nodes *nodes, int part, int64_t j)
{
    const dlp__Domain *domain = &nodes->clusters->domains->part[part];
    const int64_t ghost = j - domain->particles.count;
    const int owner = ghost < 0 ? part : domain->halo.part[ghost];
    const int64_t index = ghost < 0 ? j : domain->halo.source[ghost];
    return (Owner){&nodes->clusters->domains->part[owner].particles, index, (int32_t)(nodes->first[owner] + index)};
}

static bool has_stiffness(const dlp__Particles *p, int64_t i)
{
    return p->cluster_stiffness[0][i] > 0.0f;
}

/* Connect a particle without a cluster to those that it touches. */
static void connect_loose(Nodes *nodes, int part, int64_t i)
{
    const dlp__Domain *domain = &nodes->clusters->domains->part[part];
    const dlp__Particles *p = &domain->particles;
    const float touch = dlp__touch_distance(nodes->clusters->spacing);
    const int32_t node = (int32_t)(nodes->first[part] + i);
    for (int32_t n = 0; n < domain->fluid.count[i]; n++) {
        const int32_t j = *dlp__neighbors_entry(&domain->fluid, i, n);
        const Owner other = owner_of(nodes, part, j);
        const float x = p->position[0][i] - p->position[0][j], y = p->position[1][i] - p->position[1][j],
                    z = p->position[2][i] - p->position[2][j];
        if (x * x + y * y + z * z >= touch * touch || !has_stiffness(other.particles, other.index) ||
            other.particles->material[0][other.index] != p->material[0][i]) {
            continue;
        }
        if (other.particles->object[0][other.index] == 0.0f) {
            unite(nodes->parent, node, other.node);
        } else {
            nodes->touches[node] = 1;
        }
    }
}

/* Connect a particle to the members of its cluster, which it is a member of as well. Members of another object separate in this
 * step. */
static void connect_members(Nodes *nodes, int part, int64_t i)
{
    const dlp__BondPart *bonds = &nodes->clusters->bonds->part[part];
    const dlp__Particles *p = &nodes->clusters->domains->part[part].particles;
    const int32_t node = (int32_t)(nodes->first[part] + i);
    for (int32_t k = bonds->first[i]; k < bonds->last[i]; k++) {
        if (bonds->partner[k] >= 0 && bonds->bond[k].length >= 0.0f) {
            const Owner other = owner_of(nodes, part, bonds->partner[k]);
            if (other.node < node && other.particles->object[0][other.index] == p->object[0][i]) {
                unite(nodes->parent, node, other.node);
            }
        }
    }
}

/* Connect a particle that joined an object in this step, which has no bonds yet. */
static void connect_joined(Nodes *nodes, int part, int64_t i)
{
    const dlp__Domain *domain = &nodes->clusters->domains->part[part];
    for (int32_t n = 0; n < domain->fluid.count[i]; n++) {
        const Owner other = owner_of(nodes, part, *dlp__neighbors_entry(&domain->fluid, i, n));
        if (other.particles->object[0][other.index] == domain->particles.object[0][i]) {
            unite(nodes->parent, (int32_t)(nodes->first[part] + i), other.node);
        }
    }
}

static void connect(Nodes *nodes)
{
    for (int d = 0; d < nodes->clusters->domains->count; d++) {
        const dlp__Particles *p = &nodes->clusters->domains->part[d].particles;
        for (int64_t i = 0; i < p->count; i++) {
            if (!has_stiffness(p, i)) {
                continue;
            }
            if (p->object[0][i] == 0.0f) {
                connect_loose(nodes, d, i);
            } else {
                connect_members(nodes, d, i);
            }
            if (p->fresh[0][i] == DLP_CLUSTER_JOINED) {
                connect_joined(nodes, d, i);
            }
        }
    }
}

/* Move the mark of components that touch an object to their roots. */
static void mark_roots(Nodes *nodes, int32_t count)
{
    for (int32_t n = 0; n < count; n++) {
        if (nodes->touches[n] > 0) {
            nodes->touches[find_root(nodes->parent, n)] = 1;
        }
    }
}

static int compare_components(const void *a, const void *b)
{
    const uint64_t first = ((const Component *)a)->id, second = ((const Component *)b)->id;
    return (first > second) - (first < second);
}

/* The components that are or become objects, in the order of their lowest ids. `place`, per node: where the component of a root is
 * on the list before it is sorted. Returns their number. */
static int64_t list_components(Nodes *nodes, Component *list, int32_t *place)
{
    int64_t count = 0;
    for (int32_t n = 0; n < nodes->first[nodes->clusters->domains->count]; n++) {
        place[n] = -1;
    }
    for (int d = 0; d < nodes->clusters->domains->count; d++) {
        const dlp__Particles *p = &nodes->clusters->domains->part[d].particles;
        for (int64_t i = 0; i < p->count; i++) {
            const int32_t root = find_root(nodes->parent, (int32_t)(nodes->first[d] + i));
            if (!has_stiffness(p, i) || nodes->touches[root] > 0) {
                continue;
            }
            if (place[root] < 0) {
                place[root] = (int32_t)count;
                list[count++] = (Component){p->id[0][i], root};
            }
            Component *component = &list[place[root]];
            component->id = p->id[0][i] < component->id ? p->id[0][i] : component->id;
        }
    }
    qsort(list, (size_t)count, sizeof *list, compare_components);
    return count;
}

/* The current shape becomes the reference shape. */
static void found(dlp__Particles *p, int64_t i)
{
    for (int a = 0; a < 3; a++) {
        p->reference[a][i] = p->position[a][i];
        p->rotation[1 + a][i] = 0.0f;
    }
    p->rotation[0][i] = 1.0f;
    p->fresh[0][i] = DLP_CLUSTER_FOUNDED;
}

/* `number`: of the object of each root; 0: none. */
static void assign(const Nodes *nodes, const int32_t *number)
{
    for (int d = 0; d < nodes->clusters->domains->count; d++) {
        dlp__Particles *p = &nodes->clusters->domains->part[d].particles;
        for (int64_t i = 0; i < p->count; i++) {
            const int32_t object = number[find_root(nodes->parent, (int32_t)(nodes->first[d] + i))];
            if (has_stiffness(p, i) && object > 0) {
                if (p->object[0][i] == 0.0f) {
                    found(p, i);
                }
                p->object[0][i] = (float)object;
            }
        }
    }
}

static bool make_nodes(Nodes *nodes, Component **list, int32_t **number)
{
    dlp__Domains *domains = nodes->clusters->domains;
    for (int d = 0; d < domains->count; d++) {
        nodes->first[d + 1] = nodes->first[d] + domains->part[d].particles.count;
    }
    const int64_t count = nodes->first[domains->count];
    nodes->parent = dlp__step_scratch(domains, count, sizeof *nodes->parent, "objects");
    nodes->touches = dlp__step_scratch(domains, count, sizeof *nodes->touches, "objects");
    *list = dlp__step_scratch(domains, count, sizeof **list, "objects");
    *number = dlp__step_scratch(domains, count, sizeof **number, "objects");
    if (!dlp__step_is_ok(domains)) {
        return false;
    }
    for (int64_t n = 0; n < count; n++) {
        nodes->parent[n] = (int32_t)n;
        nodes->touches[n] = 0;
    }
    return true;
}

int64_t dlp__clusters_number_objects(const dlp__Clusters *clusters)
{
    const double started = dlp__clock();
    Nodes nodes = {.clusters = clusters};
    Component *list;
    int32_t *number;
    if (!dlp__step_is_ok(clusters->domains) || !make_nodes(&nodes, &list, &number)) {
        return -1;
    }
    const int32_t particles = (int32_t)nodes.first[clusters->domains->count];
    connect(&nodes);
    mark_roots(&nodes, particles);
    const int64_t count = list_components(&nodes, list, number);
    for (int32_t n = 0; n < particles; n++) {
        number[n] = 0;
    }
    for (int64_t n = 0; n < count; n++) {
        number[list[n].root] = (int32_t)n + 1;
    }
    assign(&nodes, number);
    dlp__profile_add(clusters->domains, "objects", started);
    return count;
}

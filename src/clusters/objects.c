/* Connected components in two steps, for any division into parts and ranks. Each part finds its own by union and find, over its particles
 * and ghosts. Then all ranks list the components of all parts, join those that share a particle, and number them in the same way. */
#include "clusters/objects.h"

#include "neighbors/halo.h"

#include <stdlib.h>
#include <string.h>

/* A component of one part. It is listed once for itself, and once for each component of another part, or periodic image, that it is
 * connected with. */
typedef struct Component {
    uint64_t label;   /* lowest id of the part's own particles in it */
    uint64_t joined;  /* label of the component that it is connected with, or its own */
    uint64_t least;   /* lowest id of its particles with a stiffness; every component has one */
    uint64_t touches; /* 1: a particle of it touches an object of its material, which it is not part of yet; else 0 */
    int64_t object;   /* number of the object that it belongs to, known at the end; 0: none */
} Component;

/* The particles and ghosts of all parts of this rank, and their components. */
typedef struct Nodes {
    const dlp__Clusters *clusters;
    int64_t first[DLP_DOMAINS_MOST + 1]; /* node of the first particle of each part; ghosts follow */
    int32_t *parent;
    uint8_t *touches;      /* per node: see Component */
    int32_t *component;    /* per root: its number on the list; -1: no particle of it has a stiffness */
    Component *list;       /* components by number, then their connections with others */
    int64_t count, listed; /* components, and all entries of the list */
} Nodes;

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

static bool has_stiffness(const dlp__Particles *p, int64_t i)
{
    return p->cluster_stiffness[0][i] > 0.0f;
}

/* Rows of four floats that own particles share with their ghosts. */

typedef void (*RowFunction)(Nodes *nodes, int part, int64_t i, float row[4]);

static void exchange_rows(Nodes *nodes, RowFunction write_row)
{
    static const dlp__HaloRow row = {.number = 0, .size = 4};
    dlp__Domains *domains = nodes->clusters->domains;
    for (int d = 0; d < domains->count; d++) {
        dlp__Domain *part = &domains->part[d];
        const int64_t count = part->particles.count + part->particles.ghosts;
        if (!dlp__buffer_reserve(domains->memory, &part->gathered_rows, count + 1, 4 * sizeof(float))) {
            dlp__require_memory(domains, false, "objects");
            return;
        }
        part->rows[0] = part->gathered_rows.data;
        for (int64_t i = 0; i < part->particles.count; i++) {
            write_row(nodes, d, i, part->rows[0] + 4 * i);
        }
    }
    if (dlp__halo_send_rows(domains, &row, 1)) {
        dlp__halo_receive_rows(domains, &row, 1);
    } else {
        dlp__require_memory(domains, false, "objects");
    }
}

/* The first step: connections within a part. */

enum { OBJECT, STIFFNESS }; /* in rows of states */

static void write_state(Nodes *nodes, int part, int64_t i, float row[4])
{
    const dlp__Particles *p = &nodes->clusters->domains->part[part].particles;
    row[OBJECT] = p->object[0][i];
    row[STIFFNESS] = p->cluster_stiffness[0][i];
    row[2] = row[3] = 0.0f;
}

static bool is_same_object(const dlp__Domain *domain, int64_t i, int64_t j)
{
    return domain->rows[0][4 * i + OBJECT] == domain->rows[0][4 * j + OBJECT];
}

static bool touches(const Nodes *nodes, const dlp__Particles *p, int64_t i, int64_t j)
{
    const float reach = dlp__touch_distance(nodes->clusters->spacing);
    const float x = p->position[0][i] - p->position[0][j], y = p->position[1][i] - p->position[1][j],
                z = p->position[2][i] - p->position[2][j];
    return x * x + y * y + z * z < reach * reach;
}

/* Connect a particle without a cluster to those that it touches. */
static void connect_loose(Nodes *nodes, int part, int64_t i)
{
    const dlp__Domain *domain = &nodes->clusters->domains->part[part];
    const dlp__Particles *p = &domain->particles;
    const int64_t first = nodes->first[part];
    for (int32_t n = 0; n < domain->fluid.count[i]; n++) {
        const int64_t j = *dlp__neighbors_entry(&domain->fluid, i, n);
        const float *other = domain->rows[0] + 4 * j;
        if (!(other[STIFFNESS] > 0.0f) || p->material[0][j] != p->material[0][i] || !touches(nodes, p, i, j)) {
            continue;
        }
        if (other[OBJECT] == 0.0f) {
            unite(nodes->parent, (int32_t)(first + i), (int32_t)(first + j));
        } else {
            nodes->touches[first + i] = 1;
        }
    }
}

/* Connect a particle to the members of its cluster, which it is a member of as well. Members of another object separate in this
 * step. */
static void connect_members(Nodes *nodes, int part, int64_t i)
{
    const dlp__Domain *domain = &nodes->clusters->domains->part[part];
    const dlp__BondPart *bonds = &nodes->clusters->bonds->part[part];
    const int64_t first = nodes->first[part];
    for (int32_t k = bonds->first[i]; k < bonds->last[i]; k++) {
        const int32_t j = bonds->partner[k];
        if (j >= 0 && bonds->bond[k].length >= 0.0f && is_same_object(domain, i, j)) {
            unite(nodes->parent, (int32_t)(first + i), (int32_t)(first + j));
        }
    }
}

/* Connect a particle that joined an object in this step, which has no bonds yet. */
static void connect_joined(Nodes *nodes, int part, int64_t i)
{
    const dlp__Domain *domain = &nodes->clusters->domains->part[part];
    const int64_t first = nodes->first[part];
    for (int32_t n = 0; n < domain->fluid.count[i]; n++) {
        const int32_t j = *dlp__neighbors_entry(&domain->fluid, i, n);
        if (is_same_object(domain, i, j)) {
            unite(nodes->parent, (int32_t)(first + i), (int32_t)(first + j));
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

/* The component of a node of a part; null if it has no particle with a stiffness. */
static Component *component_of(Nodes *nodes, int part, int64_t j)
{
    const int32_t number = nodes->component[find_root(nodes->parent, (int32_t)(nodes->first[part] + j))];
    return number >= 0 ? &nodes->list[number] : NULL;
}

static void list_components(Nodes *nodes)
{
    const dlp__Domains *domains = nodes->clusters->domains;
    for (int d = 0; d < domains->count; d++) {
        const dlp__Particles *p = &domains->part[d].particles;
        for (int64_t i = 0; i < p->count; i++) {
            const int32_t node = (int32_t)(nodes->first[d] + i), root = find_root(nodes->parent, node);
            if (!has_stiffness(p, i)) {
                continue;
            }
            if (nodes->component[root] < 0) {
                nodes->component[root] = (int32_t)nodes->count;
                nodes->list[nodes->count++] = (Component){.label = UINT64_MAX, .least = UINT64_MAX};
            }
            Component *component = component_of(nodes, d, i);
            component->least = p->id[0][i] < component->least ? p->id[0][i] : component->least;
            component->touches |= nodes->touches[node];
        }
    }
    for (int d = 0; d < domains->count; d++) {
        const dlp__Particles *p = &domains->part[d].particles;
        for (int64_t i = 0; i < p->count; i++) {
            Component *component = component_of(nodes, d, i);
            if (component != NULL && p->id[0][i] < component->label) {
                component->label = component->joined = p->id[0][i];
            }
        }
    }
}

/* Connections between parts: the label of a ghost's component in the part that owns its particle. */

enum { LABEL_PARTS = 3, LABEL_BITS = 22 }; /* 64 bits as integers that a float represents exactly */

/* A particle without a stiffness that nothing is connected with is a component of its own. */
static void write_label(Nodes *nodes, int part, int64_t i, float row[4])
{
    const Component *component = component_of(nodes, part, i);
    const uint64_t label = component != NULL ? component->label
                                             : nodes->clusters->domains->part[part].particles.id[0][i];
    for (int n = 0; n < LABEL_PARTS; n++) {
        row[n] = (float)(label >> LABEL_BITS * n & (((uint64_t)1 << LABEL_BITS) - 1));
    }
    row[LABEL_PARTS] = 0.0f;
}

static uint64_t label_in(const float row[4])
{
    uint64_t label = 0;
    for (int n = 0; n < LABEL_PARTS; n++) {
        label |= (uint64_t)row[n] << LABEL_BITS * n;
    }
    return label;
}

static int compare_connections(const void *a, const void *b)
{
    const Component *first = a, *second = b;
    return first->label != second->label ? (first->label > second->label) - (first->label < second->label)
                                         : (first->joined > second->joined) - (first->joined < second->joined);
}

/* Add the connections between parts to the list, each once. */
static void list_connections(Nodes *nodes)
{
    const dlp__Domains *domains = nodes->clusters->domains;
    Component *connection = nodes->list + nodes->count;
    int64_t count = 0, kept = 0;
    for (int d = 0; d < domains->count; d++) {
        const dlp__Domain *part = &domains->part[d];
        for (int64_t j = part->particles.count; j < part->particles.count + part->particles.ghosts; j++) {
            const Component *component = component_of(nodes, d, j);
            const uint64_t joined = label_in(part->rows[0] + 4 * j);
            if (component != NULL && joined != component->label) {
                connection[count] = *component;
                connection[count++].joined = joined;
            }
        }
    }
    if (count > 1) {
        qsort(connection, (size_t)count, sizeof *connection, compare_connections);
    }
    for (int64_t n = 0; n < count; n++) {
        if (kept == 0 || compare_connections(&connection[kept - 1], &connection[n]) != 0) {
            connection[kept++] = connection[n];
        }
    }
    nodes->listed = nodes->count + kept;
}

/* The second step: the components of all parts of all ranks. */

typedef struct Object {
    uint64_t least; /* at roots: as for components */
    bool touches;
    int32_t number; /* from 1; 0: it is not an object */
} Object;

typedef struct Objects {
    uint64_t *label; /* all labels, sorted */
    int32_t *parent; /* per label, and below */
    Object *object;
    int64_t labels;
    int64_t count;
} Objects;

static int compare_labels(const void *a, const void *b)
{
    const uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;
    return (first > second) - (first < second);
}

static int32_t root_of(Objects *objects, uint64_t label)
{
    const uint64_t *found = bsearch(&label, objects->label, (size_t)objects->labels, sizeof label, compare_labels);
    return find_root(objects->parent, (int32_t)(found - objects->label));
}

static bool make_objects(Objects *objects, dlp__Domains *domains, const Component *list, int64_t count)
{
    objects->label = dlp__step_scratch(domains, 2 * count + 1, sizeof *objects->label, "objects");
    objects->parent = dlp__step_scratch(domains, 2 * count + 1, sizeof *objects->parent, "objects");
    objects->object = dlp__step_scratch(domains, 2 * count + 1, sizeof *objects->object, "objects");
    if (objects->label == NULL || objects->parent == NULL || objects->object == NULL) {
        return false;
    }
    for (int64_t n = 0; n < count && list != NULL; n++) {
        objects->label[2 * n] = list[n].label;
        objects->label[2 * n + 1] = list[n].joined;
    }
    qsort(objects->label, (size_t)(2 * count), sizeof *objects->label, compare_labels);
    for (int64_t n = 0; n < 2 * count; n++) {
        if (objects->labels == 0 || objects->label[objects->labels - 1] != objects->label[n]) {
            objects->label[objects->labels++] = objects->label[n];
        }
    }
    for (int64_t n = 0; n < objects->labels; n++) {
        objects->parent[n] = (int32_t)n;
        objects->object[n] = (Object){UINT64_MAX, false, 0};
    }
    return true;
}

static void join_components(Objects *objects, const Component *list, int64_t count)
{
    for (int64_t n = 0; n < count && list != NULL; n++) {
        unite(objects->parent, root_of(objects, list[n].label), root_of(objects, list[n].joined));
    }
    for (int64_t n = 0; n < count && list != NULL; n++) {
        Object *object = &objects->object[root_of(objects, list[n].label)];
        object->least = list[n].least < object->least ? list[n].least : object->least;
        object->touches = object->touches || list[n].touches > 0;
    }
}

static int compare_objects(const void *a, const void *b)
{
    const Object *first = *(Object *const *)a, *second = *(Object *const *)b;
    return (first->least > second->least) - (first->least < second->least);
}

/* Number them in the order of their lowest ids. */
static void number_objects(Objects *objects, dlp__Domains *domains)
{
    Object **order = dlp__step_scratch(domains, objects->labels + 1, sizeof(void *), "objects");
    if (order == NULL) {
        return;
    }
    for (int64_t n = 0; n < objects->labels; n++) {
        if (objects->parent[n] == n && !objects->object[n].touches) {
            order[objects->count++] = &objects->object[n];
        }
    }
    if (objects->count > 0) {
        qsort((void *)order, (size_t)objects->count, sizeof(void *), compare_objects);
    }
    for (int64_t n = 0; n < objects->count; n++) {
        order[n]->number = (int32_t)n + 1;
    }
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

static void assign(Nodes *nodes, Objects *objects)
{
    for (int64_t n = 0; n < nodes->count; n++) {
        nodes->list[n].object = objects->object[root_of(objects, nodes->list[n].label)].number;
    }
    for (int d = 0; d < nodes->clusters->domains->count; d++) {
        dlp__Particles *p = &nodes->clusters->domains->part[d].particles;
        for (int64_t i = 0; i < p->count; i++) {
            const Component *component = has_stiffness(p, i) ? component_of(nodes, d, i) : NULL;
            if (component != NULL && component->object > 0) {
                if (p->object[0][i] == 0.0f) {
                    found(p, i);
                }
                p->object[0][i] = (float)component->object;
            }
        }
    }
}

static bool make_nodes(Nodes *nodes)
{
    dlp__Domains *domains = nodes->clusters->domains;
    for (int d = 0; d < domains->count; d++) {
        const dlp__Particles *p = &domains->part[d].particles;
        nodes->first[d + 1] = nodes->first[d] + p->count + p->ghosts;
    }
    const int64_t count = nodes->first[domains->count];
    nodes->parent = dlp__step_scratch(domains, count + 1, sizeof *nodes->parent, "objects");
    nodes->touches = dlp__step_scratch(domains, count + 1, sizeof *nodes->touches, "objects");
    nodes->component = dlp__step_scratch(domains, count + 1, sizeof *nodes->component, "objects");
    nodes->list = dlp__step_scratch(domains, count + 1, sizeof *nodes->list, "objects");
    if (!dlp__step_is_ok(domains)) {
        return false;
    }
    for (int64_t n = 0; n < count; n++) {
        nodes->parent[n] = (int32_t)n;
        nodes->touches[n] = 0;
        nodes->component[n] = -1;
    }
    return true;
}

/* The components of this rank and their connections. */
static void find_components(Nodes *nodes)
{
    exchange_rows(nodes, write_state);
    if (dlp__step_is_ok(nodes->clusters->domains)) {
        connect(nodes);
        list_components(nodes);
        exchange_rows(nodes, write_label);
    }
    if (dlp__step_is_ok(nodes->clusters->domains)) {
        list_connections(nodes);
    }
}

/* The objects of all ranks. */
static bool find_objects(const Nodes *nodes, Objects *objects)
{
    dlp__Domains *domains = nodes->clusters->domains;
    int64_t bytes = 0;
    const Component *all = dlp__exchange_gather(&domains->gathered, domains->memory, domains->ranks, nodes->list,
                                                nodes->listed * (int64_t)sizeof *all, &bytes);
    const int64_t count = bytes / (int64_t)sizeof *all;
    dlp__require_memory(domains, all != NULL, "objects");
    if (!dlp__step_is_ok(domains) || !make_objects(objects, domains, all, count)) {
        return false;
    }
    join_components(objects, all, count);
    number_objects(objects, domains);
    return dlp__step_is_ok(domains);
}

int64_t dlp__clusters_number_objects(const dlp__Clusters *clusters)
{
    const double started = dlp__clock();
    Nodes nodes = {.clusters = clusters};
    Objects objects = {.count = 0};
    if (!dlp__step_is_ok(clusters->domains) || !make_nodes(&nodes)) {
        return -1;
    }
    find_components(&nodes);
    if (!dlp__step_is_ok(clusters->domains) || !find_objects(&nodes, &objects)) {
        return -1;
    }
    assign(&nodes, &objects);
    dlp__profile_add(clusters->domains, "objects", started);
    return objects.count;
}

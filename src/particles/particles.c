#include "particles/particles.h"

#include "base/hash.h"
#include "base/simd.h"
#include "particles/finite.h"

#include <assert.h>
#include <string.h>

/* clang-format off */
#define FIELD_INFO(name, type, components, unit, flags, meaning) \
    [DLP_FIELD_##name] = {#name, DLP_FIELD_TYPE_##type, sizeof(type), components, unit, flags, \
                          offsetof(dlp__Particles, name)},
/* clang-format on */
static const dlp__FieldInfo field_table[DLP_FIELD_END] = {DLP_FIELDS(FIELD_INFO)};

const dlp__FieldInfo *dlp__field_info(const dlp__Particles *particles, int field)
{
    assert(field > DLP_FIELD_NONE && field < dlp__fields_end(particles));
    return field < DLP_FIELD_END ? &field_table[field] : &particles->own_table->info[field - DLP_FIELD_END];
}

bool dlp__fields_hold(const dlp__FieldId *fields, int field)
{
    while (*fields != DLP_FIELD_NONE && *fields != field) {
        fields++;
    }
    return *fields != DLP_FIELD_NONE;
}

void dlp__fields_add(dlp__FieldList *list, const dlp__FieldId *fields)
{
    for (; *fields != DLP_FIELD_NONE; fields++) {
        if (!dlp__fields_hold(list->field, *fields)) {
            list->field[list->count++] = *fields;
            list->field[list->count] = DLP_FIELD_NONE;
        }
    }
}

void dlp__fields_add_own(dlp__FieldList *list, const dlp__FieldTable *own)
{
    for (int n = 0; n < own->count; n++) {
        if ((own->info[n].flags & DLP_FIELD_ON_DEMAND) != 0) {
            continue;
        }
        dlp__fields_add(list, (const dlp__FieldId[]){(dlp__FieldId)(DLP_FIELD_END + n), DLP_FIELD_NONE});
    }
}

/* Offset of the pointer to one component's array. */
static size_t pointer_offset(const dlp__Particles *particles, int field, int component)
{
    const size_t base = field < DLP_FIELD_END ? 0 : offsetof(dlp__Particles, own);
    return base + dlp__field_info(particles, field)->offset + (size_t)component * sizeof(void *);
}

/* The pointers to a field's arrays have different types, so they are read and written as bytes. */
void *dlp__field_array(const dlp__Particles *particles, int field, int component)
{
    void *array;
    memcpy(&array, (const char *)particles + pointer_offset(particles, field, component), sizeof array);
    return array;
}

void dlp__field_set_array(dlp__Particles *particles, int field, int component, void *array)
{
    memcpy((char *)particles + pointer_offset(particles, field, component), &array, sizeof array);
}

static void mark_fields(dlp__Particles *particles, const dlp__FieldId *fields)
{
    for (; *fields != DLP_FIELD_NONE; fields++) {
        assert(*fields < dlp__fields_end(particles));
        particles->has[*fields] = true;
    }
}

void dlp__particles_init(dlp__Particles *particles, dlp__Memory *memory, const dlp__FieldTable *own,
                         const dlp__FieldId *fields)
{
    memset(particles, 0, sizeof *particles);
    particles->memory = memory;
    particles->own_table = own;
    mark_fields(particles, fields);
}

/* Release the arrays of all fields except those that `kept` (may be null) has. */
static void release_arrays(dlp__Particles *particles, const dlp__Particles *kept, int64_t capacity)
{
    for (int field = 1; field < dlp__fields_end(particles); field++) {
        const dlp__FieldInfo *info = dlp__field_info(particles, field);
        const bool released = kept == NULL || !kept->has[field];
        for (int c = 0; released && c < info->components; c++) {
            dlp__memory_release(particles->memory, dlp__field_array(particles, field, c), capacity, info->size);
            dlp__field_set_array(particles, field, c, NULL);
        }
    }
}

void dlp__particles_release(dlp__Particles *particles)
{
    release_arrays(particles, NULL, particles->capacity);
    for (int i = 0; i < 4; i++) {
        dlp__buffer_release(particles->memory, &particles->spare[i]);
    }
    particles->count = particles->ghosts = particles->capacity = 0;
}

bool dlp__particles_add_fields(dlp__Particles *particles, const dlp__FieldId *fields)
{
    dlp__Particles wanted = *particles;
    mark_fields(&wanted, fields);
    for (int field = 1; field < dlp__fields_end(particles); field++) {
        const dlp__FieldInfo *info = dlp__field_info(particles, field);
        bool is_new = dlp__particles_have(&wanted, field) && !dlp__particles_have(particles, field);
        for (int c = 0; is_new && particles->capacity > 0 && c < info->components; c++) {
            void *array = dlp__memory_get(particles->memory, particles->capacity, info->size);
            if (array == NULL) {
                release_arrays(&wanted, particles, particles->capacity);
                return false;
            }
            memset(array, 0, (size_t)particles->capacity * info->size);
            dlp__field_set_array(&wanted, field, c, array);
        }
    }
    *particles = wanted;
    return true;
}

bool dlp__particles_reserve(dlp__Particles *particles, int64_t count)
{
    count += DLP_GROUP;
    if (count <= particles->capacity) {
        return true;
    }
    const int64_t spare = particles->capacity > 0 ? count / 8 : 0; /* a world that grows will grow again */
    int64_t capacity = (count + spare + DLP_GROUP - 1) / DLP_GROUP * DLP_GROUP;
    if (capacity > INT32_MAX) {
        return false;
    }
    dlp__Particles grown = *particles;
    for (int field = 1; field < dlp__fields_end(particles); field++) {
        for (int c = 0; c < dlp__field_info(particles, field)->components; c++) {
            dlp__field_set_array(&grown, field, c, NULL);
        }
    }
    for (int field = 1; field < dlp__fields_end(particles); field++) {
        const dlp__FieldInfo *info = dlp__field_info(particles, field);
        for (int c = 0; dlp__particles_have(particles, field) && c < info->components; c++) {
            char *array = dlp__memory_get(particles->memory, capacity, info->size);
            if (array == NULL) {
                release_arrays(&grown, NULL, capacity);
                return false;
            }
            dlp__field_set_array(&grown, field, c, array);
            size_t kept = (size_t)particles->capacity * info->size;
            if (kept > 0) {
                memcpy(array, dlp__field_array(particles, field, c), kept);
            }
            memset(array + kept, 0, (size_t)capacity * info->size - kept);
        }
    }
    release_arrays(particles, NULL, particles->capacity);
    grown.capacity = capacity;
    *particles = grown;
    return true;
}

int64_t dlp__particles_add(dlp__Particles *particles, int64_t count)
{
    particles->ghosts = 0;
    if (!dlp__particles_reserve(particles, particles->count + count)) {
        return -1;
    }
    for (int field = 1; field < dlp__fields_end(particles); field++) {
        const dlp__FieldInfo *info = dlp__field_info(particles, field);
        for (int c = 0; dlp__particles_have(particles, field) && c < info->components; c++) {
            char *array = dlp__field_array(particles, field, c);
            memset(array + (size_t)particles->count * info->size, 0, (size_t)count * info->size);
        }
    }
    particles->count += count;
    return particles->count - count;
}

void dlp__particles_copy(dlp__Particles *target, int64_t to, const dlp__Particles *source, int64_t from)
{
    for (int field = 1; field < dlp__fields_end(target); field++) {
        const dlp__FieldInfo *info = dlp__field_info(target, field);
        for (int c = 0; dlp__particles_have(target, field) && c < info->components; c++) {
            memcpy((char *)dlp__field_array(target, field, c) + (size_t)to * info->size,
                   (const char *)dlp__field_array(source, field, c) + (size_t)from * info->size, info->size);
        }
    }
}

typedef struct Reorder {
    const int32_t *order;
    const void *source;
    void *target;
    size_t size;
} Reorder;

static void reorder_range(void *context, int64_t begin, int64_t end)
{
    const Reorder *r = context;
    const int32_t *order = r->order;
    switch (r->size) {
    case 2:
        for (int64_t i = begin; i < end; i++) {
            ((uint16_t *)r->target)[i] = ((const uint16_t *)r->source)[order[i]];
        }
        break;
    case 4:
        for (int64_t i = begin; i < end; i++) {
            ((uint32_t *)r->target)[i] = ((const uint32_t *)r->source)[order[i]];
        }
        break;
    default:
        for (int64_t i = begin; i < end; i++) {
            ((uint64_t *)r->target)[i] = ((const uint64_t *)r->source)[order[i]];
        }
    }
}

static int size_class(size_t size)
{
    return size == 2 ? 1 : size == 4 ? 2 : 3;
}

bool dlp__particles_reorder(dlp__Particles *particles, const dlp__Parallel *parallel, const int32_t *order,
                            int64_t count)
{
    /* A spare array is swapped with the one it replaces, so both must have the same size. */
    for (int i = 1; i < 4; i++) {
        dlp__Buffer *spare = &particles->spare[i];
        int64_t wanted = particles->capacity << i;
        if (spare->capacity != wanted) {
            dlp__buffer_release(particles->memory, spare);
            spare->data = dlp__memory_get(particles->memory, wanted, 1);
            if (spare->data == NULL) {
                return false;
            }
            memset(spare->data, 0, (size_t)wanted);
            spare->capacity = wanted;
        }
    }
    for (int field = 1; field < dlp__fields_end(particles); field++) {
        const dlp__FieldInfo *info = dlp__field_info(particles, field);
        if (!dlp__particles_have(particles, field) || (info->flags & DLP_FIELD_SCRATCH) != 0) {
            continue;
        }
        for (int c = 0; c < info->components; c++) {
            dlp__Buffer *spare = &particles->spare[size_class(info->size)];
            void *array = dlp__field_array(particles, field, c);
            Reorder r = {order, array, spare->data, info->size};
            dlp__parallel_for(parallel, count, DLP_SUM_BLOCK, reorder_range, &r);
            dlp__field_set_array(particles, field, c, spare->data);
            spare->data = array;
        }
    }
    particles->count = count;
    particles->ghosts = 0;
    return true;
}

typedef struct BadSearch {
    const dlp__Particles *particles;
    dlp__AllFinite all_finite;
    bool searched[DLP_FIELDS_MOST];
} BadSearch;

/* The first component from `field` on, among the fields searched, that is not finite in a range; null: none. */
static const float *find_bad_array(const BadSearch *search, int *field, int64_t begin, int64_t end)
{
    for (; *field < dlp__fields_end(search->particles); ++*field) {
        const int components = search->searched[*field] ? dlp__field_info(search->particles, *field)->components : 0;
        for (int c = 0; c < components; c++) {
            const float *values = dlp__field_array(search->particles, *field, c);
            if (!search->all_finite(values + begin, end - begin)) {
                return values;
            }
        }
    }
    return NULL;
}

static double range_is_bad(void *context, int64_t begin, int64_t end)
{
    int field = 1;
    return find_bad_array(context, &field, begin, end) != NULL ? 1.0 : 0.0;
}

bool dlp__particles_find_bad(const dlp__Particles *particles, const dlp__Parallel *parallel, const dlp__FieldId *fields,
                             int *field, int64_t *index)
{
    static const dlp__AllFinite versions[DLP_WIDTHS] = DLP_WIDE_TABLE(dlp__all_finite);
    BadSearch search = {particles, versions[dlp__width_index(dlp__width_most())], {false}};
    for (int n = 1; n < dlp__fields_end(particles); n++) {
        search.searched[n] = dlp__particles_have(particles, n) && (fields == NULL || dlp__fields_hold(fields, n)) &&
                             dlp__field_info(particles, n)->type == DLP_FIELD_TYPE_float;
    }
    if (dlp__parallel_sum(parallel, particles->count, range_is_bad, &search) == 0.0) {
        return false;
    }
    *field = 1;
    const float *values = find_bad_array(&search, field, 0, particles->count);
    *index = 0;
    while (search.all_finite(values + *index, 1)) {
        ++*index;
    }
    return true;
}

uint64_t dlp__particles_hash(const dlp__Particles *particles)
{
    uint64_t total = 0;
    for (int64_t i = 0; i < particles->count; i++) {
        uint64_t hash = DLP_HASH_SEED;
        for (int field = 1; field < dlp__fields_end(particles); field++) {
            const dlp__FieldInfo *info = dlp__field_info(particles, field);
            if (!dlp__particles_have(particles, field) || (info->flags & DLP_FIELD_SAVED) == 0) {
                continue;
            }
            for (int c = 0; c < info->components; c++) {
                const char *array = dlp__field_array(particles, field, c);
                hash = dlp__hash_bytes(hash, array + (size_t)i * info->size, info->size);
            }
        }
        total += dlp__hash_finish(hash);
    }
    return total;
}

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

static void release_blocks(dlp__Particles *particles)
{
    dlp__buffer_release(particles->memory, &particles->block);
    dlp__buffer_release(particles->memory, &particles->spare_block);
}

void dlp__particles_release(dlp__Particles *particles)
{
    release_blocks(particles);
    for (int field = 1; field < dlp__fields_end(particles); field++) {
        for (int c = 0; c < dlp__field_info(particles, field)->components; c++) {
            dlp__field_set_array(particles, field, c, NULL);
        }
    }
    particles->count = particles->ghosts = particles->capacity = 0;
}

/* Bytes of an array in a block. */
static int64_t array_bytes(int64_t capacity, size_t size)
{
    return (capacity * (int64_t)size + DLP_ALIGNMENT - 1) / DLP_ALIGNMENT * DLP_ALIGNMENT;
}

/* Set the pointers to the arrays of all fields, one after the other from `block` on; returns their size in bytes. With a null block the
 * pointers become null. */
static int64_t place_arrays(dlp__Particles *particles, char *block)
{
    int64_t used = 0;
    for (int field = 1; field < dlp__fields_end(particles); field++) {
        const dlp__FieldInfo *info = dlp__field_info(particles, field);
        for (int c = 0; c < info->components; c++) {
            const bool placed = block != NULL && dlp__particles_have(particles, field);
            dlp__field_set_array(particles, field, c, placed ? block + used : NULL);
            used += dlp__particles_have(particles, field) ? array_bytes(particles->capacity, info->size) : 0;
        }
    }
    return used;
}

/* The contents of the fields that the old store has; zeros in the others and behind the old arrays. */
static void copy_arrays(const dlp__Particles *target, const dlp__Particles *source)
{
    for (int field = 1; field < dlp__fields_end(target); field++) {
        const dlp__FieldInfo *info = dlp__field_info(target, field);
        const size_t all = (size_t)target->capacity * info->size;
        const size_t kept = dlp__particles_have(source, field) ? (size_t)source->capacity * info->size : 0;
        for (int c = 0; dlp__particles_have(target, field) && c < info->components; c++) {
            char *array = dlp__field_array(target, field, c);
            if (kept > 0) {
                memcpy(array, dlp__field_array(source, field, c), kept);
            }
            memset(array + kept, 0, all - kept);
        }
    }
}

static bool get_block(dlp__Memory *memory, dlp__Buffer *block, int64_t bytes)
{
    if (bytes > 0) {
        *block = (dlp__Buffer){dlp__memory_get(memory, bytes, 1), bytes};
    }
    return bytes == 0 || block->data != NULL;
}

/* Replace the store by one with the fields and the capacity of `wanted`, which is a copy of it otherwise. */
static bool reallocate(dlp__Particles *particles, dlp__Particles *wanted)
{
    wanted->block = wanted->spare_block = (dlp__Buffer){NULL, 0};
    const int64_t bytes = place_arrays(wanted, NULL);
    if (!get_block(wanted->memory, &wanted->block, bytes)) {
        return false;
    }
    place_arrays(wanted, wanted->block.data);
    if (bytes > 0) {
        copy_arrays(wanted, particles);
    }
    release_blocks(particles);
    *particles = *wanted;
    return true;
}

bool dlp__particles_add_fields(dlp__Particles *particles, const dlp__FieldId *fields)
{
    dlp__Particles wanted = *particles;
    mark_fields(&wanted, fields);
    return memcmp(wanted.has, particles->has, sizeof wanted.has) == 0 || reallocate(particles, &wanted);
}

bool dlp__particles_reserve(dlp__Particles *particles, int64_t count)
{
    count += DLP_GROUP;
    if (count <= particles->capacity) {
        return true;
    }
    enum { LARGE = 1 << 16 };
    /* a world that grows will grow again */
    const int64_t spare = particles->capacity > 0 ? dlp__spare_for(count, LARGE) : 0;
    dlp__Particles grown = *particles;
    grown.capacity = (count + spare + DLP_GROUP - 1) / DLP_GROUP * DLP_GROUP;
    return grown.capacity <= INT32_MAX && reallocate(particles, &grown);
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

/* One array of each size for a re-sort to write into. */
static bool reserve_spare_arrays(dlp__Particles *particles)
{
    int64_t start[5] = {0};
    for (int i = 1; i < 4; i++) {
        start[i + 1] = start[i] + array_bytes(particles->capacity, (size_t)1 << i);
    }
    if (particles->spare_block.data != NULL || start[4] == 0) {
        return true;
    }
    if (!get_block(particles->memory, &particles->spare_block, start[4])) {
        return false;
    }
    memset(particles->spare_block.data, 0, (size_t)start[4]);
    for (int i = 1; i < 4; i++) {
        particles->spare[i] = (char *)particles->spare_block.data + start[i];
    }
    return true;
}

bool dlp__particles_reorder(dlp__Particles *particles, const dlp__Parallel *parallel, const int32_t *order,
                            int64_t count)
{
    if (!reserve_spare_arrays(particles)) {
        return false;
    }
    for (int field = 1; field < dlp__fields_end(particles); field++) {
        const dlp__FieldInfo *info = dlp__field_info(particles, field);
        if (!dlp__particles_have(particles, field) || (info->flags & DLP_FIELD_SCRATCH) != 0) {
            continue;
        }
        for (int c = 0; c < info->components; c++) {
            void **spare = &particles->spare[size_class(info->size)];
            void *array = dlp__field_array(particles, field, c);
            Reorder r = {order, array, *spare, info->size};
            dlp__parallel_for(parallel, count, DLP_SUM_BLOCK, reorder_range, &r);
            dlp__field_set_array(particles, field, c, *spare);
            *spare = array;
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
        const dlp__FieldInfo *info = dlp__field_info(particles, n);
        const bool asked = fields != NULL ? dlp__fields_hold(fields, n) : (info->flags & DLP_FIELD_SCRATCH) == 0;
        search.searched[n] = asked && dlp__particles_have(particles, n) && info->type == DLP_FIELD_TYPE_float;
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

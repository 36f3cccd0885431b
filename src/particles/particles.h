/* The particle store: one aligned array per component. Owned particles come first, copies of particles of other
 * subdomains (ghosts) after them. Arrays extend a whole group of lanes past the end, and vector stores may write there:
 * so a field of ghosts is valid from the halo exchange until a stage writes that field. Stages see ghosts through
 * rows. */
#ifndef DLP_PARTICLES_PARTICLES_H
#define DLP_PARTICLES_PARTICLES_H

#include "base/memory.h"
#include "base/parallel.h"
#include "particles/fields.h"

#define DLP_GROUP 16 /* particles processed side by side; neighbour lists are interleaved in groups of this size */

typedef struct dlp__Particles {
    dlp__Memory *memory;
    int64_t count;           /* owned                                       */
    int64_t ghosts;          /* after them                                 */
    int64_t capacity;        /* of every array                              */
    dlp__Buffer block;       /* the memory of all arrays: one block, which can consist of huge pages */
    dlp__Buffer spare_block; /* the memory of the spare arrays                     */
    void *spare[4];          /* targets of a re-sort, by log2 of the component's size: exchanged with the arrays */
    const dlp__FieldTable *own_table; /* the method's own fields; null: none                */
    bool has[DLP_FIELDS_MOST];        /* whether field n is allocated                     */
    DLP_FIELDS(DLP_FIELD_MEMBER)      /* arrays of the common fields                        */
    _Alignas(void *) char own[DLP_OWN_ARRAYS_MOST * sizeof(void *)]; /* and of the method's: dlp__own_fields() */
} dlp__Particles;

/* An empty store of these fields (ended by DLP_FIELD_NONE), including those of the method's own table. */
void dlp__particles_init(dlp__Particles *particles, dlp__Memory *memory, const dlp__FieldTable *own,
                         const dlp__FieldId *fields);
void dlp__particles_release(dlp__Particles *particles);

/* Allocate more fields, filled with zeros. False when out of memory; nothing has changed then. */
bool dlp__particles_add_fields(dlp__Particles *particles, const dlp__FieldId *fields);

/* Fields are numbered from 1 to below this. */
static inline int dlp__fields_end(const dlp__Particles *particles)
{
    return DLP_FIELD_END + (particles->own_table != NULL ? particles->own_table->count : 0);
}

/* Description of a field, DLP_FIELD_NONE < field < dlp__fields_end(). */
const dlp__FieldInfo *dlp__field_info(const dlp__Particles *particles, int field);

/* The struct of array pointers that the method's own table describes. */
static inline const void *dlp__own_fields(const dlp__Particles *particles)
{
    return particles->own;
}

/* Reserve memory for `count` owned and ghost particles. Contents are kept, pointers become invalid. */
bool dlp__particles_reserve(dlp__Particles *particles, int64_t count);

/* Add `count` owned particles, all zero; ghosts are dropped. Returns the index of the first, or -1 when out of memory. */
int64_t dlp__particles_add(dlp__Particles *particles, int64_t count);

static inline bool dlp__particles_have(const dlp__Particles *particles, int field)
{
    return particles->has[field];
}

/* One component's array by field number, for code that loops over the table. */
void *dlp__field_array(const dlp__Particles *particles, int field, int component);
void dlp__field_set_array(dlp__Particles *particles, int field, int component, void *array);

/* Copy every field of particle `from` in `source` to `to` in `target`. */
void dlp__particles_copy(dlp__Particles *target, int64_t to, const dlp__Particles *source, int64_t from);

/* Fields of a particle as consecutive bytes, to send it to another process: those that outlive a step, or those that ghosts copy. */
typedef struct dlp__ParticleRecord {
    size_t bytes;
    int parts;
    struct {
        char *array;
        size_t size; /* bytes of an element */
    } part[DLP_FIELD_END * DLP_FIELD_MOST_COMPONENTS + DLP_OWN_ARRAYS_MOST];
} dlp__ParticleRecord;

/* Valid until fields or memory are added. */
void dlp__particle_record_of_state(dlp__ParticleRecord *record, const dlp__Particles *particles);
void dlp__particle_record_of_ghosts(dlp__ParticleRecord *record, const dlp__Particles *particles);
void dlp__particle_record_write(const dlp__ParticleRecord *record, int64_t particle, char *to);
void dlp__particle_record_read(const dlp__ParticleRecord *record, int64_t particle, const char *from);

/* Reorder all fields except scratch ones so that new particle i is old particle order[i], for `count` particles; the
 * rest are dropped. False when out of memory; nothing has changed then. */
bool dlp__particles_reorder(dlp__Particles *particles, const dlp__Parallel *parallel, const int32_t *order,
                            int64_t count);

/* The first NaN or infinity in an owned particle, among these fields (null: all but scratch fields): its field and index, or false
 * if there is none. */
bool dlp__particles_find_bad(const dlp__Particles *particles, const dlp__Parallel *parallel, const dlp__FieldId *fields,
                             int *field, int64_t *index);

/* 64-bit hash of all saved fields: the sum of the hashes of the particles, so their order does not matter. */
uint64_t dlp__particles_hash(const dlp__Particles *particles);

#endif

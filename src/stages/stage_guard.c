#include "stages/stage_guard.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

enum {
    CHUNKS = 3,   /* so that particles have neighbours in other chunks         */
    MARGIN = 64,  /* particles beside a chunk that must not have been written */
    POISON = 0xff /* bytes: NaN as a float                                     */
};

/* The copy of the store that a stage works on, and the original to compare it with. */
typedef struct Guarded {
    dlp__Domains *domains;
    const dlp__Stage *stage;
    dlp__Particles *real;
    dlp__Particles view;
    char *memory; /* all arrays of the view */
} Guarded;

static bool is_declared(const dlp__Stage *stage, int field)
{
    return dlp__fields_hold(stage->reads, field) || dlp__fields_hold(stage->writes, field);
}

/* Arrays for the declared fields, filled with poison; none for the others. */
static bool open_view(Guarded *guarded)
{
    const dlp__Particles *real = guarded->real;
    guarded->view = *real;
    for (int pass = 0; pass < 2; pass++) {
        int64_t used = 0;
        for (int field = 1; field < dlp__fields_end(real); field++) {
            const dlp__FieldInfo *info = dlp__field_info(real, field);
            const bool whole = dlp__fields_hold(guarded->stage->peeks, field); /* read only, of all particles */
            const bool shown = dlp__particles_have(real, field) && !whole && is_declared(guarded->stage, field);
            const int64_t size = (real->capacity * (int64_t)info->size + DLP_ALIGNMENT - 1) / DLP_ALIGNMENT *
                                 DLP_ALIGNMENT;
            for (int c = 0; c < info->components; c++) {
                if (pass == 1 && !whole) {
                    dlp__field_set_array(&guarded->view, field, c, shown ? guarded->memory + used : NULL);
                }
                used += shown ? size : 0;
            }
        }
        if (pass == 0) {
            guarded->memory = aligned_alloc(DLP_ALIGNMENT, (size_t)used + DLP_ALIGNMENT);
            if (guarded->memory == NULL) {
                return false;
            }
            memset(guarded->memory, POISON, (size_t)used);
        }
    }
    return true;
}

static bool is_poison(const char *bytes, size_t size)
{
    for (size_t n = 0; n < size; n++) {
        if ((unsigned char)bytes[n] != POISON) {
            return false;
        }
    }
    return true;
}

/* Check one array after the stage has run on begin <= i < end: copy it back if it is declared as written, and poison it
 * again for the next chunk. */
static void close_array(Guarded *guarded, int field, int c, int64_t begin, int64_t end)
{
    const dlp__FieldInfo *info = dlp__field_info(guarded->real, field);
    char *seen = dlp__field_array(&guarded->view, field, c), *real = dlp__field_array(guarded->real, field, c);
    const size_t from = (size_t)begin * info->size, size = (size_t)(end - begin) * info->size;
    const int64_t before = begin < MARGIN ? begin : MARGIN;
    const int64_t after = guarded->real->capacity - end < MARGIN ? guarded->real->capacity - end : MARGIN;
    if (!is_poison(seen + from - (size_t)before * info->size, (size_t)before * info->size) ||
        !is_poison(seen + from + size, (size_t)after * info->size)) {
        dlp__domains_fail(guarded->domains, DLP_ERROR_ARGUMENT,
                          "stage '%s' writes %s of particles that are not its own", guarded->stage->name, info->name);
    }
    if (dlp__fields_hold(guarded->stage->writes, field)) {
        memcpy(real + from, seen + from, size);
    } else if (memcmp(real + from, seen + from, size) != 0) {
        dlp__domains_fail(guarded->domains, DLP_ERROR_ARGUMENT, "stage '%s' changes %s, which it declares as read only",
                          guarded->stage->name, info->name);
    }
    memset(seen + from, POISON, size);
}

/* In whole groups of lanes, because vectors extend past the last particle. */
static void run_chunk(Guarded *guarded, const dlp__StageCall *call, int64_t begin, int64_t end)
{
    const int64_t last = (end + DLP_GROUP - 1) / DLP_GROUP * DLP_GROUP;
    for (int pass = 0; pass < 2; pass++) {
        for (int field = 1; field < dlp__fields_end(guarded->real); field++) {
            const dlp__FieldInfo *info = dlp__field_info(guarded->real, field);
            const int arrays = dlp__fields_hold(guarded->stage->peeks, field) ? 0 : info->components;
            for (int c = 0; c < arrays && dlp__field_array(&guarded->view, field, c) != NULL; c++) {
                if (pass == 1) {
                    close_array(guarded, field, c, begin, last);
                    continue;
                }
                const size_t from = (size_t)begin * info->size;
                memcpy((char *)dlp__field_array(&guarded->view, field, c) + from,
                       (const char *)dlp__field_array(guarded->real, field, c) + from,
                       (size_t)(last - begin) * info->size);
            }
        }
        if (pass == 0) {
            call->stage->function(&call->context, begin, end);
        }
    }
}

static uint64_t pairs_hash(const dlp__Buffer *buffer, dlp__PairUse use)
{
    return use == DLP_PAIRS_READ ? dlp__hash_bytes(DLP_HASH_SEED, buffer->data, (size_t)buffer->capacity) : 0;
}

void dlp__stage_guard(dlp__Domains *domains, dlp__Domain *domain, const dlp__StageCall *call)
{
    const dlp__Stage *stage = call->stage;
    Guarded guarded = {.domains = domains, .stage = stage, .real = &domain->particles};
    if (!open_view(&guarded)) {
        dlp__domains_fail(domains, DLP_ERROR_MEMORY, "no memory to guard stage '%s'", stage->name);
        return;
    }
    dlp__StageCall inner = *call;
    inner.context.particles = &guarded.view;
    const uint64_t weights = pairs_hash(&domain->pair_weights, stage->pair_weights);
    const int64_t count = domain->particles.count;
    const int64_t chunk = (count / CHUNKS + DLP_GROUP) / DLP_GROUP * DLP_GROUP;
    for (int64_t begin = 0; begin < count; begin += chunk) {
        run_chunk(&guarded, &inner, begin, begin + chunk < count ? begin + chunk : count);
    }
    if (weights != pairs_hash(&domain->pair_weights, stage->pair_weights)) {
        dlp__domains_fail(domains, DLP_ERROR_ARGUMENT, "stage '%s' changes pair data, which it declares as read only",
                          stage->name);
    }
    free(guarded.memory);
}

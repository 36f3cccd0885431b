/* Particles as bytes. */
#include "particles/particles.h"

#include <string.h>

/* All fields with one of the flags `with`, or with 0 all, but none with a flag of `without`. */
static void lay_out(dlp__ParticleRecord *record, const dlp__Particles *particles, int with, int without)
{
    record->bytes = 0;
    record->parts = 0;
    for (int field = 1; field < dlp__fields_end(particles); field++) {
        const dlp__FieldInfo *info = dlp__field_info(particles, field);
        const bool wanted = (with == 0 || (info->flags & with) != 0) && (info->flags & without) == 0;
        for (int c = 0; wanted && dlp__particles_have(particles, field) && c < info->components; c++) {
            record->part[record->parts].array = dlp__field_array(particles, field, c);
            record->part[record->parts++].size = info->size;
            record->bytes += info->size;
        }
    }
}

void dlp__particle_record_of_state(dlp__ParticleRecord *record, const dlp__Particles *particles)
{
    lay_out(record, particles, 0, DLP_FIELD_SCRATCH);
}

void dlp__particle_record_of_ghosts(dlp__ParticleRecord *record, const dlp__Particles *particles)
{
    lay_out(record, particles, DLP_FIELD_EXCHANGED, 0);
}

void dlp__particle_record_write(const dlp__ParticleRecord *record, int64_t particle, char *to)
{
    for (int n = 0; n < record->parts; n++) {
        const size_t size = record->part[n].size;
        memcpy(to, record->part[n].array + (size_t)particle * size, size);
        to += size;
    }
}

void dlp__particle_record_read(const dlp__ParticleRecord *record, int64_t particle, const char *from)
{
    for (int n = 0; n < record->parts; n++) {
        const size_t size = record->part[n].size;
        memcpy(record->part[n].array + (size_t)particle * size, from, size);
        from += size;
    }
}

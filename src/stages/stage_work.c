#include "stages/stage_work.h"

enum { ROW_BYTES = 4 * sizeof(float) };

/* Bytes of the listed fields of one particle; fields without memory in this world count 0. */
static int64_t field_bytes(const dlp__Particles *particles, const dlp__FieldId *fields)
{
    int64_t bytes = 0;
    for (int n = 0; n < DLP_STAGE_FIELDS && fields[n] != DLP_FIELD_NONE; n++) {
        const dlp__FieldInfo *info = dlp__field_info(particles, fields[n]);
        bytes += dlp__particles_have(particles, fields[n]) ? (int64_t)info->size * info->components : 0;
    }
    return bytes;
}

/* Packing reads the parts of each row and writes the row. */
static int64_t packed_bytes(const dlp__Stage *stage, int rows)
{
    int64_t bytes = rows * (int64_t)ROW_BYTES;
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < 4; c++) {
            bytes += stage->gathers[r].part[c] != 0 ? (int64_t)sizeof(float) : 0;
        }
    }
    return bytes;
}

/* A stage reads each row once; those of neighbours come from the caches. */
static int64_t row_bytes(const dlp__Stage *stage, int rows)
{
    const int long_rows = (stage->gathers_long_rows ? 1 : 0) + (stage->writes_long_rows ? 1 : 0);
    return packed_bytes(stage, rows) + rows * (int64_t)ROW_BYTES + long_rows * DLP_LONG_ROW * (int64_t)sizeof(float);
}

static int64_t pair_bytes(const dlp__Stage *stage)
{
    return (int64_t)sizeof(int32_t) + (stage->pair_weights != DLP_PAIRS_UNUSED ? (int64_t)sizeof(float) : 0);
}

static bool visits_pairs(const dlp__Stage *stage, int rows)
{
    return rows > 0 || stage->gathers_long_rows || stage->pair_weights != DLP_PAIRS_UNUSED;
}

int64_t dlp__stage_packed_bytes(const dlp__Domains *domains, const dlp__Stage *stage, int rows)
{
    return dlp__domains_particles(domains) * packed_bytes(stage, rows);
}

void dlp__stage_add_work(const dlp__Domains *domains, const dlp__Stage *stage, int rows, dlp__StageProfile *work)
{
    for (int d = 0; d < domains->count; d++) {
        const dlp__Domain *domain = &domains->part[d];
        const dlp__Particles *p = &domain->particles;
        const dlp__NeighborList *list = stage->short_range ? &domain->near_fluid : &domain->fluid;
        const int64_t pairs = visits_pairs(stage, rows) ? dlp__neighbors_entries(list) : 0;
        work->bytes += p->count *
                       (field_bytes(p, stage->reads) + field_bytes(p, stage->writes) + row_bytes(stage, rows));
        work->bytes += pairs * pair_bytes(stage);
        work->pairs += pairs;
    }
}

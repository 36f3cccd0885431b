/* Interpolates the fields of points to the vertices of a mesh. */
#include "surface/vertex_fields.h"

#include "base/simd.h"
#include "surface/weighted_points.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CHUNK_VERTICES = 1024 };

void dlp__vertex_fields_init(dlp__VertexFields *fields, dlp__Memory *memory)
{
    memset(fields, 0, sizeof *fields);
    fields->memory = memory;
}

void dlp__vertex_fields_release(dlp__VertexFields *fields)
{
    dlp__buffer_release(fields->memory, &fields->value_buffer);
    dlp__buffer_release(fields->memory, &fields->field_buffer);
}

typedef struct Transfer {
    const dlp__MarchedMesh *mesh;
    const dlp__SurfacePoints *points;
    const dlp_Points *from;
    float **values; /* of each field */
    dlp__RowVisitor visit;
    double radius;
} Transfer;

/* Find the points within the radius of a vertex or, if there are none, within two and four radii. */
static void find_points(const Transfer *transfer, int64_t vertex, dlp__WeightedPoints *points_near)
{
    points_near->particles = &transfer->points->particles;
    points_near->count = 0;
    for (double radius = transfer->radius; points_near->count == 0 && radius < 8.0 * transfer->radius; radius *= 2.0) {
        dlp__Cell low, high;
        const float *at = transfer->mesh->position + 3 * vertex;
        memcpy(points_near->at, at, sizeof points_near->at);
        points_near->per_radius = (float)(1.0 / radius);
        const float r = (float)radius;
        low = dlp__cell_at(&transfer->points->frame, at[0] - r, at[1] - r, at[2] - r);
        high = dlp__cell_at(&transfer->points->frame, at[0] + r, at[1] + r, at[2] + r);
        dlp__surface_points_visit(transfer->points, low, high, transfer->visit, points_near);
    }
}

static float weighted_mean(const dlp__WeightedPoints *points_near, const float *values)
{
    float sum = 0.0f, weights = 0.0f;
    for (int n = 0; n < points_near->count; n++) {
        sum += points_near->weight[n] * values[points_near->particles->id[0][points_near->index[n]]];
        weights += points_near->weight[n];
    }
    return weights > 0.0f ? sum / weights : 0.0f;
}

static void transfer_fields(void *context, int64_t begin, int64_t end)
{
    const Transfer *transfer = context;
    for (int64_t v = begin; v < end; v++) {
        dlp__WeightedPoints points_near;
        find_points(transfer, v, &points_near);
        for (int f = 0; f < transfer->from->field_count; f++) {
            const dlp_PointField *field = &transfer->from->fields[f];
            for (int c = 0; c < field->components; c++) {
                transfer->values[f][v * field->components + c] = weighted_mean(&points_near, field->component[c]);
            }
        }
    }
}

bool dlp__vertex_fields_find(dlp__VertexFields *fields, const dlp__MarchedMesh *mesh, const dlp__SurfacePoints *points,
                             const dlp_Points *from, const dlp__Parallel *parallel, double radius, int simd)
{
    static const dlp__RowVisitor versions[DLP_WIDTHS] = DLP_WIDE_TABLE(dlp__weighted_points);
    int64_t components = 0;
    fields->count = 0;
    for (int f = 0; f < from->field_count; f++) {
        components += from->fields[f].components;
    }
    if (components == 0) {
        return true;
    }
    float *values[DLP_SURFACE_FIELDS_MOST];
    if (!dlp__buffer_reserve(fields->memory, &fields->field_buffer, from->field_count, sizeof(dlp_MeshField)) ||
        !dlp__buffer_reserve(fields->memory, &fields->value_buffer, components * (mesh->vertex_count + 1),
                             sizeof(float))) {
        return false;
    }
    fields->field = fields->field_buffer.data;
    fields->count = from->field_count;
    float *next = fields->value_buffer.data;
    for (int f = 0; f < from->field_count; f++) {
        dlp_MeshField *field = &fields->field[f];
        snprintf(field->name, sizeof field->name, "%s", from->fields[f].name);
        snprintf(field->unit, sizeof field->unit, "%s", from->fields[f].unit);
        field->components = from->fields[f].components;
        field->values = values[f] = next;
        next += field->components * mesh->vertex_count;
    }
    Transfer transfer = {mesh, points, from, values, versions[dlp__width_index(simd)], radius};
    dlp__parallel_for(parallel, mesh->vertex_count, CHUNK_VERTICES, transfer_fields, &transfer);
    return true;
}

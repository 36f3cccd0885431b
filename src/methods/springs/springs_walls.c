#include "methods/springs/springs_walls.h"

#include "methods/springs/springs_fields.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

/* A density of sheets, of particles spread evenly, and how it changes with the distance from the wall (1/m). */
typedef struct Sheets {
    float far, near, far_slope, near_slope;
} Sheets;

/* Those behind a wall at distance s (m). */
static Sheets sum_sheets(const dlp__SpringsPlan *plan, float s)
{
    const float h = plan->support, d = plan->spacing, area = 2.0f * (float)PI * (h / d) * (h / d);
    Sheets sum = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int n = 0; s + ((float)n + 0.5f) * d < h; n++) {
        const float z = s + ((float)n + 0.5f) * d, q = z * plan->per_h, t = 1.0f - q, t3 = t * t * t;
        sum.far += area * t3 * (1.0f / 3.0f - 0.25f * t);
        sum.near += area * t3 * t * (0.25f - 0.2f * t);
        sum.far_slope -= area * plan->per_h * t * t * q;
        sum.near_slope -= area * plan->per_h * t3 * q;
    }
    return sum;
}

/* Those behind a wall at which fluid rests. */
static Sheets resting_sheets(const dlp__SpringsPlan *plan)
{
    return sum_sheets(plan, 0.5f * plan->spacing);
}

/* Those at distance s as the fluid takes them. */
static Sheets see_sheets(const dlp__SpringsPlan *plan, const Sheets *rest, float s)
{
    const Sheets sum = sum_sheets(plan, s);
    return (Sheets){sum.far * sum.far / rest->far, sum.near * sum.near / rest->near,
                    2.0f * sum.far * sum.far_slope / rest->far, 2.0f * sum.near * sum.near_slope / rest->near};
}

/* Sample k of particle i: away from it, how far it is, and its weight. Samples stand where the first sheet is. */
typedef struct Wall {
    float normal[3], distance, weight;
    int64_t row;
} Wall;

static Wall wall_at(const dlp__StageContext *c, const dlp__SpringsPlan *plan, int64_t i, int32_t k)
{
    Wall wall = {.row = dlp__neighbors_entry(c->boundary, i, k) - c->boundary->entry};
    const float *sample = c->samples->position_volume + 4 * wall.row;
    float square = 0.0f;
    for (int a = 0; a < 3; a++) {
        wall.normal[a] = c->particles->position[a][i] - sample[a];
        square += wall.normal[a] * wall.normal[a];
    }
    const float r = fmaxf(sqrtf(square), 1e-6f * plan->support);
    for (int a = 0; a < 3; a++) {
        wall.normal[a] /= r;
    }
    wall.distance = fmaxf(r - 0.5f * plan->spacing, 0.0f);
    wall.weight = sample[3];
    return wall;
}

static void see_walls(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__SpringsFields *f = dlp__own_fields(c->particles);
    const dlp__SpringsPlan *plan = c->arguments;
    const Sheets rest = resting_sheets(plan);
    for (int64_t i = begin; i < end; i++) {
        float far = 0.0f, near = 0.0f;
        for (int32_t k = 0; k < c->boundary->count[i]; k++) {
            const Wall wall = wall_at(c, plan, i, k);
            const Sheets sheets = see_sheets(plan, &rest, wall.distance);
            far += plan->wetting * wall.weight * sheets.far;
            near += wall.weight * sheets.near;
        }
        f->wall_density[0][i] = far;
        f->wall_density[1][i] = near;
    }
}

/* What a particle's energy, h / 8 k (rho - rho_0)^2 + h / 12 k_near rho_near^2 to its mass, loses on the way. */
static void push_walls(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__SpringsPlan *plan = c->arguments;
    const Sheets rest = resting_sheets(plan);
    dlp__Particles *p = c->particles;
    const dlp__SpringsFields *f = dlp__own_fields(p);
    for (int64_t i = begin; i < end; i++) {
        float away = 0.0f; /* m, by which walls have moved it off */
        for (int32_t k = 0; k < c->boundary->count[i]; k++) {
            const Wall wall = wall_at(c, plan, i, k);
            const Sheets sheets = see_sheets(plan, &rest, wall.distance);
            const float push = -plan->support * wall.weight *
                               (0.25f * plan->wetting * f->far_push[0][i] * sheets.far_slope +
                                f->near_push[0][i] * sheets.near_slope / 6.0f);
            away += push > 0.0f ? push : plan->slack * push;
            for (int a = 0; a < 3; a++) {
                const float move = (push > 0.0f ? push : plan->slack * push) * wall.normal[a];
                p->position[a][i] += move;
                p->correction[a][i] += move;
                if (c->samples->displacement[a] != NULL) {
                    c->samples->displacement[a][wall.row] += move;
                }
            }
        }
        p->clearance[0][i] = away > 0.0f ? -away / plan->dt : 0.0f;
    }
}

void dlp__springs_see_walls(dlp__StepContext *step, const dlp__SpringsPlan *plan)
{
    static const dlp__Stage stage = {
        .name = "springs walls", .function = see_walls, .reads = {DLP_FIELD_position}, .writes = {OWN_wall_density}};
    dlp__boundary_build_samples(step->solids, step->domains);
    dlp__run(step->domains, &stage, plan);
}

void dlp__springs_push_walls(dlp__StepContext *step, const dlp__SpringsPlan *plan)
{
    static const dlp__Stage stage = {.name = "springs walls push",
                                     .function = push_walls,
                                     .reads = {OWN_far_push, OWN_near_push},
                                     .writes = {DLP_FIELD_position, DLP_FIELD_correction, DLP_FIELD_clearance}};
    dlp__run(step->domains, &stage, plan);
}

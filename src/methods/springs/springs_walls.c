#include "methods/springs/springs_walls.h"

#include "methods/springs/springs_fields.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

/* Densities of evenly filled sheets of particles, and their derivatives with the distance from the wall (1/m). */
typedef struct Sheets {
    float far, near, far_slope, near_slope;
} Sheets;

/* Of the sheets behind a wall at distance s (m). */
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

/* Of the sheets behind a wall with fluid at rest. */
static Sheets resting_sheets(const dlp__SpringsPlan *plan)
{
    return sum_sheets(plan, 0.5f * plan->spacing);
}

/* Effective densities at distance s: f(s)^2 / f(d/2), see springs_walls.h. */
static Sheets effective_sheets(const dlp__SpringsPlan *plan, const Sheets *rest, float s)
{
    const Sheets sum = sum_sheets(plan, s);
    return (Sheets){sum.far * sum.far / rest->far, sum.near * sum.near / rest->near,
                    2.0f * sum.far * sum.far_slope / rest->far, 2.0f * sum.near * sum.near_slope / rest->near};
}

/* Boundary sample k of particle i: normal away from it, distance of the wall and weight. Samples are at the first sheet. */
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

static void add_wall_density(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__SpringsFields *f = dlp__own_fields(c->particles);
    const dlp__SpringsPlan *plan = c->arguments;
    const Sheets rest = resting_sheets(plan);
    for (int64_t i = begin; i < end; i++) {
        float far = 0.0f, near = 0.0f;
        for (int32_t k = 0; k < c->boundary->count[i]; k++) {
            const Wall wall = wall_at(c, plan, i, k);
            const Sheets sheets = effective_sheets(plan, &rest, wall.distance);
            far += plan->wetting * wall.weight * sheets.far;
            near += wall.weight * sheets.near;
        }
        f->wall_density[0][i] = far;
        f->wall_density[1][i] = near;
    }
}

/* The negative gradient of a particle's energy per mass, h / 8 k (rho - rho_0)^2 + h / 12 k_near rho_near^2. */
static void push_from_walls(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__SpringsPlan *plan = c->arguments;
    const Sheets rest = resting_sheets(plan);
    dlp__Particles *p = c->particles;
    const dlp__SpringsFields *f = dlp__own_fields(p);
    for (int64_t i = begin; i < end; i++) {
        float pushed_away = 0.0f; /* m, total displacement by walls */
        for (int32_t k = 0; k < c->boundary->count[i]; k++) {
            const Wall wall = wall_at(c, plan, i, k);
            const Sheets sheets = effective_sheets(plan, &rest, wall.distance);
            const float push = -plan->support * wall.weight *
                               (0.25f * plan->wetting * f->far_push[0][i] * sheets.far_slope +
                                f->near_push[0][i] * sheets.near_slope / 6.0f);
            pushed_away += push > 0.0f ? push : plan->slack * push;
            for (int a = 0; a < 3; a++) {
                const float move = (push > 0.0f ? push : plan->slack * push) * wall.normal[a];
                p->position[a][i] += move;
                p->correction[a][i] += move;
                if (c->samples->displacement[a] != NULL) {
                    c->samples->displacement[a][wall.row] += move;
                }
            }
        }
        p->clearance[0][i] = pushed_away > 0.0f ? -pushed_away / plan->dt : 0.0f;
    }
}

void dlp__springs_add_wall_density(dlp__StepContext *step, const dlp__SpringsPlan *plan)
{
    static const dlp__Stage stage = {.name = "springs walls",
                                     .function = add_wall_density,
                                     .reads = {DLP_FIELD_position},
                                     .writes = {OWN_wall_density}};
    dlp__boundary_build_samples(step->solids, step->domains);
    dlp__run(step->domains, &stage, plan);
}

void dlp__springs_push_walls(dlp__StepContext *step, const dlp__SpringsPlan *plan)
{
    static const dlp__Stage stage = {.name = "springs walls push",
                                     .function = push_from_walls,
                                     .reads = {OWN_far_push, OWN_near_push},
                                     .writes = {DLP_FIELD_position, DLP_FIELD_correction, DLP_FIELD_clearance}};
    dlp__run(step->domains, &stage, plan);
}

#include "methods/mps/mps_walls.h"

#include "methods/mps/mps_fields.h"

#include <math.h>

static const float PI = 3.14159265358979f;

/* Sums over the sheets behind a wall at distance s, spread evenly over their planes, z = s + (k + 1/2) spacings away. */
typedef struct Sheets {
    float number; /* sum w                                                  */
    float side;   /* sum w z / r                                            */
    float push;   /* 1/m, sum w z / r^2                                     */
    float moment; /* sum w z^2 / r^2                                        */
    float pull;   /* m2, sum of (r - spacing) (r_e - r) z / r of the far radius     */
} Sheets;

static Sheets sum_sheets(const dlp__MpsPlan *plan, float s)
{
    const float d = plan->spacing, reach = plan->reach, far = plan->far_reach, area = PI / (d * d);
    Sheets sum = {0};
    for (int n = 0; s + ((float)n + 0.5f) * d < far; n++) {
        const float z = s + ((float)n + 0.5f) * d, beyond = far - z;
        sum.pull += 2.0f * area * z * (0.5f * (far - d) * beyond * beyond - beyond * beyond * beyond / 3.0f);
        if (z < reach) {
            const float logarithm = logf(reach / z), push = 2.0f * area * (reach - z - z * logarithm);
            sum.number += area * (reach - z) * (reach - z);
            sum.side += 2.0f * area * z * (reach * logarithm - (reach - z));
            sum.push += push;
            sum.moment += push * z;
        }
    }
    return sum;
}

/* Boundary sample k of particle i, which is at the wall's first sheet. */
typedef struct Wall {
    float normal[3]; /* away from it */
    float distance;  /* m            */
    float weight;    /* less than 1 where walls meet */
    float friction;
    const float *velocity; /* m/s */
    int64_t row;
} Wall;

static Wall wall_at(const dlp__StageContext *c, int64_t i, int32_t k)
{
    const dlp__MpsPlan *plan = c->arguments;
    Wall wall = {.row = dlp__neighbors_entry(c->boundary, i, k) - c->boundary->entry};
    const float *sample = c->samples->position_volume + 4 * wall.row;
    float square = 0.0f;
    for (int a = 0; a < 3; a++) {
        wall.normal[a] = c->particles->position[a][i] - sample[a];
        square += wall.normal[a] * wall.normal[a];
    }
    const float r = fmaxf(sqrtf(square), 1e-6f * plan->spacing);
    for (int a = 0; a < 3; a++) {
        wall.normal[a] /= r;
    }
    wall.distance = fmaxf(r - 0.5f * plan->spacing, 0.0f);
    wall.weight = sample[3];
    wall.velocity = c->samples->velocity_friction + 4 * wall.row;
    wall.friction = wall.velocity[3];
    return wall;
}

static void find_walls(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__MpsPlan *plan = c->arguments;
    const dlp__MpsFields *f = dlp__own_fields(c->particles);
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    for (int64_t i = begin; i < end; i++) {
        for (int n = 0; n < 7; n++) {
            f->wall_moment[n][i] = 0.0f;
        }
        for (int a = 0; a < 3; a++) {
            f->wall_side[a][i] = 0.0f;
        }
        for (int n = 0; n < 9; n++) {
            f->wall_rate[n][i] = 0.0f;
        }
        for (int32_t k = 0; k < c->boundary->count[i]; k++) {
            const Wall wall = wall_at(c, i, k);
            const Sheets sheets = sum_sheets(plan, wall.distance);
            for (int n = 0; n < 6; n++) {
                f->wall_moment[n][i] += wall.weight * plan->moment_factor * sheets.moment * wall.normal[row[n]] *
                                        wall.normal[column[n]];
            }
            f->wall_moment[6][i] += wall.weight * sheets.number;
            for (int a = 0; a < 3; a++) {
                f->wall_side[a][i] -= wall.weight * sheets.side * wall.normal[a];
            }
        }
    }
}

/* The wall as a neighbour: its distance, and its weight w / r^2. */
typedef struct WallNeighbor {
    float distance; /* m */
    float weight;   /* 1/m2, times 3 / n0 */
} WallNeighbor;

static WallNeighbor wall_neighbor(const dlp__MpsPlan *plan, const Wall *wall)
{
    const float distance = fmaxf(wall->distance, 0.25f * plan->spacing);
    return (WallNeighbor){distance, wall->weight * plan->moment_factor * sum_sheets(plan, wall->distance).moment /
                                        (distance * distance)};
}

/* Velocity of the wall relative to the particle: its normal component only, if the wall is not no-slip. */
static void relative_velocity(const Wall *wall, float *const field[3], int64_t i, bool at_rest, float to[3])
{
    float normal = 0.0f;
    for (int a = 0; a < 3; a++) {
        to[a] = (at_rest ? 0.0f : wall->velocity[a]) - field[a][i];
        normal += to[a] * wall->normal[a];
    }
    for (int a = 0; a < 3 && wall->friction < 1.0f; a++) {
        to[a] = normal * wall->normal[a];
    }
}

static void add_rates(const dlp__StageContext *c, int64_t begin, int64_t end, bool of_search)
{
    const dlp__MpsPlan *plan = c->arguments;
    dlp__Particles *p = c->particles;
    const dlp__MpsFields *f = dlp__own_fields(p);
    for (int64_t i = begin; i < end; i++) {
        float sum[9] = {0};
        for (int32_t k = 0; k < c->boundary->count[i]; k++) {
            const Wall wall = wall_at(c, i, k);
            const WallNeighbor at = wall_neighbor(plan, &wall);
            float change[3];
            relative_velocity(&wall, of_search ? p->search : p->velocity, i, of_search, change);
            for (int n = 0; n < 9; n++) {
                sum[n] -= at.weight * at.distance * change[n / 3] * wall.normal[n % 3];
            }
        }
        for (int n = 0; n < 9 && c->boundary->count[i] > 0; n++) {
            f->wall_rate[n][i] = sum[n];
        }
    }
}

static void add_velocity_rates(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    add_rates(c, begin, end, false);
}

static void add_search_rates(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    add_rates(c, begin, end, true);
}

/* f of one wall on particle i, Pa/m. */
static void drag_of(const dlp__StageContext *c, int64_t i, const Wall *wall, bool of_search, float drag[3])
{
    const dlp__MpsPlan *plan = c->arguments;
    const dlp__Particles *p = c->particles;
    const dlp__MpsFields *f = dlp__own_fields(p);
    const WallNeighbor at = wall_neighbor(plan, wall);
    const float eta = f->stabilizing[0][i];
    /* of c w / r^2: the stabilization of the stress form, or the Laplacian form */
    const float compact = plan->viscous_flux > 0.0f ? plan->pair_factor / plan->moment_factor : 2.0f;
    float change[3], flux[3], normal = 0.0f;
    relative_velocity(wall, of_search ? p->search : p->velocity, i, of_search, change);
    for (int a = 0; a < 3; a++) {
        flux[a] = 0.0f;
        for (int b = 0; b < 3; b++) {
            flux[a] -= f->flux[3 * a + b][i] * wall->normal[b];
        }
        flux[a] *= at.weight * at.distance / plan->moment_factor;
        normal += flux[a] * wall->normal[a];
    }
    for (int a = 0; a < 3; a++) {
        drag[a] = (wall->friction < 1.0f ? normal * wall->normal[a] : flux[a]) + compact * eta * at.weight * change[a];
    }
}

static void add_drag(const dlp__StageContext *c, int64_t begin, int64_t end, bool of_search)
{
    const dlp__MpsPlan *plan = c->arguments;
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i++) {
        for (int32_t k = 0; k < c->boundary->count[i]; k++) {
            const Wall wall = wall_at(c, i, k);
            float drag[3];
            drag_of(c, i, &wall, of_search, drag);
            for (int a = 0; a < 3; a++) {
                float *sum = of_search ? p->product[a] : p->residual[a];
                sum[i] += of_search ? -plan->dt * drag[a] : plan->dt * drag[a];
            }
        }
    }
}

static void add_velocity_drag(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    add_drag(c, begin, end, false);
}

static void add_search_drag(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    add_drag(c, begin, end, true);
}

static void record(const dlp__StageContext *c, const Wall *wall, const float by[3])
{
    for (int a = 0; a < 3 && c->samples->displacement[a] != NULL; a++) {
        c->samples->displacement[a][wall->row] += by[a];
    }
}

static void record_drag(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__MpsPlan *plan = c->arguments;
    for (int64_t i = begin; i < end; i++) {
        for (int32_t k = 0; k < c->boundary->count[i]; k++) {
            const Wall wall = wall_at(c, i, k);
            float drag[3];
            drag_of(c, i, &wall, false, drag);
            for (int a = 0; a < 3; a++) {
                drag[a] *= plan->dt * plan->dt * c->particles->specific_volume[0][i];
            }
            record(c, &wall, drag);
        }
    }
}

static void wet(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__MpsPlan *plan = c->arguments;
    dlp__Particles *p = c->particles;
    const dlp__MpsFields *f = dlp__own_fields(p);
    const float d = plan->spacing;
    for (int64_t i = begin; i < end; i++) {
        const float share = 0.5f * (1.0f + (float)cos(plan->materials[p->material[0][i]].contact_angle));
        for (int32_t k = 0; k < c->boundary->count[i]; k++) {
            const Wall wall = wall_at(c, i, k);
            const float pull = share * wall.weight * f->attraction[0][i] * sum_sheets(plan, wall.distance).pull;
            const float speed = plan->dt * pull * p->specific_volume[0][i] / (d * d * d);
            float by[3];
            for (int a = 0; a < 3; a++) {
                by[a] = -plan->dt * speed * wall.normal[a];
                p->velocity[a][i] -= speed * wall.normal[a];
                p->position[a][i] += by[a];
            }
            record(c, &wall, by);
        }
    }
}

/* Whether a wall holds a particle that moves away from it, which takes `tension` (Pa): the pressure of the last step less this must be
 * above minus its stickiness, which decreases to zero over its reach. */
static bool holds(const dlp__StageContext *c, const Wall *wall, int64_t i, float tension)
{
    const dlp__MpsPlan *plan = c->arguments;
    const dlp__Solid *solid = &plan->solids->solid[c->samples->solid[wall->row]];
    const dlp__ContactLaw law = dlp__contact_law(plan->solids, solid, c->particles->material[0][i]);
    const dlp__MpsFields *f = dlp__own_fields(c->particles);
    const double gap = fmax((double)(wall->distance - 0.5f * plan->spacing), 0.0);
    return (double)(f->last_pressure[0][i] - tension) >= -law.stickiness * fmax(1.0 - gap / law.reach, 0.0);
}

/* How a wall acts on particle i in the pressure equation. */
typedef struct WallPressure {
    float away;   /* m, by which the particle moved away from the wall */
    float push;   /* 1/m, acceleration per pressure over density; 0: the particle leaves the wall */
    float number; /* contribution to the number density */
} WallPressure;

static WallPressure wall_pressure(const dlp__StageContext *c, const Wall *wall, int64_t i)
{
    const dlp__MpsPlan *plan = c->arguments;
    const dlp__Particles *p = c->particles;
    const Sheets sheets = sum_sheets(plan, wall->distance);
    WallPressure result = {.number = wall->weight * sheets.number};
    for (int a = 0; a < 3; a++) {
        result.away += wall->normal[a] * (p->position[a][i] - p->start[a][i] - plan->dt * wall->velocity[a]);
    }
    result.push = 2.0f * wall->weight * sheets.push;
    const float per_pressure = plan->dt * plan->dt * p->specific_volume[0][i] * plan->moment_factor * result.push;
    if (result.away > 0.0f && !holds(c, wall, i, result.away / fmaxf(per_pressure, 1e-30f))) {
        result.push = 0.0f;
    }
    return result;
}

/* Sheets mirror the motion of the particle relative to the wall. */
static void compress(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__Particles *p = c->particles;
    const dlp__MpsFields *f = dlp__own_fields(p);
    for (int64_t i = begin; i < end; i++) {
        float compression = 0.0f, number = 0.0f, push[3] = {0.0f, 0.0f, 0.0f};
        f->last_pressure[0][i] = p->pressure[0][i];
        for (int32_t k = 0; k < c->boundary->count[i]; k++) {
            const Wall wall = wall_at(c, i, k);
            const WallPressure at = wall_pressure(c, &wall, i);
            for (int a = 0; a < 3; a++) {
                push[a] += at.push * wall.normal[a];
            }
            compression -= at.push * at.away;
            number += at.number;
        }
        f->wall_compression[0][i] = compression;
        f->wall_compression[1][i] = number;
        for (int a = 0; a < 3; a++) {
            f->wall_push[a][i] = push[a];
        }
    }
}

/* The part of the displacements by pressure that is due to walls. */
static void record_push(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__MpsPlan *plan = c->arguments;
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i++) {
        const float factor = plan->dt * plan->dt * p->specific_volume[0][i] * plan->moment_factor * p->pressure[0][i];
        float pushed_away = 0.0f;
        for (int32_t k = 0; k < c->boundary->count[i]; k++) {
            const Wall wall = wall_at(c, i, k);
            const float size = factor * wall_pressure(c, &wall, i).push;
            const float by[3] = {size * wall.normal[0], size * wall.normal[1], size * wall.normal[2]};
            pushed_away += size;
            record(c, &wall, by);
        }
        p->clearance[0][i] = pushed_away > 0.0f ? -pushed_away / plan->dt : 0.0f;
    }
}

void dlp__mps_find_walls(dlp__StepContext *step, const dlp__MpsPlan *plan)
{
    static const dlp__Stage stage = {.name = "mps walls",
                                     .function = find_walls,
                                     .reads = {DLP_FIELD_position},
                                     .writes = {OWN_wall_moment, OWN_wall_side, OWN_wall_rate}};
    dlp__boundary_build_samples(step->solids, step->domains);
    dlp__run(step->domains, &stage, plan);
}

void dlp__mps_add_wall_rates(dlp__StepContext *step, const dlp__MpsPlan *plan, bool of_search)
{
    static const dlp__Stage of_velocities = {.name = "mps walls gradient",
                                             .function = add_velocity_rates,
                                             .reads = {DLP_FIELD_position, DLP_FIELD_velocity},
                                             .writes = {OWN_wall_rate}};
    static const dlp__Stage of_searches = {.name = "mps walls gradient",
                                           .function = add_search_rates,
                                           .reads = {DLP_FIELD_position, DLP_FIELD_search},
                                           .writes = {OWN_wall_rate}};
    if (plan->has_walls) {
        dlp__run(step->domains, of_search ? &of_searches : &of_velocities, plan);
    }
}

void dlp__mps_add_wall_drag(dlp__StepContext *step, const dlp__MpsPlan *plan, bool of_search)
{
    static const dlp__Stage of_velocities = {
        .name = "mps walls drag",
        .function = add_velocity_drag,
        .reads = {DLP_FIELD_position, DLP_FIELD_velocity, OWN_stabilizing, OWN_flux},
        .writes = {DLP_FIELD_residual}};
    static const dlp__Stage of_searches = {.name = "mps walls drag",
                                           .function = add_search_drag,
                                           .reads = {DLP_FIELD_position, DLP_FIELD_search, OWN_stabilizing, OWN_flux},
                                           .writes = {DLP_FIELD_product}};
    if (plan->has_walls) {
        dlp__run(step->domains, of_search ? &of_searches : &of_velocities, plan);
    }
}

void dlp__mps_record_wall_drag(dlp__StepContext *step, const dlp__MpsPlan *plan)
{
    static const dlp__Stage stage = {
        .name = "mps walls drag",
        .function = record_drag,
        .reads = {DLP_FIELD_position, DLP_FIELD_velocity, DLP_FIELD_specific_volume, OWN_stabilizing, OWN_flux}};
    if (plan->has_walls) {
        dlp__run(step->domains, &stage, plan);
    }
}

void dlp__mps_wet_walls(dlp__StepContext *step, const dlp__MpsPlan *plan)
{
    static const dlp__Stage stage = {.name = "mps walls wetting",
                                     .function = wet,
                                     .reads = {DLP_FIELD_material, DLP_FIELD_specific_volume, OWN_attraction},
                                     .writes = {DLP_FIELD_velocity, DLP_FIELD_position}};
    if (plan->has_walls) {
        dlp__run(step->domains, &stage, plan);
    }
}

void dlp__mps_compress_at_walls(dlp__StepContext *step, const dlp__MpsPlan *plan)
{
    static const dlp__Stage stage = {.name = "mps walls density",
                                     .function = compress,
                                     .reads = {DLP_FIELD_position, DLP_FIELD_start, DLP_FIELD_pressure,
                                               DLP_FIELD_material, DLP_FIELD_specific_volume},
                                     .writes = {OWN_wall_compression, OWN_wall_push, OWN_last_pressure}};
    dlp__run(step->domains, &stage, plan);
}

void dlp__mps_record_wall_push(dlp__StepContext *step, const dlp__MpsPlan *plan)
{
    static const dlp__Stage stage = {.name = "mps walls push",
                                     .function = record_push,
                                     .reads = {DLP_FIELD_position, DLP_FIELD_start, DLP_FIELD_pressure,
                                               DLP_FIELD_material, DLP_FIELD_specific_volume, OWN_last_pressure},
                                     .writes = {DLP_FIELD_clearance}};
    dlp__run(step->domains, &stage, plan);
}

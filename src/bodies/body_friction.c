/* How rubbing changes the motion of free solids. Friction takes a part of the speed at which particles slide along a wall, and
 * the wall's speed is what it will be when it has been given all that: else a light body that many particles touch would be
 * thrown to the other side, and farther each time. As friction is linear, that is a system of six equations for each body:
 *
 *     (M + sum G^T K G) change = sum G^T K (v_i - v_wall),    K = along (1 - n n^T) + into n n^T,
 *
 * where G takes the motion of the body to that of the wall at a particle, and M is its mass and inertia. */
#include "base/exact_sum.h"
#include "bodies/reactions.h"

enum { FREEDOMS = 6 };

/* One entry of the matrix, or of the right side (column FREEDOMS). */
typedef struct Entry {
    const dlp__Domains *domains;
    const dlp__Solid *solid;
    int row, column;
} Entry;

/* The velocity that a unit of one freedom gives to a point at `arm` from the centre of mass. */
static dlp_Vec3 unit_motion(int freedom, dlp_Vec3 arm)
{
    const int axis = freedom % 3;
    const dlp_Vec3 unit = dlp__vec3(axis == 0, axis == 1, axis == 2);
    return freedom < 3 ? unit : dlp__cross(unit, arm);
}

static dlp_Vec3 vector_of(const float v[3])
{
    return dlp__vec3((double)v[0], (double)v[1], (double)v[2]);
}

static void add_entries(const void *context, int part, int64_t begin, int64_t end, dlp__ExactSum *sum)
{
    const Entry *of = context;
    const dlp__Reaction *felt = of->domains->part[part].reactions.item;
    for (int64_t n = begin; n < end; n++) {
        if (felt[n].body != of->solid->body) {
            continue;
        }
        const dlp_Vec3 normal = vector_of(felt[n].normal);
        const dlp_Vec3 arm = dlp__sub(vector_of(felt[n].point), of->solid->push.center);
        const dlp_Vec3 a = unit_motion(of->row, arm);
        const dlp_Vec3 b = of->column < FREEDOMS ? unit_motion(of->column, arm) : vector_of(felt[n].impulse);
        const double along = (double)felt[n].along, into = (double)felt[n].into;
        dlp__exact_add(sum, along * dlp__dot(a, b) + (into - along) * dlp__dot(a, normal) * dlp__dot(b, normal));
    }
}

static double sum_entry(const dlp__Domains *domains, const dlp__Solid *solid, int row, int column)
{
    int64_t counts[DLP_DOMAINS_MOST];
    for (int part = 0; part < domains->count; part++) {
        counts[part] = domains->part[part].reactions.count;
    }
    const Entry entry = {domains, solid, row, column};
    double scale = 1.0;
    return dlp__exact_sum(domains->parallel, domains->count, counts, add_entries, &entry, &scale);
}

/* Cholesky; the matrix is positive definite for M is. What is not finite stays so, and the next step of the bodies tells. */
static void solve(double m[FREEDOMS][FREEDOMS], double x[FREEDOMS])
{
    for (int j = 0; j < FREEDOMS; j++) {
        for (int i = j; i < FREEDOMS; i++) {
            for (int k = 0; k < j; k++) {
                m[i][j] -= m[i][k] * m[j][k];
            }
            m[i][j] = i == j ? sqrt(m[j][j]) : m[i][j] / m[j][j];
        }
    }
    for (int i = 0; i < FREEDOMS; i++) {
        for (int k = 0; k < i; k++) {
            x[i] -= m[i][k] * x[k];
        }
        x[i] /= m[i][i];
    }
    for (int i = FREEDOMS - 1; i >= 0; i--) {
        for (int k = i + 1; k < FREEDOMS; k++) {
            x[i] -= m[k][i] * x[k];
        }
        x[i] /= m[i][i];
    }
}

static void foresee(const dlp__Domains *domains, dlp__Solid *solid)
{
    const double mass = solid->weight.mass, *i = solid->weight.inertia;
    double m[FREEDOMS][FREEDOMS] = {
        {mass}, {0, mass}, {0, 0, mass}, {0, 0, 0, i[0]}, {0, 0, 0, i[3], i[1]}, {0, 0, 0, i[4], i[5], i[2]}};
    double change[FREEDOMS];
    for (int row = 0; row < FREEDOMS; row++) {
        for (int column = 0; column <= row; column++) {
            m[row][column] += sum_entry(domains, solid, row, column);
        }
        change[row] = sum_entry(domains, solid, row, FREEDOMS);
    }
    solve(m, change);
    const dlp_Vec3 drift = dlp__vec3(change[0], change[1], change[2]),
                   turning = dlp__vec3(change[3], change[4], change[5]);
    const dlp_Vec3 arm = dlp__sub(solid->shape.position, solid->push.center);
    solid->velocity = dlp__add(solid->velocity, dlp__add(drift, dlp__cross(turning, arm)));
    solid->spin = dlp__add(solid->spin, turning);
}

void dlp__solids_predict_friction(dlp__Solids *solids, dlp__Domains *domains)
{
    int64_t felt = 0;
    for (int part = 0; part < domains->count; part++) {
        felt += domains->part[part].reactions.count;
    }
    for (int body = 0; body < solids->body_count && felt > 0; body++) {
        foresee(domains, dlp__free_body_at(solids, body));
    }
}

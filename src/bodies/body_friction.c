/* Friction of particles on free bodies. Friction removes a fraction of the speed at which particles slide along a
 * wall. The wall velocity used is the one after the body has received all friction impulses: with the old velocity,
 * a light body touched by many particles would overshoot, more each step. As friction is linear, this is a system of
 * six equations per body:
 *
 *     (M + sum G^T K G) change = sum G^T K (v_i - v_wall),    K = k_t (1 - n n^T) + k_n n n^T,
 *
 * where G maps the motion of the body to that of the wall at a particle, M is its mass and inertia, and k_t and k_n
 * are `tangential_mass` and `normal_mass` of the reaction. */
#include "base/exact_sum.h"
#include "bodies/reactions.h"

enum { DOFS = 6 };

/* One entry of the matrix, or of the right-hand side (column DOFS). */
typedef struct Entry {
    const dlp__Domains *domains;
    const dlp__Solid *solid;
    int row, column;
} Entry;

/* The velocity at `arm` from the centre of mass due to a unit motion in one degree of freedom. */
static dlp_Vec3 unit_motion(int dof, dlp_Vec3 arm)
{
    const int axis = dof % 3;
    const dlp_Vec3 unit = dlp__vec3(axis == 0, axis == 1, axis == 2);
    return dof < 3 ? unit : dlp__cross(unit, arm);
}

static dlp_Vec3 vector_of(const float v[3])
{
    return dlp__vec3((double)v[0], (double)v[1], (double)v[2]);
}

static void add_entries(const void *context, int part, int64_t begin, int64_t end, dlp__ExactSum *sum)
{
    const Entry *of = context;
    for (int64_t n = begin; n < end; n++) {
        const dlp__Reaction *reaction = dlp__reaction_on(of->domains, part, of->solid->body, n);
        const dlp_Vec3 normal = vector_of(reaction->normal);
        const dlp_Vec3 arm = dlp__sub(vector_of(reaction->point), of->solid->exchange.center);
        const dlp_Vec3 a = unit_motion(of->row, arm);
        const dlp_Vec3 b = of->column < DOFS ? unit_motion(of->column, arm) : vector_of(reaction->impulse);
        const double tangential = (double)reaction->tangential_mass, normal_part = (double)reaction->normal_mass;
        dlp__exact_add(sum, tangential * dlp__dot(a, b) +
                                (normal_part - tangential) * dlp__dot(a, normal) * dlp__dot(b, normal));
    }
}

static double sum_entry(const dlp__Domains *domains, const dlp__Solid *solid, int row, int column)
{
    int64_t counts[DLP_DOMAINS_MOST];
    dlp__reactions_count(domains, solid->body, counts);
    const Entry entry = {domains, solid, row, column};
    double scale = 1.0;
    return dlp__exact_sum(domains->parallel, domains->count, counts, add_entries, &entry, &scale);
}

/* Cholesky; the matrix is positive definite because M is. Values that are not finite propagate and are reported by
 * the next step of the bodies. */
static void solve(double m[DOFS][DOFS], double x[DOFS])
{
    for (int j = 0; j < DOFS; j++) {
        for (int i = j; i < DOFS; i++) {
            for (int k = 0; k < j; k++) {
                m[i][j] -= m[i][k] * m[j][k];
            }
            m[i][j] = i == j ? sqrt(m[j][j]) : m[i][j] / m[j][j];
        }
    }
    for (int i = 0; i < DOFS; i++) {
        for (int k = 0; k < i; k++) {
            x[i] -= m[i][k] * x[k];
        }
        x[i] /= m[i][i];
    }
    for (int i = DOFS - 1; i >= 0; i--) {
        for (int k = i + 1; k < DOFS; k++) {
            x[i] -= m[k][i] * x[k];
        }
        x[i] /= m[i][i];
    }
}

static void predict_body_friction(const dlp__Domains *domains, dlp__Solid *solid)
{
    const double mass = solid->mass_properties.mass, *i = solid->mass_properties.inertia;
    double m[DOFS][DOFS] = {
        {mass}, {0, mass}, {0, 0, mass}, {0, 0, 0, i[0]}, {0, 0, 0, i[3], i[1]}, {0, 0, 0, i[4], i[5], i[2]}};
    double change[DOFS];
    for (int row = 0; row < DOFS; row++) {
        for (int column = 0; column <= row; column++) {
            m[row][column] += sum_entry(domains, solid, row, column);
        }
        change[row] = sum_entry(domains, solid, row, DOFS);
    }
    solve(m, change);
    const dlp_Vec3 velocity_change = dlp__vec3(change[0], change[1], change[2]),
                   spin_change = dlp__vec3(change[3], change[4], change[5]);
    const dlp_Vec3 arm = dlp__sub(solid->shape.position, solid->exchange.center);
    solid->velocity = dlp__add(solid->velocity, dlp__add(velocity_change, dlp__cross(spin_change, arm)));
    solid->spin = dlp__add(solid->spin, spin_change);
}

void dlp__solids_predict_friction(dlp__Solids *solids, dlp__Domains *domains)
{
    int64_t reactions = 0;
    for (int part = 0; part < domains->count; part++) {
        reactions += domains->part[part].reactions.count;
    }
    reactions = dlp__ranks_sum(domains->ranks, reactions);
    for (int body = 0; body < solids->body_count && reactions > 0; body++) {
        predict_body_friction(domains, dlp__free_body_at(solids, body));
    }
}

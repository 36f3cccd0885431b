/* Elements with nine nodes for the velocity (biquadratic) and a discontinuous linear pressure, eliminated by a penalty; nodes move with the
 * fluid, so the conformation tensor stays at the integration points. Velocities are implicit, the geometry of a step is that at its start. */
#include "studies/axisymmetric_flow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI      3.14159265358979323846
#define PENALTY 1e6 /* bulk viscosity over viscosity */
enum {
    NODES = 9,
    DOFS = 2 * NODES,
    POINTS = 9,
    PRESSURES = 3,
    STRAINS = 4
}; /* strains: rr, zz, tt, rz (engineering) */

/* Conformation tensor and strain rate of an integration point, in the order rr, zz, tt, rz. */
typedef struct Memory {
    double q[STRAINS];
    double change[STRAINS]; /* L Q + Q L^T of the last step, 1/s */
    double rate[STRAINS];   /* of the last step, 1/s */
} Memory;

struct AxisymmetricFlow {
    AxisymmetricDef def;
    int rows, columns; /* of nodes: along z and along r */
    int dofs, band;    /* half of the bandwidth, with the diagonal */
    double (*x)[2];    /* m: r, z */
    double *rest;      /* m, z at rest of each row */
    double *v;         /* m/s: r, z of each node */
    double *matrix, *copy, *right;
    Memory (*memory)[POINTS];
    double force; /* N */
};

AxisymmetricFlow *axisymmetric_create(const AxisymmetricDef *def)
{
    AxisymmetricFlow *flow = calloc(1, sizeof *flow);
    if (!flow) {
        return NULL;
    }
    flow->def = *def;
    flow->columns = 2 * def->elements_r + 1;
    flow->rows = 2 * def->elements_z + 1;
    flow->dofs = 2 * flow->rows * flow->columns;
    flow->band = 2 * (2 * flow->columns + 2) + 2;
    const size_t nodes = (size_t)flow->rows * (size_t)flow->columns, dofs = (size_t)flow->dofs;
    const size_t elements = (size_t)def->elements_r * (size_t)def->elements_z;
    flow->x = calloc(nodes, sizeof *flow->x);
    flow->rest = calloc((size_t)flow->rows, sizeof *flow->rest);
    flow->v = calloc(dofs, sizeof *flow->v);
    flow->matrix = calloc(dofs * (size_t)flow->band, sizeof *flow->matrix);
    flow->copy = calloc(dofs * (size_t)flow->band, sizeof *flow->copy);
    flow->right = calloc(2 * dofs, sizeof *flow->right);
    flow->memory = calloc(elements, sizeof *flow->memory);
    if (!flow->x || !flow->rest || !flow->v || !flow->matrix || !flow->copy || !flow->right || !flow->memory) {
        axisymmetric_destroy(flow);
        return NULL;
    }
    for (size_t n = 0; n < nodes; n++) {
        const size_t row = n / (size_t)flow->columns, column = n % (size_t)flow->columns;
        flow->x[n][0] = def->radius * (double)column / (flow->columns - 1);
        flow->x[n][1] = def->length * (double)row / (flow->rows - 1);
        flow->rest[row] = flow->x[n][1];
    }
    for (size_t e = 0; e < elements; e++) {
        for (int k = 0; k < POINTS; k++) {
            flow->memory[e][k] = (Memory){.q = {1, 1, 1, 0}};
        }
    }
    return flow;
}

void axisymmetric_destroy(AxisymmetricFlow *flow)
{
    if (flow) {
        free(flow->x);
        free(flow->rest);
        free(flow->v);
        free(flow->matrix);
        free(flow->copy);
        free(flow->right);
        free(flow->memory);
        free(flow);
    }
}

static int node_of(const AxisymmetricFlow *flow, int element, int local)
{
    const int column = 2 * (element % flow->def.elements_r) + local % 3;
    const int row = 2 * (element / flow->def.elements_r) + local / 3;
    return row * flow->columns + column;
}

/* Quadratic functions on -1, 0, 1 and their derivatives. */
static void shape_line(double s, double n[3], double d[3])
{
    n[0] = s * (s - 1) / 2;
    n[1] = 1 - s * s;
    n[2] = s * (s + 1) / 2;
    d[0] = s - 0.5;
    d[1] = -2 * s;
    d[2] = s + 0.5;
}

/* What an integration point of an element knows. */
typedef struct Point {
    double shape[NODES], gradient[NODES][2]; /* 1/m */
    double pressure[PRESSURES];              /* functions of the pressure */
    double r, volume;                        /* m, m3 */
    double strain[STRAINS][DOFS];            /* strain rate from velocities */
} Point;

static Point point_of(const AxisymmetricFlow *flow, int element, int k)
{
    static const double place[3] = {-0.774596669241483377, 0, 0.774596669241483377},
                        weight[3] = {5. / 9, 8. / 9, 5. / 9};
    const double s = place[k % 3], t = place[k / 3];
    Point p = {.pressure = {1, s, t}};
    double ns[3], ds[3], nt[3], dt[3], jacobian[2][2] = {{0}};
    shape_line(s, ns, ds);
    shape_line(t, nt, dt);
    for (int a = 0; a < NODES; a++) {
        const double *x = flow->x[node_of(flow, element, a)];
        p.shape[a] = ns[a % 3] * nt[a / 3];
        p.r += p.shape[a] * x[0];
        for (int axis = 0; axis < 2; axis++) {
            jacobian[0][axis] += ds[a % 3] * nt[a / 3] * x[axis];
            jacobian[1][axis] += ns[a % 3] * dt[a / 3] * x[axis];
        }
    }
    const double det = jacobian[0][0] * jacobian[1][1] - jacobian[0][1] * jacobian[1][0];
    p.volume = 2 * PI * p.r * det * weight[k % 3] * weight[k / 3];
    for (int a = 0; a < NODES; a++) {
        const double along_s = ds[a % 3] * nt[a / 3], along_t = ns[a % 3] * dt[a / 3];
        p.gradient[a][0] = (jacobian[1][1] * along_s - jacobian[0][1] * along_t) / det;
        p.gradient[a][1] = (jacobian[0][0] * along_t - jacobian[1][0] * along_s) / det;
        p.strain[0][2 * a] = p.gradient[a][0];
        p.strain[1][2 * a + 1] = p.gradient[a][1];
        p.strain[2][2 * a] = p.shape[a] / p.r;
        p.strain[3][2 * a] = p.gradient[a][1];
        p.strain[3][2 * a + 1] = p.gradient[a][0];
    }
    return p;
}

/* Pa s, of the Maxwell part within a step. A stretched fluid resists more; what is too much here acts on the change of the rate only. */
static double step_viscosity(const AxisymmetricFlow *flow, const Memory *m, double dt)
{
    const double kept = exp(-dt / flow->def.relaxation_time);
    return 1.5 * flow->def.modulus * kept * dt * fmax(m->q[0], fmax(m->q[1], m->q[2]));
}

/* Adds a point's viscosity, mass and forces to the element. */
static void add_point(const AxisymmetricFlow *flow, const Point *p, const Memory *m, const double *v, double dt,
                      double matrix[DOFS][DOFS], double right[DOFS])
{
    static const double doubled[STRAINS] = {2, 2, 2, 1}; /* 2 D from strain rates; the last is already 2 D_rz */
    const AxisymmetricDef *def = &flow->def;
    const bool maxwell = def->modulus > 0;
    const double kept = maxwell ? exp(-dt / def->relaxation_time) : 0, step = maxwell ? step_viscosity(flow, m, dt) : 0;
    const double viscosity = def->viscosity + step;
    double stress[STRAINS];
    for (int c = 0; c < STRAINS; c++) {
        const double rest = c < 3 ? 1 : 0;
        stress[c] = maxwell
                        ? def->modulus * kept * (m->q[c] - rest + dt * m->change[c]) - step * doubled[c] * m->rate[c]
                        : 0;
    }
    for (int a = 0; a < DOFS; a++) {
        for (int c = 0; c < STRAINS; c++) {
            right[a] -= p->volume * p->strain[c][a] * stress[c];
        }
        right[a] += a % 2 == 1 ? p->volume * def->density * def->gravity * p->shape[a / 2] : 0;
        for (int b = 0; b < DOFS; b++) {
            for (int c = 0; c < STRAINS; c++) {
                matrix[a][b] += p->volume * viscosity * doubled[c] * p->strain[c][a] * p->strain[c][b];
            }
            if (a % 2 == b % 2) {
                const double mass = p->volume * def->density / dt * p->shape[a / 2] * p->shape[b / 2];
                matrix[a][b] += mass;
                right[a] += mass * v[b];
            }
        }
    }
}

/* Solves the 3 x 3 system of the pressures for `columns` right sides, in place. */
static void solve_pressures(double a[PRESSURES][PRESSURES], double b[PRESSURES][DOFS])
{
    for (int i = 0; i < PRESSURES; i++) {
        for (int k = 0; k < PRESSURES; k++) {
            const double factor = k == i ? 0 : a[k][i] / a[i][i];
            for (int j = 0; j < PRESSURES; j++) {
                a[k][j] -= factor * a[i][j];
            }
            for (int j = 0; j < DOFS; j++) {
                b[k][j] -= factor * b[i][j];
            }
        }
    }
    for (int i = 0; i < PRESSURES; i++) {
        for (int j = 0; j < DOFS; j++) {
            b[i][j] /= a[i][i];
        }
    }
}

static void add_element(AxisymmetricFlow *flow, int element, double dt)
{
    double matrix[DOFS][DOFS] = {{0}}, right[DOFS] = {0}, v[DOFS];
    double divergence[PRESSURES][DOFS] = {{0}}, solved[PRESSURES][DOFS], mass[PRESSURES][PRESSURES] = {{0}};
    for (int a = 0; a < DOFS; a++) {
        v[a] = flow->v[2 * node_of(flow, element, a / 2) + a % 2];
    }
    double viscosity = flow->def.viscosity;
    for (int k = 0; k < POINTS; k++) {
        const Point p = point_of(flow, element, k);
        const Memory *m = &flow->memory[element][k];
        add_point(flow, &p, m, v, dt, matrix, right);
        viscosity = fmax(viscosity, flow->def.modulus * flow->def.relaxation_time);
        for (int i = 0; i < PRESSURES; i++) {
            for (int a = 0; a < DOFS; a++) {
                divergence[i][a] += p.volume * p.pressure[i] * (p.strain[0][a] + p.strain[1][a] + p.strain[2][a]);
            }
            for (int j = 0; j < PRESSURES; j++) {
                mass[i][j] += p.volume * p.pressure[i] * p.pressure[j];
            }
        }
    }
    memcpy(solved, divergence, sizeof solved);
    solve_pressures(mass, solved);
    for (int a = 0; a < DOFS; a++) {
        const int row = 2 * node_of(flow, element, a / 2) + a % 2;
        flow->right[row] += right[a];
        for (int b = 0; b < DOFS; b++) {
            const int column = 2 * node_of(flow, element, b / 2) + b % 2;
            for (int i = 0; i < PRESSURES; i++) {
                matrix[a][b] += PENALTY * viscosity * divergence[i][a] * solved[i][b];
            }
            if (column <= row) {
                flow->matrix[row * flow->band + row - column] += matrix[a][b];
            }
        }
    }
}

/* The velocity of a degree of freedom whose velocity is given; NaN for the others. */
static double prescribed(const AxisymmetricFlow *flow, int dof, double plate_speed)
{
    const int node = dof / 2, row = node / flow->columns, column = node % flow->columns;
    if (row == 0) {
        return 0;
    }
    if (row == flow->rows - 1 && !flow->def.upper_free) {
        return dof % 2 == 1 ? plate_speed : 0;
    }
    return column == 0 && dof % 2 == 0 ? 0 : NAN;
}

/* An entry of a symmetric band matrix stored as the diagonal and what is left of it. */
static double *entry(const AxisymmetricFlow *flow, double *matrix, int i, int j)
{
    const int row = i > j ? i : j, below = abs(i - j);
    return below < flow->band ? &matrix[row * flow->band + below] : NULL;
}

static void prescribe(AxisymmetricFlow *flow, double plate_speed)
{
    for (int i = 0; i < flow->dofs; i++) {
        const double value = prescribed(flow, i, plate_speed);
        for (int j = i - flow->band + 1; isfinite(value) && j < i + flow->band; j++) {
            double *a = j < 0 || j >= flow->dofs ? NULL : entry(flow, flow->matrix, i, j);
            if (a && j != i) {
                flow->right[j] -= *a * value;
                *a = 0;
            }
        }
    }
    for (int i = 0; i < flow->dofs; i++) {
        const double value = prescribed(flow, i, plate_speed);
        if (isfinite(value)) {
            flow->right[i] = value;
            *entry(flow, flow->matrix, i, i) = 1;
        }
    }
}

/* Cholesky factors of a band matrix, and the solution in place of the right side. */
static void solve_band(AxisymmetricFlow *flow)
{
    const int n = flow->dofs, band = flow->band;
    double *a = flow->matrix, *b = flow->right;
    for (int i = 0; i < n; i++) {
        const int first = i < band ? 0 : i - band + 1;
        for (int j = first; j <= i; j++) {
            double sum = a[i * band + i - j];
            const int from = j < band ? 0 : j - band + 1;
            for (int k = first > from ? first : from; k < j; k++) {
                sum -= a[i * band + i - k] * a[j * band + j - k];
            }
            a[i * band + i - j] = j == i ? sqrt(sum) : sum / a[j * band];
        }
    }
    for (int i = 0; i < n; i++) {
        for (int k = i < band ? 0 : i - band + 1; k < i; k++) {
            b[i] -= a[i * band + i - k] * b[k];
        }
        b[i] /= a[i * band];
    }
    for (int i = n - 1; i >= 0; i--) {
        b[i] /= a[i * band];
        for (int k = i < band ? 0 : i - band + 1; k < i; k++) {
            b[k] -= a[i * band + i - k] * b[i];
        }
    }
}

/* Q <- e F Q F^T + (1 - e) I with F = I + dt L; the velocities are those of the step. */
static void update_memory(AxisymmetricFlow *flow, int element, double dt)
{
    const double kept = exp(-dt / flow->def.relaxation_time);
    for (int k = 0; k < POINTS; k++) {
        const Point p = point_of(flow, element, k);
        Memory *m = &flow->memory[element][k];
        double rr = 0, rz = 0, zr = 0, zz = 0, tt = 0; /* L: rz is d v_r / dz */
        for (int a = 0; a < NODES; a++) {
            const double *v = &flow->v[2 * node_of(flow, element, a)];
            rr += p.gradient[a][0] * v[0];
            rz += p.gradient[a][1] * v[0];
            zr += p.gradient[a][0] * v[1];
            zz += p.gradient[a][1] * v[1];
            tt += p.shape[a] / p.r * v[0];
        }
        const double q[STRAINS] = {m->q[0], m->q[1], m->q[2], m->q[3]};
        const double f[2][2] = {{1 + dt * rr, dt * rz}, {dt * zr, 1 + dt * zz}}, around = 1 + dt * tt;
        const double top[2] = {f[0][0] * q[0] + f[0][1] * q[3], f[0][0] * q[3] + f[0][1] * q[1]};
        const double low[2] = {f[1][0] * q[0] + f[1][1] * q[3], f[1][0] * q[3] + f[1][1] * q[1]};
        m->q[0] = kept * (top[0] * f[0][0] + top[1] * f[0][1]) + 1 - kept;
        m->q[1] = kept * (low[0] * f[1][0] + low[1] * f[1][1]) + 1 - kept;
        m->q[2] = kept * around * around * q[2] + 1 - kept;
        m->q[3] = kept * (top[0] * f[1][0] + top[1] * f[1][1]);
        m->change[0] = 2 * (rr * m->q[0] + rz * m->q[3]);
        m->change[1] = 2 * (zr * m->q[3] + zz * m->q[1]);
        m->change[2] = 2 * tt * m->q[2];
        m->change[3] = rr * m->q[3] + rz * m->q[1] + zr * m->q[0] + zz * m->q[3];
        m->rate[0] = rr;
        m->rate[1] = zz;
        m->rate[2] = tt;
        m->rate[3] = rz + zr;
    }
}

/* N, that the upper plate takes up: what is left of the equations of its nodes. */
static double reaction(const AxisymmetricFlow *flow, const double *right)
{
    double force = 0;
    for (int column = 0; column < flow->columns; column++) {
        const int i = 2 * ((flow->rows - 1) * flow->columns + column) + 1;
        for (int j = i - flow->band + 1; j < flow->dofs; j++) {
            force += j < 0 ? 0 : *entry(flow, flow->copy, i, j) * flow->v[j];
        }
        force -= right[i];
    }
    return force;
}

void axisymmetric_step(AxisymmetricFlow *flow, double dt, double displacement)
{
    const int elements = flow->def.elements_r * flow->def.elements_z;
    const size_t size = (size_t)flow->dofs * (size_t)flow->band * sizeof *flow->matrix;
    double *right = flow->right + flow->dofs; /* before velocities are prescribed */
    memset(flow->matrix, 0, size);
    memset(flow->right, 0, (size_t)flow->dofs * sizeof *flow->right);
    for (int e = 0; e < elements; e++) {
        add_element(flow, e, dt);
    }
    memcpy(flow->copy, flow->matrix, size);
    memcpy(right, flow->right, (size_t)flow->dofs * sizeof *right);
    prescribe(flow, displacement / dt);
    solve_band(flow);
    memcpy(flow->v, flow->right, (size_t)flow->dofs * sizeof *flow->v);
    flow->force = flow->def.upper_free ? 0 : reaction(flow, right);
    for (int e = 0; e < elements && flow->def.modulus > 0; e++) {
        update_memory(flow, e, dt);
    }
    for (int i = 0; i < flow->dofs; i++) {
        flow->x[i / 2][i % 2] += dt * flow->v[i];
    }
}

double axisymmetric_force(const AxisymmetricFlow *flow)
{
    return flow->force;
}

/* m, mean height of a row of nodes over its disc at rest: Simpson's rule, weighted with the radius. */
static double row_height(const AxisymmetricFlow *flow, int row)
{
    double sum = 0, weights = 0;
    for (int column = 0; column < flow->columns; column++) {
        const double simpson = column == 0 || column == flow->columns - 1 ? 1 : column % 2 == 1 ? 4 : 2;
        sum += simpson * column * flow->x[row * flow->columns + column][1];
        weights += simpson * column;
    }
    return sum / weights;
}

double axisymmetric_height(const AxisymmetricFlow *flow, double rest_height)
{
    int row = 0;
    while (row < flow->rows - 2 && flow->rest[row + 1] < rest_height) {
        row++;
    }
    const double part = (rest_height - flow->rest[row]) / (flow->rest[row + 1] - flow->rest[row]);
    const double low = row_height(flow, row), high = row_height(flow, row + 1);
    return low + part * (high - low);
}

double axisymmetric_radius(const AxisymmetricFlow *flow, double height)
{
    const int last = flow->columns - 1;
    int row = 0;
    while (row < flow->rows - 2 && flow->x[(row + 1) * flow->columns + last][1] < height) {
        row++;
    }
    const double *low = flow->x[row * flow->columns + last], *high = flow->x[(row + 1) * flow->columns + last];
    return low[0] + (height - low[1]) / (high[1] - low[1]) * (high[0] - low[0]);
}

/* The projection of velocities against its linear system, assembled in double from all pairs and solved by
 * elimination. With V the volume, D_i twice the strain rate by corrected gradients and G_i the step's modulus, it is
 *     M u + dt^2 V sum_i J_i^T G_i J_i u = M u* - dt V sum_i J_i^T G_i q_i,    J_i u = D_i. */
#include "methods/conformation/conformation_fields.h"
#include "support/world_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const dlp__ConformationFields *conformation_fields_of(const dlp__Particles *p)
{
    return dlp__own_fields(p);
}

enum { SIDE = 5, COUNT = SIDE * SIDE * SIDE, ROWS = 3 * COUNT };

static const double SPACING = 0.01, DT = 0.004;                       /* m, s */
static const double VISCOSITY[2] = {30.0, 5.0}, TIME[2] = {0.0, 0.1}; /* Pa s, s */
static const double DENSITY[2] = {1000.0, 700.0};                     /* kg/m3 */

/* The state before the step, in the order of ids. */
static double place[COUNT][3], speed[COUNT][3], strain[COUNT][6];
static int material[COUNT];
static double correction[COUNT][3][3]; /* K */
static double matrix[ROWS][ROWS + 1];  /* the system, right-hand side in the last column */
static const int first[6] = {0, 1, 2, 0, 0, 1}, second[6] = {0, 1, 2, 1, 2, 2};
/* of the rows: each entry of the symmetric matrix counted once */
static const double weight[6] = {0.5, 0.5, 0.5, 1.0, 1.0, 1.0};

static void invert(const double m[3][3], double inverse[3][3])
{
    double det = 0.0;
    for (int n = 0; n < 3; n++) {
        det += m[0][n] * (m[1][(n + 1) % 3] * m[2][(n + 2) % 3] - m[1][(n + 2) % 3] * m[2][(n + 1) % 3]);
    }
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            int p = (b + 1) % 3, q = (b + 2) % 3, r = (a + 1) % 3, s = (a + 2) % 3;
            inverse[a][b] = (m[p][r] * m[q][s] - m[p][s] * m[q][r]) / det;
        }
    }
}

/* V grad W of the pair. */
static bool plain_gradient(const dlp__Kernel *kernel, int i, int j, double gradient[3])
{
    double away[3], square = 0.0;
    for (int a = 0; a < 3; a++) {
        away[a] = place[i][a] - place[j][a];
        square += away[a] * away[a];
    }
    double r = sqrt(square), volume = SPACING * SPACING * SPACING;
    for (int a = 0; a < 3 && i != j; a++) {
        gradient[a] = volume * dlp__kernel_slope(kernel, r) * away[a] / r;
    }
    return i != j && r < (double)kernel->support;
}

static void find_corrections(const dlp__Kernel *kernel)
{
    for (int i = 0; i < COUNT; i++) {
        double moment[3][3] = {{0.0}}, g[3];
        for (int j = 0; j < COUNT; j++) {
            for (int n = 0; plain_gradient(kernel, i, j, g) && n < 9; n++) {
                moment[n / 3][n % 3] += g[n / 3] * (place[j][n % 3] - place[i][n % 3]);
            }
        }
        invert((const double(*)[3])moment, correction[i]);
    }
}

/* Row n of J_i: component n of D_i as a function of the velocities. */
static void fill_row(const dlp__Kernel *kernel, int i, int n, double row[ROWS])
{
    memset(row, 0, ROWS * sizeof *row);
    for (int j = 0; j < COUNT; j++) {
        double g[3], k[3] = {0.0, 0.0, 0.0};
        if (!plain_gradient(kernel, i, j, g)) {
            continue;
        }
        for (int m = 0; m < 9; m++) {
            k[m / 3] += correction[i][m / 3][m % 3] * g[m % 3];
        }
        row[3 * j + first[n]] += k[second[n]];
        row[3 * j + second[n]] += k[first[n]];
        row[3 * i + first[n]] -= k[second[n]];
        row[3 * i + second[n]] -= k[first[n]];
    }
}

static void assemble(const dlp__Kernel *kernel)
{
    static double row[ROWS];
    double volume = SPACING * SPACING * SPACING;
    for (int i = 0; i < COUNT; i++) {
        for (int a = 0; a < 3; a++) {
            double mass = DENSITY[material[i]] * volume;
            matrix[3 * i + a][3 * i + a] += mass;
            matrix[3 * i + a][ROWS] += mass * speed[i][a];
        }
        double modulus = VISCOSITY[material[i]] / (TIME[material[i]] + DT);
        for (int n = 0; n < 6; n++) {
            fill_row(kernel, i, n, row);
            double factor = weight[n] * modulus * volume * DT;
            for (int p = 0; p < ROWS; p++) {
                for (int q = 0; q < ROWS && row[p] != 0.0; q++) {
                    matrix[p][q] += factor * DT * row[p] * row[q];
                }
                matrix[p][ROWS] -= factor * row[p] * strain[i][n];
            }
        }
    }
}

/* Elimination without pivoting, which a positive definite matrix does not need. */
static void solve(double u[ROWS])
{
    for (int p = 0; p < ROWS; p++) {
        for (int q = p + 1; q < ROWS; q++) {
            double factor = matrix[q][p] / matrix[p][p];
            for (int n = p; n <= ROWS && factor != 0.0; n++) {
                matrix[q][n] -= factor * matrix[p][n];
            }
        }
    }
    for (int p = ROWS - 1; p >= 0; p--) {
        u[p] = matrix[p][ROWS];
        for (int q = p + 1; q < ROWS; q++) {
            u[p] -= matrix[p][q] * u[q];
        }
        u[p] /= matrix[p][p];
    }
}

/* A jittered block of two materials with random velocities and strains, almost without vorticity. */
static dlp_World *make_block(void)
{
    dlp_World *world = make_viscous_world(SPACING, (dlp_Vec3){0, 0, 0});
    uint64_t seed = 7;
    for (int m = 0; m < 2; m++) {
        dlp_MaterialDef def = dlp_default_material_def();
        def.density = DENSITY[m];
        def.viscosity = VISCOSITY[m];
        def.relaxation_time = TIME[m];
        assert_int_equal(dlp_world_add_material(world, &def, NULL), DLP_OK);
    }
    add_lattice(world, 0, (const int[]){SIDE, SIDE, SIDE}, (dlp_Vec3){0, 0, 0});
    dlp__Particles *p = particles_of(world);
    for (int i = 0; i < COUNT; i++) {
        material[i] = i % 3 == 0;
        p->material[0][i] = (uint16_t)material[i];
        for (int a = 0; a < 3; a++) {
            p->position[a][i] += (float)(0.2 * SPACING * (random_number(&seed) - 0.5));
            p->velocity[a][i] = (float)(1e-3 * (random_number(&seed) - 0.5)); /* slow enough to neglect rotation */
            place[i][a] = (double)p->position[a][i];
            speed[i][a] = (double)p->velocity[a][i];
        }
        for (int n = 0; n < 6; n++) {
            conformation_fields_of(p)->conformation[n][i] = (float)(1e-3 * (random_number(&seed) - 0.5));
            strain[i][n] = (double)conformation_fields_of(p)->conformation[n][i];
        }
    }
    return world;
}

static void a_converged_projection_is_the_dense_solution(void **state)
{
    (void)state;
    static double expected[ROWS];
    dlp_World *world = make_block();
    find_corrections(&world->kernel);
    assemble(&world->kernel);
    solve(expected);
    set_method(world, "velocity_iterations", 2000);
    set_method(world, "position_iterations", 0);
    step_or_fail(world, DT);
    const dlp__Particles *p = particles_of(world);
    double off = 0.0, size = 0.0, change = 0.0;
    for (int i = 0; i < COUNT; i++) {
        int id = (int)p->id[0][i];
        for (int a = 0; a < 3; a++) {
            double u = expected[3 * id + a];
            off += ((double)p->velocity[a][i] - u) * ((double)p->velocity[a][i] - u);
            change += (speed[id][a] - u) * (speed[id][a] - u);
            size += u * u;
        }
    }
    print_message("off by %.2g of the solution, which differs from the start by %.2g of itself\n", sqrt(off / size),
                  sqrt(change / size));
    assert_true(sqrt(off / size) < 1e-3);
    assert_true(sqrt(change / size) > 0.3);
    dlp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_converged_projection_is_the_dense_solution)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Reference solutions for the studies of stretched fluids: an axisymmetric column of an Oldroyd-B fluid whose ends are bonded to plates or
 * free, by finite elements that move with the fluid. It holds what the one-dimensional theory of threads leaves out, the no-slip plates, and
 * has nothing in common with the methods of dollop. */
#ifndef STUDIES_AXISYMMETRIC_FLOW_H
#define STUDIES_AXISYMMETRIC_FLOW_H

#include <stdbool.h>

typedef struct AxisymmetricDef {
    double radius, length;  /* m, of the cylinder at rest, from z = 0 to z = length */
    double density;         /* kg/m3 */
    double viscosity;       /* Pa s, Newtonian */
    double modulus;         /* Pa, of the Maxwell part; 0: none */
    double relaxation_time; /* s */
    double gravity;         /* m/s2, along z */
    bool upper_free;        /* whether the end at z = length is a free surface; the other end never is */
    int elements_r, elements_z;
} AxisymmetricDef;

typedef struct AxisymmetricFlow AxisymmetricFlow;

AxisymmetricFlow *axisymmetric_create(const AxisymmetricDef *def); /* null: out of memory */
void axisymmetric_destroy(AxisymmetricFlow *flow);                 /* may be null */

/* One step; the upper plate, if there is one, moves by `displacement` (m). */
void axisymmetric_step(AxisymmetricFlow *flow, double dt, double displacement);

/* N, with which the fluid pulls the upper plate down; mean over the last step. */
double axisymmetric_force(const AxisymmetricFlow *flow);
/* m, mean height of the disc of fluid that was at this height at rest. */
double axisymmetric_height(const AxisymmetricFlow *flow, double rest_height);
/* m, radius at this height now. */
double axisymmetric_radius(const AxisymmetricFlow *flow, double height);

#endif

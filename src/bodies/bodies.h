/* Free rigid bodies by ODE (Open Dynamics Engine): they fall, collide, rub and hang on joints. Pushes come from outside.
 *
 * All that a body is between steps is its dlp__BodyState, which is read afresh at the beginning of each step: bodies that
 * are added again in the same order and then given their saved states go on bit for bit, provided that the number of the
 * step goes on too. Nothing depends on addresses, on the order in which ODE finds contacts, or on earlier steps.
 *
 * Threads: one at a time per dlp__Bodies. Several of them may be used by several threads, but take turns inside ODE, whose
 * random numbers, message handlers, default threads and, as Debian builds it, scratch memory for meshes belong to the process.
 * A host program that uses ODE itself must not do so in another thread meanwhile.
 *
 * ODE prints and ends the process when one of its assertions fails. What is given to it is checked so that the known ones
 * hold (no NaN, no zero mass or inertia, no coordinate that its hash table cannot count), but some guard against rounding
 * in the collision of cylinders and meshes and cannot be foreseen. While our thread is inside ODE its handlers are therefore
 * ours: nothing is printed, and a failed assertion comes back as DLP_ERROR_NOT_FINITE with ODE's words. The bodies are then
 * fit to be destroyed only, and ODE's part of their memory is lost.
 *
 * What ODE is weak at: two meshes of few large triangles, such as a box set on a box of the same size, both given as meshes,
 * may slip off each other (all other pairs of forms were seen to rest); nothing is swept, so that what moves by more than
 * its own size in a part may pass through thin things; a heap at rest keeps moving by one or two mm/s.
 *
 * Without ODE every call that can fail returns DLP_ERROR_UNSUPPORTED and says how to get it. */
#ifndef DLP_BODIES_BODIES_H
#define DLP_BODIES_BODIES_H

#include "base/error.h"
#include "geometry/shape.h"

#include <dollop/mesh.h>

typedef struct dlp__Bodies dlp__Bodies;

#define DLP_BODY_LIMIT 65536 /* bodies, and as many obstacles and joints */
#define DLP_BODY_REACH 1e6   /* m from the origin, along an axis: farther out nothing touches */

/* Where a body is and how it moves, told of its reference point: the centre of its shape or the origin of its mesh. */
typedef struct dlp__BodyState {
    dlp_Vec3 position;    /* m                                           */
    double quaternion[4]; /* unit; w, x, y, z: from its own axes to ours */
    dlp_Vec3 velocity;    /* m/s                                         */
    dlp_Vec3 spin;        /* rad/s                                       */
} dlp__BodyState;

typedef struct dlp__BodyMass {
    double mass;       /* kg                                                                           */
    dlp_Vec3 center;   /* m, of mass                                                                   */
    double inertia[6]; /* kg m2, about the centre of mass: xx, yy, zz, xy, xz, yz of the tensor itself */
} dlp__BodyMass;

/* What touches. Two surfaces rub with the geometric mean of their numbers, so that two of a kind rub as told and a slippery
 * one slips on everything; they bounce with the larger of the two, so that a ball bounces on any floor. */
typedef struct dlp__BodyForm {
    dlp__Shape shape;     /* in place; where there is a mesh, only position and rotation count         */
    const dlp_Mesh *mesh; /* null: the shape. In the frame of the shape; is copied                     */
    double friction;      /* Coulomb: largest force along the surface over the force into it           */
    double restitution;   /* part of the approaching speed that comes back: 0 to 1                     */
} dlp__BodyForm;

typedef struct dlp__BodyDef {
    dlp__BodyForm form; /* sphere, box, capsule, cylinder, or a closed mesh    */
    double density;     /* kg/m3, counts if the mass is 0                      */
    double mass;        /* kg in all                                           */
    dlp_Vec3 velocity;  /* m/s, of the reference point                         */
    dlp_Vec3 spin;      /* rad/s                                               */
} dlp__BodyDef;

/* Two bodies, or a body and an obstacle or the world, held together. Anchor and axis are told for where both stood when they
 * were added, or where they are told to have stood, wherever they are now: a joint is the same whether it is added before or
 * after states are restored. Things that are joined do not touch each other. */
#define DLP_JOINT_OBSTACLE(index) (-2 - (index))
typedef struct dlp__JointSpec {
    dlp_JointKind kind;
    int body, other;             /* other -1: the world; DLP_JOINT_OBSTACLE(k): obstacle k                          */
    dlp_Vec3 anchor;             /* m; a slider has none                                                            */
    dlp_Vec3 axis;               /* any length but zero; a ball has none                                            */
    double motor_speed;          /* rad/s or m/s of body against other along the axis                               */
    double motor_force;          /* N m or N, the largest; 0: no motor                                              */
    double low, high;            /* rad (within -pi to pi) or m, stops measured from where it was added; equal: none */
    const dlp__BodyState *stood; /* where body and other stood then; null: where they were added */
} dlp__JointSpec;

dlp_Result dlp__bodies_create(dlp__Memory *memory, dlp__Bodies **bodies, dlp_Error *error);
void dlp__bodies_destroy(dlp__Bodies *bodies); /* null is fine */

/* Bodies, obstacles and joints are counted from 0, each in the order added. `index` may be null. Bodies and all but planes
 * and containers measure between 10 micrometres and 100 kilometres. */
dlp_Result dlp__bodies_add(dlp__Bodies *bodies, const dlp__BodyDef *def, int *index, dlp_Error *error);
/* Obstacles stand or move as told, whatever pushes them: any shape, or a mesh, which may be open. A mesh is met on its
 * surface only. */
dlp_Result dlp__bodies_add_obstacle(dlp__Bodies *bodies, const dlp__BodyForm *form, int *index, dlp_Error *error);
dlp_Result dlp__bodies_add_joint(dlp__Bodies *bodies, const dlp__JointSpec *spec, dlp_Error *error);
int dlp__bodies_count(const dlp__Bodies *bodies);

/* Where an obstacle is when the next step begins and how it moves during that step: its surface drags what it touches. */
dlp_Result dlp__bodies_place_obstacle(dlp__Bodies *bodies, int obstacle, dlp_Vec3 position,
                                      const dlp__Rotation *rotation, dlp_Vec3 velocity, dlp_Vec3 spin,
                                      dlp_Error *error);

/* Advance by dt (up to 1 s), cut into equal parts of at most DLP_BODY_SUBSTEP. `step` is the caller's count of steps: it seeds
 * the order in which contacts are solved. A state that a failed step leaves must be set anew before the next. */
#define DLP_BODY_SUBSTEP 2.5e-3 /* s */
dlp_Result dlp__bodies_step(dlp__Bodies *bodies, int64_t step, double dt, dlp_Vec3 gravity, dlp_Error *error);

/* Change a body's velocity and spin: impulse in N s through its centre of mass, angular impulse in N m s about it. The state
 * shows it at once; the next step spreads it over its parts as gravity is, so that what is held up stays where it is.
 * A push that is not finite is noticed by the next step. */
void dlp__bodies_push(dlp__Bodies *bodies, int body, dlp_Vec3 impulse, dlp_Vec3 angular_impulse);

dlp__BodyState dlp__bodies_state(const dlp__Bodies *bodies, int body);
dlp_Result dlp__bodies_set_state(dlp__Bodies *bodies, int body, const dlp__BodyState *state, dlp_Error *error);
/* As it lies now, in our axes. */
dlp__BodyMass dlp__bodies_mass(const dlp__Bodies *bodies, int body);
/* m/s, of its matter at a point. */
dlp_Vec3 dlp__bodies_velocity_at(const dlp__Bodies *bodies, int body, dlp_Vec3 point);

/* At rest at a place, turned by axis times angle. */
static inline dlp__BodyState dlp__body_at(dlp_Vec3 position, dlp_Vec3 turn)
{
    const double angle = dlp__length(turn), part = angle > 0.0 ? sin(0.5 * angle) / angle : 0.5;
    return (dlp__BodyState){.position = position,
                            .quaternion = {cos(0.5 * angle), part * turn.x, part * turn.y, part * turn.z}};
}

static inline dlp__Rotation dlp__body_rotation(const dlp__BodyState *state)
{
    const double w = state->quaternion[0], x = state->quaternion[1], y = state->quaternion[2], z = state->quaternion[3];
    return (dlp__Rotation){
        {1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)},
        {2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)},
        {2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)},
    };
}

#endif

/* Free rigid bodies by ODE (Open Dynamics Engine): gravity, collisions, Coulomb friction, joints. Impulses from the
 * fluid are applied from outside.
 *
 * The state of a body between steps is its dlp__BodyState, which is sent to ODE again at the start of each step.
 * Bodies that are added again in the same order and then given their saved states continue bit for bit, provided
 * that the step count continues too. Nothing depends on addresses, on the order in which ODE finds contacts, or on
 * earlier steps.
 *
 * Threads: one at a time per dlp__Bodies. Several of them may be used by several threads, but they take turns inside
 * ODE, because its random numbers, message handlers, default threads and, in Debian's build, scratch memory for
 * meshes are global to the process. A host program that uses ODE itself must not do so in another thread at the same
 * time.
 *
 * ODE prints a message and ends the process when one of its assertions fails. Input is checked so that the known
 * assertions hold (no NaN, no zero mass or inertia, no coordinate that overflows its hash table), but some guard
 * against rounding in the collision of cylinders and meshes and cannot be checked in advance. While our thread is
 * inside ODE, its handlers are therefore replaced by ours: nothing is printed, and a failed assertion is returned as
 * DLP_ERROR_NOT_FINITE with ODE's message. After that the bodies can only be destroyed, and the memory that ODE
 * holds for them is leaked.
 *
 * Known weaknesses of ODE: two meshes of few large triangles, such as a box on a box of the same size, both given as
 * meshes, may slip off each other (all other pairs of shapes were observed to rest); there is no continuous collision,
 * so a body that moves by more than its own size in a substep may pass through thin things; a heap at rest keeps
 * moving by one or two mm/s.
 *
 * Without ODE every call that can fail returns DLP_ERROR_UNSUPPORTED with a message that says how to enable it. */
#ifndef DLP_BODIES_BODIES_H
#define DLP_BODIES_BODIES_H

#include "base/error.h"
#include "geometry/shape.h"

#include <dollop/mesh.h>

typedef struct dlp__Bodies dlp__Bodies;

#define DLP_BODY_LIMIT 65536 /* bodies; the same limit holds for obstacles and for joints */
#define DLP_BODY_REACH 1e6   /* m from the origin along each axis; there is no collision beyond it */

/* Pose and motion of a body's reference point: the centre of its shape or the origin of its mesh. */
typedef struct dlp__BodyState {
    dlp_Vec3 position;    /* m */
    double quaternion[4]; /* unit; w, x, y, z: body axes to world axes */
    dlp_Vec3 velocity;    /* m/s */
    dlp_Vec3 spin;        /* rad/s */
} dlp__BodyState;

typedef struct dlp__BodyMass {
    double mass;       /* kg */
    dlp_Vec3 center;   /* m, of mass */
    double inertia[6]; /* kg m2, about the centre of mass: xx, yy, zz, xy, xz, yz of the tensor */
} dlp__BodyMass;

/* The collision surface of a body or obstacle. A pair has the geometric mean of the two friction coefficients and
 * the larger of the two restitutions. */
typedef struct dlp__BodyForm {
    dlp__Shape shape;     /* in world space; with a mesh, only position and rotation are used */
    const dlp_Mesh *mesh; /* null: the shape is used. In the frame of the shape; copied */
    double friction;      /* Coulomb coefficient */
    double restitution;   /* fraction of the approach speed returned: 0 to 1 */
} dlp__BodyForm;

typedef struct dlp__BodyDef {
    dlp__BodyForm form; /* sphere, box, capsule, cylinder, or a closed mesh */
    double density;     /* kg/m3, used if the mass is 0 */
    double mass;        /* kg */
    dlp_Vec3 velocity;  /* m/s, of the reference point */
    dlp_Vec3 spin;      /* rad/s */
} dlp__BodyDef;

/* A joint between two bodies, or between a body and an obstacle or the world. Anchor and axis refer to the poses at
 * which both were added, or to `reference_pose` if given, not to the current poses: a joint is the same whether it
 * is added before or after states are restored. Joined bodies do not collide with each other. */
#define DLP_JOINT_OBSTACLE(index) (-2 - (index))
typedef struct dlp__JointSpec {
    dlp_JointKind kind;
    int body, other;    /* other -1: the world; DLP_JOINT_OBSTACLE(k): obstacle k */
    dlp_Vec3 anchor;    /* m; not used by a slider */
    dlp_Vec3 axis;      /* any nonzero length; not used by a ball */
    double motor_speed; /* rad/s or m/s of body relative to other along the axis */
    double motor_force; /* N m or N, the maximum; 0: no motor */
    double low, high;   /* rad (within -pi to pi) or m, stops relative to the reference poses; equal: none */
    const dlp__BodyState
        *reference_pose; /* reference poses of body and other; null: the poses at which they were added */
} dlp__JointSpec;

dlp_Result dlp__bodies_create(dlp__Memory *memory, dlp__Bodies **bodies, dlp_Error *error);
void dlp__bodies_destroy(dlp__Bodies *bodies); /* null is fine */

/* Bodies, obstacles and joints are numbered from 0, each in the order added. `index` may be null. The extent of
 * bodies, and of all obstacles but planes and containers, is between 10 micrometres and 100 kilometres. */
dlp_Result dlp__bodies_add(dlp__Bodies *bodies, const dlp__BodyDef *def, int *index, dlp_Error *error);
/* Obstacles are kinematic: their motion is prescribed. Any shape, or a mesh, which may be open. A mesh collides with
 * its surface only. */
dlp_Result dlp__bodies_add_obstacle(dlp__Bodies *bodies, const dlp__BodyForm *form, int *index, dlp_Error *error);
dlp_Result dlp__bodies_add_joint(dlp__Bodies *bodies, const dlp__JointSpec *spec, dlp_Error *error);
int dlp__bodies_count(const dlp__Bodies *bodies);

/* Pose of an obstacle at the start of the next step and its velocity during that step; contact and friction use the
 * velocity of its surface. */
dlp_Result dlp__bodies_place_obstacle(dlp__Bodies *bodies, int obstacle, dlp_Vec3 position,
                                      const dlp__Rotation *rotation, dlp_Vec3 velocity, dlp_Vec3 spin,
                                      dlp_Error *error);

/* Advance by dt (up to 1 s), divided into equal substeps of at most DLP_BODY_SUBSTEP. `step` is the caller's step
 * count: it seeds the order in which contacts are solved. After a failed step, states must be set again before the
 * next. */
#define DLP_BODY_SUBSTEP 2.5e-3 /* s */
dlp_Result dlp__bodies_step(dlp__Bodies *bodies, int64_t step, double dt, dlp_Vec3 gravity, dlp_Error *error);

/* Apply an impulse (N s) through a body's centre of mass and an angular impulse (N m s) about it. The state changes
 * at once; the next step distributes the impulse over its substeps, as it does with gravity, so that a body
 * supported by the fluid stays in place. An impulse that is not finite is reported by the next step. */
void dlp__bodies_apply_impulse(dlp__Bodies *bodies, int body, dlp_Vec3 impulse, dlp_Vec3 angular_impulse);

dlp__BodyState dlp__bodies_state(const dlp__Bodies *bodies, int body);
dlp_Result dlp__bodies_set_state(dlp__Bodies *bodies, int body, const dlp__BodyState *state, dlp_Error *error);
/* In world axes, at the current pose. */
dlp__BodyMass dlp__bodies_mass(const dlp__Bodies *bodies, int body);
/* m/s, of the material point of the body. */
dlp_Vec3 dlp__bodies_velocity_at(const dlp__Bodies *bodies, int body, dlp_Vec3 point);

/* At rest at a position, rotated by axis times angle. */
static inline dlp__BodyState dlp__body_at_rest(dlp_Vec3 position, dlp_Vec3 turn)
{
    const double angle = dlp__length(turn), factor = angle > 0.0 ? sin(0.5 * angle) / angle : 0.5;
    return (dlp__BodyState){.position = position,
                            .quaternion = {cos(0.5 * angle), factor * turn.x, factor * turn.y, factor * turn.z}};
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

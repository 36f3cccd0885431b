/* Declarations shared by the files of the rigid bodies only. */
#ifndef DLP_BODIES_BODY_PARTS_H
#define DLP_BODIES_BODY_PARTS_H

#include "bodies/bodies.h"
#include "bodies/ode_guard.h"

#include <ode/ode.h>

_Static_assert(sizeof(dReal) == sizeof(double), "dollop needs ODE in double precision");

/* The ODE geoms of a form. Each geom carries a key by which contacts are sorted: the number of a body, or of an
 * obstacle and its face. */
#define DLP_OBSTACLE_KEY   0x100000u /* above the keys of all bodies */
#define DLP_OBSTACLE_FACES 8u        /* keys reserved for each */
typedef struct dlp__OdeForm {
    dlp_ShapeKind kind;
    dlp_Vec3 half; /* m, of a container */
    dGeomID geom[DLP_SHAPE_WALLS];
    int geom_count;
    dTriMeshDataID mesh; /* ODE keeps no copy of vertices and triangles, so we do */
    float *vertex;
    uint32_t *triangle;
    int64_t vertex_count, triangle_count;
    double friction, restitution;
    double size; /* m, half the smallest extent; infinite for planes and containers */
} dlp__OdeForm;

typedef struct dlp__Body {
    dBodyID body; /* its origin is the centre of mass, its axes are those of the form */
    dlp__OdeForm form;
    dlp__BodyMass own; /* in the body frame: `center` is the offset from the reference point to the centre of mass */
    double inverse[6]; /* 1/(kg m2), in the body frame */
    dlp__BodyState initial_state; /* state when it was added */
    dlp__BodyState state;
    dlp_Vec3 pending_impulse, pending_angular_impulse; /* N s, N m s: applied since the last step */
} dlp__Body;

/* Apply an impulse (N s) and an angular impulse (N m s) to velocity and spin. */
void dlp__body_apply_impulse(dlp__Body *body, dlp_Vec3 impulse, dlp_Vec3 angular_impulse);

typedef struct dlp__Obstacle {
    dBodyID body; /* kinematic: contact reads the surface velocity from it */
    dlp__OdeForm form;
    dlp_Vec3 position; /* m, at the start of the step */
    dlp__Rotation rotation;
    dlp_Vec3 velocity, spin; /* m/s, rad/s */
} dlp__Obstacle;

struct dlp__Bodies {
    dlp__Memory *memory;
    dWorldID world;
    dSpaceID space;
    dJointGroupID contact_group, joint_group;
    dlp__Buffer body_buffer, obstacle_buffer, pair_buffer;
    dlp__Body *body;
    dlp__Obstacle *obstacle;
    uint64_t *pair; /* keys of two geoms that may collide, the smaller one in the upper half */
    int64_t pair_count;
    dContactGeom *found; /* contacts of one pair */
    int body_count, obstacle_count, joint_count;
    bool short_of_memory; /* while collecting pairs */
    bool broken;          /* an ODE assertion has failed */
};

/* body_forms.c */
dlp_Result dlp__body_form_check(const dlp__BodyForm *form, bool free, dlp_Error *error);
/* Create geoms in the collision space, not yet positioned; on false (no memory) nothing is left behind. */
bool dlp__body_form_create(dlp__Bodies *bodies, const dlp__BodyForm *form, uint32_t key, dlp__OdeForm *out);
void dlp__body_form_release(dlp__Bodies *bodies, dlp__OdeForm *form);
/* Attach the form to a body, with its reference point offset from the body's origin. */
void dlp__body_form_attach(dlp__OdeForm *form, dBodyID body, dlp_Vec3 reference);
/* Move a form that is attached to no body. */
void dlp__body_form_place(dlp__OdeForm *form, dlp_Vec3 position, const dlp__Rotation *rotation);
void dlp__body_form_enable(dlp__OdeForm *form, bool enable);

/* body_mass.c: mass, centre of mass and inertia in the form's frame, from the def's density or mass. */
dlp_Result dlp__body_mass(dlp__Memory *memory, const dlp__BodyDef *def, dlp__BodyMass *mass, dlp_Error *error);
/* The same for the inside of a closed mesh at density 1, so that `mass` is the volume: negative or zero if the mesh
 * is inside out or flat. */
dlp__BodyMass dlp__mesh_mass(const dlp_Mesh *mesh);
/* Invert a tensor in the layout of dlp__BodyMass; false if it is not positive definite. */
bool dlp__inertia_invert(const double inertia[6], double inverse[6]);
dlp_Vec3 dlp__inertia_times(const double inertia[6], dlp_Vec3 v);

/* One substep. */
typedef struct dlp__Substep {
    double time; /* s, since the start of the step */
    double dt;   /* s */
    dlp_Vec3 gravity;
    double bounce_threshold; /* m/s; slower contacts do not bounce */
} dlp__Substep;

/* body_contacts.c: create a contact joint wherever bodies touch, in an order that depends only on the order in which
 * they were added. */
dlp_Result dlp__body_contacts(dlp__Bodies *bodies, const dlp__Substep *substep, dlp_Error *error);
#define DLP_CONTACTS_FOUND 1024 /* requested from ODE for one pair */

/* body_step.c */
#define DLP_BODY_SPEED 1e5 /* m/s and rad/s; anything faster has blown up and would overflow in ODE */
dlp_Result dlp__body_check(const dlp__BodyState *state, int body, dlp_Error *error);
/* Copy a state to the ODE body. */
void dlp__body_set_ode_state(dlp__Body *body, const dlp__BodyState *state);
/* Position the kinematic ODE body of an obstacle. */
void dlp__obstacle_set_ode_pose(const dlp__Obstacle *obstacle, dlp_Vec3 position, const dlp__Rotation *rotation);
/* Offset from the reference point to the centre of mass, in world axes. */
dlp_Vec3 dlp__body_center_offset(const dlp__Body *body, const dlp__BodyState *state);
/* A tensor in body axes times a vector in world axes. */
dlp_Vec3 dlp__body_tensor_times(const double tensor[6], const dlp__Rotation *rotation, dlp_Vec3 v);

static inline bool dlp__is_finite(dlp_Vec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

/* Whether the magnitude of each coordinate is at most `limit`; false for NaN. */
static inline bool dlp__is_within(dlp_Vec3 v, double limit)
{
    return fabs(v.x) <= limit && fabs(v.y) <= limit && fabs(v.z) <= limit;
}

#endif

/* What the files of the rigid bodies share, and nobody else sees. */
#ifndef DLP_BODIES_BODY_PARTS_H
#define DLP_BODIES_BODY_PARTS_H

#include "bodies/bodies.h"
#include "bodies/ode_guard.h"

#include <ode/ode.h>

_Static_assert(sizeof(dReal) == sizeof(double), "dollop needs ODE in double precision");

/* A form as ODE knows it. Each geom carries a key by which contacts are put in order: the number of a body, or of an
 * obstacle and its face. */
#define DLP_OBSTACLE_KEY   0x100000u /* past all bodies */
#define DLP_OBSTACLE_FACES 8u        /* keys set aside for each */
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
    dlp__BodyMass own;    /* in its own frame: `center` leads from the reference point to the centre of mass */
    double inverse[6];    /* 1/(kg m2), of its own inertia */
    dlp__BodyState added; /* how it stood when it was added */
    dlp__BodyState state;
    dlp_Vec3 pushed, twisted; /* N s, N m s: since the last step */
} dlp__Body;

/* Change velocity and spin. */
void dlp__body_kick(dlp__Body *body, dlp_Vec3 impulse, dlp_Vec3 angular_impulse);

typedef struct dlp__Obstacle {
    dBodyID body; /* kinematic: contact takes the velocity of the surface from it */
    dlp__OdeForm form;
    dlp_Vec3 position; /* m, when the step begins */
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
    uint64_t *pair; /* the keys of two geoms that may touch, the smaller one in the upper half */
    int64_t pair_count;
    dContactGeom *found; /* room for the contacts of one pair */
    int body_count, obstacle_count, joint_count;
    bool short_of_memory; /* while pairs were collected */
    bool broken;          /* ODE gave up */
};

/* body_forms.c */
dlp_Result dlp__body_form_check(const dlp__BodyForm *form, bool free, dlp_Error *error);
/* Geoms in the bodies' space, not yet in place; false without memory, and nothing is left behind. */
bool dlp__body_form_create(dlp__Bodies *bodies, const dlp__BodyForm *form, uint32_t key, dlp__OdeForm *out);
void dlp__body_form_release(dlp__Bodies *bodies, dlp__OdeForm *form);
/* Fix the form to a body, with its reference point off the body's origin. */
void dlp__body_form_attach(dlp__OdeForm *form, dBodyID body, dlp_Vec3 reference);
/* Move a form that belongs to no body. */
void dlp__body_form_place(dlp__OdeForm *form, dlp_Vec3 position, const dlp__Rotation *rotation);
void dlp__body_form_enable(dlp__OdeForm *form, bool enable);

/* body_mass.c: mass, centre of mass and inertia in the form's own frame, from the def's density or mass. */
dlp_Result dlp__body_mass(dlp__Memory *memory, const dlp__BodyDef *def, dlp__BodyMass *mass, dlp_Error *error);
/* The same of what a closed mesh encloses, at density 1, so that `mass` is the volume: negative or zero if the mesh is
 * inside out or flat. */
dlp__BodyMass dlp__mesh_mass(const dlp_Mesh *mesh);
/* The inverse of a tensor as dlp__BodyMass keeps it; false if it is not positive definite. */
bool dlp__inertia_invert(const double inertia[6], double inverse[6]);
dlp_Vec3 dlp__inertia_times(const double inertia[6], dlp_Vec3 v);

/* A part of a step. */
typedef struct dlp__Substep {
    double time; /* s, since the step began */
    double dt;   /* s */
    dlp_Vec3 gravity;
    double slow; /* m/s; what meets slower does not bounce */
} dlp__Substep;

/* body_contacts.c: a contact joint wherever things touch, in an order that depends on nothing but the order in which
 * they were added. */
dlp_Result dlp__body_contacts(dlp__Bodies *bodies, const dlp__Substep *part, dlp_Error *error);
#define DLP_CONTACTS_FOUND 1024 /* asked of ODE for one pair */

/* body_step.c */
#define DLP_BODY_SPEED 1e5 /* m/s and rad/s; what is faster has blown up, and would overflow in ODE */
dlp_Result dlp__body_check(const dlp__BodyState *state, int body, dlp_Error *error);
/* Hand a state to ODE. */
void dlp__body_load(dlp__Body *body, const dlp__BodyState *state);
/* Put the body that stands for an obstacle in place. */
void dlp__obstacle_load(const dlp__Obstacle *obstacle, dlp_Vec3 position, const dlp__Rotation *rotation);
/* From the reference point to the centre of mass, in our axes. */
dlp_Vec3 dlp__body_arm(const dlp__Body *body, const dlp__BodyState *state);
/* A tensor of the body's own axes times a vector of ours. */
dlp_Vec3 dlp__body_times(const double tensor[6], const dlp__Rotation *rotation, dlp_Vec3 v);

static inline bool dlp__is_finite(dlp_Vec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

/* The same for all three coordinates and both signs; false for NaN. */
static inline bool dlp__is_within(dlp_Vec3 v, double limit)
{
    return fabs(v.x) <= limit && fabs(v.y) <= limit && fabs(v.z) <= limit;
}

#endif

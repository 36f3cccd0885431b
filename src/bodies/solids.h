/* The solids of a world: kinematic ones and free rigid bodies, their joints, and the coupling of free bodies with
 * the fluid. */
#ifndef DLP_BODIES_SOLIDS_H
#define DLP_BODIES_SOLIDS_H

#include "base/error.h"
#include "geometry/shape.h"
#include "neighbors/domain.h"
#include "bodies/bodies.h"
#include "bodies/contact_laws.h"
#include "bodies/pose_path.h"
#include "bodies/wall_impulses.h"
#include "sph/wall_table.h"

/* An impulse through the centre of mass of a free body and an angular impulse about it. */
typedef struct dlp__Impulse {
    dlp_Vec3 linear;  /* N s */
    dlp_Vec3 angular; /* N m s */
} dlp__Impulse;

/* Impulses exchanged between a predicted body and the fluid: see dlp__solids_predict_bodies. */
typedef struct dlp__BodyExchange {
    dlp_Vec3 center;                       /* m, centre of mass at the end of the step, as currently predicted */
    dlp__Impulse contact_impulse;          /* from contact */
    dlp__Impulse pressure_impulse;         /* from boundary samples */
    dlp__Impulse applied_impulse;          /* the part of both already applied to the body */
    double nearby_mass;                    /* kg, of the particles that have samples of it */
    double nearby_inertia;                 /* kg m2, their moment of inertia about its centre of mass */
    dlp_Vec3 velocity_change, spin_change; /* m/s, rad/s, change in the last exchange */
} dlp__BodyExchange;

/* One solid: its current pose and motion. */
typedef struct dlp__Solid {
    dlp_SolidDef def;
    dlp__Shape shape;
    double since;                  /* s, when it was added or last changed: the start of its motion */
    dlp_Vec3 velocity;             /* m/s, of its centre */
    dlp_Vec3 spin;                 /* rad/s */
    int body;                      /* number of the free body, from 0; -1: kinematic */
    dlp__BodyState state;          /* of a free body: its state between steps */
    dlp__BodyMass mass_properties; /* of a free body, at the start of this step */
    dlp__BodyExchange exchange;    /* of a predicted body, in this step */
    dlp__PosePath path;
    dlp__Shape shape_before; /* pose before the last placement; `shape` if it was added or changed since */
    dlp_Vec3 turn;           /* rad, rotation about its centre since then */
    double moved;            /* m, upper bound of the displacement of its surface */
    double deforming;        /* m, the same for its deformation alone, at the speed of its fastest point */
    double temperature;      /* K, of its surface; 0: insulating */
    int warm_body; /* number among the solids whose temperature changes, in a step of the heat; -1: constant */
} dlp__Solid;

/* A joint, and the poses of its two solids when it was added, which it preserves. The pose of the world is the
 * identity. */
typedef struct dlp__Joint {
    dlp_JointDef def;
    dlp__BodyState reference_pose[2];
} dlp__Joint;

typedef struct dlp__Solids {
    dlp__Memory *memory;
    dlp__Buffer buffer;
    dlp__Solid *solid;
    int count;
    dlp__Buffer box_buffer;
    dlp__BoxTree tree; /* of their current bounding boxes; not built: out of date, or there are few solids */
    double now;        /* s, the time of the current poses */
    float spacing;     /* m */
    dlp__MeshList *meshes;
    dlp__Bodies *bodies; /* free bodies and obstacles; null if no solid is free */
    int body_count;
    dlp__Buffer body_buffer;
    int32_t *solid_of_body; /* the solid of each free body */
    bool stale;             /* solids or joints were added or changed since the bodies were created */
    dlp__Buffer joint_buffer;
    dlp__Joint *joint;
    int joint_count;
    double dt;             /* s, of the step */
    dlp_Vec3 gravity;      /* m/s2 */
    bool bodies_predicted; /* bodies are predicted in this step */
    bool short_of_memory;  /* for reactions */
    dlp__WallTable table;
    dlp__ContactLaws laws;
    dlp__WallImpulses impulses; /* of the fluid on each solid in this step */
} dlp__Solids;

void dlp__solids_init(dlp__Solids *solids, dlp__Memory *memory, float spacing, const dlp__Kernel *kernel,
                      dlp__MeshList *meshes);
void dlp__solids_release(dlp__Solids *solids);
/* Both check the def; the solid's motion starts now, at the pose of the def. A change keeps its keys. */
dlp_Result dlp__solids_add(dlp__Solids *solids, const dlp_SolidDef *def, dlp_SolidId *id, dlp_Error *error);
dlp_Result dlp__solids_set(dlp__Solids *solids, dlp_SolidId id, const dlp_SolidDef *def, dlp_Error *error);
/* Keys that replace the pose of the def from now on. */
dlp_Result dlp__solids_set_keys(dlp__Solids *solids, dlp_SolidId id, const dlp_PoseKey *keys, int count,
                                dlp_Error *error);

/* Both check the def; anchor and axis refer to the current poses of its solids. A change of motor and stops alone
 * keeps the reference poses. */
dlp_Result dlp__joints_add(dlp__Solids *solids, const dlp_JointDef *def, dlp_JointId *id, dlp_Error *error);
dlp_Result dlp__joints_set(dlp__Solids *solids, dlp_JointId id, const dlp_JointDef *def, dlp_Error *error);
dlp_Result dlp__joints_check_id(const dlp__Solids *solids, dlp_JointId id, dlp_Error *error);
/* Check that joints allow a solid to become free or kinematic, as its new def says. */
dlp_Result dlp__joints_check_solid(const dlp__Solids *solids, dlp_SolidId id, const dlp_SolidDef *def,
                                   dlp_Error *error);
/* After a solid was set: its joints take its new pose as reference pose. */
void dlp__joints_reset_solid(dlp__Solids *solids, dlp_SolidId id);
/* Create all joints between the rigid bodies of the solids. */
dlp_Result dlp__joints_create(const dlp__Solids *solids, dlp_Error *error);

/* Set the deformation frames of a mesh, which also deforms the solids made of it. */
dlp_Result dlp__solids_set_frames(dlp__Solids *solids, dlp_MeshId mesh, const dlp_MeshFrames *frames, dlp_Error *error);

/* Before a step: build the table of contact laws of each solid and material. False without memory. */
bool dlp__solids_build_contact_laws(dlp__Solids *solids, const dlp_ContactDef *contacts, int count,
                                    const dlp__WettingMaterials *fluids);
/* Look up a contact law; if the table is out of date, the solid's own law. */
dlp__ContactLaw dlp__contact_law(const dlp__Solids *solids, const dlp__Solid *solid, int material);

/* Move every solid to its pose at that time; deforming meshes must have been moved there. */
void dlp__solids_move_to(dlp__Solids *solids, double time);

/* A step that ends at `time`: kinematic solids are moved to their poses at that time; free ones keep the pose and
 * velocity of the last step. Methods may apply impulses to them (dlp__bodies_apply_impulse). At the end free solids
 * are advanced with these impulses and their contacts; `step` counts steps. */
dlp_Result dlp__solids_begin_step(dlp__Solids *solids, double time, double dt, dlp_Vec3 gravity, dlp_Error *error);
dlp_Result dlp__solids_end_step(dlp__Solids *solids, int64_t step, double dt, dlp_Vec3 gravity, dlp_Error *error);
/* For methods that move particles to their positions at the end of the step. Free solids are predicted there too,
 * first under gravity alone. From then on each particle that a solid pushes, stops, slows by friction or, through
 * its samples, displaces (`displacement`, which the method fills in) gives the opposite impulse to that solid,
 * summed exactly; `specific_volume` must be current. dlp__solids_exchange_impulses, called between the iterations of
 * a method, applies these impulses and moves the solid and its samples accordingly. It applies only a fraction of
 * them: the body's mass over the mass of the body and the nearby particles, because these will follow it and take
 * back the rest. So even the lightest body moves with the fluid instead of being thrown about. The remainder is
 * applied at the end of the step. */
void dlp__solids_predict_bodies(dlp__Solids *solids);
void dlp__solids_exchange_impulses(dlp__Solids *solids, dlp__Domains *domains);

/* Build the tree of the solids' bounding boxes, if it is out of date and there are many. Without it, or without memory for it, loops
 * visit all solids. */
void dlp__solids_build_tree(dlp__Solids *solids);

/* The lowest number greater than `after` (-1: the first) of a solid that may overlap `place`; the number of solids if there is none.
 * Thread-safe. */
int dlp__solids_next(const dlp__Solids *solids, const dlp__Box *place, int after);

/* The solid of free body number `body`. */
dlp__Solid *dlp__free_body_at(const dlp__Solids *solids, int body);

/* Friction is a Coulomb coefficient below 1: the tangential stress is at most that fraction of the normal stress. From 1 on
 * fluid does not slip. */
static inline bool dlp__is_no_slip(double friction)
{
    return friction >= 1.0;
}

static inline bool dlp__is_coulomb(double friction)
{
    return friction > 0.0 && friction < 1.0;
}

/* The fraction of a sliding speed (m/s) that friction takes away, where the wall changes the normal speed of the particle by
 * `normal_speed` (m/s) in the same time. */
static inline double dlp__friction_fraction(double friction, double normal_speed, double sliding)
{
    const double limit = friction * normal_speed;
    return dlp__is_no_slip(friction) ? 1.0 : limit >= sliding ? (friction > 0.0 ? 1.0 : 0.0) : limit / sliding;
}

/* Whether method physical adds Coulomb friction to its linear system: at solids that are not free. */
static inline bool dlp__has_coulomb_friction(const dlp__Solid *solid, double friction)
{
    return solid->body < 0 && dlp__is_coulomb(friction);
}

/* Whether its temperature changes: a free body with a heat capacity. */
static inline bool dlp__solid_has_heat_capacity(const dlp__Solid *solid)
{
    return solid->body >= 0 && solid->temperature > 0.0 && solid->def.heat_capacity > 0.0;
}

/* Measure the displacement from `shape_before` to `shape` in `elapsed` (s). */
void dlp__solid_measure_displacement(dlp__Solid *solid, double elapsed);

/* The velocity (m/s) of the solid's material at a point (m). */
dlp_Vec3 dlp__solid_velocity(const dlp__Solid *solid, dlp_Vec3 point);

/* A copy of the solid with pose and motion of another time (s). Free bodies and deforming meshes keep their present state. */
dlp__Solid dlp__solid_at(const dlp__Solids *solids, const dlp__Solid *solid, double time);

/* m/s, an upper bound of the surface speed of solids from one time to another (s), where they come closer than `reach` (m) to the
 * box around the fluid. Free bodies also gain speed from gravity. */
double dlp__solids_surface_speed(const dlp__Solids *solids, double from, double to, dlp_Vec3 gravity, dlp_Vec3 lower,
                                 dlp_Vec3 upper, double reach);

#endif

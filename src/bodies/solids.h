/* Solids as a method sees them: boundary samples near each particle, and contact. A method never learns what kind of
 * boundary it touches. */
#ifndef DLP_BODIES_SOLIDS_H
#define DLP_BODIES_SOLIDS_H

#include "base/error.h"
#include "geometry/shape.h"
#include "neighbors/domain.h"
#include "bodies/bodies.h"
#include "bodies/contact_laws.h"
#include "bodies/pose_path.h"
#include "sph/wall_table.h"

/* An impulse through the centre of mass of a free body and an angular one about it. */
typedef struct dlp__Impulse {
    dlp_Vec3 along; /* N s   */
    dlp_Vec3 about; /* N m s */
} dlp__Impulse;

/* How a body that is led takes up what the fluid does to it: see dlp__solids_predict_bodies. */
typedef struct dlp__BodyPush {
    dlp_Vec3 center;         /* m, of mass, at the end of the step as far as is known              */
    dlp__Impulse met;        /* from contact                                                       */
    dlp__Impulse pressed;    /* from samples                                                       */
    dlp__Impulse taken;      /* what of both the body moves with already                           */
    double crowd;            /* kg, of the particles that see it                                   */
    double nearby_inertia;   /* kg m2, their moment of inertia about it                            */
    dlp_Vec3 drift, turning; /* m/s, rad/s, by which its motion changed in the last exchange        */
} dlp__BodyPush;

/* One solid where it is now, and how it moves. */
typedef struct dlp__Solid {
    dlp_SolidDef def;
    dlp__Shape shape;
    double since;         /* s, when it was added or last changed: where its motion begins */
    dlp_Vec3 velocity;    /* m/s, of its centre */
    dlp_Vec3 spin;        /* rad/s */
    int body;             /* which free body it is, from 0; -1: it moves as told */
    dlp__BodyState state; /* of a free body: all that it is between steps        */
    dlp__BodyMass weight; /* of a free body, as it lies in this step             */
    dlp__BodyPush push;   /* what the fluid has done to a free body in this step, where it is led */
    dlp__PosePath path;
    dlp__Shape shape_before; /* where it was before it was placed last; `shape` if it was added or changed since */
    dlp_Vec3 turn;           /* rad, how it turned from there about its centre */
    double moved;            /* m, how far any point of its surface went at most */
    double deforming;   /* m, how far any went or would have gone at most if all had deformed as fast as the fastest */
    double temperature; /* K, of its surface; 0: no heat goes through it */
} dlp__Solid;

/* A joint, and where its two solids stood when it was added: what it holds them to. Of the world that says nothing. */
typedef struct dlp__Joint {
    dlp_JointDef def;
    dlp__BodyState stood[2];
} dlp__Joint;

typedef struct dlp__Solids {
    dlp__Memory *memory;
    dlp__Buffer buffer;
    dlp__Solid *solid;
    int count;
    double now;    /* s, the time for which they stand in place */
    float spacing; /* m */
    dlp__MeshList *meshes;
    dlp__Bodies *bodies; /* the free ones and what they meet; null where none is free */
    int body_count;
    bool stale; /* solids or joints have been added or changed since the bodies were made */
    dlp__Buffer joint_buffer;
    dlp__Joint *joint;
    int joint_count;
    double dt;             /* s, of the step */
    dlp_Vec3 gravity;      /* m/s2 */
    bool bodies_predicted; /* bodies are led through this step */
    bool short_of_memory;  /* for reactions */
    dlp__WallTable table;
    dlp__ContactLaws laws;
} dlp__Solids;

void dlp__solids_init(dlp__Solids *solids, dlp__Memory *memory, float spacing, const dlp__Kernel *kernel,
                      dlp__MeshList *meshes);
void dlp__solids_release(dlp__Solids *solids);
/* Both check the def; the solid's motion begins now, at the pose that the def gives. A change leaves its keys as they are. */
dlp_Result dlp__solids_add(dlp__Solids *solids, const dlp_SolidDef *def, dlp_SolidId *id, dlp_Error *error);
dlp_Result dlp__solids_set(dlp__Solids *solids, dlp_SolidId id, const dlp_SolidDef *def, dlp_Error *error);
/* Keys that the solid follows from now on, instead of that pose. */
dlp_Result dlp__solids_set_keys(dlp__Solids *solids, dlp_SolidId id, const dlp_PoseKey *keys, int count,
                                dlp_Error *error);

/* Both check the def; anchor and axis are told for where its solids are now. A change of its motor and stops alone leaves it
 * where it is. */
dlp_Result dlp__joints_add(dlp__Solids *solids, const dlp_JointDef *def, dlp_JointId *id, dlp_Error *error);
dlp_Result dlp__joints_set(dlp__Solids *solids, dlp_JointId id, const dlp_JointDef *def, dlp_Error *error);
dlp_Result dlp__joints_check_id(const dlp__Solids *solids, dlp_JointId id, dlp_Error *error);
/* Whether joints allow a solid to become free or not, as its def says. */
dlp_Result dlp__joints_allow(const dlp__Solids *solids, dlp_SolidId id, const dlp_SolidDef *def, dlp_Error *error);
/* Where a solid that was set begins anew, joints take it to have stood when they were added. */
void dlp__joints_follow(dlp__Solids *solids, dlp_SolidId id);
/* Hand all joints to the bodies that have been made of the solids. */
dlp_Result dlp__joints_make(const dlp__Solids *solids, dlp_Error *error);

/* Let a mesh of the world deform, and the solids that are made of it. */
dlp_Result dlp__solids_set_frames(dlp__Solids *solids, dlp_MeshId mesh, const dlp_MeshFrames *frames, dlp_Error *error);

/* Put every solid where it is at that time; meshes that deform must have been brought there. */
/* Before a step: work out what each solid does to each material. False without memory. */
bool dlp__solids_build_contact_laws(dlp__Solids *solids, const dlp_ContactDef *contacts, int count, int materials);
/* What that is; before it was worked out, what the solid does to all of them. */
dlp__ContactLaw dlp__contact_law(const dlp__Solids *solids, const dlp__Solid *solid, int material);

void dlp__solids_place(dlp__Solids *solids, double time);

/* A step that ends at `time`: solids that move as told stand where they are then; free ones stand where the last step left
 * them, with the velocity that they had. A method may push them (dlp__bodies_push). At the end they go where all that and their contacts lead them; `step` counts steps. */
dlp_Result dlp__solids_begin(dlp__Solids *solids, double time, double dt, dlp_Vec3 gravity, dlp_Error *error);
dlp_Result dlp__solids_end(dlp__Solids *solids, int64_t step, double dt, dlp_Vec3 gravity, dlp_Error *error);
/* For methods that move particles to where they are at the end of the step. Free solids go there too: to where gravity alone
 * would take them. From then on each particle that a solid pushes, stops, rubs or, by its samples, moves (`moved`, which the
 * method fills in) gives the opposite impulse to that solid, summed exactly, and `specific_volume` must be current. A solid
 * takes up what it was given when dlp__solids_exchange_impulses is called, between the iterations of a method: it goes where that
 * leads, and its samples with it. It does not take up all at once: as much as its mass is of the mass of itself and the
 * particles about it, for these will follow it and take back the rest. So the lightest body comes to move with the fluid
 * instead of being thrown about. What is left at the end of the step it is given then. */
void dlp__solids_predict_bodies(dlp__Solids *solids);
void dlp__solids_exchange_impulses(dlp__Solids *solids, dlp__Domains *domains);

/* The solid that is free body number `body`. */
dlp__Solid *dlp__free_body_at(const dlp__Solids *solids, int body);

/* Whether a solid with that friction rubs by Coulomb's law in methods that know the pressure at walls: it neither slips freely
 * nor sticks. Free bodies do not. */
static inline bool dlp__has_coulomb_friction(const dlp__Solid *solid, double friction)
{
    return solid->body < 0 && friction > 0.0 && friction < 1.0;
}

/* Whether its temperature changes: a free body with a heat capacity. */
static inline bool dlp__solid_is_warm(const dlp__Solid *solid)
{
    return solid->body >= 0 && solid->temperature > 0.0 && solid->def.heat_capacity > 0.0;
}

/* How a solid came from `shape_before` to `shape`, in `elapsed` (s). */
void dlp__solid_measure_displacement(dlp__Solid *solid, double elapsed);

/* The velocity (m/s) of the solid's matter at a point (m). */
dlp_Vec3 dlp__solid_velocity(const dlp__Solid *solid, dlp_Vec3 point);

#endif

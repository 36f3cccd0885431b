/* Solids as a method sees them: boundary samples near each particle, and contact. A method never learns what kind of
 * boundary it touches. */
#ifndef DLP_SOLIDS_SOLIDS_H
#define DLP_SOLIDS_SOLIDS_H

#include "base/error.h"
#include "geometry/shape.h"
#include "neighbors/domain.h"
#include "solids/bodies.h"
#include "solids/contact_laws.h"
#include "solids/pose_path.h"
#include "solids/wall_table.h"

/* An impulse through the centre of mass of a free body and an angular one about it. */
typedef struct dlp__Impulse {
    dlp_Vec3 along; /* N s   */
    dlp_Vec3 about; /* N m s */
} dlp__Impulse;

/* How a body that is led takes up what the fluid does to it: see dlp__solids_lead. */
typedef struct dlp__BodyPush {
    dlp_Vec3 center;         /* m, of mass, at the end of the step as far as is known              */
    dlp__Impulse met;        /* from contact                                                       */
    dlp__Impulse pressed;    /* from samples                                                       */
    dlp__Impulse taken;      /* what of both the body moves with already                           */
    double crowd;            /* kg, of the particles that see it                                   */
    double crowd_turning;    /* kg m2, their moment of inertia about it                            */
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
    double dt;            /* s, of the step */
    dlp_Vec3 gravity;     /* m/s2 */
    bool led;             /* bodies are led through this step */
    bool short_of_memory; /* for reactions */
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
bool dlp__solids_agree(dlp__Solids *solids, const dlp_ContactDef *contacts, int count, int materials);
/* What that is; before it was worked out, what the solid does to all of them. */
dlp__ContactLaw dlp__solids_law(const dlp__Solids *solids, const dlp__Solid *solid, int material);

void dlp__solids_place(dlp__Solids *solids, double time);

/* A step that ends at `time`: solids that move as told stand where they are then; free ones stand where the last step left
 * them, with the velocity that they had. A method may push them (dlp__bodies_push). At the end they go where all that and their contacts lead them; `step` counts steps. */
dlp_Result dlp__solids_begin(dlp__Solids *solids, double time, double dt, dlp_Vec3 gravity, dlp_Error *error);
dlp_Result dlp__solids_end(dlp__Solids *solids, int64_t step, double dt, dlp_Vec3 gravity, dlp_Error *error);
/* For methods that move particles to where they are at the end of the step. Free solids go there too: to where gravity alone
 * would take them. From then on each particle that a solid pushes, stops, rubs or, by its samples, moves (`moved`, which the
 * method fills in) gives the opposite impulse to that solid, summed exactly, and `specific_volume` must be current. A solid
 * takes up what it was given when dlp__solids_exchange is called, between the iterations of a method: it goes where that
 * leads, and its samples with it. It does not take up all at once: as much as its mass is of the mass of itself and the
 * particles about it, for these will follow it and take back the rest. So the lightest body comes to move with the fluid
 * instead of being thrown about. What is left at the end of the step it is given then. */
void dlp__solids_lead(dlp__Solids *solids);
void dlp__solids_exchange(dlp__Solids *solids, dlp__Domains *domains);

/* The solid that is free body number `body`. */
dlp__Solid *dlp__solids_free(const dlp__Solids *solids, int body);

/* Whether a solid with that friction rubs by Coulomb's law in methods that know the pressure at walls: it neither slips freely
 * nor sticks. Free bodies do not. */
static inline bool dlp__is_rough(const dlp__Solid *solid, double friction)
{
    return solid->body < 0 && friction > 0.0 && friction < 1.0;
}

/* Whether its temperature changes: a free body with a heat capacity. */
static inline bool dlp__solid_is_warm(const dlp__Solid *solid)
{
    return solid->body >= 0 && solid->temperature > 0.0 && solid->def.heat_capacity > 0.0;
}

/* How a solid came from `shape_before` to `shape`, in `elapsed` (s). */
void dlp__solid_measure_way(dlp__Solid *solid, double elapsed);

/* The velocity (m/s) of the solid's matter at a point (m). */
dlp_Vec3 dlp__solid_velocity(const dlp__Solid *solid, dlp_Vec3 point);

/* Fill every part's samples and boundary lists for the positions as they are. A wall at distance s shows as one sample
 * on its far side whose volume and place give the kernel sum and gradient of the layers that continue the fluid behind
 * it (poly6/spiky needs two, see wall_table.h); where several walls meet, volumes are scaled so that the space they
 * share is not counted twice. Each sample belongs to one particle and stands where its list entry does: entry[e] = e,
 * samples.count entries in all, those that only pad a list being of zero volume and of solid -1. False without memory. */
bool dlp__solids_sample(dlp__Solids *solids, dlp__Domains *domains);

/* Fill every part's mirror for the positions as they are: each wall within the kernel's support shows a particle the images
 * of its neighbours and of itself in the wall's plane, as far as they are within the support; where walls meet at right
 * angles, images of images too. A pair of particles sees a curved wall as the plane that touches it nearest to their
 * middle, so that j's image is to i what i's is to j. Two particles that are `apart` from the wall do not see each other in
 * it. Neighbour lists must be current. False without memory. */
bool dlp__solids_mirror(dlp__Solids *solids, dlp__Domains *domains, const dlp__Kernel *kernel);

/* Which particles are `apart` from the wall they are near, after a step of `dt`: those farther than a spacing, those that
 * `stress` pulls off by more than the wall's stickiness and than the weight of a layer of particles under `gravity` (m/s2), and
 * those that were apart and will not come as close as half a spacing in the next step. Particles too lonely for a correction
 * matrix are rubbed. */
void dlp__solids_touch(dlp__Solids *solids, dlp__Domains *domains, float dt, double gravity);

/* Lay particles on rough walls: `contact` of one within a spacing that is not apart is the wall's normal and the most force
 * that friction can have on it (Pa/m), by the stress that presses it there; `slide` is its velocity along the wall. All others
 * have no contact. False if no wall is rough, and nothing was done. */
bool dlp__solids_lay(const dlp__Solids *solids, dlp__Domains *domains);
/* Give particles that are `apart` from a sticky wall but within its reach, and those too lonely for a correction matrix, the speed
 * towards it that it gives them in a step of `dt`. Needs `specific_volume`, `correction_matrix` and neighbour lists. */
void dlp__solids_attract(dlp__Solids *solids, dlp__Domains *domains, float dt);

/* The same for methods in which fluid bears no tension: all particles within the reach are drawn. Needs no lists. */
void dlp__solids_cling(dlp__Solids *solids, dlp__Domains *domains, const dlp_MaterialDef *materials, float dt);

/* Stop particles at the surfaces that they met on their way from `start` to where they are, while solids went from where
 * they were before to where they are: the rest of the way leads along the surface, so that nothing passes a wall, however
 * thin and fast. What that moves counts into `correction`. Particles more than half a spacing inside a solid at `start` do
 * not meet it. Needs no lists. */
void dlp__solids_sweep(dlp__Solids *solids, dlp__Domains *domains);

/* Push a point (m) out of all solids, as far as that can be done. */
void dlp__solids_push_point(const dlp__Solids *solids, float point[3]);

/* Push particles that have entered a solid back to its surface, or a rounding error outside of it; the push counts into
 * `correction` as well. Needs no lists. A particle squeezed between solids ends outside the last of them. */
void dlp__solids_push_out(dlp__Solids *solids, dlp__Domains *domains);

/* Take from particles in the touching layer (closer than a spacing) part of the speed along the solid, by its friction,
 * and from those closer than half a spacing their speed into it. Needs no lists. */
void dlp__solids_rub(dlp__Solids *solids, dlp__Domains *domains);
/* The same on solids that are led alone, for methods that brace against all others. */
void dlp__solids_rub_led(dlp__Solids *solids, dlp__Domains *domains);

/* Undo what particles of that layer have slid along walls of friction 1 in this step, in which they were predicted `dt` (s) ahead and
 * moved by `correction` since; it counts into that. For methods in which the rest of a body would drag the layer on before it is rubbed.
 * Free solids are left out, as they would have to be given the opposite. */
void dlp__solids_hold(dlp__Solids *solids, dlp__Domains *domains, float dt);

/* For methods that project velocities: meet the walls before that, so that the projection can take them into account. A
 * particle of the touching layer that its velocity would bring closer to a wall than half a spacing is stopped there,
 * its `contact` says with what normal and friction, and its `clearance` is the (negative) speed that it lost; of the
 * speed along walls closer than a spacing friction takes its part. Particles behind others are not stopped: those in front
 * will stop them. Where two walls are met at once, the contact is that with the one which stopped it more. All others have no
 * contact. Solids that are led are left out: they would not stand still while velocities are projected. Reads the positions of
 * ghosts, not rows. Positions are predicted with the velocities as they are, `dt` ahead of where
 * the step began, and neighbour lists are current. */
void dlp__solids_brace(dlp__Solids *solids, dlp__Domains *domains, float dt);

#endif

/* A world: particles, materials, solids, emitters and sinks under one method and one spacing.
 *
 *     dlp_WorldDef def = dlp_default_world_def();
 *     def.spacing = 0.01;
 *     dlp_World *world = NULL;
 *     dlp_Error error;
 *     if (dlp_world_create(&def, &world, &error) != DLP_OK) puts(error.text);
 *     ... add a material, solids, fluid ...
 *     while (playing) dlp_world_step(world, 1.0 / 240);
 *     dlp_world_destroy(world);
 *
 * SI units everywhere: metre, kilogram, second, kelvin, pascal; angles in radians; z points up by convention of our
 * scenes. A call that fails leaves the world as it was unless it says otherwise, and dlp_world_error() tells in words
 * what went wrong. Pointers must not be null unless it says so. A world may be used by one thread at a time; different
 * worlds by different threads. */
#ifndef DOLLOP_WORLD_H
#define DOLLOP_WORLD_H

#include <dollop/mesh.h>
#include <dollop/params.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dlp_World dlp_World;

typedef int32_t dlp_MaterialId;
typedef int32_t dlp_MeshId;
typedef int32_t dlp_SolidId;
typedef int32_t dlp_JointId;
typedef int32_t dlp_CompanionId;
typedef int32_t dlp_ContactId;
typedef int32_t dlp_EmitterId;
typedef int32_t dlp_SinkId;
typedef int32_t dlp_CameraId;

typedef enum dlp_KernelKind {
    DLP_KERNEL_CUBIC_SPLINE,
    DLP_KERNEL_POLY6_SPIKY, /* poly6 for values, spiky for gradients */
    DLP_KERNEL_WENDLAND_C2,
    DLP_KERNEL_WENDLAND_C4,
} dlp_KernelKind;

/* How the heat of a step is worked out. */
typedef enum dlp_HeatKind {
    DLP_HEAT_AUTO,     /* explicit as long as that is stable                  */
    DLP_HEAT_EXPLICIT, /* by the temperatures as the step begins              */
    DLP_HEAT_IMPLICIT, /* by those at its end, which any time step bears      */
} dlp_HeatKind;

typedef struct dlp_WorldDef {
    size_t size;
    char method[DLP_NAME_SIZE]; /* one of dlp_method_name()                                         */
    double spacing;             /* m, distance between particles at rest; each stands for spacing^3 */
    double support;             /* kernel support over spacing; 0: what suits the method            */
    int32_t kernel;             /* dlp_KernelKind                                                   */
    dlp_Vec3 gravity;           /* m/s2                                                             */
    dlp_Vec3 periodic_min;      /* m, lower corner of the periodic box                              */
    dlp_Vec3 periodic_size;     /* m, its size; 0 along an axis leaves that axis open               */
    double cfl;         /* spacings that a particle may move at once; a longer step is cut into equal parts; 0: never */
    int64_t threads;    /* 0: as many as the machine has                                    */
    int64_t simd;       /* lanes: 1, 4, 8, 16; 0: the widest the machine has                */
    int64_t subdomains; /* 1, 2, 4 or 8 parts that talk only through their halos            */
    dlp_Hooks hooks;
    double air_temperature; /* K, of the air that free surfaces meet                            */
    int32_t heat;           /* dlp_HeatKind                                                     */
} dlp_WorldDef;

/* What a material looks like in pictures; the simulation does not care. */
typedef enum dlp_Look {
    DLP_LOOK_PLAIN,
    DLP_LOOK_WATER,
    DLP_LOOK_HONEY,
    DLP_LOOK_SYRUP,
    DLP_LOOK_CREAM,
    DLP_LOOK_DOUGH,
    DLP_LOOK_TOOTHPASTE,
    DLP_LOOK_CHOCOLATE,
    DLP_LOOK_SLIME,
    DLP_LOOK_JELLY,
    DLP_LOOK_CLAY,
    DLP_LOOK_LAVA, /* glows by its temperature */
} dlp_Look;
#define DLP_LOOK_COUNT 12

/* What can be measured of a material. Methods may add parameters: see dlp_method_material_params(). */
typedef struct dlp_MaterialDef {
    size_t size;
    char name[DLP_NAME_SIZE];
    double density; /* kg/m3 */
    /* A Maxwell fluid, by two of three: viscosity = modulus * relaxation_time. Viscosity alone is a Newtonian fluid, a
     * modulus alone an elastic solid that never relaxes, none of them an inviscid liquid. */
    double viscosity;       /* Pa.s */
    double relaxation_time; /* s    */
    double modulus;         /* Pa   */
    double extensibility; /* how many times longer than at rest what springs back can be drawn (FENE-P); 0: no limit */
    double solvent_viscosity; /* Pa.s, of what flows beside that and never springs back (Oldroyd-B) */
    int32_t look;             /* dlp_Look */
    dlp_Vec3 color;           /* red, green, blue from 0 to 1, linear; below 0 it is the look's own */
    /* Heat, which is followed where a material has a heat capacity: */
    double temperature;   /* K, of what comes into the world                                               */
    double conductivity;  /* W/m/K                                                                         */
    double heat_capacity; /* J/kg/K; 0: its temperature stays as it is                                     */
    double latent_heat;   /* J/kg, that melting takes                                                      */
    double melting_point; /* K, at which melting begins; 0: it does not freeze                             */
    double liquidus;      /* K, at which all is molten; 0: at the melting point                            */
    double emissivity;    /* of the free surface: 0 shines no heat, 1 as a black body                      */
    double convection;    /* W/m2/K, from the free surface to the air                                      */
    double heat_source;   /* W/m3, made inside of it                                                       */
    /* How it flows by temperature: `viscosity` and `relaxation_time` are those of the reference temperature; keys may be given
     * instead, see dlp_world_set_material_viscosities(). */
    double reference_temperature; /* K                                                                      */
    int32_t viscosity_lines;      /* dlp_ViscosityLines, between those keys                                 */
    double activation_energy;     /* J/mol, of Arrhenius' law: 0 is the same at all temperatures           */
    double frozen_modulus;        /* Pa, of the elastic solid that it freezes to; 0: it flows on           */
} dlp_MaterialDef;

/* What goes in straight lines from key to key. */
typedef enum dlp_ViscosityLines {
    DLP_LINES_LOGARITHM, /* of viscosity */
    DLP_LINES_FLUIDITY,  /* one over viscosity, as extension rates do in Takahashi et al. 2014 */
} dlp_ViscosityLines;

/* The viscosity of a material at a temperature. */
typedef struct dlp_ViscosityKey {
    double temperature; /* K    */
    double viscosity;   /* Pa.s */
} dlp_ViscosityKey;

/* Shapes of solids, fluids and sinks. A cylinder and a capsule stand along their local z axis. */
typedef enum dlp_ShapeKind {
    DLP_SHAPE_PLANE,     /* the half space below the local z = 0 plane                            */
    DLP_SHAPE_BOX,       /* size                                                                  */
    DLP_SHAPE_CONTAINER, /* everything outside a box of that size: an inside-out box              */
    DLP_SHAPE_SPHERE,    /* radius                                                                */
    DLP_SHAPE_CAPSULE,   /* radius; length of the middle part                                     */
    DLP_SHAPE_CYLINDER,  /* radius; length                                                        */
    DLP_SHAPE_MESH,      /* mesh                                                                  */
} dlp_ShapeKind;

typedef struct dlp_ShapeDef {
    int32_t kind;      /* dlp_ShapeKind                                                                 */
    dlp_Vec3 position; /* m, of the shape's centre                                                      */
    dlp_Vec3 rotation; /* rad, axis times angle                                                         */
    dlp_Vec3 size;     /* m, full edge lengths                                                          */
    double radius;     /* m                                                                             */
    double length;     /* m                                                                             */
    dlp_MeshId mesh;   /* whose frame is put at `position`, turned by `rotation`; -1: none              */
} dlp_ShapeDef;

/* How something gets from one key of its path to the next. */
typedef enum dlp_PathKind {
    DLP_PATH_SMOOTH, /* speeds never jump: it starts, stops and turns back gently */
    DLP_PATH_LINEAR, /* each way at its own steady speed                          */
} dlp_PathKind;

/* Where something is at a time of the world, and how it is turned. */
typedef struct dlp_PoseKey {
    double time;       /* s                     */
    dlp_Vec3 position; /* m                     */
    dlp_Vec3 rotation; /* rad, axis times angle */
} dlp_PoseKey;
#define DLP_KEYS_MOST 100000 /* of one path */

/* A solid, at rest, moving as told or free. As told: its pose a time t after it was added or last set is the pose given, plus
 * velocity * t, plus amplitude * sin(2 pi frequency t), turned by spin * t about its own centre. Keys, where it has some, give
 * the pose instead of the shape: see dlp_world_set_solid_keys(). With a density it is free: a rigid body that begins with this
 * velocity and spin, falls, floats, and is moved by the fluid and other solids. */
typedef struct dlp_SolidDef {
    size_t size;
    char name[DLP_NAME_SIZE]; /* "" if it has none */
    dlp_ShapeDef shape;
    double friction;      /* 0: free slip, 1: no slip; in between, the Coulomb coefficient             */
    double stickiness;    /* Pa, the tension that fluid bears before it lets go of the solid          */
    double reach;         /* m, how far off it still draws fluid, ever less; 0: one spacing           */
    dlp_Vec3 velocity;    /* m/s                                                                      */
    dlp_Vec3 spin;        /* rad/s                                                                    */
    dlp_Vec3 amplitude;   /* m                                                                        */
    double frequency;     /* Hz                                                                       */
    double density;       /* kg/m3 of a free body; 0: it moves as told                                */
    double grip;          /* Coulomb friction of solids on each other                                 */
    double bounce;        /* part of the speed that comes back when solids meet                       */
    bool visible;         /* in pictures                                                              */
    dlp_Vec3 color;       /* red, green, blue from 0 to 1, linear                                     */
    int32_t path;         /* dlp_PathKind, between its keys                                           */
    double temperature;   /* K, of its surface; 0: no heat goes through it                            */
    double heat_capacity; /* J/kg/K, by which the temperature of a free body changes; 0: it never does */
} dlp_SolidDef;

typedef enum dlp_JointKind {
    DLP_JOINT_HINGE,  /* turns about an axis  */
    DLP_JOINT_SLIDER, /* slides along an axis */
    DLP_JOINT_BALL,   /* turns about a point  */
} dlp_JointKind;

/* Two solids held together, or one held to the world; one of them at least is free. Anchor and axis are told for where the
 * solids are when the joint is added, and go with them. Solids that are joined do not touch each other. Speed, strength and
 * stops are for hinge and slider: of `solid` against `other`, turning right-handed about the axis or going along it. */
typedef struct dlp_JointDef {
    size_t size;
    int32_t kind;      /* dlp_JointKind                                                          */
    dlp_SolidId solid; /* that is held                                                           */
    dlp_SolidId other; /* what it is held to; -1: the world                                      */
    dlp_Vec3 anchor;   /* m, about which it turns; a slider needs none                           */
    dlp_Vec3 axis;     /* any length but zero; a ball needs none                                 */
    double speed;      /* rad/s or m/s, that a motor aims at                                     */
    double strength;   /* N m or N, at most, of that motor; 0: there is none                     */
    double lower;      /* rad (from -pi) or m: stops, counted from where it was when it was added */
    double upper;      /* rad (to pi) or m; the same as lower: there are none                    */
} dlp_JointDef;

/* What a solid does to one material, where that differs from what the solid says itself. Below 0, a member is left to the solid.
 * Where several speak of the same pair, the last one that says something counts. */
typedef struct dlp_ContactDef {
    size_t size;
    dlp_SolidId solid; /* -1: all of them */
    dlp_MaterialId material;
    double friction;
    double stickiness; /* Pa */
    double reach;      /* m  */
} dlp_ContactDef;
#define DLP_CONTACTS_MOST 1024 /* of one world */

/* Fluid filled into a box, sphere, cylinder, capsule or mesh on a cubic lattice of the world's spacing, around
 * the solids that are there by then. */
typedef struct dlp_FluidDef {
    size_t size;
    dlp_MaterialId material;
    dlp_ShapeDef shape;
    dlp_Vec3 velocity;  /* m/s                                           */
    dlp_Vec3 spin;      /* rad/s, about the shape's position, on top of it */
    double temperature; /* K; 0: that of the material                     */
} dlp_FluidDef;

/* What holds the particles of a companion together. */
typedef enum dlp_HoldKind {
    DLP_HOLD_RIGID, /* all of them keep their places within it             */
    DLP_HOLD_SOFT,  /* neighbours keep their distance, as springs would do */
} dlp_HoldKind;

/* A body of particles among those of the fluid, which feel each other as fluids do. It is filled like a fluid; its
 * material says how heavy it is and what it looks like, and should have neither viscosity nor modulus. */
typedef struct dlp_CompanionDef {
    size_t size;
    dlp_MaterialId material;
    dlp_ShapeDef shape;
    int32_t hold;      /* dlp_HoldKind                                  */
    double stiffness;  /* Pa, Young's modulus of a soft one             */
    dlp_Vec3 velocity; /* m/s, of its centre at the start               */
    dlp_Vec3 spin;     /* rad/s, about its centre at the start          */
} dlp_CompanionDef;

typedef enum dlp_NozzleKind {
    DLP_NOZZLE_DISC,
    DLP_NOZZLE_RECTANGLE,
    /* a flat mesh: its frame is put at `position` and turned so that its triangles face along `direction`, with the level
     * axis of its plane on the level axis of the opening. A mesh that was made in place, facing along `direction`, stays
     * there if `position` is zero; one in the xy plane, facing up, has its x axis level. */
    DLP_NOZZLE_MESH,
} dlp_NozzleKind;

/* A nozzle that pushes out fluid in layers exactly one spacing apart. How fast is told by one of speed, rate and mass_rate. A
 * rate counts the particles that come out, each spacing^3 large, and not the drawn size of the opening. */
typedef struct dlp_EmitterDef {
    size_t size;
    dlp_MaterialId material;
    int32_t nozzle;     /* dlp_NozzleKind                                          */
    dlp_Vec3 position;  /* m, centre of the opening                                */
    dlp_Vec3 direction; /* of the flow; any length but zero                        */
    double radius;      /* m, of a disc                                            */
    double width;       /* m, of a rectangle, along the more level of its two axes */
    double height;      /* m, of a rectangle                                       */
    double speed;       /* m/s; 0: a rate is given instead                         */
    double start;       /* s                                                       */
    double stop;        /* s                                                       */
    double guide;       /* spacings past the opening through which the nozzle still guides the fluid */
    int32_t path;       /* dlp_PathKind, between its keys                          */
    double rate;        /* m3/s; 0: not given                                      */
    double mass_rate;   /* kg/s; 0: not given                                      */
    dlp_MeshId mesh;    /* the opening of a DLP_NOZZLE_MESH; -1: none              */
    double temperature; /* K, of what comes out; 0: that of the material           */
} dlp_EmitterDef;

/* What part of its speed a nozzle has at a time of the world. */
typedef struct dlp_FlowKey {
    double time; /* s */
    double factor;
} dlp_FlowKey;

/* Particles inside the shape are removed at each step. */
typedef struct dlp_SinkDef {
    size_t size;
    dlp_ShapeDef shape;
} dlp_SinkDef;

/* From where pictures are taken. */
typedef struct dlp_CameraDef {
    size_t size;
    char name[DLP_NAME_SIZE];
    dlp_Vec3 position; /* m                                 */
    dlp_Vec3 target;   /* m, what is in the middle          */
    double angle;      /* rad, from the lower to the upper edge */
} dlp_CameraDef;

/* The parameter tables of the structs above, and defs filled from them. */
DLP_API const dlp_ParamTable *dlp_world_params(void);
DLP_API const dlp_ParamTable *dlp_material_params(void);
DLP_API const dlp_ParamTable *dlp_solid_params(void);
DLP_API const dlp_ParamTable *dlp_joint_params(void);
DLP_API const dlp_ParamTable *dlp_contact_params(void);
DLP_API const dlp_ParamTable *dlp_fluid_params(void);
DLP_API const dlp_ParamTable *dlp_companion_params(void);
DLP_API const dlp_ParamTable *dlp_emitter_params(void);
DLP_API const dlp_ParamTable *dlp_sink_params(void);
DLP_API const dlp_ParamTable *dlp_camera_params(void);
DLP_API const dlp_ParamTable *dlp_pose_key_params(void);
DLP_API const dlp_ParamTable *dlp_flow_key_params(void);
DLP_API const dlp_ParamTable *dlp_viscosity_key_params(void);
DLP_API dlp_WorldDef dlp_default_world_def(void);
DLP_API dlp_MaterialDef dlp_default_material_def(void);
DLP_API dlp_SolidDef dlp_default_solid_def(void);
DLP_API dlp_JointDef dlp_default_joint_def(void);
DLP_API dlp_ContactDef dlp_default_contact_def(void);
DLP_API dlp_FluidDef dlp_default_fluid_def(void);
DLP_API dlp_CompanionDef dlp_default_companion_def(void);
DLP_API dlp_EmitterDef dlp_default_emitter_def(void);
DLP_API dlp_SinkDef dlp_default_sink_def(void);
DLP_API dlp_CameraDef dlp_default_camera_def(void);

/* The methods in this build. Parameters of a method stand in a struct of its own that only its table describes. */
DLP_API int dlp_method_count(void);
DLP_API const char *dlp_method_name(int index);
DLP_API const char *dlp_method_summary(int index);
DLP_API const dlp_ParamTable *dlp_method_params(const char *method); /* null if there is no such method */
/* What the method adds to each material, such as the plasticity of its springs; null if nothing. */
DLP_API const dlp_ParamTable *dlp_method_material_params(const char *method);

DLP_API dlp_Result dlp_world_create(const dlp_WorldDef *def, dlp_World **world, dlp_Error *error);
DLP_API void dlp_world_destroy(dlp_World *world); /* null is fine */

/* What went wrong in the last call that failed, with where and how to mend it; "" if none did. */
DLP_API const char *dlp_world_error(const dlp_World *world);

/* Materials. At most 65535. A change counts from the next step on. */
DLP_API dlp_Result dlp_world_add_material(dlp_World *world, const dlp_MaterialDef *def, dlp_MaterialId *id);
DLP_API dlp_Result dlp_world_set_material(dlp_World *world, dlp_MaterialId id, const dlp_MaterialDef *def);
DLP_API dlp_Result dlp_world_get_material(const dlp_World *world, dlp_MaterialId id, dlp_MaterialDef *def);
DLP_API int dlp_world_material_count(const dlp_World *world);
/* The method's own parameters of a material, as one struct that dlp_method_material_params() describes; a new material has their
 * defaults. What is set is checked together with the material and counts from the next step on. */
DLP_API dlp_Result dlp_world_get_material_params(const dlp_World *world, dlp_MaterialId id, void *params, size_t size);
DLP_API dlp_Result dlp_world_set_material_params(dlp_World *world, dlp_MaterialId id, const void *params, size_t size);
/* The viscosity over temperature, on straight lines of its logarithm between keys; below the first it is as there, above the last
 * as there. They stand in for `activation_energy`; times go with viscosity. Keys are copied; temperatures must increase; at most
 * DLP_KEYS_MOST; 0 removes them. */
DLP_API dlp_Result dlp_world_set_material_viscosities(dlp_World *world, dlp_MaterialId id, const dlp_ViscosityKey *keys,
                                                      int count);
/* `keys` are valid until they are set again, and null if there are none. */
DLP_API dlp_Result dlp_world_get_material_viscosities(const dlp_World *world, dlp_MaterialId id,
                                                      const dlp_ViscosityKey **keys, int *count);

/* Meshes that shapes are made of. The triangles are copied; a mesh must be closed and turned alike, or be a sheet, or an opening
 * of emitters. How far each point is from it is worked out here, once: 70,000 triangles take about half a second. At most 65535.
 */
DLP_API dlp_Result dlp_world_add_mesh(dlp_World *world, const dlp_MeshDef *def, const dlp_Mesh *mesh, dlp_MeshId *id);
/* `mesh` (may be null) is valid as long as the world is. */
DLP_API dlp_Result dlp_world_get_mesh(const dlp_World *world, dlp_MeshId id, dlp_MeshDef *def, dlp_Mesh *mesh);
DLP_API int dlp_world_mesh_count(const dlp_World *world);
/* Let a mesh deform: from now on it has the shape of its frames at the world's time. Between two frames vertices go straight and
 * at constant speed, and walls move fluid with them, along the surface too; before the first frame and after the last it rests.
 * Frames are copied; they can be set again, one frame holds the mesh still. Distances are worked out again for each frame, and
 * as often as anything moves by a spacing between two; a step in which it moves by more than 64 spacings, or in which more than 64
 * frames pass, is refused. Solids with a density cannot deform. dlp_world_get_mesh() shows the mesh as it is now. */
DLP_API dlp_Result dlp_world_set_mesh_frames(dlp_World *world, dlp_MeshId id, const dlp_MeshFrames *frames);
/* `frames` are valid until they are set again, and none if the mesh is rigid. */
DLP_API dlp_Result dlp_world_get_mesh_frames(const dlp_World *world, dlp_MeshId id, dlp_MeshFrames *frames);

DLP_API dlp_Result dlp_world_add_solid(dlp_World *world, const dlp_SolidDef *def, dlp_SolidId *id);
DLP_API dlp_Result dlp_world_set_solid(dlp_World *world, dlp_SolidId id, const dlp_SolidDef *def);
DLP_API dlp_Result dlp_world_get_solid(const dlp_World *world, dlp_SolidId id, dlp_SolidDef *def);
DLP_API int dlp_world_solid_count(const dlp_World *world);
/* Where a solid is now and how it moves, be it as told or free. */
typedef struct dlp_SolidState {
    dlp_Vec3 position;  /* m                     */
    dlp_Vec3 rotation;  /* rad, axis times angle */
    dlp_Vec3 velocity;  /* m/s, of its centre    */
    dlp_Vec3 spin;      /* rad/s                 */
    double temperature; /* K; 0: no heat goes through it */
} dlp_SolidState;
DLP_API dlp_Result dlp_world_solid_state(const dlp_World *world, dlp_SolidId id, dlp_SolidState *state);
/* Let a solid follow a path from now on: its pose is that of the keys at the world's time instead of the one in its def,
 * whose velocity, amplitude and spin come on top as before. Between two keys it goes as def.path says and takes the shortest
 * turn, so that keys should be less than half a turn apart; before the first and after the last it rests there. Keys are
 * copied. Their times must increase; at most DLP_KEYS_MOST; 0 removes them. */
DLP_API dlp_Result dlp_world_set_solid_keys(dlp_World *world, dlp_SolidId id, const dlp_PoseKey *keys, int count);
/* `keys` are valid until they are set again, and null if there are none. */
DLP_API dlp_Result dlp_world_get_solid_keys(const dlp_World *world, dlp_SolidId id, const dlp_PoseKey **keys,
                                            int *count);

/* Joints. At most 65535. A change of speed, strength or stops leaves a joint where it is, so that a motor can be steered; any
 * other change, or setting one of its solids, is as if it were added anew. A change counts from the next step on. */
DLP_API dlp_Result dlp_world_add_joint(dlp_World *world, const dlp_JointDef *def, dlp_JointId *id);
DLP_API dlp_Result dlp_world_set_joint(dlp_World *world, dlp_JointId id, const dlp_JointDef *def);
DLP_API dlp_Result dlp_world_get_joint(const dlp_World *world, dlp_JointId id, dlp_JointDef *def);
DLP_API int dlp_world_joint_count(const dlp_World *world);
/* Contacts. The solid and the material must be there; a change counts from the next step on. At most DLP_CONTACTS_MOST. */
DLP_API dlp_Result dlp_world_add_contact(dlp_World *world, const dlp_ContactDef *def, dlp_ContactId *id);
DLP_API dlp_Result dlp_world_set_contact(dlp_World *world, dlp_ContactId id, const dlp_ContactDef *def);
DLP_API dlp_Result dlp_world_get_contact(const dlp_World *world, dlp_ContactId id, dlp_ContactDef *def);
DLP_API int dlp_world_contact_count(const dlp_World *world);

/* `added` (may be null) tells how many particles came in. */
DLP_API dlp_Result dlp_world_add_fluid(dlp_World *world, const dlp_FluidDef *def, int64_t *added);
/* `points`: count positions, x y z each; every particle gets the same material and velocity. */
DLP_API dlp_Result dlp_world_add_points(dlp_World *world, dlp_MaterialId material, const float *points, int64_t count,
                                        dlp_Vec3 velocity);

/* At most 65535. Particles of a companion that a sink takes are gone from it for good. */
DLP_API dlp_Result dlp_world_add_companion(dlp_World *world, const dlp_CompanionDef *def, dlp_CompanionId *id);
DLP_API dlp_Result dlp_world_get_companion(const dlp_World *world, dlp_CompanionId id, dlp_CompanionDef *def);
DLP_API int dlp_world_companion_count(const dlp_World *world);

DLP_API dlp_Result dlp_world_add_emitter(dlp_World *world, const dlp_EmitterDef *def, dlp_EmitterId *id);
DLP_API dlp_Result dlp_world_set_emitter(dlp_World *world, dlp_EmitterId id, const dlp_EmitterDef *def);
DLP_API dlp_Result dlp_world_get_emitter(const dlp_World *world, dlp_EmitterId id, dlp_EmitterDef *def);
DLP_API int dlp_world_emitter_count(const dlp_World *world);
/* The same for a nozzle. Its opening is where the keys are, instead of at def.position, and def.direction and the opening are
 * turned by their rotation. What comes out has the velocity of the place of the opening that it left besides that of the flow. */
DLP_API dlp_Result dlp_world_set_emitter_keys(dlp_World *world, dlp_EmitterId id, const dlp_PoseKey *keys, int count);
DLP_API dlp_Result dlp_world_get_emitter_keys(const dlp_World *world, dlp_EmitterId id, const dlp_PoseKey **keys,
                                              int *count);

/* A curve of the flow over time: the speed is `factor` times that of the def, on a straight line from key to key, and as at the
 * first before it and as at the last after it. At 0 a nozzle with a guide holds the fluid that is in it. Start and stop count as
 * before. Keys are copied; their times must increase; at most DLP_KEYS_MOST; 0 removes them, for a flow that is always 1. */
DLP_API dlp_Result dlp_world_set_emitter_flow(dlp_World *world, dlp_EmitterId id, const dlp_FlowKey *keys, int count);
/* `keys` are valid until they are set again, and null if there are none. */
DLP_API dlp_Result dlp_world_get_emitter_flow(const dlp_World *world, dlp_EmitterId id, const dlp_FlowKey **keys,
                                              int *count);
/* m/s where the flow is 1, also if a rate was given. */
DLP_API dlp_Result dlp_world_emitter_speed(const dlp_World *world, dlp_EmitterId id, double *speed);
/* m3 that it pushes out between two times (s), as its start, stop and flow are now. */
DLP_API dlp_Result dlp_world_emitter_volume(const dlp_World *world, dlp_EmitterId id, double from, double to,
                                            double *volume);

DLP_API dlp_Result dlp_world_add_sink(dlp_World *world, const dlp_SinkDef *def, dlp_SinkId *id);
DLP_API int dlp_world_sink_count(const dlp_World *world);

/* Cameras go into frames with the rest; position and target must not coincide. */
DLP_API dlp_Result dlp_world_add_camera(dlp_World *world, const dlp_CameraDef *def, dlp_CameraId *id);
DLP_API dlp_Result dlp_world_get_camera(const dlp_World *world, dlp_CameraId id, dlp_CameraDef *def);
DLP_API int dlp_world_camera_count(const dlp_World *world);

DLP_API dlp_Result dlp_world_set_gravity(dlp_World *world, dlp_Vec3 gravity);

/* The method's own parameters, as one struct that dlp_method_params() describes; read, change, write back. */
DLP_API dlp_Result dlp_world_get_method(const dlp_World *world, void *params, size_t size);
DLP_API dlp_Result dlp_world_set_method(dlp_World *world, const void *params, size_t size);

/* Change velocities (m/s), for a flow to begin with or a force of the host's own: `push` is called for each particle, with
 * where it is (m), in no order that matters. */
typedef void (*dlp_PushFunction)(void *user, uint64_t id, const float position[3], float velocity[3]);
DLP_API dlp_Result dlp_world_push(dlp_World *world, dlp_PushFunction push, void *user);

/* Change temperatures (K), for a heat to begin with: `warm` is called for each particle with where it is (m) and its temperature,
 * and tells a new one. Refused where no material has heat, and so no particle a temperature. */
typedef double (*dlp_WarmFunction)(void *user, uint64_t id, const float position[3], double temperature);
DLP_API dlp_Result dlp_world_warm(dlp_World *world, dlp_WarmFunction warm, void *user);

/* Advance by dt seconds. On DLP_ERROR_NOT_FINITE the message names the field, the particle and the step, and the world
 * should be thrown away or reloaded from its last checkpoint; so it should if memory ran out, and further steps are
 * refused. */
DLP_API dlp_Result dlp_world_step(dlp_World *world, double dt);

/* A view of one part's particles: arrays of `count`, no copies, valid until the next call that changes the world. The
 * order may change at each step; the id never does. A world has as many parts as it has subdomains. */
typedef struct dlp_ParticleView {
    int64_t count;
    const uint64_t *id;
    const uint16_t *material;
    const float *position[3]; /* m     */
    const float *velocity[3]; /* m/s   */
    const float *density;     /* kg/m3 */
    const float *pressure;    /* Pa    */
    const float *temperature; /* K; null where no material has heat */
} dlp_ParticleView;

DLP_API int dlp_world_part_count(const dlp_World *world);
DLP_API dlp_Result dlp_world_view(const dlp_World *world, int part, dlp_ParticleView *view);
DLP_API int64_t dlp_world_particle_count(const dlp_World *world);

/* Figures of the world as it stands after its last step. Sums are taken in double, in the order of the particles: the
 * same for any number of threads; subdomains may change their last digits. */
typedef struct dlp_WorldStats {
    double time; /* s */
    int64_t step;
    int64_t particles;
    int64_t removed;                         /* by sinks, since the beginning                                 */
    double density_error;                    /* mean of max(0, density / rest density - 1)                     */
    double density_worst;                    /* the largest of it                                             */
    int64_t iterations;                      /* of the method's solver in the last step                       */
    double residual;                         /* of the forces, what it left; 0 if the method does not tell    */
    int64_t substeps;                        /* parts that the last step was cut into: see `cfl`              */
    double neighbors;                        /* mean number of neighbours of a particle                       */
    double speed_max;                        /* m/s                                                           */
    double kinetic_energy;                   /* J                                                             */
    dlp_Vec3 momentum;                       /* kg m/s                                                        */
    dlp_Vec3 angular;                        /* kg m2/s, about the origin                                     */
    dlp_Vec3 center;                         /* m, of mass                                                    */
    dlp_Vec3 lower, upper;                   /* m, box around all particles                                   */
    int64_t memory;                          /* bytes held now                                                */
    int64_t memory_peak;                     /* bytes held at most                                            */
    int simd;                                /* lanes in use                                                  */
    int threads;                             /* in use                                                        */
    double heat;                             /* J, of fluid and of free bodies with a heat capacity, from 0 K on */
    double temperature_min, temperature_max; /* K; 0 where no material has heat             */
} dlp_WorldStats;

DLP_API dlp_Result dlp_world_stats(const dlp_World *world, dlp_WorldStats *stats);

/* Seconds and calls spent in each stage since the beginning, in the order first run; false past the last. */
typedef struct dlp_StageTime {
    const char *name;
    double seconds;
    int64_t calls;
} dlp_StageTime;

DLP_API bool dlp_world_stage_time(const dlp_World *world, int index, dlp_StageTime *time);

/* 64 bits of particles, time and counters: equal for equal states whatever the order of particles, the threads or the
 * subdomains. Definitions are not part of it. */
DLP_API uint64_t dlp_world_hash(const dlp_World *world);

DLP_API double dlp_world_time(const dlp_World *world);
DLP_API int64_t dlp_world_step_count(const dlp_World *world);
DLP_API dlp_WorldDef dlp_world_def(const dlp_World *world);

#ifdef __cplusplus
}
#endif
#endif

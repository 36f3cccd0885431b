/* What a world is made of: materials, solids, fluids, emitters and the rest, each described by a struct that a call of world.h
 * copies. Start from the dlp_default_*_def() of a struct, which comes from its parameter table, and change what differs. Units are SI:
 * metre, kilogram, second, kelvin, pascal, radian. */
#ifndef DOLLOP_DEFS_H
#define DOLLOP_DEFS_H

#include <dollop/params.h>

#ifdef __cplusplus
extern "C" {
#endif

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

/* Time integration of heat conduction. */
typedef enum dlp_HeatKind {
    DLP_HEAT_AUTO,     /* explicit while that is stable, otherwise implicit */
    DLP_HEAT_EXPLICIT, /* from the temperatures at the start of the step */
    DLP_HEAT_IMPLICIT, /* from the temperatures at its end; stable for any time step */
} dlp_HeatKind;

typedef struct dlp_WorldDef {
    size_t size;
    char method[DLP_NAME_SIZE]; /* one of dlp_method_name() */
    double spacing;             /* m, distance between particles at rest; each has the volume spacing^3 */
    double support;             /* kernel support radius in spacings; 0: the default of the method */
    int32_t kernel;             /* dlp_KernelKind */
    dlp_Vec3 gravity;           /* m/s2 */
    dlp_Vec3 periodic_min;      /* m, lower corner of the periodic box */
    dlp_Vec3 periodic_size;     /* m, its size; 0: this axis is not periodic */
    double
        cfl; /* Courant limit, spacings per substep; longer steps are split into equal substeps; 0: never split (automatic steps: 0.4) */
    int64_t threads;    /* 0: one per available core */
    int64_t simd;       /* lanes: 1, 4, 8, 16; 0: the widest that the machine supports */
    int64_t subdomains; /* 1, 2, 4 or 8; they exchange data only through their halos */
    dlp_Hooks hooks;
    double air_temperature; /* K, of the air at free surfaces */
    int32_t heat;           /* dlp_HeatKind */
} dlp_WorldDef;

/* Appearance of a material in pictures; no effect on the simulation. */
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
    DLP_LOOK_LAVA, /* glows according to its temperature */
} dlp_Look;
#define DLP_LOOK_COUNT 12

/* How stress depends on the shear rate in steady flow. */
typedef enum dlp_FlowLaw {
    DLP_FLOW_NEWTONIAN,        /* viscosity * rate */
    DLP_FLOW_POWER_LAW,        /* consistency * rate^flow_index */
    DLP_FLOW_CARREAU,          /* Carreau-Yasuda: (infinite_viscosity + (viscosity - infinite_viscosity) *
                                * (1 + (thinning_time * rate)^transition)^((flow_index - 1) / transition)) * rate */
    DLP_FLOW_CROSS,            /* (infinite_viscosity + (viscosity - infinite_viscosity) /
                                * (1 + (thinning_time * rate)^(1 - flow_index))) * rate */
    DLP_FLOW_CASSON,           /* (sqrt(yield_stress) + sqrt(viscosity * rate))^2 */
    DLP_FLOW_BINGHAM,          /* yield_stress + viscosity * rate */
    DLP_FLOW_HERSCHEL_BULKLEY, /* yield_stress + consistency * rate^flow_index */
    DLP_FLOW_TABLE,            /* the points of flow_curve, with power laws between them */
} dlp_FlowLaw;
#define DLP_FLOW_LAW_COUNT 8

/* How elastic stress relaxes when the material is strained far. With finite `extensibility` (FENE-P) it is MAXWELL. */
typedef enum dlp_ElasticLaw {
    DLP_ELASTIC_MAXWELL,         /* at a constant rate: upper-convected Maxwell, Oldroyd-B with a solvent */
    DLP_ELASTIC_GIESEKUS,        /* faster along the stress, by `mobility` */
    DLP_ELASTIC_PTT_LINEAR,      /* Phan-Thien and Tanner: faster by 1 + ptt_epsilon (tr Q - 3) */
    DLP_ELASTIC_PTT_EXPONENTIAL, /* by exp(ptt_epsilon (tr Q - 3)) */
} dlp_ElasticLaw;
#define DLP_ELASTIC_LAW_COUNT 4

/* A point of a measured flow curve. */
typedef struct dlp_FlowPoint {
    double rate;   /* 1/s */
    double stress; /* Pa */
} dlp_FlowPoint;
#define DLP_FLOW_POINTS_MOST 64

/* One Maxwell element of a spectrum. */
typedef struct dlp_RelaxationMode {
    double relaxation_time; /* s */
    double modulus;         /* Pa */
} dlp_RelaxationMode;
#define DLP_MODES_MOST 8

/* Lists within a definition: `count` rows, in increasing order of their first number. */
typedef struct dlp_FlowCurve {
    int64_t count;
    dlp_FlowPoint point[DLP_FLOW_POINTS_MOST];
} dlp_FlowCurve;
typedef struct dlp_RelaxationModes {
    int64_t count;
    dlp_RelaxationMode mode[DLP_MODES_MOST];
} dlp_RelaxationModes;

/* Physical properties of a material. Methods may add parameters: see dlp_method_material_params(). */
typedef struct dlp_MaterialDef {
    size_t size;
    char name[DLP_NAME_SIZE];
    double density; /* kg/m3 */
    /* A Maxwell fluid, given by two of three: viscosity = modulus * relaxation_time. Viscosity alone gives a Newtonian
     * fluid, modulus alone an elastic solid that never relaxes, none of them an inviscid fluid. */
    double viscosity;       /* Pa.s */
    double relaxation_time; /* s */
    double modulus;         /* Pa */
    double extensibility;   /* maximum stretch of the elastic part relative to its rest length (FENE-P); 0: unlimited */
    double solvent_viscosity; /* Pa.s, of the Newtonian solvent, in addition to the elastic part (Oldroyd-B) */
    double cohesive_strength; /* Pa, largest tensile stress; beyond, the material breaks; 0: unlimited */
    double surface_tension;   /* N/m */
    double contact_angle;     /* rad, of its surface on solids, measured in the fluid; 0: it wets them */
    int32_t look;             /* dlp_Look */
    dlp_Vec3 color;           /* red, green, blue from 0 to 1, linear; below 0: the colour of the look */
    /* Heat. Particles have a temperature if any material has a heat capacity, an activation energy, a frozen modulus or
     * viscosity keys; it changes only in materials with a heat capacity. */
    double temperature;   /* K, initial, unless a fluid or emitter gives its own */
    double conductivity;  /* W/m/K */
    double heat_capacity; /* J/kg/K; 0: its temperature never changes */
    double latent_heat;   /* J/kg, absorbed by melting and released by freezing */
    double melting_point; /* K, at which melting begins; 0: it never freezes */
    double liquidus;      /* K, at which it is completely molten; 0: the melting point */
    double emissivity;    /* of the free surface: 0 radiates nothing, 1 is a black body */
    double convection;    /* W/m2/K, heat transfer coefficient between free surface and air */
    double heat_source;   /* W/m3, heat generated per volume */
    /* Dependence of viscosity on temperature: `viscosity` and `relaxation_time` hold at the reference temperature. Keys
     * can be given instead, see dlp_world_set_material_viscosities(). */
    double reference_temperature; /* K */
    int32_t viscosity_lines;      /* dlp_ViscosityLines, interpolation between those keys */
    double activation_energy;     /* J/mol, of Arrhenius' law; 0: viscosity does not depend on temperature */
    double frozen_modulus; /* Pa, shear modulus of the frozen material, an elastic solid; 0: it remains a fluid */
    double wlf_c1,
        wlf_c2; /* , K: Williams-Landel-Ferry, lg of the factor on viscosity = -c1 (T - T0) / (c2 + T - T0); 0: none */
    /* Flow laws other than Newtonian: see dlp_FlowLaw. With a yield stress the material is elastic below it: `modulus` is that of
     * Saramito's law, or 0 for a paste that is practically rigid. */
    int32_t flow_law;          /* dlp_FlowLaw */
    double yield_stress;       /* Pa */
    double consistency;        /* Pa.s^n */
    double flow_index;         /* n: 1 Newtonian, below 1 shear thinning, above 1 shear thickening */
    double infinite_viscosity; /* Pa.s, at very high rates */
    double thinning_time;      /* s, one over the rate at which thinning begins */
    double transition;         /* exponent of Carreau-Yasuda: 2 is Carreau's law */
    dlp_FlowCurve flow_curve;
    /* Elastic laws other than Maxwell's, and spectra of several modes, which replace viscosity, modulus and relaxation_time. */
    int32_t elastic_law; /* dlp_ElasticLaw */
    double mobility;     /* of Giesekus, 0 to 1 */
    double ptt_epsilon;  /* of Phan-Thien and Tanner */
    dlp_RelaxationModes modes;
    /* Thixotropy: a structure s between 0 and 1 recovers at rest and is broken down by shear, ds/dt = (1 - s) / recovery_time -
     * breakdown * rate * s. It scales the yield stress and the part of viscosity or consistency above infinite_viscosity. */
    double recovery_time; /* s; 0: not thixotropic */
    double breakdown;     /* per unit of strain */
} dlp_MaterialDef;

/* The quantity that is interpolated linearly between viscosity keys. */
typedef enum dlp_ViscosityLines {
    DLP_LINES_LOGARITHM, /* of viscosity */
    DLP_LINES_FLUIDITY,  /* 1 / viscosity, like the extension rates in Takahashi et al. 2014 */
} dlp_ViscosityLines;

/* The viscosity of a material at a temperature. */
typedef struct dlp_ViscosityKey {
    double temperature; /* K */
    double viscosity;   /* Pa.s */
} dlp_ViscosityKey;

/* Shapes of solids, fluids and sinks. The axis of a cylinder or capsule is its local z axis. */
typedef enum dlp_ShapeKind {
    DLP_SHAPE_PLANE,     /* the half space below the local z = 0 plane */
    DLP_SHAPE_BOX,       /* size */
    DLP_SHAPE_CONTAINER, /* everything outside a box of this size: an inverted box */
    DLP_SHAPE_SPHERE,    /* radius */
    DLP_SHAPE_CAPSULE,   /* radius; length of the cylindrical part */
    DLP_SHAPE_CYLINDER,  /* radius; length */
    DLP_SHAPE_MESH,      /* mesh */
} dlp_ShapeKind;

typedef struct dlp_ShapeDef {
    int32_t kind;      /* dlp_ShapeKind */
    dlp_Vec3 position; /* m, of the shape's centre */
    dlp_Vec3 rotation; /* rad, axis times angle */
    dlp_Vec3 size;     /* m, full edge lengths */
    double radius;     /* m */
    double length;     /* m */
    dlp_MeshId mesh;   /* its frame is placed at `position` with orientation `rotation`; -1: none */
} dlp_ShapeDef;

/* Interpolation between the keys of a path. */
typedef enum dlp_PathKind {
    DLP_PATH_SMOOTH, /* the velocity is continuous, also at starts, stops and reversals */
    DLP_PATH_LINEAR, /* constant speed between each pair of keys */
} dlp_PathKind;

/* Position and orientation at a simulated time. */
typedef struct dlp_PoseKey {
    double time;       /* s */
    dlp_Vec3 position; /* m */
    dlp_Vec3 rotation; /* rad, axis times angle */
} dlp_PoseKey;
#define DLP_KEYS_MOST 100000 /* per path */

/* A solid: static, kinematic (with prescribed motion) or free. The pose of a kinematic solid, a time t after it was added or
 * last set, is the pose of its shape plus velocity * t plus amplitude * sin(2 pi frequency t), rotated by spin * t about its
 * centre. If it has keys, they replace the pose of the shape: see dlp_world_set_solid_keys(). A solid with a density is free: a
 * rigid body with this initial velocity and spin that falls, floats and is moved by the fluid and by other solids. */
typedef struct dlp_SolidDef {
    size_t size;
    char name[DLP_NAME_SIZE]; /* "" if unnamed */
    dlp_ShapeDef shape;
    double friction;      /* 0: free slip, 1: no slip; in between, the Coulomb coefficient */
    double stickiness;    /* Pa, adhesion: tensile stress at which fluid detaches from the solid */
    double reach;         /* m, distance over which adhesion decreases to zero; 0: one spacing */
    dlp_Vec3 velocity;    /* m/s */
    dlp_Vec3 spin;        /* rad/s */
    dlp_Vec3 amplitude;   /* m */
    double frequency;     /* Hz */
    double density;       /* kg/m3, makes it a free body; 0: static or kinematic */
    double grip;          /* Coulomb friction coefficient between solids */
    double bounce;        /* coefficient of restitution between solids */
    bool visible;         /* whether it is shown in pictures */
    dlp_Vec3 color;       /* red, green, blue from 0 to 1, linear */
    int32_t path;         /* dlp_PathKind, interpolation between its keys */
    double temperature;   /* K, of its surface; 0: insulated */
    double heat_capacity; /* J/kg/K, of a free body; 0: its temperature never changes */
} dlp_SolidDef;

typedef enum dlp_JointKind {
    DLP_JOINT_HINGE,  /* rotates about an axis */
    DLP_JOINT_SLIDER, /* moves along an axis */
    DLP_JOINT_BALL,   /* rotates about a point */
} dlp_JointKind;

/* Connects two solids, or a solid and the world; at least one solid must be free. Anchor and axis are given in world
 * coordinates for the poses at the time the joint is added, and move with the solids. Joined solids do not collide with each
 * other. Speed, strength and stops apply to hinge and slider and describe the motion of `solid` relative to `other`: rotation
 * about the axis, right-handed, or translation along it. */
typedef struct dlp_JointDef {
    size_t size;
    int32_t kind;      /* dlp_JointKind */
    dlp_SolidId solid; /* the solid that is held */
    dlp_SolidId other; /* the solid it is attached to; -1: the world */
    dlp_Vec3 anchor;   /* m, a point on the axis of a hinge, or the centre of a ball joint; a slider needs none */
    dlp_Vec3 axis;     /* any length but zero; a ball needs none */
    double speed;      /* rad/s or m/s, target speed of the motor */
    double strength;   /* N m or N, maximum torque or force of the motor; 0: no motor */
    double lower;      /* rad (from -pi) or m, lower stop relative to the pose when it was added */
    double upper;      /* rad (to pi) or m, upper stop; equal to `lower`: no stops */
    char name[DLP_NAME_SIZE]; /* "" if unnamed */
} dlp_JointDef;

/* Replaces boundary parameters of a solid for one material. A member below 0 keeps the value of the solid. If several contacts
 * set the same member for the same pair, the last one applies. */
typedef struct dlp_ContactDef {
    size_t size;
    dlp_SolidId solid; /* -1: all solids */
    dlp_MaterialId material;
    double friction;
    double stickiness;        /* Pa */
    double reach;             /* m */
    char name[DLP_NAME_SIZE]; /* "" if unnamed */
} dlp_ContactDef;
#define DLP_CONTACTS_MOST 1024 /* per world */

/* Fluid filled into a box, sphere, cylinder, capsule or mesh on a cubic lattice of the world's spacing,
 * except where solids exist at that time. */
typedef struct dlp_FluidDef {
    size_t size;
    dlp_MaterialId material;
    dlp_ShapeDef shape;
    dlp_Vec3 velocity;        /* m/s */
    dlp_Vec3 spin;            /* rad/s, about the shape's position, in addition */
    double temperature;       /* K; 0: the temperature of the material */
    char name[DLP_NAME_SIZE]; /* "" if unnamed */
} dlp_FluidDef;

/* How the particles of a companion are held together. */
typedef enum dlp_HoldKind {
    DLP_HOLD_RIGID, /* it moves as a rigid body */
    DLP_HOLD_SOFT,  /* neighbours keep their distance, like springs */
} dlp_HoldKind;

/* A body made of particles, which interact with the fluid particles like another fluid. It is filled like a fluid; its
 * material gives density and appearance, and should have neither viscosity nor modulus. */
typedef struct dlp_CompanionDef {
    size_t size;
    dlp_MaterialId material;
    dlp_ShapeDef shape;
    int32_t hold;             /* dlp_HoldKind */
    double stiffness;         /* Pa, Young's modulus of a soft companion */
    dlp_Vec3 velocity;        /* m/s, initial, of its centre */
    dlp_Vec3 spin;            /* rad/s, initial, about its centre */
    char name[DLP_NAME_SIZE]; /* "" if unnamed */
} dlp_CompanionDef;

typedef enum dlp_NozzleKind {
    DLP_NOZZLE_DISC,
    DLP_NOZZLE_RECTANGLE,
    /* a flat mesh: its frame is placed at `position` and rotated so that its triangles face along `direction`, with the
     * horizontal axis of its plane on the horizontal axis of the opening. A mesh modelled in world coordinates, facing along
     * `direction`, keeps its place if `position` is zero; the horizontal axis of a mesh in the xy plane, facing up, is x. */
    DLP_NOZZLE_MESH,
} dlp_NozzleKind;

/* A nozzle that emits fluid in layers exactly one spacing apart. Exactly one of speed, rate and mass_rate is given. A rate
 * refers to the emitted particles, with volume spacing^3 each, not to the nominal area of the opening. */
typedef struct dlp_EmitterDef {
    size_t size;
    dlp_MaterialId material;
    int32_t nozzle;           /* dlp_NozzleKind */
    dlp_Vec3 position;        /* m, centre of the opening */
    dlp_Vec3 direction;       /* of the flow; any length but zero */
    double radius;            /* m, of a disc */
    double width;             /* m, of a rectangle, along the more horizontal of its two axes */
    double height;            /* m, of a rectangle */
    double speed;             /* m/s; 0: a rate is given instead */
    double start;             /* s */
    double stop;              /* s */
    double guide;             /* spacings past the opening over which fluid moves at the prescribed velocity */
    int32_t path;             /* dlp_PathKind, interpolation between its keys */
    double rate;              /* m3/s; 0: not given */
    double mass_rate;         /* kg/s; 0: not given */
    dlp_MeshId mesh;          /* the opening of a DLP_NOZZLE_MESH; -1: none */
    double temperature;       /* K, of the emitted fluid; 0: the temperature of the material */
    char name[DLP_NAME_SIZE]; /* "" if unnamed */
} dlp_EmitterDef;

/* Factor on the speed of a nozzle at a simulated time. */
typedef struct dlp_FlowKey {
    double time; /* s */
    double factor;
} dlp_FlowKey;

/* Particles inside the shape are removed in each step. */
typedef struct dlp_SinkDef {
    size_t size;
    dlp_ShapeDef shape;
    char name[DLP_NAME_SIZE]; /* "" if unnamed */
} dlp_SinkDef;

/* A viewpoint for pictures. */
typedef struct dlp_CameraDef {
    size_t size;
    char name[DLP_NAME_SIZE];
    dlp_Vec3 position; /* m */
    dlp_Vec3 target;   /* m, the point at the centre of the picture */
    double angle;      /* rad, vertical field of view */
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

#ifdef __cplusplus
}
#endif

#endif

/* The parameter tables of the public def structs: each member once, with unit, default, range and help. */
#include <dollop/world.h>
#include <stdio.h>

/* clang-format off */
#define BIG 1e9     /* m, m/s: larger than any scene, small enough for squares in single precision */
#define FOREVER 1e9 /* s: 30 years */

#define REAL(type, member, name, unit, value, least, most, help) \
    {name, DLP_PARAM_REAL, offsetof(type, member), unit, {value, 0, 0}, least, most, NULL, help}
#define INTEGER(type, member, name, value, least, most, help) \
    {name, DLP_PARAM_INT, offsetof(type, member), "", {value, 0, 0}, least, most, NULL, help}
#define VEC3(type, member, name, unit, x, y, z, least, most, help) \
    {name, DLP_PARAM_VEC3, offsetof(type, member), unit, {x, y, z}, least, most, NULL, help}
#define CHOICE(type, member, name, choices, value, help) \
    {name, DLP_PARAM_CHOICE, offsetof(type, member), "", {value, 0, 0}, 0, (int)(sizeof(choices) / sizeof(choices[0])) - 2, \
     choices, help}
#define NAME(type, member, name, help) \
    {name, DLP_PARAM_NAME, offsetof(type, member), "", {0, 0, 0}, 0, 0, NULL, help}
#define MATERIAL(type, member, name, help) \
    {name, DLP_PARAM_MATERIAL, offsetof(type, member), "", {0, 0, 0}, 0, 65534, NULL, help}

#define TABLE(name, type, params, help) \
    {name, help, sizeof(type), (int)(sizeof(params) / sizeof(params[0])), params}

static const char *const kernel_names[] = {"cubic_spline", "poly6_spiky", "wendland_c2", "wendland_c4", NULL};
static const char *const shape_names[] = {"plane", "box", "container", "sphere", "capsule", "cylinder", "mesh", NULL};
static const char *const nozzle_names[] = {"disc", "rectangle", "mesh", NULL};
static const char *const hold_names[] = {"rigid", "soft", NULL};
static const char *const path_names[] = {"smooth", "linear", NULL};
static const char *const joint_names[] = {"hinge", "slider", "ball", NULL};

static const char *const form_names[] = {"file", "bowl",   "cup",    "plate", "spoon", "torus",
                                         "gear", "funnel", "nozzle", "whisk", "mould", "star", NULL};

static const char *const look_names[] = {"plain",      "water",     "honey", "syrup", "cream", "dough",
                                         "toothpaste", "chocolate", "slime", "jelly", "clay",  "lava", NULL};

static const char *const line_names[] = {"logarithm", "fluidity", NULL};
static const char *const heat_names[] = {"auto", "explicit", "implicit", NULL};

#define HOTTEST 1e5 /* K */

static const dlp_Param world_params[] = {
    NAME(dlp_WorldDef, method, "method", "the simulation method; `dollop methods` lists them"),
    REAL(dlp_WorldDef, spacing, "spacing", "m", 0.01, 1e-6, 1e3, "distance between particles at rest"),
    REAL(dlp_WorldDef, support, "support", "", 0.0, 0.0, 4.0,
         "radius of the smoothing kernel, in spacings, from 1.2 on; 0 takes what suits the method"),
    CHOICE(dlp_WorldDef, kernel, "kernel", kernel_names, DLP_KERNEL_CUBIC_SPLINE,
           "the smoothing kernel (method springs has others of its own)"),
    VEC3(dlp_WorldDef, gravity, "gravity", "m/s2", 0, 0, -9.81, -1e6, 1e6, "acceleration of everything"),
    VEC3(dlp_WorldDef, periodic_min, "periodic_min", "m", 0, 0, 0, -BIG, BIG, "lower corner of the periodic box"),
    VEC3(dlp_WorldDef, periodic_size, "periodic_size", "m", 0, 0, 0, 0, BIG,
         "size of the periodic box; 0 leaves an axis open"),
    REAL(dlp_WorldDef, cfl, "cfl", "", 0.0, 0.0, 100.0,
         "spacings that the fastest particle may move at once: a longer time step is cut into equal parts; 0 never cuts"),
    INTEGER(dlp_WorldDef, threads, "threads", 0, 0, 1024, "threads; 0 takes as many as the machine has"),
    INTEGER(dlp_WorldDef, simd, "simd", 0, 0, 16, "vector lanes: 1, 4, 8 or 16; 0 takes the widest"),
    INTEGER(dlp_WorldDef, subdomains, "subdomains", 1, 1, 8, "parts of the world, each with its own halo: 1, 2, 4, 8"),
    REAL(dlp_WorldDef, air_temperature, "air_temperature", "K", 293.15, 0.0, HOTTEST, "of the air that free surfaces meet"),
    CHOICE(dlp_WorldDef, heat, "heat", heat_names, DLP_HEAT_AUTO,
           "how heat is solved: explicit while that is stable (auto), always so, or always implicit"),
};

static const dlp_Param material_params[] = {
    NAME(dlp_MaterialDef, name, "name", "what the material is called"),
    REAL(dlp_MaterialDef, density, "density", "kg/m3", 1000.0, 1e-3, 1e6, "density at rest"),
    REAL(dlp_MaterialDef, smoothing, "smoothing", "", 0.02, 0.0, 0.5,
         "part of the velocity difference to its neighbours that a particle loses in a step (XSPH, method pbf)"),
    REAL(dlp_MaterialDef, viscosity, "viscosity", "Pa.s", 0.0, 0.0, 1e12,
         "resistance to flow: water 0.001, honey 10, peanut butter 250; modulus times relaxation_time if these are given"),
    REAL(dlp_MaterialDef, relaxation_time, "relaxation_time", "s", 0.0, 0.0, FOREVER,
         "how long it remembers its shape; 0 flows at once"),
    REAL(dlp_MaterialDef, modulus, "modulus", "Pa", 0.0, 0.0, 1e12,
         "shear modulus; alone it makes an elastic solid, with viscosity it sets the relaxation time"),
    REAL(dlp_MaterialDef, extensibility, "extensibility", "", 0.0, 0.0, 1e3,
         "how many times its length what springs back can be drawn to, from 2 on (FENE-P, physical solver); 0 is no limit"),
    REAL(dlp_MaterialDef, solvent_viscosity, "solvent_viscosity", "Pa.s", 0.0, 0.0, 1e12,
         "of what flows beside it and never springs back (Oldroyd-B, physical solver)"),
    REAL(dlp_MaterialDef, compliance, "compliance", "1/Pa", -1.0, -1.0, 1e12,
         "alpha of conformation constraints, in place of viscosity and modulus: 0 is stiffest; -1 leaves it unused"),
    CHOICE(dlp_MaterialDef, look, "look", look_names, DLP_LOOK_PLAIN, "what it looks like in pictures"),
    VEC3(dlp_MaterialDef, color, "color", "", -1, -1, -1, -1, 1,
         "red, green and blue in pictures, each from 0 to 1; -1 takes the look's own"),
    REAL(dlp_MaterialDef, sigma, "sigma", "1/s", 0.0, 0.0, 1e9,
         "linear viscosity impulses (method springs), on top of those that viscosity asks for"),
    REAL(dlp_MaterialDef, plasticity, "plasticity", "1/s", -1.0, -1.0, 1e9,
         "rate at which springs take on the length they are drawn to (method springs); -1: one over the relaxation time"),
    REAL(dlp_MaterialDef, yield_ratio, "yield_ratio", "", 0.0, 0.0, 0.9,
         "part of its length by which a spring is drawn before that begins (method springs)"),
    REAL(dlp_MaterialDef, compress_plasticity, "compress_plasticity", "1/s", -1.0, -1.0, 1e9,
         "the same rate for springs that are pressed together; -1: as when drawn"),
    REAL(dlp_MaterialDef, compress_yield_ratio, "compress_yield_ratio", "", -1.0, -1.0, 0.9,
         "the same part for springs that are pressed together; -1: as when drawn"),
    REAL(dlp_MaterialDef, extension_rate, "extension_rate", "1/s", -1.0, -1.0, 1e9,
         "the fastest that it can be drawn out (method links): 0 not at all; -1: as viscosity and its own weight ask for"),
    REAL(dlp_MaterialDef, link_stiffness, "link_stiffness", "", 1.0, 0.0, 1.0,
         "part of what a link is too long that an iteration mends (method links)"),
    REAL(dlp_MaterialDef, temperature, "temperature", "K", 293.15, 0.0, HOTTEST,
         "of what is filled with it or comes out, unless that says its own"),
    REAL(dlp_MaterialDef, conductivity, "conductivity", "W/m/K", 0.0, 0.0, 1e6, "of heat: water 0.6, rock 2, copper 400"),
    REAL(dlp_MaterialDef, heat_capacity, "heat_capacity", "J/kg/K", 0.0, 0.0, 1e7,
         "water 4180, rock 1000; 0 leaves its temperature as it is"),
    REAL(dlp_MaterialDef, latent_heat, "latent_heat", "J/kg", 0.0, 0.0, 1e9, "that melting takes and freezing gives: ice 334e3"),
    REAL(dlp_MaterialDef, melting_point, "melting_point", "K", 0.0, 0.0, HOTTEST,
         "where melting begins; 0 for what does not freeze"),
    REAL(dlp_MaterialDef, liquidus, "liquidus", "K", 0.0, 0.0, HOTTEST, "where all is molten; 0: at the melting point"),
    REAL(dlp_MaterialDef, emissivity, "emissivity", "", 0.0, 0.0, 1.0,
         "of its free surface: how much heat it shines off, of what a black body would"),
    REAL(dlp_MaterialDef, convection, "convection", "W/m2/K", 0.0, 0.0, 1e6,
         "heat from its free surface to the air: still air 5 to 10, wind 50"),
    REAL(dlp_MaterialDef, heat_source, "heat_source", "W/m3", 0.0, -1e15, 1e15, "heat that is made inside of it"),
    REAL(dlp_MaterialDef, reference_temperature, "reference_temperature", "K", 293.15, 1.0, HOTTEST,
         "at which viscosity and relaxation_time are as given"),
    CHOICE(dlp_MaterialDef, viscosity_lines, "viscosity_lines", line_names, DLP_LINES_LOGARITHM,
           "between the temperatures of viscosity_at go straight: 'logarithm' of viscosity, or 'fluidity', one over it"),
    REAL(dlp_MaterialDef, activation_energy, "activation_energy", "J/mol", 0.0, 0.0, 1e7,
         "how viscosity falls with temperature, by Arrhenius: honey 86e3; 0 is the same at all temperatures"),
    REAL(dlp_MaterialDef, frozen_modulus, "frozen_modulus", "Pa", 0.0, 0.0, 1e12,
         "shear modulus of the elastic solid that it freezes to; 0 flows on"),
};

/* The members of a shape, for any struct that holds one as `shape`. */
#define SHAPE(type, value) \
    CHOICE(type, shape.kind, "shape", shape_names, value, "what it looks like"), \
        VEC3(type, shape.position, "position", "m", 0, 0, 0, -BIG, BIG, "its centre; a point on it for a plane"), \
        VEC3(type, shape.rotation, "rotation", "rad", 0, 0, 0, -BIG, BIG, "how it is turned: axis times angle"), \
        VEC3(type, shape.size, "size", "m", 1, 1, 1, 1e-9, BIG, "edge lengths of a box or container"), \
        REAL(type, shape.radius, "radius", "m", 0.5, 1e-9, BIG, "radius of a sphere, capsule or cylinder"), \
        REAL(type, shape.length, "length", "m", 1.0, 1e-9, BIG, "length of a cylinder or of a capsule's middle"), \
        {"mesh", DLP_PARAM_MESH, offsetof(type, shape.mesh), "", {-1, 0, 0}, -1, 65534, NULL, "which mesh it is, by name"}

static const dlp_Param solid_params[] = {
    NAME(dlp_SolidDef, name, "name", "what the solid is called, for what refers to it"),
    SHAPE(dlp_SolidDef, DLP_SHAPE_PLANE),
    REAL(dlp_SolidDef, friction, "friction", "", 0.0, 0.0, 1.0,
         "of fluid: 0 slips freely, 1 sticks; between, Coulomb's coefficient (physical solver) or the part of the sliding speed "
         "that a step takes (others)"),
    REAL(dlp_SolidDef, stickiness, "stickiness", "Pa", 0.0, 0.0, 1e9, "the tension that fluid bears before it lets go of it"),
    REAL(dlp_SolidDef, reach, "reach", "m", 0.0, 0.0, BIG, "how far off it still draws fluid, ever less; 0: one spacing"),
    VEC3(dlp_SolidDef, velocity, "velocity", "m/s", 0, 0, 0, -BIG, BIG, "steady motion"),
    VEC3(dlp_SolidDef, spin, "spin", "rad/s", 0, 0, 0, -1e6, 1e6, "steady turning about its centre"),
    VEC3(dlp_SolidDef, amplitude, "amplitude", "m", 0, 0, 0, -BIG, BIG, "of a swinging motion"),
    REAL(dlp_SolidDef, frequency, "frequency", "Hz", 0.0, 0.0, 1e6, "of that swinging motion"),
    REAL(dlp_SolidDef, density, "density", "kg/m3", 0.0, 0.0, 1e6,
         "makes it a free body that falls, floats and collides; 0 leaves it where it is told to be"),
    REAL(dlp_SolidDef, grip, "grip", "", 0.5, 0.0, 100.0, "friction of solids on each other (Coulomb)"),
    REAL(dlp_SolidDef, bounce, "bounce", "", 0.0, 0.0, 1.0, "part of the speed that comes back when solids meet"),
    {"visible", DLP_PARAM_BOOL, offsetof(dlp_SolidDef, visible), "", {1, 0, 0}, 0, 1, NULL, "whether pictures show it"},
    VEC3(dlp_SolidDef, color, "color", "", 0.55, 0.56, 0.58, 0, 1, "red, green and blue in pictures, each from 0 to 1"),
    CHOICE(dlp_SolidDef, path, "path", path_names, DLP_PATH_SMOOTH, "how it goes from key to key"),
    REAL(dlp_SolidDef, temperature, "temperature", "K", 0.0, 0.0, HOTTEST,
         "of its surface, which warms or cools what touches it; 0 lets no heat through"),
    REAL(dlp_SolidDef, heat_capacity, "heat_capacity", "J/kg/K", 0.0, 0.0, 1e7,
         "by which a free body warms and cools as a whole; 0 leaves its temperature as it is"),
};

#define SOLID(type, member, name, help) \
    {name, DLP_PARAM_SOLID, offsetof(type, member), "", {-1, 0, 0}, -1, 65534, NULL, help}

static const dlp_Param joint_params[] = {
    CHOICE(dlp_JointDef, kind, "kind", joint_names, DLP_JOINT_HINGE,
           "turns about an axis, slides along one, or turns about a point"),
    SOLID(dlp_JointDef, solid, "solid", "which solid is held, by name; this one or the other has a density"),
    SOLID(dlp_JointDef, other, "other", "what it is held to, by name; the world unless told"),
    VEC3(dlp_JointDef, anchor, "anchor", "m", 0, 0, 0, -1e6, 1e6, "a point of the hinge's axis, or that of a ball"),
    VEC3(dlp_JointDef, axis, "axis", "", 0, 0, 1, -BIG, BIG, "direction of a hinge or slider; any length"),
    REAL(dlp_JointDef, speed, "speed", "", 0.0, -1e5, 1e5,
         "that a motor aims at: rad/s of a hinge, m/s of a slider; 0 makes it a brake"),
    REAL(dlp_JointDef, strength, "strength", "", 0.0, 0.0, 1e18,
         "of that motor, at most: N m of a hinge, N of a slider; 0 is no motor"),
    REAL(dlp_JointDef, lower, "lower", "", 0.0, -1e6, 1e6,
         "where it stops, from where it begins: rad of a hinge (-pi to pi), m of a slider"),
    REAL(dlp_JointDef, upper, "upper", "", 0.0, -1e6, 1e6, "the other stop; the same as `lower` for none"),
};

static const dlp_Param contact_params[] = {
    SOLID(dlp_ContactDef, solid, "solid", "which solid it is about, by name; all of them if it does not say"),
    MATERIAL(dlp_ContactDef, material, "material", "which material it is about"),
    REAL(dlp_ContactDef, friction, "friction", "", -1.0, -1.0, 1.0, "as that of a solid; below 0 it is the solid's own"),
    REAL(dlp_ContactDef, stickiness, "stickiness", "Pa", -1.0, -1.0, 1e9, "as that of a solid; below 0 it is the solid's own"),
    REAL(dlp_ContactDef, reach, "reach", "m", -1.0, -1.0, BIG, "as that of a solid; below 0 it is the solid's own"),
};

static const dlp_Param pose_key_params[] = {
    REAL(dlp_PoseKey, time, "time", "s", 0.0, -FOREVER, FOREVER, "of the world"),
    VEC3(dlp_PoseKey, position, "position", "m", 0, 0, 0, -BIG, BIG, "where it is then"),
    VEC3(dlp_PoseKey, rotation, "rotation", "rad", 0, 0, 0, -BIG, BIG, "how it is turned then: axis times angle"),
};

static const dlp_Param fluid_params[] = {
    MATERIAL(dlp_FluidDef, material, "material", "what it is filled with"),
    SHAPE(dlp_FluidDef, DLP_SHAPE_BOX),
    VEC3(dlp_FluidDef, velocity, "velocity", "m/s", 0, 0, 0, -1e6, 1e6, "of the fluid at the start"),
    VEC3(dlp_FluidDef, spin, "spin", "rad/s", 0, 0, 0, -1e6, 1e6, "of the fluid at the start, about its position"),
    REAL(dlp_FluidDef, temperature, "temperature", "K", 0.0, 0.0, HOTTEST, "at the start; 0: that of the material"),
};

static const dlp_Param companion_params[] = {
    MATERIAL(dlp_CompanionDef, material, "material", "how heavy it is and what it looks like"),
    SHAPE(dlp_CompanionDef, DLP_SHAPE_BOX),
    CHOICE(dlp_CompanionDef, hold, "hold", hold_names, DLP_HOLD_RIGID,
           "rigid: it keeps its form; soft: it gives way and springs back"),
    REAL(dlp_CompanionDef, stiffness, "stiffness", "Pa", 1e4, 1e-6, 1e12, "Young's modulus of a soft one"),
    VEC3(dlp_CompanionDef, velocity, "velocity", "m/s", 0, 0, 0, -1e6, 1e6, "of its centre at the start"),
    VEC3(dlp_CompanionDef, spin, "spin", "rad/s", 0, 0, 0, -1e6, 1e6, "about its centre at the start"),
};

static const dlp_Param emitter_params[] = {
    MATERIAL(dlp_EmitterDef, material, "material", "what comes out"),
    CHOICE(dlp_EmitterDef, nozzle, "nozzle", nozzle_names, DLP_NOZZLE_DISC, "form of the opening"),
    VEC3(dlp_EmitterDef, position, "position", "m", 0, 0, 0, -BIG, BIG, "centre of the opening; of a mesh, its origin"),
    VEC3(dlp_EmitterDef, direction, "direction", "", 0, 0, -1, -BIG, BIG, "where the fluid goes; any length"),
    REAL(dlp_EmitterDef, radius, "radius", "m", 0.05, 1e-9, BIG, "of a disc"),
    REAL(dlp_EmitterDef, width, "width", "m", 0.1, 1e-9, BIG, "of a rectangle, along its level axis"),
    REAL(dlp_EmitterDef, height, "height", "m", 0.1, 1e-9, BIG, "of a rectangle, along its other axis"),
    REAL(dlp_EmitterDef, speed, "speed", "m/s", 0.0, 0.0, 1e6,
         "of the fluid as it comes out; give this, rate or mass_rate"),
    REAL(dlp_EmitterDef, start, "start", "s", 0.0, 0.0, FOREVER, "when it opens"),
    REAL(dlp_EmitterDef, stop, "stop", "s", FOREVER, 0.0, FOREVER, "when it closes"),
    REAL(dlp_EmitterDef, guide, "guide", "", 3.0, 0.0, 1000.0,
         "spacings past the opening through which fluid is led like a piston, whatever hangs on it or stands in its way"),
    CHOICE(dlp_EmitterDef, path, "path", path_names, DLP_PATH_SMOOTH, "how it goes from key to key"),
    REAL(dlp_EmitterDef, rate, "rate", "m3/s", 0.0, 0.0, BIG, "what comes out, instead of speed"),
    REAL(dlp_EmitterDef, mass_rate, "mass_rate", "kg/s", 0.0, 0.0, 1e12, "what comes out, instead of speed"),
    {"mesh", DLP_PARAM_MESH, offsetof(dlp_EmitterDef, mesh), "", {-1, 0, 0}, -1, 65534, NULL,
     "a flat mesh that is the opening, by name; its triangles face along the flow"},
    REAL(dlp_EmitterDef, temperature, "temperature", "K", 0.0, 0.0, HOTTEST, "of what comes out; 0: that of the material"),
};

static const dlp_Param flow_key_params[] = {
    REAL(dlp_FlowKey, time, "time", "s", 0.0, -FOREVER, FOREVER, "of the world"),
    REAL(dlp_FlowKey, factor, "factor", "", 1.0, 0.0, 1000.0, "how many times its speed or rate the flow has then"),
};

static const dlp_Param viscosity_key_params[] = {
    REAL(dlp_ViscosityKey, temperature, "temperature", "K", 293.15, 0.0, HOTTEST, "at which it is so"),
    REAL(dlp_ViscosityKey, viscosity, "viscosity", "Pa.s", 1.0, 1e-9, 1e12, "of the material then"),
};

static const dlp_Param sink_params[] = {
    SHAPE(dlp_SinkDef, DLP_SHAPE_BOX),
};

static const dlp_Param mesh_params[] = {
    NAME(dlp_MeshDef, name, "name", "what the mesh is called"),
    CHOICE(dlp_MeshDef, form, "form", form_names, DLP_FORM_FILE, "read from a file, or made from the sizes below"),
    NAME(dlp_MeshDef, file, "file", "a .ply, .obj or .stl file, found from the scene's folder"),
    REAL(dlp_MeshDef, scale, "scale", "m", 1.0, 1e-9, BIG, "what one unit of the file stands for"),
    REAL(dlp_MeshDef, radius, "radius", "m", 0.1, 1e-9, BIG, "from the axis to the outer side; to the middle of a torus's tube"),
    REAL(dlp_MeshDef, height, "height", "m", 0.1, 1e-9, BIG, "along its axis; of a spoon, the length of its handle"),
    REAL(dlp_MeshDef, thickness, "thickness", "m", 0.01, 1e-9, BIG, "of walls, tubes and wires; depth of a gear's teeth"),
    REAL(dlp_MeshDef, hole, "hole", "m", 0.02, 1e-9, BIG, "radius of the lower opening of a funnel or nozzle; of a star between its points"),
    INTEGER(dlp_MeshDef, count, "count", 6, 2, 1000, "teeth of a gear, points of a nozzle or star, wires of a whisk, scallops of a mould"),
    REAL(dlp_MeshDef, sheet, "sheet", "m", 0.0, 0.0, BIG,
         "thickness of a mesh that is a sheet, solid on both sides; 0 asks for a closed mesh"),
    {"opening", DLP_PARAM_BOOL, offsetof(dlp_MeshDef, opening), "", {0, 0, 0}, 0, 1, NULL,
     "whether it is flat and open, for emitters only; a star is, unless it is a sheet"},
    INTEGER(dlp_MeshDef, frames, "frames", 1, 1, DLP_FRAMES_MOST,
            "of a mesh that deforms: how many files, the last number in the name of `file` counting up"),
    REAL(dlp_MeshDef, frame_rate, "frame_rate", "1/s", 24.0, 1e-6, 1e6, "files for each second"),
    REAL(dlp_MeshDef, frame_start, "frame_start", "s", 0.0, -FOREVER, FOREVER, "when the mesh is as in the first file"),
};

static const dlp_Param sampling_params[] = {
    REAL(dlp_SamplingDef, spacing, "spacing", "m", 0.01, 1e-6, 1e3, "distance between samples"),
    REAL(dlp_SamplingDef, support, "support", "", 2.0, 1.2, 4.0, "radius of the smoothing kernel, in spacings"),
    CHOICE(dlp_SamplingDef, kernel, "kernel", kernel_names, DLP_KERNEL_CUBIC_SPLINE, "with which volumes are found"),
    INTEGER(dlp_SamplingDef, seed, "seed", 1, 0, 1e15, "another one gives other samples"),
};

static const dlp_Param camera_params[] = {
    NAME(dlp_CameraDef, name, "name", "what the camera is called"),
    VEC3(dlp_CameraDef, position, "position", "m", 0, -1, 0.5, -BIG, BIG, "where it stands"),
    VEC3(dlp_CameraDef, target, "target", "m", 0, 0, 0, -BIG, BIG, "what is in the middle of the picture"),
    REAL(dlp_CameraDef, angle, "angle", "rad", 0.6, 0.01, 3.0, "of view, from the lower to the upper edge of the picture"),
};

#define TABLE_FUNCTION(what, type, help) \
    const dlp_ParamTable *dlp_##what##_params(void) \
    { \
        static const dlp_ParamTable table = TABLE(#what, type, what##_params, help); \
        return &table; \
    }

TABLE_FUNCTION(world, dlp_WorldDef, "space, resolution and gravity")
TABLE_FUNCTION(material, dlp_MaterialDef, "what a fluid is made of")
TABLE_FUNCTION(solid, dlp_SolidDef, "a solid, at rest or moving as told")
TABLE_FUNCTION(joint, dlp_JointDef, "two solids held together, or one to the world")
TABLE_FUNCTION(contact, dlp_ContactDef, "what a solid does to one material")
TABLE_FUNCTION(fluid, dlp_FluidDef, "a shape filled with fluid at the start")
TABLE_FUNCTION(companion, dlp_CompanionDef, "a body of particles, rigid or soft, among the fluid")
TABLE_FUNCTION(emitter, dlp_EmitterDef, "a nozzle that pushes out fluid")
TABLE_FUNCTION(sink, dlp_SinkDef, "a region in which particles are removed")
TABLE_FUNCTION(mesh, dlp_MeshDef, "a triangle mesh for shapes, from a file or made")
TABLE_FUNCTION(sampling, dlp_SamplingDef, "points spread evenly over a mesh")
TABLE_FUNCTION(camera, dlp_CameraDef, "from where pictures are taken")
TABLE_FUNCTION(pose_key, dlp_PoseKey, "where something is at a time")
TABLE_FUNCTION(flow_key, dlp_FlowKey, "what part of its speed a nozzle has at a time")
TABLE_FUNCTION(viscosity_key, dlp_ViscosityKey, "how viscous a material is at a temperature")

#define DEFAULT_FUNCTION(what, type) \
    type dlp_default_##what##_def(void) \
    { \
        type def; \
        dlp_params_default(dlp_##what##_params(), &def); \
        return def; \
    }

DEFAULT_FUNCTION(material, dlp_MaterialDef)
DEFAULT_FUNCTION(solid, dlp_SolidDef)
DEFAULT_FUNCTION(joint, dlp_JointDef)
DEFAULT_FUNCTION(contact, dlp_ContactDef)
DEFAULT_FUNCTION(fluid, dlp_FluidDef)
DEFAULT_FUNCTION(companion, dlp_CompanionDef)
DEFAULT_FUNCTION(emitter, dlp_EmitterDef)
DEFAULT_FUNCTION(sink, dlp_SinkDef)
DEFAULT_FUNCTION(mesh, dlp_MeshDef)
DEFAULT_FUNCTION(sampling, dlp_SamplingDef)
DEFAULT_FUNCTION(camera, dlp_CameraDef)
/* clang-format on */

dlp_WorldDef dlp_default_world_def(void)
{
    dlp_WorldDef def;
    dlp_params_default(dlp_world_params(), &def);
    snprintf(def.method, sizeof def.method, "pbf");
    return def;
}

/* The parameter tables of the public def structs: each member once, with unit, default, range and help. */
#include <dollop/probe.h>
#include <stdio.h>

/* clang-format off */
#define BIG 1e9     /* m, m/s: larger than any scene; its square still fits single precision */
#define FOREVER 1e9 /* s: 30 years */

#define REAL(type, member, name, unit, value, least, most, ...) \
    {name, DLP_PARAM_REAL, offsetof(type, member), unit, {value, 0, 0}, least, most, NULL, .help = __VA_ARGS__}
#define INTEGER(type, member, name, value, least, most, ...) \
    {name, DLP_PARAM_INT, offsetof(type, member), "", {value, 0, 0}, least, most, NULL, .help = __VA_ARGS__}
#define VEC3(type, member, name, unit, x, y, z, least, most, ...) \
    {name, DLP_PARAM_VEC3, offsetof(type, member), unit, {x, y, z}, least, most, NULL, .help = __VA_ARGS__}
#define CHOICE(type, member, name, choices, value, ...) \
    {name, DLP_PARAM_CHOICE, offsetof(type, member), "", {value, 0, 0}, 0, (int)(sizeof(choices) / sizeof(choices[0])) - 2, \
     choices, .help = __VA_ARGS__}
#define NAME(type, member, name, ...) \
    {name, DLP_PARAM_NAME, offsetof(type, member), "", {0, 0, 0}, 0, 0, NULL, .help = __VA_ARGS__}
#define MATERIAL(type, member, name, ...) \
    {name, DLP_PARAM_MATERIAL, offsetof(type, member), "", {0, 0, 0}, 0, 65534, NULL, .help = __VA_ARGS__}

#define ROWS(type, member, name, layout, ...) \
    {name, DLP_PARAM_ROWS, offsetof(type, member), "", {0, 0, 0}, 0, 0, NULL, .rows = &(layout), .help = __VA_ARGS__}

/* After the help of a row: the group of a parameter that not every method uses, and the condition under which it has an effect
 * (dlp_ParamUse and dlp_Param.when in params.h). */
#define USE(group) .use = DLP_USE_##group
#define WHEN(condition) .when = condition

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
static const char *const probe_names[] = {"force", "flow", "fluid", "point", "line", "energy", "pieces", NULL};
static const char *const torque_names[] = {"solid", "position", NULL};
static const char *const region_names[] = {"everywhere", "box", "sphere", "cylinder", "disc", "rectangle", "plane", NULL};
static const char *const quantity_names[] = {"all", "velocity", "pressure", "shear_rate", "stress", "temperature", "density", NULL};
static const char *const heat_names[] = {"auto", "explicit", "implicit", NULL};

#define HOTTEST 1e5 /* K */

/* The material's temperature changes or matters. */
#define THERMAL "material.heat_capacity|material.activation_energy|material.wlf_c1|material.frozen_modulus|material.viscosity_at"

static const dlp_Param world_params[] = {
    NAME(dlp_WorldDef, method, "method", "the simulation method; `dollop methods` lists them"),
    REAL(dlp_WorldDef, spacing, "spacing", "m", 0.01, 1e-6, 1e3, "distance between particles at rest"),
    REAL(dlp_WorldDef, support, "support", "", 0.0, 0.0, 8.0,
         "support radius of the smoothing kernel in spacings, at least 1.2, and 1.78 in method mps; 0: the default of the method"),
    CHOICE(dlp_WorldDef, kernel, "kernel", kernel_names, DLP_KERNEL_CUBIC_SPLINE,
           "smoothing kernel", USE(KERNEL)),
    VEC3(dlp_WorldDef, gravity, "gravity", "m/s2", 0, 0, -9.81, -1e6, 1e6, "gravitational acceleration"),
    VEC3(dlp_WorldDef, periodic_min, "periodic_min", "m", 0, 0, 0, -BIG, BIG, "lower corner of the periodic box",
         WHEN("periodic_size")),
    VEC3(dlp_WorldDef, periodic_size, "periodic_size", "m", 0, 0, 0, 0, BIG,
         "size of the periodic box; 0: this axis is not periodic"),
    REAL(dlp_WorldDef, cfl, "cfl", "", 0.0, 0.0, 100.0,
         "Courant limit: longer steps are split into equal substeps in which the fastest particle moves at most this many spacings; "
         "0: never split; automatic steps are that short themselves, with 0.4 instead of 0"),
    INTEGER(dlp_WorldDef, threads, "threads", 0, 0, 1024, "number of threads; 0: one per available core", USE(SPEED)),
    INTEGER(dlp_WorldDef, simd, "simd", 0, 0, 16, "SIMD lanes: 1, 4, 8 or 16; 0: the widest that the machine supports",
            USE(SPEED)),
    INTEGER(dlp_WorldDef, subdomains, "subdomains", 1, 1, 8, "number of subdomains, each with its own halo: 1, 2, 4 or 8",
            USE(SPEED)),
    REAL(dlp_WorldDef, air_temperature, "air_temperature", "K", 293.15, 0.0, HOTTEST, "temperature of the air at free surfaces",
         WHEN("materials.convection|materials.emissivity")),
    CHOICE(dlp_WorldDef, heat, "heat", heat_names, DLP_HEAT_AUTO,
           "time integration of heat conduction; auto: explicit while that is stable, otherwise implicit",
           WHEN("materials.heat_capacity")),
};

/* clang-format on */
static const char *const flow_law_names[] = {"newtonian", "power_law",        "carreau", "cross", "casson",
                                             "bingham",   "herschel_bulkley", "table",   NULL};
static const char *const elastic_law_names[] = {"maxwell", "giesekus", "ptt_linear", "ptt_exponential", NULL};
static const char *const flow_point_names[] = {"rate", "stress"}, *const flow_point_units[] = {"1/s", "Pa"};
static const char *const mode_names[] = {"relaxation_time", "modulus"}, *const mode_units[] = {"s", "Pa"};
static const double flow_point_least[] = {0.0, 0.0}, flow_point_most[] = {1e9, 1e12};
static const double mode_least[] = {1e-9, 1e-9}, mode_most[] = {FOREVER, 1e12};
static const dlp_ParamRows flow_points = {
    DLP_FLOW_POINTS_MOST, 2, flow_point_names, flow_point_units, flow_point_least, flow_point_most, "[0.1 1/s, 20 Pa]"};
static const dlp_ParamRows relaxation_modes = {DLP_MODES_MOST, 2,         mode_names,       mode_units,
                                               mode_least,     mode_most, "[0.1 s, 500 Pa]"};
/* clang-format off */

static const dlp_Param material_params[] = {
    NAME(dlp_MaterialDef, name, "name", "name of the material"),
    REAL(dlp_MaterialDef, density, "density", "kg/m3", 1000.0, 1e-3, 1e6, "density at rest"),
    REAL(dlp_MaterialDef, viscosity, "viscosity", "Pa.s", 0.0, 0.0, 1e12,
         "resistance to flow: water 0.001, honey 10, peanut butter 250; equals modulus times relaxation_time if these are given",
         USE(RHEOLOGY)),
    REAL(dlp_MaterialDef, relaxation_time, "relaxation_time", "s", 0.0, 0.0, FOREVER,
         "relaxation time of elastic stress; 0: purely viscous, unless modulus is given",
         .use = DLP_USE_RHEOLOGY | DLP_USE_RELAXATION),
    REAL(dlp_MaterialDef, modulus, "modulus", "Pa", 0.0, 0.0, 1e12,
         "shear modulus; given alone it makes an elastic solid, with viscosity it sets the relaxation time", USE(RHEOLOGY)),
    REAL(dlp_MaterialDef, extensibility, "extensibility", "", 0.0, 0.0, 1e3,
         "maximum stretch of the elastic part relative to its rest length, at least 2 (FENE-P); 0: unlimited",
         USE(EXTENSIBILITY), WHEN("modulus|relaxation_time")),
    REAL(dlp_MaterialDef, solvent_viscosity, "solvent_viscosity", "Pa.s", 0.0, 0.0, 1e12,
         "viscosity of the Newtonian solvent, in addition to the elastic part (Oldroyd-B)", USE(SOLVENT)),
    REAL(dlp_MaterialDef, cohesive_strength, "cohesive_strength", "Pa", 0.0, 0.0, 1e12,
         "largest tensile stress, beyond which the material breaks: dough 1e3, cheese 1e4; 0: unlimited", USE(STRENGTH)),
    REAL(dlp_MaterialDef, surface_tension, "surface_tension", "N/m", 0.0, 0.0, 1e3,
         "surface tension, which pulls drops round: water 0.072, oil 0.03", USE(TENSION)),
    REAL(dlp_MaterialDef, contact_angle, "contact_angle", "rad", 1.5707963267948966, 0.0, 3.141592653589793,
         "angle between the surface of the fluid and solids, inside the fluid; 0: wets them", USE(TENSION), WHEN("surface_tension")),
    CHOICE(dlp_MaterialDef, look, "look", look_names, DLP_LOOK_PLAIN, "appearance in pictures", USE(OUTPUT)),
    VEC3(dlp_MaterialDef, color, "color", "", -1, -1, -1, -1, 1,
         "red, green and blue in pictures, each from 0 to 1; -1: the colour of the look", USE(OUTPUT)),
    REAL(dlp_MaterialDef, temperature, "temperature", "K", 293.15, 0.0, HOTTEST,
         "initial temperature of fluids and emitters that do not give their own",
         WHEN("heat_capacity|activation_energy|wlf_c1|frozen_modulus|viscosity_at")),
    REAL(dlp_MaterialDef, conductivity, "conductivity", "W/m/K", 0.0, 0.0, 1e6, "thermal conductivity: water 0.6, rock 2, copper 400"),
    REAL(dlp_MaterialDef, heat_capacity, "heat_capacity", "J/kg/K", 0.0, 0.0, 1e7,
         "specific heat capacity: water 4180, rock 1000; 0: the temperature never changes"),
    REAL(dlp_MaterialDef, latent_heat, "latent_heat", "J/kg", 0.0, 0.0, 1e9, "heat absorbed by melting and released by freezing: ice 334e3"),
    REAL(dlp_MaterialDef, melting_point, "melting_point", "K", 0.0, 0.0, HOTTEST,
         "temperature at which melting begins; 0: it never freezes", WHEN("latent_heat|frozen_modulus")),
    REAL(dlp_MaterialDef, liquidus, "liquidus", "K", 0.0, 0.0, HOTTEST, "temperature at which it is completely molten; 0: the melting point"),
    REAL(dlp_MaterialDef, emissivity, "emissivity", "", 0.0, 0.0, 1.0,
         "thermal emissivity of the free surface, relative to a black body"),
    REAL(dlp_MaterialDef, convection, "convection", "W/m2/K", 0.0, 0.0, 1e6,
         "heat transfer coefficient between free surface and air: still air 5 to 10, wind 50"),
    REAL(dlp_MaterialDef, heat_source, "heat_source", "W/m3", 0.0, -1e15, 1e15, "heat generated per volume"),
    REAL(dlp_MaterialDef, reference_temperature, "reference_temperature", "K", 293.15, 1.0, HOTTEST,
         "temperature at which viscosity and relaxation_time have the given values",
         USE(RHEOLOGY), WHEN("activation_energy|wlf_c1|viscosity_at")),
    CHOICE(dlp_MaterialDef, viscosity_lines, "viscosity_lines", line_names, DLP_LINES_LOGARITHM,
           "interpolation between the points of viscosity_at: linear in the logarithm of viscosity, or in fluidity (1 / viscosity)",
           USE(RHEOLOGY), WHEN("viscosity_at")),
    REAL(dlp_MaterialDef, activation_energy, "activation_energy", "J/mol", 0.0, 0.0, 1e7,
         "activation energy of viscosity (Arrhenius): honey 86e3; 0: viscosity does not depend on temperature",
         USE(RHEOLOGY), WHEN("!viscosity_at, !wlf_c1")),
    REAL(dlp_MaterialDef, frozen_modulus, "frozen_modulus", "Pa", 0.0, 0.0, 1e12,
         "shear modulus of the frozen material, an elastic solid; 0: it remains a fluid", USE(RHEOLOGY)),
    REAL(dlp_MaterialDef, wlf_c1, "wlf_c1", "", 0.0, 0.0, 1e4,
         "first constant of Williams, Landel and Ferry: lg of the factor on viscosity is -c1 (T - T0) / (c2 + T - T0); 0: none",
         USE(RHEOLOGY), WHEN("wlf_c2, !viscosity_at, !activation_energy")),
    REAL(dlp_MaterialDef, wlf_c2, "wlf_c2", "K", 0.0, 0.0, 1e5, "second constant of Williams, Landel and Ferry", USE(RHEOLOGY), WHEN("wlf_c1")),
    CHOICE(dlp_MaterialDef, flow_law, "flow_law", flow_law_names, DLP_FLOW_NEWTONIAN,
           "how stress depends on the shear rate in steady flow", USE(LAWS)),
    REAL(dlp_MaterialDef, yield_stress, "yield_stress", "Pa", 0.0, 0.0, 1e9,
         "stress below which it does not flow: ketchup 30, toothpaste 200", USE(LAWS), WHEN("flow_law=casson|bingham|herschel_bulkley")),
    REAL(dlp_MaterialDef, consistency, "consistency", "Pa.s^n", 0.0, 0.0, 1e12,
         "stress at a rate of 1/s, without the yield stress", USE(LAWS), WHEN("flow_law=power_law|herschel_bulkley")),
    REAL(dlp_MaterialDef, flow_index, "flow_index", "", 1.0, 0.05, 4.0,
         "exponent n of the rate: 1 Newtonian, below 1 thinning, above 1 thickening", USE(LAWS),
         WHEN("flow_law=power_law|carreau|cross|herschel_bulkley")),
    REAL(dlp_MaterialDef, infinite_viscosity, "infinite_viscosity", "Pa.s", 0.0, 0.0, 1e12, "viscosity at very high rates", USE(LAWS),
         WHEN("flow_law=carreau|cross")),
    REAL(dlp_MaterialDef, thinning_time, "thinning_time", "s", 0.0, 0.0, FOREVER, "one over the rate at which thinning begins", USE(LAWS),
         WHEN("flow_law=carreau|cross")),
    REAL(dlp_MaterialDef, transition, "transition", "", 2.0, 0.05, 20.0,
         "exponent a of Carreau-Yasuda, how sharply thinning begins: 2 is Carreau's law", USE(LAWS), WHEN("flow_law=carreau")),
    ROWS(dlp_MaterialDef, flow_curve, "flow_curve", flow_points,
         "points of a measured flow curve, with power laws between them; a first point at rate 0 gives the yield stress", USE(LAWS),
         WHEN("flow_law=table")),
    CHOICE(dlp_MaterialDef, elastic_law, "elastic_law", elastic_law_names, DLP_ELASTIC_MAXWELL,
           "how elastic stress relaxes when the material is strained far", USE(LAWS), WHEN("modulus|relaxation_time|modes")),
    REAL(dlp_MaterialDef, mobility, "mobility", "", 0.0, 0.0, 1.0, "alpha of Giesekus: polymer solutions 0.1 to 0.5", USE(LAWS),
         WHEN("elastic_law=giesekus")),
    REAL(dlp_MaterialDef, ptt_epsilon, "ptt_epsilon", "", 0.0, 0.0, 10.0, "epsilon of Phan-Thien and Tanner: melts 0.01 to 0.3", USE(LAWS),
         WHEN("elastic_law=ptt_linear|ptt_exponential")),
    ROWS(dlp_MaterialDef, modes, "modes", relaxation_modes,
         "relaxation time and modulus of each Maxwell element of a spectrum; replaces viscosity, modulus and relaxation_time", USE(LAWS)),
    REAL(dlp_MaterialDef, recovery_time, "recovery_time", "s", 0.0, 0.0, FOREVER,
         "time in which structure broken by shear recovers at rest; 0: not thixotropic", USE(LAWS),
         WHEN("breakdown, viscosity|modulus|consistency|flow_curve")),
    REAL(dlp_MaterialDef, breakdown, "breakdown", "", 0.0, 0.0, 1e9, "fraction of the structure broken down per unit of strain", USE(LAWS),
         WHEN("recovery_time, viscosity|modulus|consistency|flow_curve")),
};

/* The members of a shape, for any struct that holds one as `shape`. All of them need `also`; position and rotation have their own
 * conditions. Conditions end with a comma or are empty. */
#define SHAPE(type, value, also, position_also, rotation_also) \
    CHOICE(type, shape.kind, "shape", shape_names, value, "kind of shape", WHEN(also)), \
        VEC3(type, shape.position, "position", "m", 0, 0, 0, -BIG, BIG, "centre of the shape; for a plane, a point on it", \
             WHEN(also position_also)), \
        VEC3(type, shape.rotation, "rotation", "rad", 0, 0, 0, -BIG, BIG, "orientation: axis times angle", \
             WHEN(also rotation_also)), \
        VEC3(type, shape.size, "size", "m", 1, 1, 1, 1e-9, BIG, "edge lengths of a box or container", \
             WHEN(also "shape=box|container")), \
        REAL(type, shape.radius, "radius", "m", 0.5, 1e-9, BIG, "radius of a sphere, capsule or cylinder", \
             WHEN(also "shape=sphere|capsule|cylinder")), \
        REAL(type, shape.length, "length", "m", 1.0, 1e-9, BIG, "length of a cylinder, or of the cylindrical part of a capsule", \
             WHEN(also "shape=capsule|cylinder")), \
        {"mesh", DLP_PARAM_MESH, offsetof(type, shape.mesh), "", {-1, 0, 0}, -1, 65534, NULL, .help = "name of the mesh", \
         WHEN(also "shape=mesh")}

#define NOT_SPHERE "shape=plane|box|container|capsule|cylinder|mesh"

/* The name of an item of a list, for any struct that holds one as `name`. */
#define ITEM_NAME(type) \
    NAME(type, name, "name", "name, unique in its section, by which settings, references and messages refer to it; optional", \
         USE(LABEL))

static const dlp_Param solid_params[] = {
    ITEM_NAME(dlp_SolidDef),
    SHAPE(dlp_SolidDef, DLP_SHAPE_PLANE, "", "!keys.position", "!keys.rotation, " NOT_SPHERE),
    REAL(dlp_SolidDef, friction, "friction", "", 1.0, 0.0, 1.0,
         "friction with fluid: 1 is no slip, 0 free slip; in between, the Coulomb coefficient"),
    REAL(dlp_SolidDef, stickiness, "stickiness", "Pa", 0.0, 0.0, 1e9, "adhesion: tensile stress at which fluid detaches from the surface"),
    REAL(dlp_SolidDef, reach, "reach", "m", 0.0, 0.0, BIG, "distance over which adhesion decreases to zero; 0: one spacing",
         WHEN("stickiness")),
    VEC3(dlp_SolidDef, velocity, "velocity", "m/s", 0, 0, 0, -BIG, BIG, "constant velocity"),
    VEC3(dlp_SolidDef, spin, "spin", "rad/s", 0, 0, 0, -1e6, 1e6, "constant angular velocity about its centre"),
    VEC3(dlp_SolidDef, amplitude, "amplitude", "m", 0, 0, 0, -BIG, BIG, "amplitude of a sinusoidal motion",
         WHEN("!density, frequency")),
    REAL(dlp_SolidDef, frequency, "frequency", "Hz", 0.0, 0.0, 1e6, "frequency of the sinusoidal motion",
         WHEN("!density, amplitude")),
    REAL(dlp_SolidDef, density, "density", "kg/m3", 0.0, 0.0, 1e6,
         "makes it a free rigid body that falls, floats and collides; 0: kinematic, it follows its prescribed motion"),
    REAL(dlp_SolidDef, grip, "grip", "", 0.5, 0.0, 100.0, "Coulomb friction coefficient between solids", WHEN("solids.density")),
    REAL(dlp_SolidDef, bounce, "bounce", "", 0.0, 0.0, 1.0, "coefficient of restitution between solids", WHEN("solids.density")),
    {"visible", DLP_PARAM_BOOL, offsetof(dlp_SolidDef, visible), "", {1, 0, 0}, 0, 1, NULL, .help = "whether it is shown in pictures",
    USE(OUTPUT)},
    VEC3(dlp_SolidDef, color, "color", "", 0.55, 0.56, 0.58, 0, 1, "red, green and blue in pictures, each from 0 to 1",
         USE(OUTPUT)),
    CHOICE(dlp_SolidDef, path, "path", path_names, DLP_PATH_SMOOTH, "interpolation between keys", WHEN("keys")),
    REAL(dlp_SolidDef, temperature, "temperature", "K", 0.0, 0.0, HOTTEST,
         "temperature of its surface, which heats or cools fluid in contact; 0: insulated", WHEN("materials.conductivity")),
    REAL(dlp_SolidDef, heat_capacity, "heat_capacity", "J/kg/K", 0.0, 0.0, 1e7,
         "specific heat capacity of a free body, which heats and cools as a whole; 0: its temperature never changes",
         WHEN("density, temperature")),
};

#define SOLID(type, member, name, ...) \
    {name, DLP_PARAM_SOLID, offsetof(type, member), "", {-1, 0, 0}, -1, 65534, NULL, .help = __VA_ARGS__}

static const dlp_Param joint_params[] = {
    ITEM_NAME(dlp_JointDef),
    CHOICE(dlp_JointDef, kind, "kind", joint_names, DLP_JOINT_HINGE,
           "hinge: rotates about an axis; slider: moves along an axis; ball: rotates about a point"),
    SOLID(dlp_JointDef, solid, "solid", "name of the solid that is held; at least one of the two solids must have a density"),
    SOLID(dlp_JointDef, other, "other", "name of the solid it is attached to; default: the world"),
    VEC3(dlp_JointDef, anchor, "anchor", "m", 0, 0, 0, -1e6, 1e6, "a point on the axis of a hinge, or the centre of a ball joint",
         WHEN("kind=hinge|ball")),
    VEC3(dlp_JointDef, axis, "axis", "", 0, 0, 1, -BIG, BIG, "axis of a hinge or slider; any length but zero",
         WHEN("kind=hinge|slider")),
    REAL(dlp_JointDef, speed, "speed", "", 0.0, -1e5, 1e5,
         "target speed of the motor: rad/s for a hinge, m/s for a slider; 0: the motor is a brake",
         WHEN("kind=hinge|slider, strength")),
    REAL(dlp_JointDef, strength, "strength", "", 0.0, 0.0, 1e18,
         "maximum torque (N m, hinge) or force (N, slider) of the motor; 0: no motor", WHEN("kind=hinge|slider")),
    REAL(dlp_JointDef, lower, "lower", "", 0.0, -1e6, 1e6,
         "lower stop relative to the initial pose: rad for a hinge (-pi to pi), m for a slider", WHEN("kind=hinge|slider")),
    REAL(dlp_JointDef, upper, "upper", "", 0.0, -1e6, 1e6, "upper stop; equal to `lower`: no stops", WHEN("kind=hinge|slider")),
};

static const dlp_Param contact_params[] = {
    ITEM_NAME(dlp_ContactDef),
    SOLID(dlp_ContactDef, solid, "solid", "name of the solid; default: all solids"),
    MATERIAL(dlp_ContactDef, material, "material", "name of the material"),
    REAL(dlp_ContactDef, friction, "friction", "", -1.0, -1.0, 1.0, "replaces the friction of the solid; below 0: not replaced"),
    REAL(dlp_ContactDef, stickiness, "stickiness", "Pa", -1.0, -1.0, 1e9, "replaces the stickiness of the solid; below 0: not replaced"),
    REAL(dlp_ContactDef, reach, "reach", "m", -1.0, -1.0, BIG, "replaces the reach of the solid; below 0: not replaced",
         WHEN("stickiness|solids.stickiness")),
};

static const dlp_Param pose_key_params[] = {
    REAL(dlp_PoseKey, time, "time", "s", 0.0, -FOREVER, FOREVER, "simulated time"),
    VEC3(dlp_PoseKey, position, "position", "m", 0, 0, 0, -BIG, BIG, "position at that time"),
    VEC3(dlp_PoseKey, rotation, "rotation", "rad", 0, 0, 0, -BIG, BIG, "orientation at that time: axis times angle"),
};

static const dlp_Param fluid_params[] = {
    ITEM_NAME(dlp_FluidDef),
    MATERIAL(dlp_FluidDef, material, "material", "name of the material"),
    SHAPE(dlp_FluidDef, DLP_SHAPE_BOX, "!points, ", "", ""),
    VEC3(dlp_FluidDef, velocity, "velocity", "m/s", 0, 0, 0, -1e6, 1e6, "initial velocity"),
    VEC3(dlp_FluidDef, spin, "spin", "rad/s", 0, 0, 0, -1e6, 1e6, "initial angular velocity about `position`", WHEN("!points")),
    REAL(dlp_FluidDef, temperature, "temperature", "K", 0.0, 0.0, HOTTEST, "initial temperature; 0: the temperature of the material",
         WHEN("!points, " THERMAL)),
};

static const dlp_Param companion_params[] = {
    ITEM_NAME(dlp_CompanionDef),
    MATERIAL(dlp_CompanionDef, material, "material", "name of the material, which gives density and appearance"),
    SHAPE(dlp_CompanionDef, DLP_SHAPE_BOX, "", "", ""),
    CHOICE(dlp_CompanionDef, hold, "hold", hold_names, DLP_HOLD_RIGID,
           "rigid: keeps its shape; soft: deforms elastically"),
    REAL(dlp_CompanionDef, stiffness, "stiffness", "Pa", 1e4, 1e-6, 1e12, "Young's modulus of a soft companion",
         WHEN("hold=soft")),
    VEC3(dlp_CompanionDef, velocity, "velocity", "m/s", 0, 0, 0, -1e6, 1e6, "initial velocity of its centre"),
    VEC3(dlp_CompanionDef, spin, "spin", "rad/s", 0, 0, 0, -1e6, 1e6, "initial angular velocity about its centre"),
};

static const dlp_Param emitter_params[] = {
    ITEM_NAME(dlp_EmitterDef),
    MATERIAL(dlp_EmitterDef, material, "material", "name of the emitted material"),
    CHOICE(dlp_EmitterDef, nozzle, "nozzle", nozzle_names, DLP_NOZZLE_DISC, "shape of the opening"),
    VEC3(dlp_EmitterDef, position, "position", "m", 0, 0, 0, -BIG, BIG, "centre of the opening; for a mesh, its origin",
         WHEN("!keys.position")),
    VEC3(dlp_EmitterDef, direction, "direction", "", 0, 0, -1, -BIG, BIG, "direction of the flow; any length but zero"),
    REAL(dlp_EmitterDef, radius, "radius", "m", 0.05, 1e-9, BIG, "radius of a disc", WHEN("nozzle=disc")),
    REAL(dlp_EmitterDef, width, "width", "m", 0.1, 1e-9, BIG, "width of a rectangle, along its horizontal axis",
         WHEN("nozzle=rectangle")),
    REAL(dlp_EmitterDef, height, "height", "m", 0.1, 1e-9, BIG, "height of a rectangle, along its other axis",
         WHEN("nozzle=rectangle")),
    REAL(dlp_EmitterDef, speed, "speed", "m/s", 0.0, 0.0, 1e6,
         "speed of the emitted fluid; give only one of speed, rate and mass_rate"),
    REAL(dlp_EmitterDef, start, "start", "s", 0.0, 0.0, FOREVER, "time at which it opens"),
    REAL(dlp_EmitterDef, stop, "stop", "s", FOREVER, 0.0, FOREVER, "time at which it closes"),
    REAL(dlp_EmitterDef, guide, "guide", "", 3.0, 0.0, 1000.0,
         "distance past the opening, in spacings, over which fluid is pushed at the prescribed speed like a piston, regardless "
         "of forces and obstacles"),
    CHOICE(dlp_EmitterDef, path, "path", path_names, DLP_PATH_SMOOTH, "interpolation between keys", WHEN("keys")),
    REAL(dlp_EmitterDef, rate, "rate", "m3/s", 0.0, 0.0, BIG, "volume flow rate, instead of speed"),
    REAL(dlp_EmitterDef, mass_rate, "mass_rate", "kg/s", 0.0, 0.0, 1e12, "mass flow rate, instead of speed"),
    {"mesh", DLP_PARAM_MESH, offsetof(dlp_EmitterDef, mesh), "", {-1, 0, 0}, -1, 65534, NULL,
     .help = "name of a flat mesh that forms the opening; its triangles face along the flow", WHEN("nozzle=mesh")},
    REAL(dlp_EmitterDef, temperature, "temperature", "K", 0.0, 0.0, HOTTEST, "temperature of the emitted fluid; 0: the temperature of the material",
         WHEN(THERMAL)),
};

static const dlp_Param flow_key_params[] = {
    REAL(dlp_FlowKey, time, "time", "s", 0.0, -FOREVER, FOREVER, "simulated time"),
    REAL(dlp_FlowKey, factor, "factor", "", 1.0, 0.0, 1000.0, "factor on speed or rate at that time"),
};

static const dlp_Param viscosity_key_params[] = {
    REAL(dlp_ViscosityKey, temperature, "temperature", "K", 293.15, 0.0, HOTTEST, "temperature of this point"),
    REAL(dlp_ViscosityKey, viscosity, "viscosity", "Pa.s", 1.0, 1e-9, 1e12, "viscosity at that temperature"),
};

static const dlp_Param sink_params[] = {
    ITEM_NAME(dlp_SinkDef),
    SHAPE(dlp_SinkDef, DLP_SHAPE_BOX, "", "", NOT_SPHERE),
};

static const dlp_Param mesh_params[] = {
    NAME(dlp_MeshDef, name, "name", "name of the mesh"),
    CHOICE(dlp_MeshDef, form, "form", form_names, DLP_FORM_FILE, "read from a file, or generated from the dimensions below"),
    NAME(dlp_MeshDef, file, "file", "a .ply, .obj or .stl file, relative to the folder of the scene", WHEN("form=file")),
    REAL(dlp_MeshDef, scale, "scale", "m", 1.0, 1e-9, BIG, "length of one unit of the file", WHEN("form=file")),
    REAL(dlp_MeshDef, radius, "radius", "m", 0.1, 1e-9, BIG, "outer radius; for a torus, from the axis to the centre of the tube",
         WHEN("form=bowl|cup|plate|spoon|torus|gear|funnel|nozzle|whisk|mould|star")),
    REAL(dlp_MeshDef, height, "height", "m", 0.1, 1e-9, BIG, "height along the axis; for a spoon, length of the handle",
         WHEN("form=bowl|cup|plate|spoon|gear|funnel|nozzle|whisk|mould")),
    REAL(dlp_MeshDef, thickness, "thickness", "m", 0.01, 1e-9, BIG, "thickness of walls, tubes and wires; for a gear, depth of the teeth",
         WHEN("form=bowl|cup|plate|spoon|torus|gear|funnel|nozzle|whisk|mould")),
    REAL(dlp_MeshDef, hole, "hole", "m", 0.02, 1e-9, BIG,
         "radius of the lower opening of a funnel or nozzle; for a star, inner radius between the points",
         WHEN("form=funnel|nozzle|star")),
    INTEGER(dlp_MeshDef, count, "count", 6, 2, 1000,
            "number of teeth of a gear, points of a nozzle or star, wires of a whisk, scallops of a mould",
            WHEN("form=gear|nozzle|whisk|mould|star")),
    REAL(dlp_MeshDef, sheet, "sheet", "m", 0.0, 0.0, BIG,
         "thickness of an open mesh that is used as a sheet, solid on both sides; 0: the mesh must be closed"),
    {"opening", DLP_PARAM_BOOL, offsetof(dlp_MeshDef, opening), "", {0, 0, 0}, 0, 1, NULL,
     .help = "whether it is a flat, open mesh for the opening of an emitter; a star is one unless it is a sheet",
     WHEN("form=file")},
    INTEGER(dlp_MeshDef, frames, "frames", 1, 1, DLP_FRAMES_MOST,
            "number of files of a deforming mesh; the last number in the name of `file` counts up", WHEN("form=file")),
    REAL(dlp_MeshDef, frame_rate, "frame_rate", "1/s", 24.0, 1e-6, 1e6, "files per second of simulated time", WHEN("frames")),
    REAL(dlp_MeshDef, frame_start, "frame_start", "s", 0.0, -FOREVER, FOREVER, "time of the first file", WHEN("frames")),
};

static const dlp_Param sampling_params[] = {
    REAL(dlp_SamplingDef, spacing, "spacing", "m", 0.01, 1e-6, 1e3, "distance between samples"),
    REAL(dlp_SamplingDef, support, "support", "", 2.0, 1.2, 4.0, "support radius of the smoothing kernel in spacings"),
    CHOICE(dlp_SamplingDef, kernel, "kernel", kernel_names, DLP_KERNEL_CUBIC_SPLINE, "kernel for the volumes of samples"),
    INTEGER(dlp_SamplingDef, seed, "seed", 1, 0, 1e15, "seed of the random sampling"),
};

static const dlp_Param camera_params[] = {
    NAME(dlp_CameraDef, name, "name", "name of the camera", USE(OUTPUT)),
    VEC3(dlp_CameraDef, position, "position", "m", 0, -1, 0.5, -BIG, BIG, "position of the camera", USE(OUTPUT)),
    VEC3(dlp_CameraDef, target, "target", "m", 0, 0, 0, -BIG, BIG, "point at the centre of the picture", USE(OUTPUT)),
    REAL(dlp_CameraDef, angle, "angle", "rad", 0.6, 0.01, 3.0, "vertical field of view", USE(OUTPUT)),
};

static const dlp_Param probe_params[] = {
    NAME(dlp_ProbeDef, name, "name", "name of the probe; its file is probe_NAME.csv", USE(OUTPUT)),
    CHOICE(dlp_ProbeDef, kind, "kind", probe_names, DLP_PROBE_FORCE,
           "force: force and torque on a solid; flow: flow rate through an opening; fluid: volume, mass, height and centre of the "
           "fluid in a region; point, line: values at one or many points; energy: of all fluid; pieces: number, volume and length of "
           "connected pieces", USE(OUTPUT)),
    REAL(dlp_ProbeDef, interval, "interval", "s", 0.0, 0.0, FOREVER, "time between samples; 0: every step", USE(OUTPUT)),
    SOLID(dlp_ProbeDef, solid, "solid", "the solid of a force probe; without one, all solids together", USE(OUTPUT),
          WHEN("kind=force")),
    CHOICE(dlp_ProbeDef, about, "about", torque_names, DLP_TORQUE_ABOUT_SOLID,
           "the point about which a force probe takes the torque: the centre of the solid, or `position`, which all solids together "
           "always use", USE(OUTPUT), WHEN("kind=force, solid")),
    CHOICE(dlp_ProbeDef, shape, "shape", region_names, DLP_PROBE_EVERYWHERE,
           "region of a fluid probe: everywhere, box, sphere or cylinder; opening of a flow probe: disc, rectangle or plane",
           USE(OUTPUT), WHEN("kind=flow|fluid")),
    VEC3(dlp_ProbeDef, position, "position", "m", 0, 0, 0, -BIG, BIG,
         "centre of the shape, the point, the start of the line, or the centre of torque", USE(OUTPUT),
         WHEN("kind=force|flow|fluid|point|line")),
    VEC3(dlp_ProbeDef, rotation, "rotation", "rad", 0, 0, 0, -BIG, BIG, "orientation of a box or cylinder: axis times angle",
         USE(OUTPUT), WHEN("shape=box|cylinder")),
    VEC3(dlp_ProbeDef, direction, "direction", "", 0, 0, -1, -BIG, BIG, "direction of positive flow through an opening",
         USE(OUTPUT), WHEN("shape=disc|rectangle|plane")),
    VEC3(dlp_ProbeDef, box, "size", "m", 0.1, 0.1, 0.1, 1e-6, BIG, "edge lengths of a box", USE(OUTPUT), WHEN("shape=box")),
    REAL(dlp_ProbeDef, radius, "radius", "m", 0.05, 1e-6, BIG, "radius of a sphere, cylinder or disc", USE(OUTPUT),
         WHEN("shape=sphere|cylinder|disc")),
    REAL(dlp_ProbeDef, length, "length", "m", 0.1, 1e-6, BIG, "length of a cylinder, along its z axis", USE(OUTPUT),
         WHEN("shape=cylinder")),
    REAL(dlp_ProbeDef, width, "width", "m", 0.1, 1e-6, BIG, "width of a rectangle, along the more horizontal of its axes",
         USE(OUTPUT), WHEN("shape=rectangle")),
    REAL(dlp_ProbeDef, height, "height", "m", 0.1, 1e-6, BIG, "height of a rectangle", USE(OUTPUT), WHEN("shape=rectangle")),
    VEC3(dlp_ProbeDef, end, "end", "m", 0, 0, 0.1, -BIG, BIG, "end of a line", USE(OUTPUT), WHEN("kind=line")),
    INTEGER(dlp_ProbeDef, count, "count", 11, 2, DLP_PROBE_POINTS_MOST, "number of points on a line, both ends included",
            USE(OUTPUT), WHEN("kind=line")),
    CHOICE(dlp_ProbeDef, quantity, "quantity", quantity_names, DLP_QUANTITY_ALL, "what a point or line probe measures",
           USE(OUTPUT), WHEN("kind=point|line")),
    {"material", DLP_PARAM_MATERIAL, offsetof(dlp_ProbeDef, material), "", {-1, 0, 0}, -1, 65534, NULL,
     .help = "measure only this material; without one, all fluid", USE(OUTPUT), WHEN("kind=flow|fluid|point|line|pieces")},
    REAL(dlp_ProbeDef, reach, "reach", "", 1.5, 0.1, 4.0, "largest distance of connected particles of a pieces probe, in spacings",
         USE(OUTPUT), WHEN("kind=pieces")),
};

#define TABLE_FUNCTION(what, type, help) \
    const dlp_ParamTable *dlp_##what##_params(void) \
    { \
        static const dlp_ParamTable table = TABLE(#what, type, what##_params, help); \
        return &table; \
    }

TABLE_FUNCTION(world, dlp_WorldDef, "space, resolution and gravity")
TABLE_FUNCTION(material, dlp_MaterialDef, "physical properties of a fluid")
TABLE_FUNCTION(solid, dlp_SolidDef, "a solid: at rest, with prescribed motion, or free")
TABLE_FUNCTION(joint, dlp_JointDef, "a joint between two solids, or between a solid and the world")
TABLE_FUNCTION(contact, dlp_ContactDef, "friction and adhesion between a solid and one material")
TABLE_FUNCTION(fluid, dlp_FluidDef, "a shape filled with fluid at the start")
TABLE_FUNCTION(companion, dlp_CompanionDef, "a rigid or soft body made of particles")
TABLE_FUNCTION(emitter, dlp_EmitterDef, "a nozzle that emits fluid")
TABLE_FUNCTION(sink, dlp_SinkDef, "a region that removes particles")
TABLE_FUNCTION(mesh, dlp_MeshDef, "a triangle mesh for shapes, read from a file or generated")
TABLE_FUNCTION(sampling, dlp_SamplingDef, "points distributed evenly over a mesh")
TABLE_FUNCTION(camera, dlp_CameraDef, "a camera for pictures")
TABLE_FUNCTION(probe, dlp_ProbeDef, "a measurement: forces, flow rates, volumes, values at points, energy, pieces")
TABLE_FUNCTION(pose_key, dlp_PoseKey, "position and orientation at one time")
TABLE_FUNCTION(flow_key, dlp_FlowKey, "flow factor of an emitter at one time")
TABLE_FUNCTION(viscosity_key, dlp_ViscosityKey, "viscosity of a material at one temperature")

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
DEFAULT_FUNCTION(probe, dlp_ProbeDef)
/* clang-format on */

dlp_WorldDef dlp_default_world_def(void)
{
    dlp_WorldDef def;
    dlp_params_default(dlp_world_params(), &def);
    snprintf(def.method, sizeof def.method, "physical");
    return def;
}

#include "support/key_scenes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define RUN       "run: {time_step: 0.01, frame_rate: 50, frames: 4}\n"
#define MATERIALS "materials: {goo: {density: 1000%s}, other: {density: 700}}\n"

/* A block of fluid hits a solid; a second block, at the origin, remains only if the solid is a container. */
static const char with_solid[] = "world: {spacing: 0.25, threads: 1}\n" RUN MATERIALS
                                 "solids: [{name: ball, friction: 0.5}]\n"
                                 "fluids:\n"
                                 "  - {material: goo, size: [0.75, 0.75, 0.5], position: [0.1, 0.05, 0.75],"
                                 " velocity: [1.5, 0, -3]}\n"
                                 "  - {material: goo, size: [0.5, 0.5, 0.5], velocity: [1, 0, -2]}\n"
                                 "cameras: [{name: front}]\n";

/* A box and a ball fall on a plane and hit each other; the fluid lies on the box. */
static const char with_bodies[] = "world: {spacing: 0.25, threads: 1}\n" RUN MATERIALS "solids:\n"
                                  "  - {name: crate, shape: box, size: [0.5, 0.5, 0.5], position: [0, 0, 0.3],"
                                  " density: 400, friction: 1, velocity: [2, 0.5, -2]}\n"
                                  "  - {name: ball, shape: sphere, radius: 0.3, position: [0.5, 0.1, 0.32],"
                                  " density: 600, friction: 1, velocity: [-2, 0, 0]}\n"
                                  "  - {name: floor, friction: 1}\n"
                                  "joints: [{solid: crate}]\n"
                                  "fluids: [{material: goo, size: [0.5, 0.5, 0.5], position: [0, 0, 0.8]}]\n";

static const char with_contact[] = "world: {spacing: 0.25, threads: 1}\n" RUN MATERIALS
                                   "solids: [{name: floor, friction: 0.2}, {name: wall, position: [0.55, 0, 0],"
                                   " rotation: [0, -1.5707963, 0], friction: 0.2}]\n"
                                   "contacts: [{material: goo, friction: 0.6}]\n"
                                   "fluids:\n"
                                   "  - {material: goo, size: [0.75, 0.75, 0.5], position: [0.125, 0, 0.25],"
                                   " velocity: [1, 0, 0]}\n"
                                   "  - {material: other, size: [0.75, 0.5, 0.5], position: [0.125, 0.8, 0.25],"
                                   " velocity: [1, 0, 0]}\n";

static const char with_fluid[] = "world: {spacing: 0.25, threads: 1}\n" RUN MATERIALS
                                 "solids: [{position: [0, 0, -0.6], friction: 0.5}]\n"
                                 "fluids: [{material: goo}]\n";

static const char with_companion[] = "world: {spacing: 0.25, threads: 1}\n" RUN MATERIALS
                                     "solids: [{position: [0, 0, -0.6], friction: 0.5}]\n"
                                     "companions: [{material: other}]\n"
                                     "fluids: [{material: goo, size: [0.5, 0.5, 0.5], position: [0, 0, 1.2]}]\n";

static const char with_emitter[] = "world: {spacing: 0.025, threads: 1}\n" RUN MATERIALS "meshes:\n"
                                   "  block: {form: star}\n"
                                   "  block2: {form: star, hole: 0.08}\n"
                                   "solids: [{position: [0, 0, -0.15], friction: 0.5}]\n"
                                   "emitters: [{material: goo, speed: 2}]\n";

static const char with_sink[] = "world: {spacing: 0.25, threads: 1}\n" RUN MATERIALS "sinks: [{shape: box}]\n"
                                "fluids: [{material: goo, size: [1.5, 0.75, 0.75], position: [0.3, 0.1, 0.6]}]\n";

static const char with_mesh[] = "world: {spacing: 0.05, threads: 1}\n" RUN MATERIALS "meshes: {block: {form: bowl}}\n"
                                "solids: [{shape: mesh, mesh: block, friction: 0.5}]\n"
                                "fluids: [{material: goo, size: [0.2, 0.2, 0.1], position: [0.03, 0.02, 0.1],"
                                " velocity: [0, 0, -3]}]\n";

/* A tank of compressed fluid in motion, for the parameters of methods. */
static const char with_tank[] = "world: {spacing: 0.25, threads: 1}\n" RUN MATERIALS
                                "solids: [{shape: container, size: [1, 1, 4], position: [0, 0, 2], friction: 0.5}]\n"
                                "fluids: [{material: goo, size: [0.9, 0.9, 0.9], position: [0, 0, 0.45],"
                                " velocity: [0, 0, -2], spin: [0.5, 0, 3]}]\n";

const char *key_meshes(const char *section)
{
    return strcmp(section, "emitters") == 0 ? "meshes: {block: {form: star}, block2: {form: star, hole: 0.08}}\n"
                                            : "meshes: {block: {file: cube_1.obj, scale: 5},"
                                              " block2: {file: cube_2.obj, scale: 5}}\n";
}

const char *key_scene(const char *section)
{
    static const char *const scenes[][2] = {
        {"method", with_tank},  {"materials", with_tank},       {"joints", with_bodies},    {"contacts", with_contact},
        {"fluids", with_fluid}, {"companions", with_companion}, {"emitters", with_emitter}, {"sinks", with_sink},
        {"meshes", with_mesh},  {"bodies", with_bodies},
    };
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        if (strcmp(scenes[i][0], section) == 0) {
            return scenes[i][1];
        }
    }
    return with_solid;
}

#define HEAT             "materials.goo.heat_capacity=100; materials.goo.conductivity=5000; materials.goo.temperature=350"
#define HOT_FLOOR        HEAT "; solids.0.temperature=500"
#define LIFTED           "fluids.0.position=[0, 0, 0.25]; fluids.0.velocity=[0, 0, 3]"
#define STRETCHED        "fluids.0.spin=[0, 0, 20]; materials.goo.viscosity=5000"
#define SOLID            "materials.goo.viscosity=0; materials.goo.modulus=2000"
#define ELASTIC          "?materials.goo.viscosity=20; ?materials.goo.modulus=2000"
#define WLF              "; materials.goo.wlf_c1=2; materials.goo.wlf_c2=100"
#define MELTING          HEAT "; materials.goo.latent_heat=5000; materials.goo.melting_point=351; solids.0.temperature=2000"
#define OVER_TEMPERATURE "?materials.goo.viscosity_at=[[300, 50], [400, 1]]; ?materials.goo.temperature=350"

static const KeyTrial trials[] = {
    {"world", "spacing", .value = "0.2"},
    {"world", "support", .value = "2.8"},
    {"world", "cfl", .value = "0.02"},
    {"world", "periodic_size", .value = "[1.5, 1.5, 0]"},
    {"world", "periodic_min", .value = "[0.3, 0.1, 0]", .settings = "world.periodic_size=[1.5, 1.5, 0]"},
    {"world", "subdomains", .value = "2"},
    {"world", "simd", .value = "1"},
    {"world", "air_temperature", .value = "900", .settings = HEAT "; materials.goo.convection=1e4"},
    {"world", "heat", .value = "implicit", .settings = HOT_FLOOR},
    {"run", "time_step", .value = "0.004"},
    {"run", "frame_rate", .value = "130"},
    {"run", "frames", .value = "5"},
    {"materials", "viscosity", .value = "300"},
    {"materials", "relaxation_time", .value = "0.1"},
    {"materials", "modulus", .value = "2000"},
    {"materials", "extensibility", .value = "2.5", .settings = ELASTIC},
    {"materials", "solvent_viscosity", .value = "50"},
    {"materials", "cohesive_strength", .value = "10", .settings = SOLID "; " LIFTED, .method = "physical"},
    {"materials", "temperature", .value = "400", .settings = HOT_FLOOR},
    {"materials", "conductivity", .value = "900", .settings = HOT_FLOOR},
    {"materials", "heat_capacity", .value = "300", .settings = HOT_FLOOR},
    {"materials", "latent_heat", .value = "9000", .settings = MELTING},
    {"materials", "melting_point", .value = "352", .settings = MELTING},
    {"materials", "liquidus", .value = "360", .settings = MELTING},
    {"materials", "emissivity", .value = "0.9", .settings = HEAT},
    {"materials", "convection", .value = "1000", .settings = HEAT},
    {"materials", "heat_source", .value = "1e8", .settings = HEAT},
    {"materials", "reference_temperature", .value = "320",
     .settings = "?materials.goo.activation_energy=8e4; ?materials.goo.temperature=350"},
    {"materials", "viscosity_lines", .value = "fluidity", .settings = OVER_TEMPERATURE},
    {"materials", "viscosity_at", .value = "[[300, 50], [400, 1]]", .settings = HEAT},
    {"materials", "activation_energy", .value = "8e4", .settings = HEAT},
    {"materials", "frozen_modulus", .value = "5000", .settings = MELTING},
    {"materials", "wlf_c1", .value = "4", .settings = HEAT WLF},
    {"materials", "wlf_c2", .value = "400", .settings = HEAT WLF},
    {"materials", "wlf_c1", .value = "4", .settings = "materials.goo.viscosity=5000; " HEAT WLF, .method = "blend"},
    {"materials", "wlf_c2", .value = "400", .settings = "materials.goo.viscosity=5000; " HEAT WLF, .method = "blend"},
    {"materials", "wlf_c1", .value = "4", .settings = STRETCHED "; materials.goo.temperature=350" WLF,
     .scene = "fluids", .method = "links"},
    {"materials", "wlf_c2", .value = "400", .settings = STRETCHED "; materials.goo.temperature=350" WLF,
     .scene = "fluids", .method = "links"},
    {"materials", "flow_law", .value = "casson",
     .settings = "materials.goo.flow_law=bingham; materials.goo.yield_stress=15"},
    {"materials", "yield_stress", .value = "15"},
    {"materials", "consistency", .value = "50"},
    {"materials", "flow_index", .value = "0.3"},
    {"materials", "flow_curve", .value = "[[0.1, 20], [10, 60]]"},
    {"materials", "elastic_law", .value = "ptt_exponential",
     .settings = "materials.goo.elastic_law=ptt_linear; materials.goo.ptt_epsilon=0.2; materials.goo.modulus=2000"},
    {"materials", "elastic_law", .value = "ptt_exponential", .settings = SOLID, .method = "blend"},
    {"materials", "mobility", .value = "0.3"},
    {"materials", "mobility", .value = "0.3", .settings = "materials.goo.viscosity=0", .method = "blend"},
    {"materials", "ptt_epsilon", .value = "0.5"},
    {"materials", "ptt_epsilon", .value = "0.5", .settings = "materials.goo.viscosity=0", .method = "blend"},
    {"materials", "modes", .value = "[[0.1, 500], [1, 50]]", .settings = "materials.goo.viscosity=0"},
    {"materials", "recovery_time", .value = "0.2",
     .settings = "materials.goo.recovery_time=1; materials.goo.breakdown=5"},
    {"materials", "breakdown", .value = "2", .settings = "materials.goo.recovery_time=1; materials.goo.breakdown=5"},
    {"meshes", "file", .value = "cube_2.obj"},
    {"meshes", "frames", .value = "2"},
    {"meshes", "frame_rate", .value = "100",
     .settings = "meshes.block.form=file; meshes.block.file=cube_1.obj; meshes.block.frames=2"},
    {"meshes", "frame_start", .value = "-0.01",
     .settings = "meshes.block.form=file; meshes.block.file=cube_1.obj; meshes.block.frames=2"},
    {"solids", "amplitude", .value = "[0.3, 0.2, 0.1]", .settings = "solids.0.frequency=3"},
    {"solids", "frequency", .value = "3", .settings = "solids.0.amplitude=[0.3, 0.2, 0.1]"},
    {"solids", "grip", .value = "0", .scene = "bodies"},
    {"solids", "bounce", .value = "0.8", .scene = "bodies"},
    {"solids", "path", .value = "linear",
     .settings =
         "solids.0.keys=[{time: 0}, {time: 0.03, position: [0.1, 0, 0.2]}, {time: 0.2, position: [0, 0, 0.1]}]"},
    {"solids", "temperature", .value = "500", .settings = HEAT},
    {"solids", "heat_capacity", .value = "500", .settings = HEAT "; solids.0.temperature=400", .scene = "bodies"},
    {"solids", "keys", .value = "[{time: 0}, {time: 0.1, position: [0.1, 0, 0.2]}]"},
    {"joints", "solid", .value = "ball"},
    {"joints", "other", .value = "ball"},
    {"joints", "speed", .value = "3", .settings = "joints.0.strength=1000"},
    {"joints", "strength", .value = "1000"},
    {"joints", "lower", .value = "-0.01"},
    {"joints", "upper", .value = "0.01"},
    {"contacts", "solid", .value = "floor"},
    {"contacts", "friction", .value = "1"},
    {"fluids", "temperature", .value = "400", .settings = HOT_FLOOR},
    {"fluids", "points", .value = "[[0, 0, 0], [0.2, 0, 0], [0, 0.2, 0.1]]"},
    {"companions", "stiffness", .value = "2e4"},
    {"emitters", "rate", .value = "0.01", .settings = "emitters.0.speed=0"},
    {"emitters", "mass_rate", .value = "10", .settings = "emitters.0.speed=0"},
    {"emitters", "speed", .value = "3"},
    {"emitters", "start", .value = "0.02"},
    {"emitters", "stop", .value = "0.03"},
    {"emitters", "guide", .value = "0"},
    {"emitters", "path", .value = "linear",
     .settings =
         "emitters.0.keys=[{time: 0}, {time: 0.03, position: [0.1, 0, 0.02]}, {time: 0.2, position: [0, 0, 0.1]}]"},
    {"emitters", "temperature", .value = "400", .settings = HEAT},
    {"emitters", "keys", .value = "[{time: 0}, {time: 0.1, position: [0.1, 0, 0.02]}]"},
    {"emitters", "flow", .value = "[[0, 0.5], [0.1, 1]]"},
    {"method", "iterations", .value = "1"},
    {"meshes", "form", .value = "cup"},
    {"meshes", "opening", .value = "true",
     .settings = "emitters.0.nozzle=mesh; emitters.0.mesh=block; meshes.block.file=flat.obj", .scene = "emitters"},
    {"solids", "size", .value = "[0.6, 0.5, 0.55]"},
    {"solids", "friction", .value = "1", .settings = "fluids.0.position=[0, 0, 0.25]"},
    {"solids", "stickiness", .value = "5000", .settings = LIFTED},
    {"solids", "reach", .value = "0.6", .settings = LIFTED "; solids.0.stickiness=5000"},
    {"contacts", "stickiness", .value = "5000", .settings = "fluids.0.velocity=[0, 0, 3]"},
    {"contacts", "reach", .value = "0.6", .settings = "fluids.0.velocity=[0, 0, 3]; contacts.0.stickiness=5000"},
    {"solids", "density", .value = "300", .settings = "solids.0.shape=box; solids.0.friction=1"},
    {"fluids", "shape", .value = "sphere"},
    {"companions", "shape", .value = "sphere"},
    {"companions", "material", .value = "goo"},
    {"meshes", "height", .value = "0.25"},
    {"meshes", "sheet", .value = "0.05"},
    {"world", "threads", .value = "2"},
    {"method", "damping", .value = "0.5", .settings = ELASTIC},
    {"method", "tolerance", .value = "0.5"},
    {"method", "density_tolerance", .value = "0.5"},
    {"method", "density_iterations", .value = "3"},
    {"sinks", "length", .value = "0.4"},
    {"sinks", "size", .value = "[1.5, 1.3, 1.4]"},
    {"materials", "compliance", .value = "0.001", .settings = "materials.goo.viscosity=0"},
    {"method", "form", .value = "sequence"},
    {"materials", "plasticity", .value = "5", .settings = ELASTIC},
    {"materials", "compress_plasticity", .value = "5", .settings = ELASTIC},
    {"materials", "yield_ratio", .value = "0.3", .settings = ELASTIC},
    {"materials", "compress_yield_ratio", .value = "0.3", .settings = ELASTIC},
    {"materials", "extension_rate", .value = "5"},
    {"solids", "radius", .value = "0.3"},
    {"method", "density_iterations_least", .value = "20"},
    {"method", "density_iterations", .value = "3", .settings = "materials.goo.viscosity=0", .method = "links"},
    {"method", "density_iterations_least", .value = "20", .settings = "materials.goo.viscosity=0", .method = "links"},
    {"method", "density_tolerance", .value = "0.5", .settings = "materials.goo.viscosity=0", .method = "links"},
    {"sinks", "rotation", .value = "[0.8, 0.5, 0.3]"},
    {"materials", "relaxation_time", .value = "0.1", .settings = STRETCHED, .scene = "fluids", .method = "links"},
    {"materials", "modulus", .value = "2000", .settings = STRETCHED, .scene = "fluids", .method = "links"},
    {"materials", "link_stiffness", .value = "0.5", .settings = STRETCHED, .scene = "fluids", .method = "links"},
    {"materials", "reference_temperature", .value = "320",
     .settings = STRETCHED "; materials.goo.activation_energy=2e4; materials.goo.temperature=350", .scene = "fluids",
     .method = "links"},
    {"materials", "viscosity_lines", .value = "fluidity",
     .settings = STRETCHED "; materials.goo.viscosity_at=[[300, 5e4], [400, 1e3]]; materials.goo.temperature=350",
     .scene = "fluids", .method = "links"},
    {"meshes", "scale", .value = "0.8"},
    {"solids", "length", .value = "0.6"},
    {"probes", "about", .value = "position", .settings = "probes.0.solid=ball"},
    {"probes", "kind", .value = "pieces"},
    {"materials", "solvent_viscosity", .value = "5000", .settings = STRETCHED, .scene = "fluids", .method = "links"},
    {"world", "periodic_size", .value = "[2, 2, 0]", .method = "mps"},
    {"world", "periodic_min", .value = "[0.3, 0.1, 0]", .settings = "world.periodic_size=[2, 2, 0]", .method = "mps"},
    {"method", "form", .value = "laplacian", .method = "mps"},
    {"method", "integration", .value = "implicit", .method = "mps"},
    {"method", "preconditioner", .value = "multigrid", .method = "mps"},
    {"materials", "stress", .value = "viscous", .settings = "materials.goo.viscosity=20; materials.goo.modulus=2000",
     .method = "mps"},
    {"materials", "frequency", .value = "5", .settings = "materials.goo.viscosity=20; materials.goo.modulus=2000",
     .method = "mps"},
    {"materials", "contact_angle", .value = "135 deg", .settings = "materials.goo.surface_tension=50", .method = "mps"},
    {"materials", "contact_angle", .value = "135 deg", .settings = "materials.goo.surface_tension=50",
     .method = "physical"},
    {"solids", "stickiness", .value = "1e7", .settings = LIFTED, .method = "mps"},
    {"solids", "reach", .value = "0.6", .settings = LIFTED "; solids.0.stickiness=1e5", .method = "mps"},
    {"contacts", "reach", .value = "0.6", .settings = "fluids.0.velocity=[0, 0, 3]; contacts.0.stickiness=1e6",
     .method = "mps"},
    {"joints", "speed", .value = "3", .settings = "joints.0.strength=1e6", .method = "mps"},
    {"method", "update_interval", .value = "0.02", .settings = SOLID "; materials.goo.update_acceleration=1",
     .method = "blend"},
    {"method", "damping", .value = "0.5", .method = "blend"},
    {"materials", "extensibility", .value = "2.5", .settings = SOLID, .method = "blend"},
    {"materials", "modulus", .value = "2000", .settings = "materials.goo.viscosity=0", .method = "blend"},
    {"materials", "solvent_viscosity", .value = "5000", .method = "blend"},
    {"materials", "viscosity", .value = "5000", .method = "blend"},
    {"materials", "alpha", .value = "0.3", .settings = SOLID, .method = "blend"},
    {"materials", "matching_time", .value = "0.01",
     .settings = "materials.goo.alpha=0.3; materials.goo.matching_time=0.05", .method = "blend"},
    {"materials", "update_acceleration", .value = "1e6", .settings = SOLID "; method.update_interval=0.02",
     .scene = "method", .method = "blend"},
    {"materials", "tear_stretch", .value = "1", .settings = SOLID, .method = "blend"},
    {"materials", "reference_temperature", .value = "320",
     .settings = "materials.goo.viscosity=5000; materials.goo.activation_energy=2e4; materials.goo.temperature=350",
     .method = "blend"},
    {"materials", "activation_energy", .value = "2e4", .settings = "materials.goo.viscosity=5000; " HEAT,
     .method = "blend"},
    {"materials", "viscosity_at", .value = "[[300, 5e4], [400, 1e3]]", .settings = HEAT, .method = "blend"},
    {"materials", "viscosity_lines", .value = "fluidity",
     .settings = "materials.goo.viscosity_at=[[300, 5e3], [400, 1e3]]; materials.goo.temperature=350",
     .method = "blend"},
    {"solids", "bounce", .value = "0.8", .settings = "fluids.0.position=[0.9, 0.1, 0.4]; fluids.0.velocity=[-4, 0, -2]",
     .scene = "bodies", .method = "blend"},
};

const KeyTrial *key_trial(const char *section, const char *key, const char *method)
{
    const KeyTrial *found = NULL;
    for (size_t i = 0; i < sizeof trials / sizeof trials[0]; i++) {
        const KeyTrial *trial = &trials[i];
        if (strcmp(trial->section, section) == 0 && strcmp(trial->key, key) == 0 &&
            (trial->method == NULL || strcmp(trial->method, method) == 0)) {
            found = trial;
        }
    }
    return found;
}

const char *choice_settings(const char *section, const char *choice, const char *value)
{
    static const char *const needed[][4] = {
        {"solids", "shape", "mesh", "solids.0.mesh=block"},
        {"fluids", "shape", "mesh", "fluids.0.mesh=block"},
        {"companions", "shape", "mesh", "companions.0.mesh=block"},
        {"sinks", "shape", "mesh", "sinks.0.mesh=block"},
        {"emitters", "nozzle", "mesh", "emitters.0.mesh=block"},
        {"probes", "kind", "flow", "probes.0.shape=disc"},
        {"probes", "shape", "box", "probes.0.kind=fluid"},
        {"probes", "shape", "sphere", "probes.0.kind=fluid"},
        {"probes", "shape", "cylinder", "probes.0.kind=fluid"},
        {"probes", "shape", "disc", "probes.0.kind=flow"},
        {"probes", "shape", "rectangle", "probes.0.kind=flow"},
        {"probes", "shape", "plane", "probes.0.kind=flow"},
        {"meshes", "form", "file", "meshes.block.file=cube_1.obj"},
        {"meshes", "form", "whisk", "meshes.block.height=0.4; meshes.block.count=4"},
        {"meshes", "form", "star", "meshes.block.sheet=0.03"},
        {"materials", "flow_law", "power_law", "materials.goo.viscosity=0; materials.goo.consistency=20"},
        {"materials", "flow_law", "herschel_bulkley", "materials.goo.viscosity=0; materials.goo.consistency=20"},
        {"materials", "flow_law", "table", "materials.goo.viscosity=0; materials.goo.flow_curve=[[0.1, 5], [10, 50]]"},
        {"materials", "flow_law", "carreau", "materials.goo.thinning_time=0.5; materials.goo.flow_index=0.5"},
        {"materials", "flow_law", "cross", "materials.goo.thinning_time=0.5; materials.goo.flow_index=0.5"},
        {"materials", "elastic_law", "giesekus", "materials.goo.modulus=2000"},
        {"materials", "elastic_law", "ptt_linear", "materials.goo.modulus=2000"},
        {"materials", "elastic_law", "ptt_exponential", "materials.goo.modulus=2000"},
    };
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        if (strcmp(needed[i][0], section) == 0 && strcmp(needed[i][1], choice) == 0 &&
            strcmp(needed[i][2], value) == 0) {
            return needed[i][3];
        }
    }
    return "";
}

void add_setting(Settings *settings, const char *text, size_t length)
{
    assert_true(settings->count < SETTINGS_MOST && length < SETTING_BYTES);
    snprintf(settings->text[settings->count++], SETTING_BYTES, "%.*s", (int)length, text);
}

void add_settings(Settings *settings, const char *text, bool rheology)
{
    while (text != NULL && *text != 0) {
        const char *end = strstr(text, "; ");
        const size_t length = end != NULL ? (size_t)(end - text) : strlen(text);
        const bool conditional = text[0] == '?';
        if (rheology || !conditional) {
            add_setting(settings, text + conditional, length - conditional);
        }
        text = end != NULL ? end + 2 : "";
    }
}

bool has_rheology(const char *method)
{
    static const dlp_Param rheology = {.use = DLP_USE_RHEOLOGY};
    return dlp_method_uses(method, &rheology);
}

void make_scene(const dlp__SceneSection *section, const KeyTrial *special, const char *method, Contents contents,
                char scene[SCENE_TEXT_BYTES])
{
    const char *name = special != NULL && special->scene != NULL ? special->scene : section->key;
    const char *jacobi = strcmp(method, "conformation") == 0 ? ", solver: jacobi"
                                                             : ""; /* else the name means physical */
    const int used = snprintf(scene, SCENE_TEXT_BYTES, "method: {name: %s%s}\n", method, jacobi);
    snprintf(scene + used, SCENE_TEXT_BYTES - (size_t)used, key_scene(name),
             (contents & VISCOUS) != 0 && has_rheology(method) ? ", viscosity: 20" : "");
    if (strstr(scene, "\nmeshes:") == NULL && (contents & MESHES) != 0) {
        const size_t length = strlen(scene);
        snprintf(scene + length, SCENE_TEXT_BYTES - length, "%s", key_meshes(name));
    }
    char start[DLP_NAME_SIZE + 2];
    snprintf(start, sizeof start, "\n%s:", section->key);
    if (strstr(scene, start) == NULL && (section->form == DLP_FORM_LIST || section->form == DLP_FORM_NAMED)) {
        const size_t length = strlen(scene);
        snprintf(scene + length, SCENE_TEXT_BYTES - length, "%s: %s\n", section->key,
                 section->form == DLP_FORM_LIST ? "[{}]" : "{block: {}}");
    }
}

const dlp_Param *find_choice(const dlp_ParamTable *table, const char *when, const char **clause)
{
    for (int i = 0; when != NULL && i < table->count; i++) {
        char start[DLP_NAME_SIZE + 1];
        snprintf(start, sizeof start, "%s=", table->params[i].name);
        const char *found = table->params[i].type == DLP_PARAM_CHOICE ? strstr(when, start) : NULL;
        if (found != NULL && (found == when || found[-1] == ' ')) {
            *clause = found;
            return &table->params[i];
        }
    }
    return NULL;
}

/* A cube of 0.2 m, stretched along x. */
static void write_cube(const char *path, double stretch)
{
    static const int faces[12][3] = {{1, 3, 4}, {1, 4, 2}, {5, 6, 8}, {5, 8, 7}, {1, 2, 6}, {1, 6, 5},
                                     {3, 7, 8}, {3, 8, 4}, {1, 5, 7}, {1, 7, 3}, {2, 4, 8}, {2, 8, 6}};
    FILE *file = fopen(path, "w");
    for (int i = 0; file != NULL && i < 8; i++) {
        fprintf(file, "v %g %g %g\n", (i & 1 ? 0.1 : -0.1) * stretch, i & 2 ? 0.1 : -0.1, i & 4 ? 0.1 : -0.1);
    }
    for (int i = 0; file != NULL && i < 12; i++) {
        fprintf(file, "f %d %d %d\n", faces[i][0], faces[i][1], faces[i][2]);
    }
    if (file != NULL) {
        fclose(file);
    }
}

void write_key_meshes(void)
{
    write_cube("cube_1.obj", 1.0);
    write_cube("cube_2.obj", 0.5);
    FILE *file = fopen("flat.obj", "w");
    if (file != NULL) {
        fputs("v -0.1 -0.1 0\nv 0.1 -0.1 0\nv 0.1 0.1 0\nv -0.1 0.1 0\nf 1 2 3\nf 1 3 4\n", file);
        fclose(file);
    }
}

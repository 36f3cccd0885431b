/* A world: particles, materials, solids, emitters and sinks under one method and one spacing.
 *
 *     dlp_WorldDef def = dlp_default_world_def();
 *     def.spacing = 0.01;
 *     dlp_World *world = NULL;
 *     dlp_Error error;
 *     if (dlp_world_create(&def, &world, &error) != DLP_OK) puts(error.text);
 *     ... add a material, solids, fluid ...
 *     for (int frame = 1; playing; frame++)
 *         while (dlp_world_time(world) < frame / 30.0) dlp_world_advance(world, frame / 30.0);
 *     dlp_world_destroy(world);
 *
 * SI units everywhere: metre, kilogram, second, kelvin, pascal; angles in radians; z points up by convention of our
 * scenes. A call that fails leaves the world unchanged unless its comment says otherwise, and dlp_world_error() returns
 * the error message. Pointers must not be null unless stated. A world may be used by one thread at a time; different
 * worlds may be used by different threads. */
#ifndef DOLLOP_WORLD_H
#define DOLLOP_WORLD_H

#include <dollop/defs.h>
#include <dollop/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dlp_World dlp_World;

/* The methods in this build. The parameters of a method form a struct whose layout only its table describes. */
DLP_API int dlp_method_count(void);
DLP_API const char *dlp_method_name(int index);
DLP_API const char *dlp_method_summary(int index);
DLP_API const dlp_ParamTable *dlp_method_params(const char *method); /* null if there is no such method */
/* Parameters that the method adds to each material, such as the plasticity of its springs; null if none. */
DLP_API const dlp_ParamTable *dlp_method_material_params(const char *method);
/* Whether the method uses a parameter of any table, which depends on the parameter's group only, not on other values. A world
 * accepts parameters that its method does not use, so that one material can serve several methods; scenes refuse them. */
DLP_API bool dlp_method_uses(const char *method, const dlp_Param *param);

DLP_API dlp_Result dlp_world_create(const dlp_WorldDef *def, dlp_World **world, dlp_Error *error);
DLP_API void dlp_world_destroy(dlp_World *world); /* null is allowed */

/* Message of the last call that failed: what is wrong, where, and how to fix it; "" if none failed. */
DLP_API const char *dlp_world_error(const dlp_World *world);

/* Materials. At most 65535. A change takes effect from the next step. */
DLP_API dlp_Result dlp_world_add_material(dlp_World *world, const dlp_MaterialDef *def, dlp_MaterialId *id);
DLP_API dlp_Result dlp_world_set_material(dlp_World *world, dlp_MaterialId id, const dlp_MaterialDef *def);
DLP_API dlp_Result dlp_world_get_material(const dlp_World *world, dlp_MaterialId id, dlp_MaterialDef *def);
DLP_API int dlp_world_material_count(const dlp_World *world);
/* The material at a temperature (K), as one without thermal properties: viscosity and relaxation time are those at that temperature,
 * and a material that is frozen there is an elastic solid. `keys` are its viscosities over temperature, if it has any. */
DLP_API dlp_MaterialDef dlp_material_at(const dlp_MaterialDef *material, const dlp_ViscosityKey *keys, int count,
                                        double temperature);
/* The method's own parameters of a material, as one struct that dlp_method_material_params() describes; a new material has their
 * defaults. They are checked together with the material and take effect from the next step. */
DLP_API dlp_Result dlp_world_get_material_params(const dlp_World *world, dlp_MaterialId id, void *params, size_t size);
DLP_API dlp_Result dlp_world_set_material_params(dlp_World *world, dlp_MaterialId id, const void *params, size_t size);
/* What a material amounts to with the method, the spacing and the motion of the world, at the temperature for which its parameters are
 * given. `note` says why that differs from the parameters, or "". Members that the method does not know are NaN. */
typedef struct dlp_DeliveredMaterial {
    double modulus;   /* Pa, shear modulus */
    double viscosity; /* Pa s */
    char note[160];
} dlp_DeliveredMaterial;
DLP_API dlp_Result dlp_world_deliver_material(dlp_World *world, dlp_MaterialId id, dlp_DeliveredMaterial *delivered);
/* Viscosity as a function of temperature, interpolated between keys as `viscosity_lines` says and constant below the first and
 * above the last. Keys replace `activation_energy`; relaxation times scale with viscosity. Keys are copied; temperatures must
 * increase; at most DLP_KEYS_MOST; 0 removes them. */
DLP_API dlp_Result dlp_world_set_material_viscosities(dlp_World *world, dlp_MaterialId id, const dlp_ViscosityKey *keys,
                                                      int count);
/* `keys` are valid until they are set again, and null if there are none. */
DLP_API dlp_Result dlp_world_get_material_viscosities(const dlp_World *world, dlp_MaterialId id,
                                                      const dlp_ViscosityKey **keys, int *count);

/* Meshes for shapes. The triangles are copied; a mesh must be closed and consistently oriented, or be a sheet, or the opening
 * of an emitter. Its distance field is computed here, once: 70,000 triangles take about half a second. At most 65535. */
DLP_API dlp_Result dlp_world_add_mesh(dlp_World *world, const dlp_MeshDef *def, const dlp_Mesh *mesh, dlp_MeshId *id);
/* `mesh` (may be null) is valid until the world is destroyed. */
DLP_API dlp_Result dlp_world_get_mesh(const dlp_World *world, dlp_MeshId id, dlp_MeshDef *def, dlp_Mesh *mesh);
DLP_API int dlp_world_mesh_count(const dlp_World *world);
/* Makes a mesh deform: from now on its frames give its shape at the simulated time. Vertices move between two frames in straight
 * lines at constant speed, and the wall velocity acts on fluid, also along the surface; before the first frame and after the last
 * the mesh is at rest. Frames are copied and can be set again; a single frame makes the mesh static. The distance field is
 * recomputed for each frame, and between two frames whenever any point has moved by one spacing. A step in which the mesh moves by
 * more than 64 spacings, or which passes more than 64 frames, is rejected. Solids with a density cannot deform.
 * dlp_world_get_mesh() returns the current shape. */
DLP_API dlp_Result dlp_world_set_mesh_frames(dlp_World *world, dlp_MeshId id, const dlp_MeshFrames *frames);
/* `frames` are valid until they are set again; their count is 0 if the mesh is rigid. */
DLP_API dlp_Result dlp_world_get_mesh_frames(const dlp_World *world, dlp_MeshId id, dlp_MeshFrames *frames);

DLP_API dlp_Result dlp_world_add_solid(dlp_World *world, const dlp_SolidDef *def, dlp_SolidId *id);
DLP_API dlp_Result dlp_world_set_solid(dlp_World *world, dlp_SolidId id, const dlp_SolidDef *def);
DLP_API dlp_Result dlp_world_get_solid(const dlp_World *world, dlp_SolidId id, dlp_SolidDef *def);
DLP_API int dlp_world_solid_count(const dlp_World *world);
/* Current pose and velocity of a solid, static, kinematic or free. */
typedef struct dlp_SolidState {
    dlp_Vec3 position;  /* m */
    dlp_Vec3 rotation;  /* rad, axis times angle */
    dlp_Vec3 velocity;  /* m/s, of its centre */
    dlp_Vec3 spin;      /* rad/s */
    double temperature; /* K; 0: insulated */
} dlp_SolidState;
DLP_API dlp_Result dlp_world_solid_state(const dlp_World *world, dlp_SolidId id, dlp_SolidState *state);
/* Makes a solid follow a path from now on: the keys at the simulated time replace the pose in its def; velocity, amplitude and
 * spin of the def are still added. def.path selects the interpolation between keys. Rotation takes the shortest way, so keys
 * should be less than half a turn apart. Before the first key and after the last the solid rests there. Keys are copied. Their
 * times must increase; at most DLP_KEYS_MOST; 0 removes them. */
DLP_API dlp_Result dlp_world_set_solid_keys(dlp_World *world, dlp_SolidId id, const dlp_PoseKey *keys, int count);
/* `keys` are valid until they are set again, and null if there are none. */
DLP_API dlp_Result dlp_world_get_solid_keys(const dlp_World *world, dlp_SolidId id, const dlp_PoseKey **keys,
                                            int *count);

/* Joints. At most 65535. Changing speed, strength or stops keeps the reference pose of a joint, so that a motor can be
 * controlled. Any other change, or setting one of its solids, has the effect of adding the joint again. A change takes effect
 * from the next step. */
DLP_API dlp_Result dlp_world_add_joint(dlp_World *world, const dlp_JointDef *def, dlp_JointId *id);
DLP_API dlp_Result dlp_world_set_joint(dlp_World *world, dlp_JointId id, const dlp_JointDef *def);
DLP_API dlp_Result dlp_world_get_joint(const dlp_World *world, dlp_JointId id, dlp_JointDef *def);
DLP_API int dlp_world_joint_count(const dlp_World *world);
/* Contacts. The solid and the material must exist; a change takes effect from the next step. At most DLP_CONTACTS_MOST. */
DLP_API dlp_Result dlp_world_add_contact(dlp_World *world, const dlp_ContactDef *def, dlp_ContactId *id);
DLP_API dlp_Result dlp_world_set_contact(dlp_World *world, dlp_ContactId id, const dlp_ContactDef *def);
DLP_API dlp_Result dlp_world_get_contact(const dlp_World *world, dlp_ContactId id, dlp_ContactDef *def);
DLP_API int dlp_world_contact_count(const dlp_World *world);

/* `added` (may be null) receives the number of added particles. */
DLP_API dlp_Result dlp_world_add_fluid(dlp_World *world, const dlp_FluidDef *def, int64_t *added);
/* `points`: count positions, x y z each; every particle gets the same material and velocity. */
DLP_API dlp_Result dlp_world_add_points(dlp_World *world, dlp_MaterialId material, const float *points, int64_t count,
                                        dlp_Vec3 velocity);

/* At most 65535. A companion loses the particles that a sink removes. */
DLP_API dlp_Result dlp_world_add_companion(dlp_World *world, const dlp_CompanionDef *def, dlp_CompanionId *id);
DLP_API dlp_Result dlp_world_get_companion(const dlp_World *world, dlp_CompanionId id, dlp_CompanionDef *def);
DLP_API int dlp_world_companion_count(const dlp_World *world);

DLP_API dlp_Result dlp_world_add_emitter(dlp_World *world, const dlp_EmitterDef *def, dlp_EmitterId *id);
DLP_API dlp_Result dlp_world_set_emitter(dlp_World *world, dlp_EmitterId id, const dlp_EmitterDef *def);
DLP_API dlp_Result dlp_world_get_emitter(const dlp_World *world, dlp_EmitterId id, dlp_EmitterDef *def);
DLP_API int dlp_world_emitter_count(const dlp_World *world);
/* Makes a nozzle follow a path, with the same rules as for solids. The keys replace def.position as the centre of the opening;
 * their rotation rotates def.direction and the opening. The velocity of the point of the opening that a particle leaves is added
 * to its flow velocity. */
DLP_API dlp_Result dlp_world_set_emitter_keys(dlp_World *world, dlp_EmitterId id, const dlp_PoseKey *keys, int count);
DLP_API dlp_Result dlp_world_get_emitter_keys(const dlp_World *world, dlp_EmitterId id, const dlp_PoseKey **keys,
                                              int *count);

/* Flow as a function of time: the speed is the speed of the def times `factor`, which is interpolated linearly between keys and
 * constant before the first and after the last. At 0 a nozzle with a guide holds the fluid inside it in place. Start and stop
 * still apply. Keys are copied; their times must increase; at most DLP_KEYS_MOST; 0 removes them, and the factor is 1. */
DLP_API dlp_Result dlp_world_set_emitter_flow(dlp_World *world, dlp_EmitterId id, const dlp_FlowKey *keys, int count);
/* `keys` are valid until they are set again, and null if there are none. */
DLP_API dlp_Result dlp_world_get_emitter_flow(const dlp_World *world, dlp_EmitterId id, const dlp_FlowKey **keys,
                                              int *count);
/* m/s at a flow factor of 1, also if a rate was given. */
DLP_API dlp_Result dlp_world_emitter_speed(const dlp_World *world, dlp_EmitterId id, double *speed);
/* m3 emitted between two times (s), by its current start, stop and flow. */
DLP_API dlp_Result dlp_world_emitter_volume(const dlp_World *world, dlp_EmitterId id, double from, double to,
                                            double *volume);

DLP_API dlp_Result dlp_world_add_sink(dlp_World *world, const dlp_SinkDef *def, dlp_SinkId *id);
DLP_API int dlp_world_sink_count(const dlp_World *world);

/* Cameras are written to frames with everything else; position and target must not coincide. */
DLP_API dlp_Result dlp_world_add_camera(dlp_World *world, const dlp_CameraDef *def, dlp_CameraId *id);
DLP_API dlp_Result dlp_world_get_camera(const dlp_World *world, dlp_CameraId id, dlp_CameraDef *def);
DLP_API int dlp_world_camera_count(const dlp_World *world);

DLP_API dlp_Result dlp_world_set_gravity(dlp_World *world, dlp_Vec3 gravity);

/* Shear a box that is periodic along x, y and z (Lees-Edwards boundary conditions): it flows as u_x = rate (z - middle of the box), rate in
 * 1/s, and its images across the z faces move along x with it, so that the shear is homogeneous and no wall is needed. A rate takes effect
 * at once: velocities change by the difference to the rate before. It may change between any two steps; images keep their displacement
 * at a rate of 0. Only with method physical, in one process, and without solids, companions, emitters and probes of flow, at points or
 * along lines. */
DLP_API dlp_Result dlp_world_set_shear(dlp_World *world, double rate);
/* The rate (1/s), and the strain: its integral over time so far. Both 0 in a box that was never sheared. */
DLP_API dlp_Result dlp_world_get_shear(const dlp_World *world, double *rate, double *strain);

/* The method's own parameters, as one struct that dlp_method_params() describes: get, change, set. */
DLP_API dlp_Result dlp_world_get_method(const dlp_World *world, void *params, size_t size);
DLP_API dlp_Result dlp_world_set_method(dlp_World *world, const void *params, size_t size);

/* Change velocities (m/s), for an initial flow or an external force: `push` is called for each particle with its position (m),
 * in unspecified order. */
typedef void (*dlp_PushFunction)(void *user, uint64_t id, const float position[3], float velocity[3]);
DLP_API dlp_Result dlp_world_push(dlp_World *world, dlp_PushFunction push, void *user);

/* Change temperatures (K), for an initial temperature distribution: `warm` is called for each particle with its position (m) and
 * temperature, and returns the new temperature. Fails if no material needs a temperature, see
 * dlp_MaterialDef. */
typedef double (*dlp_WarmFunction)(void *user, uint64_t id, const float position[3], double temperature);
DLP_API dlp_Result dlp_world_warm(dlp_World *world, dlp_WarmFunction warm, void *user);

/* Advance by dt seconds. On DLP_ERROR_NOT_FINITE the message names the field, the particle and the step. After that, or if
 * memory ran out, destroy the world or reload its last checkpoint; once a step has failed part-way, further steps are
 * rejected. */
DLP_API dlp_Result dlp_world_step(dlp_World *world, double dt);

/* What limited the length of a step that dlp_world_advance() chose. */
typedef enum dlp_StepLimit {
    DLP_LIMIT_NONE,     /* none: dlp_world_step() was given a length */
    DLP_LIMIT_END,      /* the time at which the step had to end */
    DLP_LIMIT_SPEED,    /* the fastest particle: Courant number */
    DLP_LIMIT_SOLIDS,   /* the fastest surface of a solid near the fluid: Courant number */
    DLP_LIMIT_EMITTERS, /* the fastest fluid from an emitter: Courant number */
    DLP_LIMIT_METHOD,   /* stability of the method with these materials */
    DLP_LIMIT_ACCURACY, /* how fast the flow changes */
    DLP_LIMIT_GROWTH,   /* the length of the step before, or the start of the simulation */
    DLP_LIMIT_LONGEST,  /* the longest step of all: 1 s */
} dlp_StepLimit;
#define DLP_LIMIT_COUNT 9
DLP_API const char *dlp_step_limit_name(dlp_StepLimit limit); /* such as "speed"; null if there is none */

/* Take one step of a length that the library chooses and that ends at the time `end` (s) at the latest; the last step ends exactly
 * then. `end` must be at least 1e-9 s away. The time left is divided into equal steps as long as the limits allow: no particle, no
 * surface of a solid near the fluid and no emitted fluid moves by more than `cfl` spacings (0.4 if it is 0) at the speeds at the
 * start of the step, with the speed that gravity adds in the step; the method is stable, and resolves the flow; a step is not
 * much longer than the one before. The choice depends on the saved state alone: it is the same for any number of threads, lanes
 * and subdomains, and after loading a checkpoint. There are no substeps. Otherwise like dlp_world_step(). */
DLP_API dlp_Result dlp_world_advance(dlp_World *world, double end);
/* The length (s) of the step that dlp_world_advance() would take now. */
DLP_API dlp_Result dlp_world_next_step(dlp_World *world, double end, double *length);

/* A view of the particles of one part (subdomain): arrays of `count`, not copies, valid until the next call that changes the
 * world. The order may change in each step; the id never does. */
typedef struct dlp_ParticleView {
    int64_t count;
    const uint64_t *id;
    const uint16_t *material;
    const float *position[3]; /* m */
    const float *velocity[3]; /* m/s */
    const float *density;     /* kg/m3 */
    const float *pressure;    /* Pa */
    const float *temperature; /* K; null if no material needs a temperature */
    /* Derived fields: null unless the last dlp_world_derive() since the last step computed them. */
    const float *shear_rate; /* 1/s */
    const float *stress[6];  /* Pa: xx yy zz xy yz xz */
    const float *viscosity;  /* Pa.s */
} dlp_ParticleView;

DLP_API int dlp_world_part_count(const dlp_World *world);
DLP_API dlp_Result dlp_world_view(const dlp_World *world, int part, dlp_ParticleView *view);
DLP_API int64_t dlp_world_particle_count(const dlp_World *world);

/* Derived fields: computed on demand from positions, velocities and the material law; the same for any number of threads, lanes
 * and subdomains. With the symmetric part D of the velocity gradient, from corrected SPH gradients (exact for linear velocity,
 * also at free surfaces; solids do not contribute; zero for particles with too few neighbours):
 * - shear rate: sqrt(2 D:D), with every method;
 * - stress: the extra stress of the material law, solvent and elastic memory included; the total stress is this minus pressure
 *   times the identity. Only with a method that has a material law in physical units: physical;
 * - viscosity: stress over shear rate of the material in steady shear, at the particle's temperature and stretch; 0 for an inviscid
 *   fluid, 1e12 for an elastic solid, which does not flow. With the same methods. */
typedef enum dlp_DerivedField {
    DLP_DERIVED_SHEAR_RATE = 1,
    DLP_DERIVED_STRESS = 2,
    DLP_DERIVED_VISCOSITY = 4,
} dlp_DerivedField;

typedef struct dlp_DerivedInfo {
    dlp_DerivedField field;
    const char *name; /* "shear_rate" */
    const char *unit;
    const char *help;
    int components;
} dlp_DerivedInfo;
/* The derived fields in order; false past the last. */
DLP_API bool dlp_derived_info(int index, dlp_DerivedInfo *info);

/* Compute derived fields (an or of dlp_DerivedField) of all particles, for dlp_world_view(). The state and the hash do not change.
 * DLP_ERROR_UNSUPPORTED: the method does not have one of them. */
DLP_API dlp_Result dlp_world_derive(dlp_World *world, int fields);
/* Derived fields that frames and exports contain from now on; 0, the default: none. They are computed when a file is written. */
DLP_API dlp_Result dlp_world_set_frame_fields(dlp_World *world, int fields);

/* Statistics of the world after its last step. Sums are computed in double precision in the order of the particles: they are
 * the same for any number of threads; subdomains may change their last digits. */
typedef struct dlp_WorldStats {
    double time; /* s */
    int64_t step;
    int64_t particles;
    int64_t removed;       /* by sinks, since the beginning */
    double density_error;  /* mean of max(0, density / rest density - 1) */
    double density_worst;  /* its maximum over all particles */
    int64_t iterations;    /* of the method's solver in the last step */
    double residual;       /* of that solver, relative to the forces; 0 if the method does not report it */
    int64_t substeps;      /* number of substeps of the last step: see `cfl` */
    double neighbors;      /* mean number of neighbours of a particle */
    double speed_max;      /* m/s */
    double kinetic_energy; /* J */
    dlp_Vec3 momentum;     /* kg m/s */
    dlp_Vec3 angular;      /* kg m2/s, about the origin */
    dlp_Vec3 center;       /* m, of mass */
    dlp_Vec3 lower, upper; /* m, box around all particles */
    int64_t memory;        /* bytes allocated now */
    int64_t memory_peak;   /* bytes, maximum so far */
    int simd;              /* lanes in use */
    int threads;           /* in use */
    double heat;           /* J, of fluid and of free bodies with a heat capacity, counted from 0 K */
    double temperature_min, temperature_max; /* K; 0 if no material needs a temperature */
    double step_length;                      /* s, of the last step, with all its substeps; 0 before the first */
    int32_t step_limit;                      /* dlp_StepLimit, what limited it */
    int32_t slowest_rank;                    /* which worked longest in the last steps */
    double imbalance;                        /* its work over the mean of all ranks; 0: one process, or not known yet */
} dlp_WorldStats;

DLP_API dlp_Result dlp_world_stats(const dlp_World *world, dlp_WorldStats *stats);

/* Time, calls and work of each stage since the beginning, in the order of first execution; false past the last. The work is a lower bound
 * from what the stage declares: every field, row and pair value that it uses is moved once per call, and rows that several particles gather
 * stay in the caches. Values of walls are not counted. Work is 0 where nothing is declared (neighbour search, sort, solver). The time of a
 * stage that contains others ("physical solve", and "row packing" within any stage) is counted in both. */
typedef struct dlp_StageTime {
    const char *name;
    double seconds;
    int64_t calls;
    int64_t bytes; /* moved between memory and processor, at least               */
    int64_t pairs; /* entries of neighbour lists visited, with those that pad them */
} dlp_StageTime;

DLP_API bool dlp_world_stage_time(const dlp_World *world, int index, dlp_StageTime *time);

/* 64-bit hash of particles, time and counters: equal for equal states, independent of particle order, threads and
 * subdomains. Definitions are not included. */
DLP_API uint64_t dlp_world_hash(const dlp_World *world);

DLP_API double dlp_world_time(const dlp_World *world);
DLP_API int64_t dlp_world_step_count(const dlp_World *world);
/* Length (s) of the last step that this world took since it was created or loaded, 0 if none, and what limited it. */
DLP_API double dlp_world_step_length(const dlp_World *world);
DLP_API dlp_StepLimit dlp_world_step_limit(const dlp_World *world);
DLP_API dlp_WorldDef dlp_world_def(const dlp_World *world);

#ifdef __cplusplus
}
#endif
#endif

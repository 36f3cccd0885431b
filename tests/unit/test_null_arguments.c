/* Every public function with every pointer null, one after another and all at once: nothing crashes, and functions that return a result
 * return DLP_ERROR_ARGUMENT unless the pointer is optional. The calls are generated from the headers (tests/support/null_calls.py), so a
 * new function is called, too. */
#include "support/null_calls.h"

#include <dollop/dollop.h>
#include <dollop/mesh.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Valid values for the other parameters, and places for results. */
typedef struct Fixture {
    const char *text, *scene_text, *const *texts;
    char buffer[4096];
    float numbers[64];
    double reals[64];
    int32_t id;
    int count;
    int64_t added;
    uint64_t hash;
    dlp_Error error;
    dlp_Hooks hooks;
    dlp_Vec3 vector;
    dlp_ShapeDef shape;
    dlp_SceneOptions scene_options;

    dlp_World *world, *new_world;
    dlp_Scene *scene, *new_scene;
    dlp_Frame *frame, *new_frame;
    dlp_Writer *writer, *new_writer;
    dlp_Ranks *new_ranks;
    dlp_OutputFile output_file;
    dlp_Model *model, *new_model;
    dlp_Samples *samples, *new_samples;
    dlp_Library *library, *new_library;
    dlp_Surface *surface, *new_surface;
    dlp_FitData *fit_data, *new_fit_data;
    dlp_Fit *fit, *new_fit;
    dlp_RheometerDef rheometer_def;
    dlp_ThreadDef thread_def;
    double scratch_reals[1], thread_radii[2];
    dlp_Measurement *measurement, *new_measurement;

    dlp_WorldDef world_def;
    dlp_MaterialDef material_def;
    dlp_SolidDef solid_def, scratch_solid;
    dlp_JointDef joint_def;
    dlp_ContactDef contact_def;
    dlp_FluidDef fluid_def;
    dlp_CompanionDef companion_def;
    dlp_EmitterDef emitter_def;
    dlp_SinkDef sink_def;
    dlp_CameraDef camera_def;
    dlp_ProbeDef probe_def;
    dlp_MeshDef mesh_def;
    dlp_SamplingDef sampling_def;
    dlp_SurfaceDef surface_def;
    char method_params[1024], material_params[1024];

    dlp_FitOptions fit_options;
    dlp_FlowPoint flow_points[4];
    dlp_ModuliPoint moduli_points[1];

    dlp_PoseKey pose_keys[1];
    dlp_FlowKey flow_keys[1];
    dlp_ViscosityKey viscosity_keys[1];
    const dlp_PoseKey *pose_keys_out;
    const dlp_FlowKey *flow_keys_out;
    const dlp_ViscosityKey *viscosity_keys_out;

    dlp_Mesh mesh, mesh_out;
    dlp_MeshFrames mesh_frames, mesh_frames_out;
    dlp_Points points;
    dlp_FrameScene frame_scene;
    dlp_FileInfo file_info;
    dlp_ParticleView view;
    dlp_WorldStats stats;
    dlp_StageTime stage_time;
    dlp_DerivedInfo derived;
    dlp_DeliveredMaterial delivered;
    dlp_SolidState solid_state;
    dlp_ProbeColumn probe_column;
    dlp_ShearState shear_states[1];
} Fixture;

static const char *const SETTINGS[] = {"run.frames=1"};

static const char SCENE[] =
    "world: {spacing: 10 cm}\nmethod: pbf\n"
    "solids: [{name: ball, shape: sphere, radius: 0.2, position: [0, 0, -1]}, {name: far, shape: box, density: 500, position: [5, 5, 5]}]\n"
    "meshes: {part: {form: spoon}}\n"
    "materials: {goo: {density: 1000}}\n"
    "contacts: [{material: goo, solid: ball, friction: 0.1}]\n"
    "joints: [{kind: hinge, solid: far}]\n"
    "fluids: [{material: goo, shape: box, size: [0.4, 0.4, 0.4]}]\n"
    "companions: [{material: goo, shape: box, size: [0.3, 0.3, 0.3], position: [2, 0, 0]}]\n"
    "emitters: [{material: goo, position: [0, 0, 3], speed: 1}]\n"
    "sinks: [{shape: box, position: [0, 0, -9]}]\n"
    "probes: [{kind: energy, name: energy}]\n"
    "cameras: [{}]\n";

static void on_probe(void *user, dlp_ProbeId id, const double *values, int count)
{
    (void)user, (void)id, (void)values, (void)count;
}

static void on_written(void *user, dlp_Result result)
{
    (void)user, (void)result;
}

static void push(void *user, uint64_t id, const float position[3], float velocity[3])
{
    (void)user, (void)id, (void)position;
    velocity[2] = 0.0f;
}

static double warm(void *user, uint64_t id, const float position[3], double temperature)
{
    (void)user, (void)id, (void)position;
    return temperature;
}

static double shear_rate(void *user, double time)
{
    (void)user, (void)time;
    return 1.0;
}

/* Whatever a call has created. */
static void release(Fixture *f)
{
    dlp_world_destroy(f->new_world);
    dlp_scene_destroy(f->new_scene);
    dlp_frame_destroy(f->new_frame);
    dlp_writer_destroy(f->new_writer);
    dlp_model_destroy(f->new_model);
    dlp_samples_destroy(f->new_samples);
    dlp_library_destroy(f->new_library);
    dlp_surface_destroy(f->new_surface);
    dlp_fit_data_destroy(f->new_fit_data);
    dlp_fit_destroy(f->new_fit);
    dlp_measurement_destroy(f->new_measurement);
    f->new_world = NULL;
    f->new_scene = NULL;
    f->new_frame = NULL;
    f->new_writer = NULL;
    f->new_model = NULL;
    f->new_samples = NULL;
    f->new_library = NULL;
    f->new_surface = NULL;
    f->new_fit_data = NULL;
    f->new_fit = NULL;
    f->new_measurement = NULL;
}

#include "null_calls.inc"

/* A scene with an item of every kind, and everything that can be made of it. */
static void fill(Fixture *f)
{
    FILE *file = fopen("scene.yaml", "w");
    assert_non_null(file);
    assert_true(fputs(SCENE, file) >= 0 && fclose(file) == 0);
    f->text = "pbf";
    f->texts = SETTINGS;
    f->scene_text = SCENE;
    f->scene_options = dlp_default_scene_options();
    if (dlp_scene_load("scene.yaml", NULL, 0, &f->scene, &f->error) != DLP_OK ||
        dlp_scene_build(f->scene, &f->world, &f->error) != DLP_OK) {
        fail_msg("%s", f->error.text);
    }
    assert_int_equal(dlp_world_step(f->world, 1e-3), DLP_OK);
    assert_int_equal(dlp_world_save(f->world, "checkpoint.h5"), DLP_OK);
    assert_int_equal(dlp_world_write_frame(f->world, "frame.vtkhdf"), DLP_OK);
    assert_int_equal(dlp_frame_read("frame.vtkhdf", NULL, &f->frame, &f->error), DLP_OK);
    assert_int_equal(dlp_library_create(&f->library, &f->error), DLP_OK);
    assert_int_equal(dlp_writer_create(NULL, on_written, NULL, &f->writer, &f->error), DLP_OK);
    f->output_file = (dlp_OutputFile){DLP_OUTPUT_FRAME, "background.vtkhdf"};

    f->world_def = dlp_default_world_def();
    f->material_def = dlp_default_material_def();
    f->solid_def = dlp_default_solid_def();
    f->joint_def = dlp_default_joint_def();
    f->contact_def = dlp_default_contact_def();
    f->fluid_def = dlp_default_fluid_def();
    f->companion_def = dlp_default_companion_def();
    f->emitter_def = dlp_default_emitter_def();
    f->sink_def = dlp_default_sink_def();
    f->camera_def = dlp_default_camera_def();
    f->probe_def = dlp_default_probe_def();
    f->mesh_def = dlp_default_mesh_def();
    f->mesh_def.form = DLP_FORM_SPOON;
    f->sampling_def = dlp_default_sampling_def();
    f->surface_def = dlp_default_surface_def();
    dlp_params_default(dlp_method_params("pbf"), f->method_params);
    dlp_params_default(dlp_method_material_params("pbf"), f->material_params);
    f->shape = f->solid_def.shape;

    assert_int_equal(dlp_model_create(&f->mesh_def, NULL, NULL, &f->model, &f->error), DLP_OK);
    f->mesh = *dlp_model_mesh(f->model);
    assert_int_equal(dlp_mesh_sample(&f->mesh, &f->sampling_def, NULL, &f->samples, &f->error), DLP_OK);
    f->surface_def.spacing = 0.1;
    assert_int_equal(dlp_surface_create(&f->surface_def, &f->surface, &f->error), DLP_OK);
    f->points = dlp_frame_points(f->frame);
    f->thread_radii[0] = f->thread_radii[1] = 1.0;
    f->thread_def = (dlp_ThreadDef){
        .size = sizeof(dlp_ThreadDef), .length = 10.0, .radii = f->thread_radii, .count = 2, .window = 1.0};
    f->rheometer_def = dlp_default_rheometer_def();
    f->rheometer_def.edge = 6;
    f->rheometer_def.points = 2;
    f->fit_options = dlp_default_fit_options();
    for (int k = 0; k < 4; k++) {
        f->flow_points[k] = (dlp_FlowPoint){k + 1.0, 2.0 * k + 3.0};
    }
    dlp_MaterialDef water = dlp_default_material_def();
    water.viscosity = 1.0;
    assert_int_equal(dlp_rheometer_run(&f->rheometer_def, &water, &f->measurement, &f->error), DLP_OK);
    assert_int_equal(dlp_fit_data_create(&f->fit_data, &f->error), DLP_OK);
    assert_int_equal(dlp_fit_data_add_flow(f->fit_data, f->flow_points, 4, &f->error), DLP_OK);
    f->frame_scene = dlp_frame_scene(f->frame);
}

static void empty(Fixture *f)
{
    dlp_measurement_destroy(f->measurement);
    dlp_fit_data_destroy(f->fit_data);
    dlp_surface_destroy(f->surface);
    dlp_samples_destroy(f->samples);
    dlp_model_destroy(f->model);
    dlp_library_destroy(f->library);
    dlp_writer_destroy(f->writer);
    dlp_frame_destroy(f->frame);
    dlp_world_destroy(f->world);
    dlp_scene_destroy(f->scene);
}

static void null_pointers_are_refused(void **state)
{
    (void)state;
    Fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    fill(f);
    null_calls_prepare();
    call_all(f);
    assert_int_equal(null_calls_finish(), 0);
    null_calls_begin("dlp_world_step", "nothing"); /* the world is still in order */
    assert_int_equal(dlp_world_step(f->world, 1e-3), DLP_OK);
    empty(f);
    free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(null_pointers_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

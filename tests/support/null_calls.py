#!/usr/bin/env python3
"""Writes calls of every public function with every pointer null in turn, for tests/unit/test_*null_arguments.c.

usage: null_calls.py OUTPUT HEADER...

The functions are read from the headers. A parameter whose type has no value below is an error, so a new function cannot be left out.
"""
import pathlib
import re
import sys

# Values of parameters by type; `f` is the Fixture of the test.
VALUES = {
    "double": "1e-3", "int": "0", "int64_t": "1", "size_t": "8", "dlp_Vec3": "(dlp_Vec3){0.0, 0.0, 1.0}",
    "const char *": 'f->text', "char *": "f->buffer", "void *": "f->buffer", "const void *": "f->buffer",
    "unsigned char *": "f->pixels", "const unsigned char *": "f->pixels", "float *": "f->numbers", "const float *": "f->numbers",
    "double *": "f->reals", "const double *": "f->reals", "int *": "&f->count", "int64_t *": "&f->added", "uint64_t *": "&f->hash",
    "const char *const *": "f->texts", "dlp_Error *": "&f->error", "const dlp_Hooks *": "&f->hooks",
    "dlp_World *": "f->world", "const dlp_World *": "f->world", "dlp_World **": "&f->new_world",
    "dlp_Scene *": "f->scene", "const dlp_Scene *": "f->scene", "dlp_Scene **": "&f->new_scene",
    "const dlp_SceneOptions *": "&f->scene_options",
    "dlp_Frame *": "f->frame", "const dlp_Frame *": "f->frame", "dlp_Frame **": "&f->new_frame",
    "dlp_Model *": "f->model", "const dlp_Model *": "f->model", "dlp_Model **": "&f->new_model",
    "dlp_Samples *": "f->samples", "const dlp_Samples *": "f->samples", "dlp_Samples **": "&f->new_samples",
    "dlp_Library *": "f->library", "const dlp_Library *": "f->library", "dlp_Library **": "&f->new_library",
    "dlp_Surface *": "f->surface", "dlp_Surface **": "&f->new_surface",
    "dlp_Canvas *": "f->canvas", "const dlp_Canvas *": "f->canvas", "dlp_Canvas **": "&f->new_canvas",
    "dlp_Renderer *": "f->renderer", "dlp_Renderer **": "&f->new_renderer",
    "const dlp_ParamTable *": "dlp_solid_params()", "const dlp_Param *": "dlp_solid_params()->params",
    "const dlp_Mesh *": "&f->mesh", "dlp_Mesh *": "&f->mesh_out", "const dlp_MeshFrames *": "&f->mesh_frames",
    "dlp_MeshFrames *": "&f->mesh_frames_out", "const dlp_Points *": "&f->points", "const dlp_FrameScene *": "&f->frame_scene",
    "dlp_PointField *": "f->point_fields", "const dlp_Drawing *": "&f->drawing", "dlp_Vec3 *": "&f->vector",
    "const dlp_ShapeDef *": "&f->shape", "dlp_FileInfo *": "&f->file_info", "dlp_ParticleView *": "&f->view",
    "dlp_WorldStats *": "&f->stats", "dlp_StageTime *": "&f->stage_time", "dlp_DerivedInfo *": "&f->derived", "dlp_DeliveredMaterial *": "&f->delivered",
    "dlp_SolidState *": "&f->solid_state", "dlp_ProbeColumn *": "&f->probe_column",
    "dlp_Writer *": "f->writer", "const dlp_Writer *": "f->writer", "dlp_Writer **": "&f->new_writer",
    "const dlp_OutputFile *": "&f->output_file", "dlp_WrittenFunction": "on_written",
    "dlp_Ranks *": "NULL", "const dlp_Ranks *": "NULL", "dlp_Ranks **": "&f->new_ranks",
    "dlp_FitData *": "f->fit_data", "const dlp_FitData *": "f->fit_data", "dlp_FitData **": "&f->new_fit_data",
    "const dlp_FitOptions *": "&f->fit_options", "dlp_Fit *": "f->fit", "const dlp_Fit *": "f->fit", "dlp_Fit **": "&f->new_fit",
    "const dlp_FlowPoint *": "f->flow_points", "const dlp_ModuliPoint *": "f->moduli_points",
    "const double *": "f->reals", "dlp_Measurement *": "f->measurement", "const dlp_Measurement *": "f->measurement",
    "dlp_Measurement **": "&f->new_measurement",
    "dlp_RankFailure": "NULL", "dlp_ProbeFunction": "on_probe", "dlp_PushFunction": "push", "dlp_WarmFunction": "warm",
    "dlp_ShearState *": "f->shear_states", "dlp_ShearRateFunction": "shear_rate",
}
for kind in "Pose", "Flow", "Viscosity":
    VALUES[f"const dlp_{kind}Key *"] = f"f->{kind.lower()}_keys"
    VALUES[f"const dlp_{kind}Key **"] = f"&f->{kind.lower()}_keys_out"
for kind in ("World", "Material", "Solid", "Joint", "Contact", "Fluid", "Companion", "Emitter", "Sink", "Camera", "Probe", "Mesh", "Sampling",
             "Surface", "Renderer", "Rheometer", "Thread"):
    VALUES[f"const dlp_{kind}Def *"] = VALUES[f"dlp_{kind}Def *"] = f"&f->{kind.lower()}_def"
for kind in "Material", "Solid", "Joint", "Contact", "Companion", "Emitter", "Sink", "Camera", "Probe", "Mesh":
    VALUES[f"dlp_{kind}Id"] = "0"
    VALUES[f"dlp_{kind}Id *"] = "&f->id"
for enum in "dlp_Grade", "dlp_Result", "dlp_TextForm", "dlp_StepLimit", "dlp_CanvasDevice", "dlp_ReferenceForm", "dlp_FitLaw", "dlp_RheometerTest", "dlp_SqueezeShape":
    VALUES[enum] = "0"

# Pointers that may be null, by the name of the parameter or by function and parameter: the call may succeed.
OPTIONAL = {
    "error", "hooks", "id", "user", "added",
    "dlp_scene_parse.name", "dlp_scene_parse.text", "dlp_world_load.host", "dlp_model_create.folder",
    "dlp_world_get_mesh.def", "dlp_world_get_mesh.mesh", "dlp_world_on_probe.function", "dlp_writer_create.written",
    "dlp_material_at.keys", "dlp_fit_create.options", "dlp_mesh_hash_files.folder", "dlp_scene_mesh.hash",
}
# Calls that succeed and would disturb the others: a second canvas takes the OpenGL context of the first, and MPI starts only once.
SKIPPED = {"dlp_canvas_create.error", "dlp_ranks_start.error"}
# Values of a parameter of one function, where that of the type does not do.
SPECIAL = {
    "dlp_fit_data_read.length": "strlen(f->text)",
    "dlp_scene_load.path": '"scene.yaml"', "dlp_scene_load_with.path": '"scene.yaml"', "dlp_scene_parse.text": "f->scene_text",
    "dlp_scene_parse.length": "strlen(f->scene_text)", "dlp_scene_load.count": "1", "dlp_scene_parse.count": "1",
    "dlp_world_save.path": '"saved.h5"', "dlp_world_load.path": '"checkpoint.h5"', "dlp_file_info.path": '"checkpoint.h5"',
    "dlp_frame_read.path": '"frame.vtkhdf"', "dlp_world_write_frame.path": '"written.vtkhdf"',
    "dlp_world_write_ply.path": '"written.ply"', "dlp_world_write_csv.path": '"written.csv"', "dlp_mesh_write.path": '"written.obj"',
    "dlp_picture_write.path": '"written.png"', "dlp_file_write.path": '"written.txt"', "dlp_file_write.size": "4", "dlp_picture_write.width": "4", "dlp_picture_write.height": "4",
    "dlp_shape_bounds.mesh_count": "1", "dlp_material_at.count": "1", "dlp_material_at.temperature": "300.0",
    "dlp_world_get_method.size": "dlp_method_params(\"pbf\")->size", "dlp_world_set_method.size": "dlp_method_params(\"pbf\")->size",
    "dlp_world_get_material_params.size": "dlp_method_material_params(\"pbf\")->size",
    "dlp_world_set_material_params.size": "dlp_method_material_params(\"pbf\")->size",
    "dlp_world_set_material_params.params": "f->material_params", "dlp_world_set_method.params": "f->method_params",
    "dlp_world_get_material_params.params": "f->buffer",
    "dlp_material_shear.count": "1", "dlp_material_creep.count": "1", "dlp_material_thread.count": "1", "dlp_material_thread.necks": "f->scratch_reals",
    "dlp_params_default.def": "&f->scratch_solid", "dlp_params_check.def": "&f->solid_def", "dlp_params_is_default.def": "&f->solid_def",
    "dlp_world_set_solid_keys.count": "1", "dlp_world_set_emitter_keys.count": "1", "dlp_world_set_emitter_flow.count": "1",
    "dlp_world_set_material_viscosities.count": "1", "dlp_world_read_probe.count": "4", "dlp_writer_start.count": "1",
    "dlp_world_advance.end": "dlp_world_time(f->world) + 1e-3", "dlp_world_next_step.end": "dlp_world_time(f->world) + 1e-3",
    "dlp_model_create.folder": '"."', "dlp_text_escape.size": "sizeof f->buffer",
    "dlp_colors_map.high": "1.0", "dlp_colors_map.low": "0.0",
}


def functions(headers):
    """(result, name, [(type, name), ...]) of each public function."""
    for header in map(pathlib.Path, headers):
        text = re.sub(r"/\*.*?\*/|^\s*#.*?$", " ", header.read_text(), flags=re.S | re.M)
        for declaration in re.findall(r"\bDLP_API\b([^;{]*);", text):
            match = re.fullmatch(r"\s*(.*?)(\w+)\s*\((.*)\)\s*", declaration, flags=re.S)
            if not match:
                sys.exit(f"{header}: cannot read: {declaration}")
            result, name, parameters = (" ".join(part.split()) for part in match.groups())
            split = [re.fullmatch(r"(.*?[\s*])(\w+)", " ".join(p.split())).groups() for p in parameters.split(",") if p.strip() != "void"]
            yield result.strip(), name, [(kind.strip(), parameter) for kind, parameter in split]


def is_pointer(kind):
    return "*" in kind or kind.endswith("Function")


def write_call(out, result, name, parameters, nulls):
    """One call; `nulls` are the indices of the parameters that are null."""
    words = []
    for i, (kind, parameter) in enumerate(parameters):
        key = f"{name}.{parameter}"
        if key not in SPECIAL and kind not in VALUES:
            sys.exit(f"null_calls.py has no value for {kind} {parameter} of {name}")
        words.append("NULL" if i in nulls else SPECIAL.get(key, VALUES.get(kind)))
    call = f"{name}({', '.join(words)})"
    missing = [parameters[i][1] for i in nulls]
    required = any(p not in OPTIONAL and f"{name}.{p}" not in OPTIONAL for p in missing)
    out.append(f'    null_calls_begin("{name}", "{", ".join(missing)}");')
    if result == "dlp_Result" and required:
        out.append(f"    null_calls_refused({call});")
    elif result == "char *":
        out.append(f"    dlp_text_free({call});")
    else:
        out.append(f"    (void){call};" if result != "void" else f"    {call};")
    out.append("    release(f);")


def main():
    output, headers = sys.argv[1], sys.argv[2:]
    out, names = ["/* Generated by tests/support/null_calls.py. */"], []
    for result, name, parameters in functions(headers):
        pointers = [i for i, (kind, p) in enumerate(parameters) if is_pointer(kind) and f"{name}.{p}" not in SKIPPED]
        if pointers:
            names.append(name)
            out.append(f"static void call_{name}(Fixture *f)\n{{")
            for nulls in [[i] for i in pointers] + ([pointers] if len(pointers) > 1 else []):
                write_call(out, result, name, parameters, nulls)
            out.append("}\n")
    out.append("static void call_all(Fixture *f)\n{")
    out.extend(f"    call_{name}(f);" for name in names)
    out.append("}")
    pathlib.Path(output).write_text("\n".join(out) + "\n")


main()

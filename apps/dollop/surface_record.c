/* Builds surface.json in memory and writes it. */
#include "surface_record.h"

#include "apps/shared/folder_files.h"
#include "json_out.h"

#include <dollop/dollop.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void write_list(Json *json, const char *key, const dlp_ParamTable *table, const void *defs, int count)
{
    json_key(json, key);
    fputc('[', json->file);
    for (int i = 0; i < count; i++) {
        fputs(i > 0 ? ", " : "", json->file);
        json_write_params(json->file, table, (const char *)defs + (size_t)i * table->size);
    }
    fputc(']', json->file);
}

/* Members that are common to all frames, from the first frame. */
static void write_header(FILE *stream, const dlp_Frame *frame)
{
    const dlp_FrameScene scene = dlp_frame_scene(frame);
    Json json = json_begin(stream);
    json_text(&json, "dollop", dlp_version());
    json_real(&json, "spacing", dlp_frame_info(frame).spacing);
    write_list(&json, "materials", dlp_material_params(), scene.materials, scene.material_count);
    write_list(&json, "cameras", dlp_camera_params(), scene.cameras, scene.camera_count);
    json_key(&json, "frames");
    fputc('[', stream);
}

ExitCode record_frame(SurfaceRecord *record, const FolderPath *path, const FolderPath *mesh, const dlp_Frame *frame)
{
    const double time = dlp_frame_info(frame).time;
    const FolderPath folder = path_folder(mesh);
    ExitCode code = EXIT_DONE;
    if (record->frames > 0 && strcmp(folder.text, record->folder.text) != 0) {
        code = record_write(record);
        record_release(record);
    }
    if (record->frames == 0) {
        record->folder = folder;
        record->stream = open_memstream(&record->text, &record->size);
        record->first = time;
        if (record->stream) {
            write_header(record->stream, frame);
        }
    }
    record->frames++;
    record->meshes = 0;
    record->last = time;
    if (!record->stream) {
        return code;
    }
    const char *digits = path_base(path) + strcspn(path_base(path), "0123456789");
    fputs(record->frames > 1 ? ",\n" : "\n", record->stream);
    Json json = json_begin(record->stream);
    json_integer(&json, "number", *digits ? strtoll(digits, NULL, 10) : record->frames - 1);
    json_real(&json, "time", time);
    json_key(&json, "meshes");
    fputc('[', record->stream);
    return code;
}

void record_mesh(SurfaceRecord *record, const FolderPath *mesh, int material)
{
    if (!record->stream) {
        return;
    }
    fputs(record->meshes++ > 0 ? ", " : "", record->stream);
    Json json = json_begin(record->stream);
    json_text(&json, "file", path_base(mesh));
    json_integer(&json, "material", material);
    fputc('}', record->stream);
}

void record_frame_end(SurfaceRecord *record, const dlp_Frame *frame)
{
    const dlp_FrameScene scene = dlp_frame_scene(frame);
    if (record->stream) {
        Json json = {.file = record->stream, .filled = true};
        fputc(']', record->stream);
        write_list(&json, "solids", dlp_solid_params(), scene.solids, scene.solid_count);
        fputc('}', record->stream);
    }
}

ExitCode record_write(SurfaceRecord *record)
{
    const double duration = record->last - record->first;
    bool ok = record->stream != NULL;
    if (record->frames == 0) {
        return EXIT_DONE;
    }
    if (ok) {
        Json json = {.file = record->stream, .filled = true};
        fputs("\n]", record->stream);
        json_real(&json, "frame_rate", duration > 0.0 ? (double)(record->frames - 1) / duration : 0.0);
        json_end(&json);
        ok = fclose(record->stream) == 0;
        record->stream = NULL;
    }
    const FolderPath path = folder_file(&(RunFolder){.path = record->folder, .lock = -1}, "surface.json");
    return ok ? file_write_text(path.text, record->text) : file_fail("write", path.text, ENOMEM);
}

void record_release(SurfaceRecord *record)
{
    if (record->stream) {
        fclose(record->stream);
    }
    free(record->text);
    *record = (SurfaceRecord){0};
}

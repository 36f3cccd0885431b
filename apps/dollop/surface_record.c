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

/* The data of an entry begins with this; two texts follow: members that are common to all frames, and those of the frame after its
 * number. */
typedef struct EntryHead {
    FolderPath folder;
    int64_t number; /* -1: the frame has none */
    double time;    /* s */
} EntryHead;

void entry_begin(RecordEntry *entry, const FolderPath *path, const FolderPath *mesh, const dlp_Frame *frame)
{
    const char *digits = path_base(path) + strcspn(path_base(path), "0123456789");
    const EntryHead head = {path_folder(mesh), *digits ? strtoll(digits, NULL, 10) : -1, dlp_frame_info(frame).time};
    *entry = (RecordEntry){.stream = NULL};
    entry->stream = open_memstream(&entry->data, &entry->size);
    if (entry->stream) {
        Json json = {.file = entry->stream, .filled = true};
        fwrite(&head, sizeof head, 1, entry->stream);
        write_header(entry->stream, frame);
        fputc(0, entry->stream);
        json_real(&json, "time", head.time);
        json_key(&json, "meshes");
        fputc('[', entry->stream);
    }
}

void entry_mesh(RecordEntry *entry, const FolderPath *mesh, int material)
{
    if (!entry->stream) {
        return;
    }
    fputs(entry->meshes++ > 0 ? ", " : "", entry->stream);
    Json json = json_begin(entry->stream);
    json_text(&json, "file", path_base(mesh));
    json_integer(&json, "material", material);
    fputc('}', entry->stream);
}

void entry_end(RecordEntry *entry, const dlp_Frame *frame)
{
    const dlp_FrameScene scene = dlp_frame_scene(frame);
    bool ok = entry->stream != NULL;
    if (ok) {
        Json json = {.file = entry->stream, .filled = true};
        fputc(']', entry->stream);
        write_list(&json, "solids", dlp_solid_params(), scene.solids, scene.solid_count);
        fputc('}', entry->stream);
        fputc(0, entry->stream);
        ok = fclose(entry->stream) == 0;
        entry->stream = NULL;
    }
    if (!ok) {
        free(entry->data);
        entry->data = NULL;
        entry->size = 0;
    }
}

ExitCode record_add(SurfaceRecord *record, const void *data)
{
    const char *header = (const char *)data + sizeof(EntryHead), *frame = header + strlen(header) + 1;
    EntryHead head;
    ExitCode code = EXIT_DONE;
    memcpy(&head, data, sizeof head);
    if (record->frames > 0 && strcmp(head.folder.text, record->folder.text) != 0) {
        code = record_write(record);
        record_release(record);
    }
    if (record->frames == 0) {
        record->folder = head.folder;
        record->stream = open_memstream(&record->text, &record->size);
        record->first = head.time;
        if (record->stream) {
            fputs(header, record->stream);
        }
    }
    if (record->stream) {
        fputs(record->frames > 0 ? ",\n" : "\n", record->stream);
        Json json = json_begin(record->stream);
        json_integer(&json, "number", head.number >= 0 ? head.number : record->frames);
        fputs(frame, record->stream);
    }
    record->frames++;
    record->last = head.time;
    return code;
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

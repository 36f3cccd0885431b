/* Files: frames that ParaView opens (HDF5 in the VTKHDF layout), checkpoints with the complete state of a world, PLY and CSV.
 * Every file is written as NAME.part, flushed to disk and renamed to NAME, so a reader sees either the old or the new file, never
 * a partial one. A NAME.part left by a killed run is overwritten by the next run. A symbolic link is replaced, not written through; only
 * regular files are opened, so that a pipe never blocks. HDF5 has global state: call these functions from one thread at a time. To write
 * files while steps run: dollop/writer.h. */
#ifndef DOLLOP_FILES_H
#define DOLLOP_FILES_H

#include <dollop/surface.h>
#include <dollop/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Save the complete state. A world that contains NaN or infinity is refused (DLP_ERROR_NOT_FINITE), so that it cannot replace
 * the last good checkpoint. */
DLP_API dlp_Result dlp_world_save(dlp_World *world, const char *path);
/* Create a world from a checkpoint. `hooks`, `threads`, `simd` and `subdomains` come from `host` (null: defaults), everything
 * else from the file, whose checksum is verified first. The world continues bitwise as if it had not been interrupted. The
 * checksum detects accidental damage only: HDF5 is not safe against malicious files, so do not load checkpoints from sources
 * you do not trust. */
DLP_API dlp_Result dlp_world_load(const char *path, const dlp_WorldDef *host, dlp_World **world, dlp_Error *error);

/* Write position and all visible fields of the particles. Works for a world with NaN or infinity, too. */
DLP_API dlp_Result dlp_world_write_frame(dlp_World *world, const char *path);
DLP_API dlp_Result dlp_world_write_ply(dlp_World *world, const char *path);
DLP_API dlp_Result dlp_world_write_csv(dlp_World *world, const char *path);

typedef enum dlp_FileKind { DLP_FILE_FRAME, DLP_FILE_CHECKPOINT } dlp_FileKind;

typedef struct dlp_FileInfo {
    dlp_FileKind kind;
    int64_t bytes;
    char version[32]; /* version of the library that wrote the file */
    char method[DLP_NAME_SIZE];
    double time; /* s */
    int64_t step;
    int64_t particles;
    double spacing;        /* m */
    dlp_Vec3 lower, upper; /* m, bounding box of the particles */
    char fields[512];      /* "position velocity ..." */
} dlp_FileInfo;

/* Read the summary of a frame or checkpoint, after verifying its checksum. */
DLP_API dlp_Result dlp_file_info(const char *path, dlp_FileInfo *info, dlp_Error *error);

/* A frame read from a file: its particles as points with all numeric fields. Pointers are valid until the frame is destroyed. */
typedef struct dlp_Frame dlp_Frame;

DLP_API dlp_Result dlp_frame_read(const char *path, const dlp_Hooks *hooks, dlp_Frame **frame, dlp_Error *error);
DLP_API void dlp_frame_destroy(dlp_Frame *frame); /* may be null */
DLP_API dlp_FileInfo dlp_frame_info(const dlp_Frame *frame);
DLP_API dlp_Points dlp_frame_points(const dlp_Frame *frame);

/* The scene around the particles; the material of a point is an index into `materials`. Empty in frames of older versions. */
typedef struct dlp_FrameScene {
    int material_count, solid_count, camera_count, mesh_count;
    const dlp_MaterialDef *materials;
    const dlp_SolidDef *solids; /* with their pose in this frame */
    const dlp_CameraDef *cameras;
    const dlp_Mesh *meshes; /* of solids; without normals */
} dlp_FrameScene;
DLP_API dlp_FrameScene dlp_frame_scene(const dlp_Frame *frame);
/* The box around a shape; `meshes` are those of the scene. False if it has none: a plane, or a mesh that is missing. */
DLP_API bool dlp_shape_bounds(const dlp_ShapeDef *shape, const dlp_Mesh *meshes, int mesh_count, dlp_Vec3 *lower,
                              dlp_Vec3 *upper);

/* Write a mesh with its normals and fields. The extension of the path selects the format: .ply, .obj (without fields), .glb. A
 * closed mesh can also be written as an OpenVDB level set, .vdb: the float grid 'surface' holds the signed distance to the mesh,
 * negative inside, within three cells (`mesh->cell`). OpenVDB uses its own threads (TBB). DLP_ERROR_UNSUPPORTED: dollop was built
 * without OpenVDB. */
DLP_API dlp_Result dlp_mesh_write(const dlp_Mesh *mesh, const char *path, dlp_Error *error);

/* Write any other file in the same way, such as a record of a run. */
DLP_API dlp_Result dlp_file_write(const char *path, const void *bytes, size_t size, dlp_Error *error);

#ifdef __cplusplus
}
#endif
#endif

/* Files: frames that ParaView opens (HDF5 in the VTKHDF layout), checkpoints that hold a whole world, PLY and CSV.
 * Every file is written beside its place (as NAME.part), flushed to disk and renamed into it, so a reader sees the old
 * file or the new one and never half of one; what a killed run leaves is taken over by the next. HDF5 keeps state of its
 * own: call these from one thread at a time. */
#ifndef DOLLOP_FILES_H
#define DOLLOP_FILES_H

#include <dollop/surface.h>
#include <dollop/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Save the whole state. A world that holds NaN or infinity is refused (DLP_ERROR_NOT_FINITE), so that it never replaces
 * its last good checkpoint. */
DLP_API dlp_Result dlp_world_save(dlp_World *world, const char *path);
/* Build a world from a checkpoint. `hooks`, `threads`, `simd` and `subdomains` come from `host` (null: defaults), all
 * else from the file, whose checksum is verified before anything in it is believed. The world goes on from there bit
 * for bit. The checksum is against accidents: HDF5 itself does not withstand every file that someone may forge, so do
 * not load checkpoints from people you do not trust. */
DLP_API dlp_Result dlp_world_load(const char *path, const dlp_WorldDef *host, dlp_World **world, dlp_Error *error);

/* What is to be looked at: the position and every field that is shown. Also of a world gone wrong. */
DLP_API dlp_Result dlp_world_write_frame(dlp_World *world, const char *path);
DLP_API dlp_Result dlp_world_write_ply(dlp_World *world, const char *path);
DLP_API dlp_Result dlp_world_write_csv(dlp_World *world, const char *path);

typedef enum dlp_FileKind { DLP_FILE_FRAME, DLP_FILE_CHECKPOINT } dlp_FileKind;

typedef struct dlp_FileInfo {
    dlp_FileKind kind;
    int64_t bytes;
    char version[32]; /* of the library that wrote it */
    char method[DLP_NAME_SIZE];
    double time; /* s */
    int64_t step;
    int64_t particles;
    double spacing;        /* m */
    dlp_Vec3 lower, upper; /* m, box around the particles */
    char fields[512];      /* "position velocity ..." */
} dlp_FileInfo;

/* Read what a frame or checkpoint says of itself, after verifying its checksum. */
DLP_API dlp_Result dlp_file_info(const char *path, dlp_FileInfo *info, dlp_Error *error);

/* A frame read back: its particles as points, with all fields that are numbers. Pointers are valid until it is destroyed. */
typedef struct dlp_Frame dlp_Frame;

DLP_API dlp_Result dlp_frame_read(const char *path, const dlp_Hooks *hooks, dlp_Frame **frame, dlp_Error *error);
DLP_API void dlp_frame_destroy(dlp_Frame *frame); /* null is fine */
DLP_API dlp_FileInfo dlp_frame_info(const dlp_Frame *frame);
DLP_API dlp_Points dlp_frame_points(const dlp_Frame *frame);

/* What the particles are among; a point's material is an index into the list. Frames of older versions have none of it. */
typedef struct dlp_FrameScene {
    int material_count, solid_count, camera_count, mesh_count;
    const dlp_MaterialDef *materials;
    const dlp_SolidDef *solids; /* where they stand in the frame */
    const dlp_CameraDef *cameras;
    const dlp_Mesh *meshes; /* that solids are made of; without normals */
} dlp_FrameScene;
DLP_API dlp_FrameScene dlp_frame_scene(const dlp_Frame *frame);

/* Write a mesh with its normals and fields; the end of the path tells the format: .ply, .obj (without fields), .glb. A closed
 * mesh can also be written as a level set of OpenVDB, .vdb: the float grid 'surface' holds the distance from the mesh, negative
 * inside, within three cells (`mesh->cell`) of it. OpenVDB works on threads of its own (TBB); DLP_ERROR_UNSUPPORTED says that
 * dollop was built without it. */
DLP_API dlp_Result dlp_mesh_write(const dlp_Mesh *mesh, const char *path, dlp_Error *error);

#ifdef __cplusplus
}
#endif
#endif

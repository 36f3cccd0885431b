/* The header of a PLY file: its elements and their properties. */
#ifndef DLP_IO_PLY_HEADER_H
#define DLP_IO_PLY_HEADER_H

#include "io/mesh_scanner.h"

enum { DLP_PLY_MAX_ELEMENTS = 32, DLP_PLY_MAX_PROPERTIES = 512 };

typedef enum dlp__PlyFormat { DLP_PLY_TEXT, DLP_PLY_LITTLE_ENDIAN, DLP_PLY_BIG_ENDIAN } dlp__PlyFormat;

typedef enum dlp__PlyType {
    DLP_PLY_NONE,
    DLP_PLY_INT8,
    DLP_PLY_UINT8,
    DLP_PLY_INT16,
    DLP_PLY_UINT16,
    DLP_PLY_INT32,
    DLP_PLY_UINT32,
    DLP_PLY_FLOAT32,
    DLP_PLY_FLOAT64,
} dlp__PlyType;

/* The meaning of a property; all others are skipped. */
typedef enum dlp__PlyRole { DLP_PLY_X, DLP_PLY_Y, DLP_PLY_Z, DLP_PLY_CORNERS, DLP_PLY_OTHER } dlp__PlyRole;

typedef struct dlp__PlyProperty {
    dlp__PlyType type;
    dlp__PlyType count_type; /* type of the length of a list, DLP_PLY_NONE if it is not a list */
    dlp__PlyRole role;
} dlp__PlyProperty;

typedef enum dlp__PlyKind { DLP_PLY_VERTEX, DLP_PLY_FACE, DLP_PLY_SKIPPED } dlp__PlyKind;

typedef struct dlp__PlyElement {
    dlp__PlyKind kind;
    dlp__PrintableWord name;
    int64_t count;
    int property_count;
    const dlp__PlyProperty *properties;
    bool has_lists;
    int64_t min_bytes; /* of one element; lists may be empty */
} dlp__PlyElement;

typedef struct dlp__PlyHeader {
    dlp__PlyFormat format;
    int element_count, property_count;
    int64_t vertex_count;
    dlp__PlyElement elements[DLP_PLY_MAX_ELEMENTS];
    dlp__PlyProperty properties[DLP_PLY_MAX_PROPERTIES];
} dlp__PlyHeader;

int dlp__ply_type_size(dlp__PlyType type); /* bytes */

/* Reads up to the line after `end_header`. Counts are only checked to be whole numbers from 0. */
dlp_Result dlp__ply_read_header(dlp__MeshScanner *scanner, dlp__PlyHeader *header, dlp_Error *error);

#endif

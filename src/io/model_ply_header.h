/* The header of a PLY file: which elements follow, and what each of them consists of. */
#ifndef DLP_IO_MODEL_PLY_HEADER_H
#define DLP_IO_MODEL_PLY_HEADER_H

#include "io/model_text.h"

enum { DLP_PLY_ELEMENTS_MOST = 32, DLP_PLY_PROPERTIES_MOST = 512 };

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

/* What a property is to us; all others are passed over. */
typedef enum dlp__PlyRole { DLP_PLY_X, DLP_PLY_Y, DLP_PLY_Z, DLP_PLY_CORNERS, DLP_PLY_OTHER } dlp__PlyRole;

typedef struct dlp__PlyProperty {
    dlp__PlyType type;
    dlp__PlyType count_type; /* of the number before a list, DLP_PLY_NONE if it is no list */
    dlp__PlyRole role;
} dlp__PlyProperty;

typedef enum dlp__PlyKind { DLP_PLY_VERTEX, DLP_PLY_FACE, DLP_PLY_PASSED_OVER } dlp__PlyKind;

typedef struct dlp__PlyElement {
    dlp__PlyKind kind;
    dlp__ShownWord name;
    int64_t count;
    int property_count;
    const dlp__PlyProperty *properties;
    bool has_lists;
    int64_t least_bytes; /* of one of them; lists may be empty */
} dlp__PlyElement;

typedef struct dlp__PlyHeader {
    dlp__PlyFormat format;
    int element_count, property_count;
    int64_t vertex_count;
    dlp__PlyElement elements[DLP_PLY_ELEMENTS_MOST];
    dlp__PlyProperty properties[DLP_PLY_PROPERTIES_MOST];
} dlp__PlyHeader;

int dlp__ply_type_size(dlp__PlyType type); /* bytes */

/* Reads up to the line behind `end_header`. Counts are only known to be whole numbers from 0 on. */
dlp_Result dlp__ply_read_header(dlp__ModelText *text, dlp__PlyHeader *header, dlp_Error *error);

#endif

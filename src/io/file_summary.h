/* The summary of a frame or a checkpoint: attributes of the root group in both kinds of file. */
#ifndef DLP_IO_FILE_SUMMARY_H
#define DLP_IO_FILE_SUMMARY_H

#include "io/hdf5_tools.h"

#include <dollop/world.h>

typedef struct dlp__Summary {
    size_t size;
    char version[DLP_NAME_SIZE]; /* of the library that wrote the file */
    char method[DLP_NAME_SIZE];
    double time; /* s */
    int64_t step;
    int64_t particles;
    double spacing;        /* m */
    dlp_Vec3 lower, upper; /* m, bounding box of the particles; zero if there are none */
} dlp__Summary;

/* All ranks make it together. */
dlp_Result dlp__summary_make(const dlp_World *world, dlp__Summary *summary, dlp_Error *error);
dlp_Result dlp__summary_write(hid_t file, const dlp__Summary *summary, dlp_Error *error);
dlp_Result dlp__summary_read(hid_t file, dlp__Summary *summary, dlp_Error *error);

#endif

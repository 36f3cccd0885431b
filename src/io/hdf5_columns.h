/* Large particle datasets of a file that is being written. Creating a dataset and filling it are separate: the caller creates it while
 * it reads the world, and the values are compressed and written later, perhaps by another thread and from a copy of the particles.
 * Chunks are compressed in parallel; HDF5, which serves one thread at a time, only stores the compressed bytes. */
#ifndef DLP_IO_HDF5_COLUMNS_H
#define DLP_IO_HDF5_COLUMNS_H

#include "neighbors/domain.h"

#include <hdf5.h>

#define DLP_CHUNK_ROWS    65536 /* particles: 256 KiB of floats */
#define DLP_DEFLATE_LEVEL 1     /* level 3 takes a third longer and saves one per cent */

/* Fills items begin <= i < end of an array that is generated block by block. */
typedef void (*dlp__FillFunction)(void *block, int64_t begin, int64_t end);

/* A dataset of shape (rows) or (rows, columns) in chunks of one column, shuffled and deflated. */
typedef struct dlp__Hdf5Columns {
    hid_t dataset;
    int64_t rows;
    int columns;
    size_t size;            /* bytes of an item */
    int field;              /* of the particles, or DLP_FIELD_NONE */
    dlp__FillFunction fill; /* if it is not a field */
} dlp__Hdf5Columns;

enum { DLP_PENDING_MOST = DLP_FIELDS_MOST + 8 };

/* The datasets that have not been filled yet. */
typedef struct dlp__Hdf5Pending {
    int count;
    dlp__Hdf5Columns columns[DLP_PENDING_MOST];
} dlp__Hdf5Pending;

/* The particles in sequence: of the subdomains of a world, or one copy of them. */
typedef struct dlp__ParticleParts {
    int count;
    const dlp__Particles *part[DLP_DOMAINS_MOST];
} dlp__ParticleParts;

dlp__ParticleParts dlp__particle_parts(const dlp__Domains *domains);

/* Whether as many rows are compressed; fewer are written when the dataset is created. */
bool dlp__hdf5_is_compressed(int64_t rows);

/* Fill and close all pending datasets. `memory` is used for a few chunks per thread. */
dlp_Result dlp__hdf5_fill(dlp__Hdf5Pending *pending, const dlp__ParticleParts *parts, const dlp__Parallel *parallel,
                          dlp__Memory *memory, dlp_Error *error);
/* Close them unfilled, for a file that is discarded. */
void dlp__hdf5_drop(dlp__Hdf5Pending *pending);

#endif

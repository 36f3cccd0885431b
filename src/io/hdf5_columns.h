/* Large particle datasets of a file that is being written. Creating a dataset and filling it are separate: the caller creates it while
 * it reads the world, and the values are compressed and written later, perhaps by another thread and from a copy of the particles.
 * Chunks are compressed in parallel; HDF5, which serves one thread at a time, only stores the compressed bytes. Over several ranks
 * the datasets are not compressed: see rank_rows.h. */
#ifndef DLP_IO_HDF5_COLUMNS_H
#define DLP_IO_HDF5_COLUMNS_H

#include "neighbors/domain.h"

#include <hdf5.h>

#define DLP_CHUNK_ROWS    65536 /* particles: 256 KiB of floats */
#define DLP_DEFLATE_LEVEL 1     /* level 3 takes a third longer and saves one per cent */

/* Fills items begin <= i < end of an array that is generated block by block. */
typedef void (*dlp__FillFunction)(void *block, int64_t begin, int64_t end);

/* A dataset of shape (rows) or (rows, columns) in chunks of one column, shuffled and deflated. Its values are a field of the particles,
 * generated, or rows in memory. */
typedef struct dlp__Hdf5Columns {
    hid_t dataset;
    hid_t type; /* of an item in memory */
    int64_t rows;
    int columns;
    size_t size;            /* bytes of an item */
    int field;              /* of the particles, or DLP_FIELD_NONE */
    dlp__FillFunction fill; /* if it is generated */
    /* Over several ranks: */
    void *data; /* the rows of this rank, which are released with the columns; null: a field, or generated */
    int64_t data_rows;
    char name[128]; /* in the file, once it is closed */
} dlp__Hdf5Columns;

enum { DLP_PENDING_MOST = DLP_FIELDS_MOST + 8 };

/* The datasets that have not been filled yet. */
typedef struct dlp__Hdf5Pending {
    dlp_Ranks *ranks; /* that will fill them together; null: one process */
    dlp__Memory *memory;
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
/* Forget them. Those that are still open are closed unfilled, for a file that is discarded. */
void dlp__hdf5_drop(dlp__Hdf5Pending *pending);
/* Close the datasets, but remember their names, to fill them when the file has been opened again. */
dlp_Result dlp__hdf5_detach(dlp__Hdf5Pending *pending, dlp_Error *error);

#endif

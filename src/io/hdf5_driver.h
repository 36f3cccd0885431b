/* HDF5 accesses the disk through our descriptor. So the bytes that were verified are the bytes that are parsed, and a
 * full disk does not stop HDF5 halfway: the first failed write is recorded, later ones are dropped, HDF5 closes
 * normally, and the file is discarded. */
#ifndef DLP_IO_HDF5_DRIVER_H
#define DLP_IO_HDF5_DRIVER_H

#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>

#if H5_VERSION_GE(1, 13, 2)
#include <H5FDdevelop.h>
#endif

typedef struct dlp__Hdf5Disk {
    H5FD_t head; /* HDF5's part; must be first */
    int descriptor;
    int failure;       /* errno of the first failed read or write, or 0 */
    haddr_t allocated; /* bytes of the file allocated by HDF5 */
    haddr_t length;    /* bytes of the file */
} dlp__Hdf5Disk;

/* A driver for the file access property list `access`, to be released with H5FDunregister after the file is closed;
 * negative on failure. `disk` must outlive it and serves one open file at a time. */
hid_t dlp__hdf5_driver(hid_t access, dlp__Hdf5Disk *disk, int descriptor, int64_t length);

#endif

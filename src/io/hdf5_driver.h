/* HDF5's way to the disk goes through a descriptor of ours. So the bytes that were verified are the bytes that are
 * parsed, and a full disk never surprises HDF5 in the middle of its work: the first failed write is remembered, later
 * ones are dropped, HDF5 closes in good order, and the file is thrown away. */
#ifndef DLP_IO_HDF5_DRIVER_H
#define DLP_IO_HDF5_DRIVER_H

#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>

#if H5_VERSION_GE(1, 13, 2)
#include <H5FDdevelop.h>
#endif

typedef struct dlp__Hdf5Disk {
    H5FD_t head; /* HDF5's own; must come first */
    int descriptor;
    int failure;       /* errno of the first read or write that failed, or 0 */
    haddr_t allocated; /* bytes of the file that HDF5 has given to itself    */
    haddr_t length;    /* bytes of the file                                  */
} dlp__Hdf5Disk;

/* A driver for the file access list `access`, to be released with H5FDunregister once the file is closed; negative on
 * failure. `disk` must outlive it and serves one open file at a time. */
hid_t dlp__hdf5_driver(hid_t access, dlp__Hdf5Disk *disk, int descriptor, int64_t length);

#endif

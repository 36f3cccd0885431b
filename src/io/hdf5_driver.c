/* A virtual file driver of HDF5: the callbacks that open, size, read and write a file. */
#include "io/hdf5_driver.h"

#include "io/atomic_file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define MAX_ADDRESS   ((haddr_t)1 << 60)
#define DRIVER_NUMBER 500 /* required since HDF5 1.13; 256 to 511 are not reserved */

/* HDF5 copies this with its access property lists. */
typedef struct DriverInfo {
    dlp__Hdf5Disk *disk;
} DriverInfo;

static H5FD_t *open_disk(const char *name, unsigned flags, hid_t access, haddr_t max_address)
{
    (void)name;
    (void)flags;
    (void)max_address;
    const DriverInfo *info = H5Pget_driver_info(access);
    return info != NULL ? &info->disk->head : NULL;
}

static herr_t close_disk(H5FD_t *file)
{
    (void)file; /* the descriptor is owned by the caller */
    return 0;
}

static herr_t query_disk(const H5FD_t *file, unsigned long *flags)
{
    (void)file;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA;
    return 0;
}

static haddr_t get_allocated(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return ((const dlp__Hdf5Disk *)file)->allocated;
}

static herr_t set_allocated(H5FD_t *file, H5FD_mem_t type, haddr_t address)
{
    (void)type;
    ((dlp__Hdf5Disk *)file)->allocated = address;
    return 0;
}

static haddr_t get_length(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return ((const dlp__Hdf5Disk *)file)->length;
}

static bool in_range(haddr_t address, size_t size)
{
    return address <= MAX_ADDRESS && size <= MAX_ADDRESS - address;
}

/* Past the end of the file there are zeros, as HDF5 expects while it extends a file. */
static herr_t read_disk(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size, void *bytes)
{
    (void)type;
    (void)transfer;
    dlp__Hdf5Disk *disk = (dlp__Hdf5Disk *)file;
    if (!in_range(address, size)) {
        return -1;
    }
    int failure = dlp__read_at(disk->descriptor, bytes, size, (int64_t)address);
    if (failure != 0) {
        disk->failure = disk->failure != 0 ? disk->failure : failure;
        return -1;
    }
    return 0;
}

static herr_t write_disk(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size, const void *bytes)
{
    (void)type;
    (void)transfer;
    dlp__Hdf5Disk *disk = (dlp__Hdf5Disk *)file;
    if (!in_range(address, size)) {
        return -1;
    }
    if (disk->failure == 0) {
        disk->failure = dlp__write_at(disk->descriptor, bytes, size, (int64_t)address);
    }
    haddr_t end = address + size;
    disk->length = end > disk->length ? end : disk->length;
    return 0;
}

static herr_t truncate_disk(H5FD_t *file, hid_t transfer, hbool_t closing)
{
    (void)transfer;
    (void)closing;
    dlp__Hdf5Disk *disk = (dlp__Hdf5Disk *)file;
    if (disk->length != disk->allocated) {
        if (disk->failure == 0 && ftruncate(disk->descriptor, (off_t)disk->allocated) != 0) {
            disk->failure = errno;
        }
        disk->length = disk->allocated;
    }
    return 0;
}

hid_t dlp__hdf5_driver(hid_t access, dlp__Hdf5Disk *disk, int descriptor, int64_t length)
{
    static const H5FD_class_t driver_class = {
#if H5_VERSION_GE(1, 13, 2)
        .version = H5FD_CLASS_VERSION,
        .value = (H5FD_class_value_t)DRIVER_NUMBER,
#endif
        .name = "dollop",
        .maxaddr = MAX_ADDRESS,
        .fc_degree = H5F_CLOSE_STRONG,
        .fapl_size = sizeof(DriverInfo),
        .open = open_disk,
        .close = close_disk,
        .query = query_disk,
        .get_eoa = get_allocated,
        .set_eoa = set_allocated,
        .get_eof = get_length,
        .read = read_disk,
        .write = write_disk,
        .truncate = truncate_disk,
        .fl_map = H5FD_FLMAP_DICHOTOMY,
    };
    memset(disk, 0, sizeof *disk);
    disk->descriptor = descriptor;
    disk->length = (haddr_t)length;
    hid_t driver = H5FDregister(&driver_class);
    DriverInfo info = {disk};
    if (driver >= 0 && H5Pset_driver(access, driver, &info) < 0) {
        H5FDunregister(driver);
        return -1;
    }
    return driver;
}

/* Writing and verifying the seal. There is one valid seal for a given kind, length and checksum: a seal is made again
 * from what was read of it and must come out the same to the last byte, so that no byte is free to change. */
#include "io/seal.h"

#include "base/hash.h"
#include "io/safe_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK 32768 /* bytes hashed at once; a multiple of the hash's 8 bytes */

static const char *const kind_names[] = {[DLP_FILE_FRAME] = "frame", [DLP_FILE_CHECKPOINT] = "checkpoint"};

typedef struct Seal {
    dlp_FileKind kind;
    unsigned format;
    int64_t bytes;
    uint64_t checksum;
} Seal;

static void make_seal(const Seal *seal, char text[DLP_SEAL_SIZE])
{
    memset(text, 0, DLP_SEAL_SIZE);
    snprintf(text, DLP_SEAL_SIZE,
             "dollop %s\nformat %u\nbytes %018" PRId64 "\nchecksum %016" PRIx64 "\n"
             "HDF5 begins at byte %d; ParaView, h5dump and h5py open this file as it is.\n",
             kind_names[seal->kind], seal->format, seal->bytes, seal->checksum, DLP_SEAL_SIZE);
}

static bool read_seal(const char text[DLP_SEAL_SIZE], Seal *seal)
{
    char kind[16] = "";
    char copy[DLP_SEAL_SIZE + 1];
    memcpy(copy, text, DLP_SEAL_SIZE);
    copy[DLP_SEAL_SIZE] = 0;
    if (sscanf(copy, "dollop %15s format %9u bytes %18" SCNd64 " checksum %16" SCNx64, kind, &seal->format,
               &seal->bytes, &seal->checksum) != 4) {
        return false;
    }
    for (int i = 0; i < (int)(sizeof kind_names / sizeof kind_names[0]); i++) {
        if (strcmp(kind, kind_names[i]) == 0) {
            seal->kind = (dlp_FileKind)i;
            make_seal(seal, copy);
            return memcmp(copy, text, DLP_SEAL_SIZE) == 0;
        }
    }
    return false;
}

/* The checksum of the seal (with its own place at zero) and of all that follows: 0, or errno. */
static int compute_checksum(int descriptor, const Seal *seal, uint64_t *checksum)
{
    unsigned char block[BLOCK];
    Seal blank = *seal;
    blank.checksum = 0;
    make_seal(&blank, (char *)block);
    uint64_t hash = dlp__hash_bytes(DLP_HASH_SEED, block, DLP_SEAL_SIZE);
    for (int64_t at = DLP_SEAL_SIZE; at < seal->bytes;) {
        int64_t left = seal->bytes - at;
        size_t size = left < BLOCK ? (size_t)left : BLOCK;
        int failure = dlp__read_at(descriptor, block, size, at);
        if (failure != 0) {
            return failure;
        }
        hash = dlp__hash_bytes(hash, block, size);
        at += (int64_t)size;
    }
    *checksum = dlp__hash_finish(hash);
    return 0;
}

int dlp__seal_write(int descriptor, dlp_FileKind kind)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0) {
        return errno;
    }
    Seal seal = {kind, DLP_SEAL_FORMAT, (int64_t)status.st_size, 0};
    int failure = compute_checksum(descriptor, &seal, &seal.checksum);
    if (failure != 0) {
        return failure;
    }
    char text[DLP_SEAL_SIZE];
    make_seal(&seal, text);
    return dlp__write_at(descriptor, text, sizeof text, 0);
}

static dlp_Result verify(int descriptor, const char *path, Seal *seal, dlp_Error *error)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0) {
        return dlp__file_fail(error, "read", path, errno);
    }
    if (!S_ISREG(status.st_mode)) {
        return dlp__fail(error, DLP_ERROR_FILE, "cannot read '%.512s': it is not a regular file", path);
    }
    char text[DLP_SEAL_SIZE];
    int failure = dlp__read_at(descriptor, text, sizeof text, 0);
    if (failure != 0) {
        return dlp__file_fail(error, "read", path, failure);
    }
    if (memcmp(text, "dollop ", 7) != 0) {
        return dlp__fail(error, DLP_ERROR_FORMAT, "'%.512s' is neither a frame nor a checkpoint of dollop%s", path,
                         status.st_size == 0 ? ": it is empty" : "");
    }
    if (!read_seal(text, seal)) {
        return dlp__fail(error, DLP_ERROR_FORMAT, "'%.512s' is damaged in its first %d bytes: use an older copy", path,
                         DLP_SEAL_SIZE);
    }
    if (seal->format != DLP_SEAL_FORMAT) {
        return dlp__fail(error, DLP_ERROR_FORMAT,
                         "'%.512s' has format %u, but dollop %s reads format %d: use the version that wrote it", path,
                         seal->format, dlp_version(), DLP_SEAL_FORMAT);
    }
    if (seal->bytes != (int64_t)status.st_size) {
        return dlp__fail(error, DLP_ERROR_FORMAT,
                         "'%.512s' should have %" PRId64 " bytes but has %" PRId64 ": it was cut or added to, use "
                         "another copy",
                         path, seal->bytes, (int64_t)status.st_size);
    }
    uint64_t checksum = 0;
    failure = compute_checksum(descriptor, seal, &checksum);
    if (failure != 0) {
        return dlp__file_fail(error, "read", path, failure);
    }
    if (checksum != seal->checksum) {
        return dlp__fail(error, DLP_ERROR_FORMAT,
                         "'%.512s' is damaged: its checksum does not match its contents, use another copy", path);
    }
    return DLP_OK;
}

dlp_Result dlp__seal_open(const char *path, int *descriptor, dlp_FileKind *kind, int64_t *bytes, dlp_Error *error)
{
    if (path == NULL || path[0] == 0) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "no name was given for the file to read");
    }
    int opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* without waiting, should it be a pipe */
    if (opened < 0) {
        return dlp__file_fail(error, "read", path, errno);
    }
    Seal seal = {0};
    dlp_Result result = verify(opened, path, &seal, error);
    if (result != DLP_OK) {
        close(opened);
        return result;
    }
    *descriptor = opened;
    *kind = seal.kind;
    *bytes = seal.bytes;
    return DLP_OK;
}

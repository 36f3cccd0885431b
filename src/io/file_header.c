/* Writing and verifying the header. There is exactly one valid header for a given kind, length and checksum: it is
 * formatted again from the parsed values and must be identical, so that no byte can change unnoticed. */
#include "io/file_header.h"

#include "base/hash.h"
#include "io/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK 32768 /* bytes hashed at once; a multiple of the hash's 8 bytes */

static const char *const kind_names[] = {[DLP_FILE_FRAME] = "frame", [DLP_FILE_CHECKPOINT] = "checkpoint"};

typedef struct Header {
    dlp_FileKind kind;
    unsigned format;
    int64_t bytes;
    uint64_t checksum;
} Header;

static void format_header(const Header *header, char text[DLP_FILE_HEADER_SIZE])
{
    memset(text, 0, DLP_FILE_HEADER_SIZE);
    snprintf(text, DLP_FILE_HEADER_SIZE,
             "dollop %s\nformat %u\nbytes %018" PRId64 "\nchecksum %016" PRIx64 "\n"
             "HDF5 begins at byte %d; ParaView, h5dump and h5py open this file as it is.\n",
             kind_names[header->kind], header->format, header->bytes, header->checksum, DLP_FILE_HEADER_SIZE);
}

static bool parse_header(const char text[DLP_FILE_HEADER_SIZE], Header *header)
{
    char kind[16] = "";
    char copy[DLP_FILE_HEADER_SIZE + 1];
    memcpy(copy, text, DLP_FILE_HEADER_SIZE);
    copy[DLP_FILE_HEADER_SIZE] = 0;
    if (sscanf(copy, "dollop %15s format %9u bytes %18" SCNd64 " checksum %16" SCNx64, kind, &header->format,
               &header->bytes, &header->checksum) != 4) {
        return false;
    }
    for (int i = 0; i < (int)(sizeof kind_names / sizeof kind_names[0]); i++) {
        if (strcmp(kind, kind_names[i]) == 0) {
            header->kind = (dlp_FileKind)i;
            format_header(header, copy);
            return memcmp(copy, text, DLP_FILE_HEADER_SIZE) == 0;
        }
    }
    return false;
}

/* The checksum of the header (with its checksum field at zero) and of everything after it: 0, or errno. */
static int compute_checksum(int descriptor, const Header *header, uint64_t *checksum)
{
    unsigned char block[BLOCK];
    Header without_checksum = *header;
    without_checksum.checksum = 0;
    format_header(&without_checksum, (char *)block);
    uint64_t hash = dlp__hash_bytes(DLP_HASH_SEED, block, DLP_FILE_HEADER_SIZE);
    for (int64_t at = DLP_FILE_HEADER_SIZE; at < header->bytes;) {
        int64_t left = header->bytes - at;
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

int dlp__file_header_write(int descriptor, dlp_FileKind kind)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0) {
        return errno;
    }
    Header header = {kind, DLP_FILE_FORMAT, (int64_t)status.st_size, 0};
    int failure = compute_checksum(descriptor, &header, &header.checksum);
    if (failure != 0) {
        return failure;
    }
    char text[DLP_FILE_HEADER_SIZE];
    format_header(&header, text);
    return dlp__write_at(descriptor, text, sizeof text, 0);
}

static dlp_Result verify(int descriptor, const char *path, Header *header, dlp_Error *error)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0) {
        return dlp__file_fail(error, "read", path, errno);
    }
    if (!S_ISREG(status.st_mode)) {
        return dlp__fail(error, DLP_ERROR_FILE, "cannot read '%.512s': it is not a regular file", path);
    }
    char text[DLP_FILE_HEADER_SIZE];
    int failure = dlp__read_at(descriptor, text, sizeof text, 0);
    if (failure != 0) {
        return dlp__file_fail(error, "read", path, failure);
    }
    if (memcmp(text, "dollop ", 7) != 0) {
        return dlp__fail(error, DLP_ERROR_FORMAT, "'%.512s' is neither a frame nor a checkpoint of dollop%s", path,
                         status.st_size == 0 ? ": it is empty" : "");
    }
    if (!parse_header(text, header)) {
        return dlp__fail(error, DLP_ERROR_FORMAT, "'%.512s' is damaged in its first %d bytes: use an older copy", path,
                         DLP_FILE_HEADER_SIZE);
    }
    if (header->format != DLP_FILE_FORMAT) {
        return dlp__fail(error, DLP_ERROR_FORMAT,
                         "'%.512s' has format %u, but dollop %s reads format %d: use the version that wrote it", path,
                         header->format, dlp_version(), DLP_FILE_FORMAT);
    }
    if (header->bytes != (int64_t)status.st_size) {
        return dlp__fail(error, DLP_ERROR_FORMAT,
                         "'%.512s' should have %" PRId64 " bytes but has %" PRId64 ": it was truncated or extended, "
                         "use another copy",
                         path, header->bytes, (int64_t)status.st_size);
    }
    uint64_t checksum = 0;
    failure = compute_checksum(descriptor, header, &checksum);
    if (failure != 0) {
        return dlp__file_fail(error, "read", path, failure);
    }
    if (checksum != header->checksum) {
        return dlp__fail(error, DLP_ERROR_FORMAT,
                         "'%.512s' is damaged: its checksum does not match its contents, use another copy", path);
    }
    return DLP_OK;
}

dlp_Result dlp__open_verified(const char *path, int *descriptor, dlp_FileKind *kind, int64_t *bytes, dlp_Error *error)
{
    if (path == NULL || path[0] == 0) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "no name was given for the file to read");
    }
    int opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* do not wait if it is a pipe */
    if (opened < 0) {
        return dlp__file_fail(error, "read", path, errno);
    }
    Header header = {0};
    dlp_Result result = verify(opened, path, &header, error);
    if (result != DLP_OK) {
        close(opened);
        return result;
    }
    *descriptor = opened;
    *kind = header.kind;
    *bytes = header.bytes;
    return DLP_OK;
}

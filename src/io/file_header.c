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

/* Continue a hash with bytes begin <= at < end of a file: 0, or errno. */
static int hash_range(int descriptor, int64_t begin, int64_t end, uint64_t *hash)
{
    unsigned char block[BLOCK];
    for (int64_t at = begin; at < end; at += BLOCK) {
        const size_t size = end - at < BLOCK ? (size_t)(end - at) : BLOCK;
        const int failure = dlp__read_at(descriptor, block, size, at);
        if (failure != 0) {
            return failure;
        }
        *hash = dlp__hash_bytes(*hash, block, size);
    }
    return 0;
}

/* The checksum of the header (with its checksum field at zero) and of everything after it: 0, or errno. Each byte changes the hash of those
 * before it, so the ranks read their shares one after the other, and each continues the hash of the rank before. */
static int compute_checksum(int descriptor, const Header *header, dlp_Ranks *ranks, uint64_t *checksum)
{
    char text[DLP_FILE_HEADER_SIZE];
    Header without_checksum = *header;
    without_checksum.checksum = 0;
    format_header(&without_checksum, text);
    uint64_t hash = dlp__hash_bytes(DLP_HASH_SEED, text, DLP_FILE_HEADER_SIZE);
    const int count = dlp__ranks_count(ranks);
    const int64_t blocks = (header->bytes - DLP_FILE_HEADER_SIZE + BLOCK - 1) / BLOCK;
    int failure = 0;
    for (int rank = 0; rank < count; rank++) {
        if (rank == dlp_ranks_number(ranks)) {
            const int64_t begin = DLP_FILE_HEADER_SIZE + blocks * rank / count * BLOCK;
            const int64_t end = DLP_FILE_HEADER_SIZE + blocks * (rank + 1) / count * BLOCK;
            failure = hash_range(descriptor, begin, end < header->bytes ? end : header->bytes, &hash);
        }
        dlp_ranks_broadcast(ranks, rank, &hash, sizeof hash);
    }
    *checksum = dlp__hash_finish(hash);
    return failure;
}

int dlp__file_header_write(int descriptor, dlp_FileKind kind, dlp_Ranks *ranks)
{
    struct stat status;
    int64_t bytes = -1;
    if (fstat(descriptor, &status) == 0) {
        bytes = (int64_t)status.st_size;
    }
    int failure = bytes < 0 ? errno : 0;
    dlp_ranks_broadcast(ranks, 0, &bytes, sizeof bytes);
    if (bytes < 0) {
        return failure != 0 ? failure : EIO;
    }
    Header header = {kind, DLP_FILE_FORMAT, bytes, 0};
    failure = compute_checksum(descriptor, &header, ranks, &header.checksum);
    if (failure != 0 || dlp_ranks_number(ranks) > 0) {
        return failure;
    }
    char text[DLP_FILE_HEADER_SIZE];
    format_header(&header, text);
    return dlp__write_at(descriptor, text, sizeof text, 0);
}

/* Check everything but the checksum. */
static dlp_Result verify_header(int descriptor, const char *path, Header *header, dlp_Error *error)
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
    return DLP_OK;
}

static dlp_Result verify_checksum(int descriptor, const char *path, const Header *header, dlp_Ranks *ranks,
                                  dlp_Error *error)
{
    uint64_t checksum = 0;
    const int failure = compute_checksum(descriptor, header, ranks, &checksum);
    const bool all_read = !dlp__ranks_any(ranks, failure != 0);
    if (failure != 0) {
        return dlp__file_fail(error, "read", path, failure);
    }
    if (all_read && checksum != header->checksum) {
        return dlp__fail(error, DLP_ERROR_FORMAT,
                         "'%.512s' is damaged: its checksum does not match its contents, use another copy", path);
    }
    return DLP_OK;
}

/* The descriptor, or -1. */
static int open_file(const char *path, dlp_Error *error)
{
    if (path == NULL || path[0] == 0) {
        dlp__fail(error, DLP_ERROR_ARGUMENT, "no name was given for the file to read");
        return -1;
    }
    const int opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* do not wait if it is a pipe */
    if (opened < 0) {
        dlp__file_fail(error, "read", path, errno);
    }
    return opened;
}

dlp_Result dlp__open_verified(const char *path, dlp_Ranks *ranks, int *descriptor, dlp_FileKind *kind, int64_t *bytes,
                              dlp_Error *error)
{
    Header header = {0};
    dlp_Error reason = {DLP_OK, ""};
    const int opened = open_file(path, &reason);
    dlp_Result result = opened < 0 ? reason.code : verify_header(opened, path, &header, &reason);
    result = dlp__ranks_agree(ranks, result, &reason);
    if (result == DLP_OK) {
        result = dlp__ranks_agree(ranks, verify_checksum(opened, path, &header, ranks, &reason), &reason);
    }
    if (result != DLP_OK) {
        if (opened >= 0) {
            close(opened);
        }
        return dlp__fail(error, result, "%s", reason.text);
    }
    *descriptor = opened;
    *kind = header.kind;
    *bytes = header.bytes;
    return DLP_OK;
}

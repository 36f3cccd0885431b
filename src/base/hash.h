/* A 64-bit hash for checksums and for comparing states; not cryptographic. Each word is mixed in by a bijection of the state, so
 * a difference confined to one word always changes the hash. */
#ifndef DLP_BASE_HASH_H
#define DLP_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define DLP_HASH_SEED 0x9e3779b97f4a7c15u

static inline uint64_t dlp__hash_word(uint64_t hash, uint64_t word)
{
    hash ^= word * 0xff51afd7ed558ccdu;
    hash = (hash << 31) | (hash >> 33);
    return hash * 0xc4ceb9fe1a85ec53u + 0x165667b19e3779f9u;
}

/* Final mixing: every input bit affects all output bits. */
static inline uint64_t dlp__hash_finish(uint64_t hash)
{
    hash ^= hash >> 33;
    hash *= 0xff51afd7ed558ccdu;
    hash ^= hash >> 29;
    hash *= 0xc4ceb9fe1a85ec53u;
    return hash ^ (hash >> 32);
}

static inline uint64_t dlp__hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *next = (const unsigned char *)bytes; /* cast needed by C++ */
    for (; size >= 8; size -= 8, next += 8) {
        uint64_t word;
        memcpy(&word, next, 8);
        hash = dlp__hash_word(hash, word);
    }
    if (size > 0) {
        uint64_t word = 0;
        memcpy(&word, next, size);
        hash = dlp__hash_word(hash, word ^ ((uint64_t)size << 56));
    }
    return hash;
}

#endif

/* Conversion of numbers to and from bytes, independent of the machine: written little endian, read in either order. */
#ifndef DLP_IO_BYTE_ORDER_H
#define DLP_IO_BYTE_ORDER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Write the lowest `size` bytes of `bits`; returns the end. */
static inline char *dlp__put_bytes(char *to, uint64_t bits, int size)
{
    for (int i = 0; i < size; i++) {
        *to++ = (char)(bits >> (8 * i) & 0xff);
    }
    return to;
}

static inline char *dlp__put_float(char *to, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return dlp__put_bytes(to, bits, 4);
}

static inline char *dlp__put_double(char *to, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return dlp__put_bytes(to, bits, 8);
}

/* Read a number of up to eight bytes. */
static inline uint64_t dlp__get_bytes(const char *from, int size, bool big_endian)
{
    uint64_t bits = 0;
    for (int i = 0; i < size; i++) {
        bits = bits << 8 | (unsigned char)from[big_endian ? i : size - 1 - i];
    }
    return bits;
}

static inline float dlp__get_float(const char *from, bool big_endian)
{
    const uint32_t bits = (uint32_t)dlp__get_bytes(from, 4, big_endian);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline double dlp__get_double(const char *from, bool big_endian)
{
    const uint64_t bits = dlp__get_bytes(from, 8, big_endian);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif

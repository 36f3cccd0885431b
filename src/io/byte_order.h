/* Numbers as bytes of a file, little endian, whatever the machine has. */
#ifndef DLP_IO_BYTE_ORDER_H
#define DLP_IO_BYTE_ORDER_H

#include <stdint.h>
#include <string.h>

/* Write the lowest `size` bytes of `bits`; returns where the next byte goes. */
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

#endif

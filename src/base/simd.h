/* Vectors of 1, 4, 8 or 16 floats, one lane per particle. A file named *_wide.c is compiled once for each width with
 * DLP_WIDTH set; what it exports is named by DLP_WIDE(). This is the only file with intrinsics or vector extensions.
 *
 * No operation here is fused, approximate or reordered, so every lane of every width computes the very same bits as
 * width 1 does: width 1 is the oracle. */
#ifndef DLP_BASE_SIMD_H
#define DLP_BASE_SIMD_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#define DLP_WIDTHS 4 /* 1, 4, 8, 16 */

/* Which of the four versions to use: 0, 1, 2, 3 for width 1, 4, 8, 16. */
static inline int dlp__width_index(int width)
{
    return width >= 16 ? 3 : width >= 8 ? 2 : width >= 4 ? 1 : 0;
}

/* The widest that this build and this machine have. */
static inline int dlp__width_most(void)
{
#if defined(__x86_64__) && !defined(DLP_ONLY_BASELINE)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl")) {
        return 16;
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        return 8;
    }
#endif
    return 4;
}

/* A table of the versions of a name, in the order of dlp__width_index. */
#ifdef DLP_ONLY_BASELINE
#define DLP_WIDE_TABLE(name) \
    { \
        name##_w1, name##_w4, name##_w4, name##_w4 \
    }
#else
#define DLP_WIDE_TABLE(name) \
    { \
        name##_w1, name##_w4, name##_w8, name##_w16 \
    }
#endif

#ifdef DLP_WIDTH

#define DLP_PASTE_(a, b) a##_w##b
#define DLP_PASTE(a, b)  DLP_PASTE_(a, b)
#define DLP_WIDE(name)   DLP_PASTE(name, DLP_WIDTH)
#define DLP_INLINE       static inline __attribute__((always_inline))

#if DLP_WIDTH == 1
typedef float dlp__Wide;
typedef int32_t dlp__WideInt;
#else
typedef float dlp__Wide __attribute__((vector_size(4 * DLP_WIDTH)));
typedef int32_t dlp__WideInt __attribute__((vector_size(4 * DLP_WIDTH)));
#endif

#if defined(__x86_64__) && DLP_WIDTH > 1
#include <immintrin.h>
#endif

/* One truth value a lane. */
#if defined(__x86_64__) && DLP_WIDTH == 16
#define DLP_MASK_REGISTERS
typedef __mmask16 dlp__WideMask;
#else
typedef dlp__WideInt dlp__WideMask; /* all bits of a lane set or none */
#endif

DLP_INLINE dlp__Wide dlp__wide(float value)
{
#if DLP_WIDTH == 1
    return value;
#else
    return value - (dlp__Wide){0};
#endif
}

DLP_INLINE dlp__WideInt dlp__wide_int(int32_t value)
{
#if DLP_WIDTH == 1
    return value;
#else
    return value - (dlp__WideInt){0};
#endif
}

DLP_INLINE dlp__Wide dlp__wide_load(const float *from)
{
    dlp__Wide value;
    memcpy(&value, from, sizeof value);
    return value;
}

DLP_INLINE void dlp__wide_store(float *to, dlp__Wide value)
{
    memcpy(to, &value, sizeof value);
}

DLP_INLINE dlp__WideInt dlp__wide_load_int(const int32_t *from)
{
    dlp__WideInt value;
    memcpy(&value, from, sizeof value);
    return value;
}

/* The same numbers; exact below 2^24. */
DLP_INLINE dlp__Wide dlp__wide_from_int(dlp__WideInt value)
{
#if DLP_WIDTH == 1
    return (float)value;
#else
    return __builtin_convertvector(value, dlp__Wide);
#endif
}

/* first, first + 1, ... */
DLP_INLINE dlp__WideInt dlp__wide_count_from(int32_t first)
{
    static const int32_t steps[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return dlp__wide_load_int(steps) + dlp__wide_int(first);
}

DLP_INLINE dlp__WideMask dlp__wide_less(dlp__Wide a, dlp__Wide b)
{
#if DLP_WIDTH == 1
    return -(a < b);
#elif defined(DLP_MASK_REGISTERS)
    return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LT_OS);
#else
    return a < b;
#endif
}

DLP_INLINE dlp__WideMask dlp__wide_int_less(dlp__WideInt a, dlp__WideInt b)
{
#if DLP_WIDTH == 1
    return -(a < b);
#elif defined(DLP_MASK_REGISTERS)
    return _mm512_cmplt_epi32_mask((__m512i)a, (__m512i)b);
#else
    return a < b;
#endif
}

DLP_INLINE dlp__WideMask dlp__wide_both(dlp__WideMask a, dlp__WideMask b)
{
    return (dlp__WideMask)(a & b);
}

DLP_INLINE dlp__WideMask dlp__wide_not(dlp__WideMask mask)
{
    return (dlp__WideMask)~mask;
}

/* yes where the mask is set, no elsewhere. */
DLP_INLINE dlp__Wide dlp__wide_select(dlp__WideMask mask, dlp__Wide yes, dlp__Wide no)
{
#if defined(DLP_MASK_REGISTERS)
    return (dlp__Wide)_mm512_mask_blend_ps(mask, (__m512)no, (__m512)yes);
#elif defined(__x86_64__) && DLP_WIDTH == 8
    return (dlp__Wide)_mm256_blendv_ps((__m256)no, (__m256)yes, (__m256)mask);
#else
    dlp__WideInt y, n;
    memcpy(&y, &yes, sizeof y);
    memcpy(&n, &no, sizeof n);
    y = (y & mask) | (n & ~mask);
    memcpy(&yes, &y, sizeof yes);
    return yes;
#endif
}

/* The value where the mask is set, +0 elsewhere. */
DLP_INLINE dlp__Wide dlp__wide_where(dlp__WideMask mask, dlp__Wide value)
{
#if defined(DLP_MASK_REGISTERS)
    return (dlp__Wide)_mm512_maskz_mov_ps(mask, (__m512)value);
#else
    dlp__WideInt bits;
    memcpy(&bits, &value, sizeof bits);
    bits &= mask;
    memcpy(&value, &bits, sizeof value);
    return value;
#endif
}

/* b where a < b, else a: of equals, and where one is undefined, the first. The machine's own keep the second. */
DLP_INLINE dlp__Wide dlp__wide_max(dlp__Wide a, dlp__Wide b)
{
#if defined(__x86_64__) && DLP_WIDTH == 4
    return (dlp__Wide)_mm_max_ps((__m128)b, (__m128)a);
#elif defined(__x86_64__) && DLP_WIDTH == 8
    return (dlp__Wide)_mm256_max_ps((__m256)b, (__m256)a);
#elif defined(__x86_64__) && DLP_WIDTH == 16
    return (dlp__Wide)_mm512_max_ps((__m512)b, (__m512)a);
#else
    return dlp__wide_select(dlp__wide_less(a, b), b, a);
#endif
}

/* b where b < a, else a. */
DLP_INLINE dlp__Wide dlp__wide_min(dlp__Wide a, dlp__Wide b)
{
#if defined(__x86_64__) && DLP_WIDTH == 4
    return (dlp__Wide)_mm_min_ps((__m128)b, (__m128)a);
#elif defined(__x86_64__) && DLP_WIDTH == 8
    return (dlp__Wide)_mm256_min_ps((__m256)b, (__m256)a);
#elif defined(__x86_64__) && DLP_WIDTH == 16
    return (dlp__Wide)_mm512_min_ps((__m512)b, (__m512)a);
#else
    return dlp__wide_select(dlp__wide_less(b, a), b, a);
#endif
}

DLP_INLINE dlp__Wide dlp__wide_sqrt(dlp__Wide value)
{
#if DLP_WIDTH == 1
    return sqrtf(value);
#elif defined(__x86_64__) && DLP_WIDTH == 4
    return (dlp__Wide)_mm_sqrt_ps((__m128)value);
#elif defined(__x86_64__) && DLP_WIDTH == 8
    return (dlp__Wide)_mm256_sqrt_ps((__m256)value);
#elif defined(__x86_64__) && DLP_WIDTH == 16
    return (dlp__Wide)_mm512_sqrt_ps((__m512)value);
#else
    for (int i = 0; i < DLP_WIDTH; i++) {
        value[i] = sqrtf(value[i]);
    }
    return value;
#endif
}

/* Bit n is set if lane n of the mask is. */
DLP_INLINE unsigned dlp__wide_bits(dlp__WideMask mask)
{
#if DLP_WIDTH == 1
    return (unsigned)mask & 1u;
#elif defined(__x86_64__) && DLP_WIDTH == 4
    return (unsigned)_mm_movemask_ps((__m128)mask);
#elif defined(__x86_64__) && DLP_WIDTH == 8
    return (unsigned)_mm256_movemask_ps((__m256)mask);
#elif defined(__x86_64__) && DLP_WIDTH == 16
    return mask;
#else
    unsigned bits = 0;
    for (int i = 0; i < DLP_WIDTH; i++) {
        bits |= ((unsigned)mask[i] & 1u) << i;
    }
    return bits;
#endif
}

/* Write the values whose bit is set side by side and return how many. May write garbage up to DLP_WIDTH values. */
DLP_INLINE int dlp__wide_compress(int32_t *to, dlp__WideInt values, unsigned bits)
{
#if DLP_WIDTH == 1
    *to = values;
#elif defined(__x86_64__) && DLP_WIDTH == 16
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi32((__mmask16)bits, (__m512i)values));
#else
    int32_t lane[DLP_WIDTH];
    memcpy(lane, &values, sizeof lane);
    for (unsigned left = bits; left != 0; left &= left - 1) {
        *to++ = lane[__builtin_ctz(left)];
    }
#endif
    return __builtin_popcount(bits);
}

/* Four floats of each of DLP_WIDTH particles, turned so that each vector holds one component. */
typedef struct dlp__WideRow {
    dlp__Wide x, y, z, w;
} dlp__WideRow;

/* Row index[lane] of an array of rows of four floats. */
DLP_INLINE dlp__WideRow dlp__wide_rows(const float *rows, const int32_t *index)
{
    dlp__WideRow r;
#if DLP_WIDTH == 1
    const float *row = rows + 4 * (int64_t)index[0];
    r.x = row[0];
    r.y = row[1];
    r.z = row[2];
    r.w = row[3];
#elif defined(__x86_64__) && DLP_WIDTH == 4
#define DLP_ROW_AT(n) _mm_loadu_ps(rows + 4 * (int64_t)index[n])
    __m128 a = DLP_ROW_AT(0), b = DLP_ROW_AT(1), c = DLP_ROW_AT(2), d = DLP_ROW_AT(3);
    _MM_TRANSPOSE4_PS(a, b, c, d);
    r.x = (dlp__Wide)a;
    r.y = (dlp__Wide)b;
    r.z = (dlp__Wide)c;
    r.w = (dlp__Wide)d;
#elif defined(__x86_64__) && DLP_WIDTH == 8
#define DLP_ROW_AT(n)  _mm_loadu_ps(rows + 4 * (int64_t)index[n])
#define DLP_ROWS_AT(n) _mm256_insertf128_ps(_mm256_castps128_ps256(DLP_ROW_AT(n)), DLP_ROW_AT((n) + 4), 1)
    __m256 a = DLP_ROWS_AT(0), b = DLP_ROWS_AT(1), c = DLP_ROWS_AT(2), d = DLP_ROWS_AT(3);
    __m256 ab = _mm256_unpacklo_ps(a, b), AB = _mm256_unpackhi_ps(a, b);
    __m256 cd = _mm256_unpacklo_ps(c, d), CD = _mm256_unpackhi_ps(c, d);
    r.x = (dlp__Wide)_mm256_shuffle_ps(ab, cd, 0x44);
    r.y = (dlp__Wide)_mm256_shuffle_ps(ab, cd, 0xee);
    r.z = (dlp__Wide)_mm256_shuffle_ps(AB, CD, 0x44);
    r.w = (dlp__Wide)_mm256_shuffle_ps(AB, CD, 0xee);
#elif defined(__x86_64__) && DLP_WIDTH == 16
#define DLP_ROW_AT(n) _mm_loadu_ps(rows + 4 * (int64_t)index[n])
#define DLP_ROWS_AT(n) \
    _mm512_insertf32x4( \
        _mm512_insertf32x4(_mm512_insertf32x4(_mm512_castps128_ps512(DLP_ROW_AT(n)), DLP_ROW_AT((n) + 4), 1), \
                           DLP_ROW_AT((n) + 8), 2), \
        DLP_ROW_AT((n) + 12), 3)
    __m512 a = DLP_ROWS_AT(0), b = DLP_ROWS_AT(1), c = DLP_ROWS_AT(2), d = DLP_ROWS_AT(3);
    __m512 ab = _mm512_unpacklo_ps(a, b), AB = _mm512_unpackhi_ps(a, b);
    __m512 cd = _mm512_unpacklo_ps(c, d), CD = _mm512_unpackhi_ps(c, d);
    r.x = (dlp__Wide)_mm512_shuffle_ps(ab, cd, 0x44);
    r.y = (dlp__Wide)_mm512_shuffle_ps(ab, cd, 0xee);
    r.z = (dlp__Wide)_mm512_shuffle_ps(AB, CD, 0x44);
    r.w = (dlp__Wide)_mm512_shuffle_ps(AB, CD, 0xee);
#else
    for (int i = 0; i < DLP_WIDTH; i++) {
        const float *row = rows + 4 * (int64_t)index[i];
        r.x[i] = row[0];
        r.y[i] = row[1];
        r.z[i] = row[2];
        r.w[i] = row[3];
    }
#endif
    return r;
}

#endif
#endif

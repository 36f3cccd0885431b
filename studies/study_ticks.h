/* Where an axis has its marks, and numbers as people write them. */
#ifndef STUDIES_STUDY_TICKS_H
#define STUDIES_STUDY_TICKS_H

#include <stdbool.h>
#include <stddef.h>

enum { STUDY_TICKS_MOST = 24, STUDY_NUMBER_SIZE = 32 };

typedef struct StudyTicks {
    double least, most; /* of the axis: its ends, widened to marks */
    int count;
    double at[STUDY_TICKS_MOST];
    char label[STUDY_TICKS_MOST][STUDY_NUMBER_SIZE];
} StudyTicks;

/* Marks at multiples of 1, 2 or 5 times a power of ten, about `wanted` of them. */
StudyTicks study_ticks_linear(double least, double most, int wanted);
/* Marks at powers of ten, and at 2 and 5 times these where the axis is short. Both ends must be above zero. */
StudyTicks study_ticks_log(double least, double most);

/* "0.1234", "1234567", "1.2e-05"; "-" for NaN. `digits` significant ones, whole numbers in full up to a billion. */
void study_format_number(char *text, size_t size, double value, int digits);

#endif

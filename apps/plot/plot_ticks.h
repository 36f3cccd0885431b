/* Marks of an axis, and numbers as people write them. */
#ifndef DOLLOP_PLOT_TICKS_H
#define DOLLOP_PLOT_TICKS_H

#include <stdbool.h>
#include <stddef.h>

enum { PLOT_TICKS_MOST = 24, PLOT_NUMBER_SIZE = 32 };

typedef struct PlotTicks {
    double least, most; /* of the axis: its ends, widened to marks */
    int count;
    double at[PLOT_TICKS_MOST];
    char label[PLOT_TICKS_MOST][PLOT_NUMBER_SIZE];
} PlotTicks;

/* Marks at multiples of 1, 2 or 5 times a power of ten, about `wanted` of them. */
PlotTicks plot_ticks_linear(double least, double most, int wanted);
/* Marks at powers of ten, and at 2 and 5 times these where the axis is short. Both ends must be above zero. */
PlotTicks plot_ticks_log(double least, double most);

/* "0.1234", "1234567", "1.2e-05"; "-" for NaN. `digits` significant ones, whole numbers in full up to a billion. */
void plot_format_number(char *text, size_t size, double value, int digits);

#endif

/* Marks of an axis: the usual 1, 2, 5 series. */
#include "plot_ticks.h"

#include <math.h>
#include <stdio.h>

void plot_format_number(char *text, size_t size, double value, int digits)
{
    if (isnan(value)) {
        snprintf(text, size, "-");
    } else if (value == floor(value) && fabs(value) < 1e9) {
        snprintf(text, size, "%.0f", value == 0 ? 0.0 : value); /* no -0 */
    } else {
        snprintf(text, size, "%.*g", digits, value);
    }
}

/* The least of 1, 2, 5 times a power of ten that is not below `value`. */
static double round_up(double value)
{
    const double power = pow(10, floor(log10(value)));
    const double lead = value / power;
    return (lead <= 1.0000001 ? 1 : lead <= 2.0000001 ? 2 : lead <= 5.0000001 ? 5 : 10) * power;
}

static void add_tick(PlotTicks *ticks, double value, int decimals)
{
    if (ticks->count < PLOT_TICKS_MOST) {
        char *label = ticks->label[ticks->count];
        ticks->at[ticks->count++] = value;
        if (decimals >= 0) {
            snprintf(label, PLOT_NUMBER_SIZE, "%.*f", decimals, value == 0 ? 0.0 : value);
        } else {
            plot_format_number(label, PLOT_NUMBER_SIZE, value, 3);
        }
    }
}

PlotTicks plot_ticks_linear(double least, double most, int wanted)
{
    PlotTicks ticks = {.count = 0};
    if (!(most > least)) {
        const double room = least != 0 ? 0.5 * fabs(least) : 1;
        most = least + room;
        least -= room;
    }
    const double step = round_up((most - least) / wanted);
    const double first = floor(least / step + 1e-6), last = ceil(most / step - 1e-6);
    const bool plain = step >= 1e-4 && fmax(fabs(least), fabs(most)) < 1e6;
    const int decimals = plain ? (int)fmax(0, ceil(-log10(step) - 1e-6)) : -1;
    ticks.least = first * step;
    ticks.most = last * step;
    for (int k = 0; k <= (int)(last - first); k++) {
        add_tick(&ticks, (first + k) * step, decimals);
    }
    return ticks;
}

PlotTicks plot_ticks_log(double least, double most)
{
    static const double leads[] = {1, 2, 5};
    PlotTicks ticks = {.count = 0};
    const bool fine = log10(most / least) < 2;
    const int first = (int)floor(log10(least) + 1e-9), end = (int)ceil(log10(most) - 1e-9);
    const int last = end > first ? end : first + 1;
    const int every = (last - first + 9) / 10;
    ticks.least = pow(10, first);
    ticks.most = pow(10, last);
    if (fine) { /* a short axis begins and ends between the powers */
        for (int i = 1; i < 3; i++) {
            ticks.least = leads[i] * pow(10, first) <= least * (1 + 1e-9) ? leads[i] * pow(10, first) : ticks.least;
            ticks.most = leads[3 - i] * pow(10, last - 1) >= most * (1 - 1e-9) ? leads[3 - i] * pow(10, last - 1)
                                                                               : ticks.most;
        }
    }
    for (int power = first; power <= last; power++) {
        for (int i = 0; i < (fine ? 3 : 1); i++) {
            const double value = leads[i] * pow(10, power);
            if (value >= ticks.least * (1 - 1e-9) && value <= ticks.most * (1 + 1e-9) &&
                (fine || (power - first) % every == 0)) {
                add_tick(&ticks, value, -1);
            }
        }
    }
    return ticks;
}

/* Bracketed root search: the Illinois variant of regula falsi, with bisection whenever it does not halve the bracket. */
#include "base/root.h"

#include <math.h>

static const int MOST_EVALUATIONS = 200;

/* A bracket and the values at its ends, of which one is halved while the other end moves. */
typedef struct Bracket {
    double low, high, at_low, at_high;
} Bracket;

static double secant_point(const Bracket *b)
{
    const double x = b->low + (b->high - b->low) * (b->at_low / (b->at_low - b->at_high));
    return x > b->low && x < b->high ? x : 0.5 * (b->low + b->high);
}

double dlp__find_root(dlp__RootFunction function, const void *user, double low, double high)
{
    Bracket b = {low, high, function(user, low), function(user, high)};
    if (isnan(b.at_low) || isnan(b.at_high)) {
        return NAN;
    }
    if (b.at_low >= 0.0 || b.at_high <= 0.0) {
        return b.at_low >= 0.0 ? low : high;
    }
    double halved = INFINITY; /* the width of the bracket that the next secant must halve */
    for (int k = 0; k < MOST_EVALUATIONS; k++) {
        const double width = b.high - b.low, middle = 0.5 * (b.low + b.high);
        if (!(middle > b.low && middle < b.high) || width <= 4e-16 * fmax(fabs(b.low), fabs(b.high))) {
            break;
        }
        const double x = width > halved ? middle : secant_point(&b);
        halved = 0.5 * width;
        const double value = function(user, x);
        if (value == 0.0 || isnan(value)) {
            return value == 0.0 ? x : NAN;
        }
        if (value < 0.0) {
            b = (Bracket){x, b.high, value, 0.5 * b.at_high};
        } else {
            b = (Bracket){b.low, x, 0.5 * b.at_low, value};
        }
    }
    return 0.5 * (b.low + b.high);
}

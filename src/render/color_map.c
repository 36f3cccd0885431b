/* The color map: dark blue over green to yellow, perceptually uniform, also for color-blind viewers. */
#include <dollop/render.h>
#include <math.h>

/* The map "viridis" at nine positions, sRGB. */
static const double stops[9][3] = {{0.267, 0.005, 0.329}, {0.283, 0.141, 0.458}, {0.254, 0.265, 0.530},
                                   {0.207, 0.372, 0.553}, {0.128, 0.567, 0.551}, {0.208, 0.719, 0.473},
                                   {0.478, 0.821, 0.318}, {0.741, 0.873, 0.150}, {0.993, 0.906, 0.144}};
static const double stop_positions[9] = {0.0, 0.125, 0.25, 0.375, 0.5, 0.6875, 0.8125, 0.90625, 1.0};

static float srgb_to_linear(double srgb)
{
    return (float)(srgb <= 0.04045 ? srgb / 12.92 : pow((srgb + 0.055) / 1.055, 2.4));
}

void dlp_colors_map(const float *value, int64_t count, double low, double high, float *color)
{
    if (value == NULL || color == NULL) {
        return;
    }
    for (int64_t i = 0; i < count; i++) {
        double t = high > low ? ((double)value[i] - low) / (high - low) : 0.5;
        t = t >= 0.0 ? fmin(t, 1.0) : 0.0; /* NaN becomes the low end */
        int n = 0;
        while (n < 7 && t > stop_positions[n + 1]) {
            n++;
        }
        const double fraction = (t - stop_positions[n]) / (stop_positions[n + 1] - stop_positions[n]);
        for (int c = 0; c < 3; c++) {
            color[3 * i + c] = srgb_to_linear(stops[n][c] + fraction * (stops[n + 1][c] - stops[n][c]));
        }
    }
}

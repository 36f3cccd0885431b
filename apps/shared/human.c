/* Formats counts, sizes, times and paragraphs. */
#include "human.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

HumanText human_count(int64_t value)
{
    HumanText out;
    char digits[24];
    const int length = snprintf(digits, sizeof digits, "%lld", (long long)(value < 0 ? 0 : value));
    int at = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) {
            out.text[at++] = ',';
        }
        out.text[at++] = digits[i];
    }
    out.text[at] = 0;
    return out;
}

HumanText human_bytes(double bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    HumanText out;
    int unit = 0;
    while (bytes >= 1024 && unit < 4) {
        bytes /= 1024;
        ++unit;
    }
    snprintf(out.text, sizeof out.text, unit == 0 || bytes >= 100 ? "%.0f %s" : "%.1f %s", bytes, units[unit]);
    return out;
}

HumanText human_duration(double seconds)
{
    HumanText out;
    const size_t size = sizeof out.text;
    if (!isfinite(seconds) || seconds < 0) {
        snprintf(out.text, size, "unknown");
    } else if (seconds < 0.9995) {
        snprintf(out.text, size, "%.0f ms", seconds * 1e3);
    } else if (seconds < 9.95) {
        snprintf(out.text, size, "%.1f s", seconds);
    } else if (seconds < 119.5) {
        snprintf(out.text, size, "%.0f s", seconds);
    } else if (seconds < 3600) {
        snprintf(out.text, size, "%d min %02d s", (int)seconds / 60, (int)seconds % 60);
    } else if (seconds < 48 * 3600.0) {
        snprintf(out.text, size, "%d h %02d min", (int)seconds / 3600, (int)seconds % 3600 / 60);
    } else {
        snprintf(out.text, size, "%.1f days", seconds / 86400);
    }
    return out;
}

HumanText human_rate(double per_second)
{
    static const char *const units[] = {"", " k", " M", " G", " T"};
    HumanText out;
    int unit = 0;
    while (per_second >= 1000 && unit < 4) {
        per_second /= 1000;
        ++unit;
    }
    snprintf(out.text, sizeof out.text, "%.3g%s", per_second, units[unit]);
    return out;
}

HumanText human_seconds(double seconds)
{
    HumanText out;
    if (seconds < 1e-3) {
        snprintf(out.text, sizeof out.text, "%.3g us", seconds * 1e6);
    } else if (seconds < 1) {
        snprintf(out.text, sizeof out.text, "%.3g ms", seconds * 1e3);
    } else {
        snprintf(out.text, sizeof out.text, "%.3g s", seconds);
    }
    return out;
}

HumanText human_length(double metres)
{
    HumanText out;
    if (metres < 0.01) {
        snprintf(out.text, sizeof out.text, "%.3g mm", metres * 1000);
    } else if (metres < 1) {
        snprintf(out.text, sizeof out.text, "%.3g cm", metres * 100);
    } else {
        snprintf(out.text, sizeof out.text, "%.3g m", metres);
    }
    return out;
}

int human_columns(int descriptor)
{
    enum { COLUMNS_MIN = 20, COLUMNS_DEFAULT = 80, COLUMNS_MAX = 1000 };
    const char *requested = getenv("COLUMNS");
    int columns = requested ? atoi(requested) : 0;
    struct winsize size;
    if (columns <= 0 && ioctl(descriptor, TIOCGWINSZ, &size) == 0) {
        columns = size.ws_col;
    }
    if (columns <= 0) {
        columns = COLUMNS_DEFAULT;
    }
    return columns < COLUMNS_MIN ? COLUMNS_MIN : columns > COLUMNS_MAX ? COLUMNS_MAX : columns;
}

void human_wrap(FILE *file, const char *text, int column, int indent, int width)
{
    int pending = 0; /* spaces to print before the next word */
    bool line_start = true;
    while (*text) {
        const int word = (int)strcspn(text, " \n");
        if (word == 0) {
            if (*text++ == '\n') {
                fputc('\n', file);
                column = pending = indent;
                line_start = true;
            }
            continue;
        }
        if (!line_start && column + 1 + word > width) {
            fputc('\n', file);
            column = pending = indent;
            line_start = true;
        }
        if (!line_start) {
            pending = 1;
            ++column;
        }
        fprintf(file, "%*s%.*s", pending, "", word, text);
        pending = 0;
        column += word;
        text += word;
        line_start = false;
    }
    fputc('\n', file);
}

/* Units: prefixes and symbols, products, quotients and integer powers, with dimensions, so that a length is rejected where a
 * viscosity is expected. Angles are a separate dimension: otherwise 2 Hz and 2 rad/s would be the same. */
#include "scene/scene_units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

enum { POWER_MAX = 9, FACTORS_MAX = 8, NUMBER_BYTES = 128 };

typedef struct Symbol {
    const char *name;
    bool prefixed; /* may have a prefix k, m, ... */
    dlp__Unit unit;
} Symbol;

static const Symbol symbols[] = {
    /* name, takes prefixes, {factor, divisor, offset, {powers of m, kg, s, K, rad, mol, s^n}} */
    {"m", true, {1.0, 1.0, 0.0, {1, 0, 0, 0, 0}}},
    {"g", true, {1.0, 1000.0, 0.0, {0, 1, 0, 0, 0}}},
    {"s", true, {1.0, 1.0, 0.0, {0, 0, 1, 0, 0}}},
    {"K", true, {1.0, 1.0, 0.0, {0, 0, 0, 1, 0}}},
    {"rad", true, {1.0, 1.0, 0.0, {0, 0, 0, 0, 1}}},
    {"N", true, {1.0, 1.0, 0.0, {1, 1, -2, 0, 0}}},
    {"Pa", true, {1.0, 1.0, 0.0, {-1, 1, -2, 0, 0}}},
    {"J", true, {1.0, 1.0, 0.0, {2, 1, -2, 0, 0}}},
    {"W", true, {1.0, 1.0, 0.0, {2, 1, -3, 0, 0}}},
    {"Hz", true, {1.0, 1.0, 0.0, {0, 0, -1, 0, 0}}},
    {"L", true, {1.0, 1000.0, 0.0, {3, 0, 0, 0, 0}}},
    {"l", true, {1.0, 1000.0, 0.0, {3, 0, 0, 0, 0}}},
    {"bar", true, {1e5, 1.0, 0.0, {-1, 1, -2, 0, 0}}},
    {"P", true, {1.0, 10.0, 0.0, {-1, 1, -1, 0, 0}}}, /* poise  */
    {"St", true, {1.0, 1e4, 0.0, {2, 0, -1, 0, 0}}},  /* stokes */
    {"mol", true, {1.0, 1.0, 0.0, {0, 0, 0, 0, 0, 1}}},
    {"min", false, {60.0, 1.0, 0.0, {0, 0, 1, 0, 0}}},
    {"h", false, {3600.0, 1.0, 0.0, {0, 0, 1, 0, 0}}},
    {"fps", false, {1.0, 1.0, 0.0, {0, 0, -1, 0, 0}}}, /* frames per second */
    {"deg", false, {PI, 180.0, 0.0, {0, 0, 0, 0, 1}}},
    {"\302\260", false, {PI, 180.0, 0.0, {0, 0, 0, 0, 1}}},
    {"rev", false, {2.0 * PI, 1.0, 0.0, {0, 0, 0, 0, 1}}},
    {"rpm", false, {2.0 * PI, 60.0, 0.0, {0, 0, -1, 0, 1}}},
    {"t", false, {1000.0, 1.0, 0.0, {0, 1, 0, 0, 0}}},
    {"in", false, {254.0, 1e4, 0.0, {1, 0, 0, 0, 0}}},
    {"ft", false, {3048.0, 1e4, 0.0, {1, 0, 0, 0, 0}}},
    {"degC", false, {1.0, 1.0, 273.15, {0, 0, 0, 1, 0}}},
    {"\302\260C", false, {1.0, 1.0, 273.15, {0, 0, 0, 1, 0}}},
    {"degF", false, {5.0, 9.0, 273.15 - 160.0 / 9.0, {0, 0, 0, 1, 0}}},
    {"\302\260F", false, {5.0, 9.0, 273.15 - 160.0 / 9.0, {0, 0, 0, 1, 0}}},
    {"%", false, {1.0, 100.0, 0.0, {0, 0, 0, 0, 0}}},
    {"s^n", false, {1.0, 1.0, 0.0, {0, 0, 0, 0, 0, 0, 1}}},
    {"1", false, {1.0, 1.0, 0.0, {0, 0, 0, 0, 0}}},
};

static const struct {
    const char *name;
    double factor, divisor;
} prefixes[] = {
    {"G", 1e9, 1.0}, {"M", 1e6, 1.0}, {"k", 1e3, 1.0},        {"h", 1e2, 1.0},        {"d", 1.0, 1e1}, {"c", 1.0, 1e2},
    {"m", 1.0, 1e3}, {"u", 1.0, 1e6}, {"\xc2\xb5", 1.0, 1e6}, {"\xce\xbc", 1.0, 1e6}, {"n", 1.0, 1e9},
};

static const char *const common_units[] = {
    "m",     "cm",     "mm",      "um",      "km",      "in",     "ft",     "kg",    "g",     "mg",     "t",
    "s",     "ms",     "us",      "min",     "h",       "K",      "degC",   "degF",  "rad",   "deg",    "rev",
    "rad/s", "deg/s",  "rpm",     "Hz",      "kHz",     "1/s",    "fps",    "m/s",   "cm/s",  "mm/s",   "km/h",
    "m/s2",  "cm/s2",  "m2",      "cm2",     "mm2",     "m3",     "cm3",    "L",     "mL",    "m3/s",   "L/s",
    "mL/s",  "L/min",  "cm3/s",   "kg/s",    "g/s",     "kg/min", "g/min",  "kg/m3", "g/cm3", "kg/L",   "g/mL",
    "Pa",    "kPa",    "MPa",     "hPa",     "mPa",     "bar",    "Pa.s",   "mPa.s", "kPa.s", "P",      "cP",
    "m2/s",  "mm2/s",  "cSt",     "N",       "mN",      "kN",     "N/m",    "mN/m",  "J",     "kJ",     "W",
    "kW",    "J/kg",   "kJ/kg",   "J/kg/K",  "kJ/kg/K", "W/m/K",  "W/m2/K", "W/m3",  "J/mol", "kJ/mol", "1/K",
    "%",     "Pa.s^n", "mPa.s^n", "kPa.s^n",
};

enum { SYMBOLS = sizeof symbols / sizeof symbols[0], PREFIXES = sizeof prefixes / sizeof prefixes[0] };

static const Symbol *find_symbol(const char *text, size_t length)
{
    for (size_t i = 0; i < SYMBOLS; i++) {
        if (strlen(symbols[i].name) == length && memcmp(symbols[i].name, text, length) == 0) {
            return &symbols[i];
        }
    }
    return NULL;
}

/* "mm" is a prefix and a symbol, but "min" is a symbol: symbols without prefix are tried first. */
static bool find_unit(const char *text, size_t length, dlp__Unit *unit)
{
    const Symbol *symbol = find_symbol(text, length);
    if (symbol != NULL) {
        *unit = symbol->unit;
        return true;
    }
    for (size_t i = 0; i < PREFIXES; i++) {
        size_t skip = strlen(prefixes[i].name);
        if (length > skip && memcmp(prefixes[i].name, text, skip) == 0) {
            symbol = find_symbol(text + skip, length - skip);
            if (symbol != NULL && symbol->prefixed) {
                *unit = symbol->unit;
                unit->factor *= prefixes[i].factor;
                unit->divisor *= prefixes[i].divisor;
                return true;
            }
        }
    }
    return false;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '%';
}

/* Bytes of the symbol at `text`: letters, micro and degree signs, "s^n", or a lone 1 as in "1/s". */
static size_t symbol_length(const char *text)
{
    if (text[0] == '1' && text[1] == '/') {
        return 1;
    }
    if (strncmp(text, "s^n", 3) == 0 && !is_letter(text[3])) {
        return 3;
    }
    size_t length = 0;
    for (;;) {
        const char *s = text + length;
        bool sign = strncmp(s, "\xc2\xb5", 2) == 0 || strncmp(s, "\xce\xbc", 2) == 0 || strncmp(s, "\xc2\xb0", 2) == 0;
        if (!sign && !is_letter(*s)) {
            return length;
        }
        length += sign ? 2 : 1;
    }
}

/* The power after a symbol: "2", "^2", "-3", "^-3", or a superscript 2 or 3; 1 if there is none. Advances `text`. */
static int read_power(const char **text)
{
    const char *s = *text;
    if (strncmp(s, "\xc2\xb2", 2) == 0 || strncmp(s, "\xc2\xb3", 2) == 0) {
        *text += 2;
        return s[1] == '\xb2' ? 2 : 3;
    }
    if (*s == '^') {
        s++;
    }
    int sign = *s == '-' ? -1 : 1;
    if (*s == '-') {
        s++;
    }
    if (*s < '1' || *s > '0' + POWER_MAX || (s[1] >= '0' && s[1] <= '9')) {
        return 1; /* not a power; the caller reports the error */
    }
    *text = s + 1;
    return sign * (*s - '0');
}

static void multiply(dlp__Unit *unit, const dlp__Unit *by, int power)
{
    for (int i = 0; i < abs(power); i++) {
        unit->factor *= power > 0 ? by->factor : by->divisor;
        unit->divisor *= power > 0 ? by->divisor : by->factor;
    }
    for (int d = 0; d < DLP_UNIT_DIMENSIONS; d++) {
        unit->power[d] += by->power[d] * power;
    }
}

/* The separator between two factors. Advances `text` and sets the sign of the next factor's power. */
static bool read_separator(const char **text, int *sign, bool *grouped)
{
    const char *s = *text + strspn(*text, " ");
    bool spaced = s != *text;
    if (*grouped && *s == ')') {
        *grouped = false;
        s++;
        s += strspn(s, " ");
        spaced = true;
    }
    if (*s == '/' && !*grouped) {
        *sign = -1;
        s += 1 + strspn(s + 1, " ");
        if (*s == '(') {
            *grouped = true;
            s++;
        }
    } else {
        *sign = *grouped ? -1 : 1;
        size_t product = *s == '.' || *s == '*' ? 1 : strncmp(s, "\xc2\xb7", 2) == 0 ? 2 : 0;
        if (product == 0 && (!spaced || *s == 0)) {
            *text = s;
            return spaced;
        }
        s += product;
        s += strspn(s, " ");
    }
    *text = s;
    return *s != 0;
}

bool dlp__scene_parse_unit(const char *text, dlp__Unit *unit, const char **bad, size_t *bad_length)
{
    *unit = (dlp__Unit){1.0, 1.0, 0.0, {0}};
    const char *s = text;
    int sign = 1;
    bool grouped = false;
    for (int count = 1; *s != 0; count++) {
        const char *start = s;
        dlp__Unit factor;
        size_t length = symbol_length(s);
        bool known = count <= FACTORS_MAX && length > 0 && find_unit(s, length, &factor);
        s += length;
        int power = read_power(&s);
        bool alone = start == text && *s == 0 && power == 1;
        known = known && (factor.offset == 0.0 || alone); /* 20 degC/m has no meaning */
        if (known) {
            multiply(unit, &factor, power * sign);
            unit->offset = factor.offset;
        }
        if (!known || (*s != 0 && !read_separator(&s, &sign, &grouped)) || (*s == 0 && grouped)) {
            if (bad != NULL && bad_length != NULL) {
                *bad = start;
                *bad_length = known || length == 0 ? strlen(start) : length;
            }
            return false;
        }
    }
    return true;
}

bool dlp__scene_same_dimension(const dlp__Unit *a, const dlp__Unit *b)
{
    return memcmp(a->power, b->power, sizeof a->power) == 0;
}

static size_t digits(const char *text)
{
    return strspn(text, "0123456789");
}

/* Bytes of the decimal number at `text`, 0 if there is none. */
static size_t number_length(const char *text)
{
    const char *s = text + (*text == '-' || *text == '+');
    size_t whole = digits(s);
    s += whole;
    size_t fraction = *s == '.' ? digits(s + 1) : 0;
    if (whole + fraction == 0) {
        return 0;
    }
    s += *s == '.' ? 1 + fraction : 0;
    if (*s == 'e' || *s == 'E') {
        size_t sign = s[1] == '-' || s[1] == '+';
        size_t exponent = digits(s + 1 + sign);
        s += exponent > 0 ? 1 + sign + exponent : 0;
    }
    return (size_t)(s - text);
}

static bool is_infinite_or_nan(const char *text)
{
    static const char *const names[] = {".inf", ".nan", "inf", "nan", "infinity"};
    const char *s = text + (*text == '-' || *text == '+');
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t j = 0;
        while (names[i][j] != 0 && (s[j] | 0x20) == (names[i][j] | 0x20)) {
            j++;
        }
        if (names[i][j] == 0 && s[j] == 0) {
            return true;
        }
    }
    return false;
}

dlp__QuantityFault dlp__scene_parse_quantity(const char *text, const char *si, double *value, const char **bad,
                                             size_t *bad_length)
{
    size_t length = number_length(text);
    *bad = text;
    *bad_length = strlen(text);
    if (length == 0 || length >= NUMBER_BYTES) {
        return is_infinite_or_nan(text) ? DLP_QUANTITY_NOT_FINITE : DLP_QUANTITY_NO_NUMBER;
    }
    char number[NUMBER_BYTES];
    memcpy(number, text, length);
    number[length] = 0;
    *value = strtod(number, NULL);

    const char *unit_text = text + length + strspn(text + length, " ");
    if (*unit_text != 0) {
        dlp__Unit unit;
        dlp__Unit wanted;
        if (!dlp__scene_parse_unit(unit_text, &unit, bad, bad_length)) {
            return DLP_QUANTITY_UNKNOWN_UNIT;
        }
        *bad = unit_text;
        *bad_length = strlen(unit_text);
        if (!dlp__scene_parse_unit(si, &wanted, NULL, NULL) || !dlp__scene_same_dimension(&unit, &wanted)) {
            return DLP_QUANTITY_WRONG_DIMENSION;
        }
        *value = *value * unit.factor / unit.divisor + unit.offset;
    }
    return isfinite(*value) ? DLP_QUANTITY_OK : DLP_QUANTITY_NOT_FINITE;
}

const char *dlp__scene_unit_symbol(int index, bool prefixed)
{
    for (size_t i = 0; i < SYMBOLS; i++) {
        bool ascii = (unsigned char)symbols[i].name[0] < 0x80 && strcmp(symbols[i].name, "1") != 0;
        if (ascii && symbols[i].prefixed == prefixed && index-- == 0) {
            return symbols[i].name;
        }
    }
    return NULL;
}

const char *dlp__scene_common_unit(const char *si, int index)
{
    dlp__Unit wanted;
    if (!dlp__scene_parse_unit(si, &wanted, NULL, NULL)) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof common_units / sizeof common_units[0]; i++) {
        dlp__Unit unit;
        if (dlp__scene_parse_unit(common_units[i], &unit, NULL, NULL) && dlp__scene_same_dimension(&unit, &wanted) &&
            index-- == 0) {
            return common_units[i];
        }
    }
    return NULL;
}

char *dlp__scene_format_number(double value, char text[32])
{
    for (int precision = 6; precision <= 17; precision++) {
        snprintf(text, 32, "%.*g", precision, value);
        if (strtod(text, NULL) == value) {
            break;
        }
    }
    char *exponent = strchr(text, 'e'); /* "1e+06" and "1e-06" become 1e6 and 1e-6 */
    if (exponent != NULL) {
        char *to = exponent + 1 + (exponent[1] == '-');
        const char *from = exponent + 2 + strspn(exponent + 2, "0");
        memmove(to, from, strlen(from) + 1);
    }
    return text;
}

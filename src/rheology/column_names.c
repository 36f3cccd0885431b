/* Headings are compared as lower-case letters and digits without spaces; units keep their case, because mPa and MPa differ. */
#include "rheology/column_names.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { SIMPLE_SIZE = 96 };

typedef struct Replacement {
    const char *from, *to;
} Replacement;

/* Characters in UTF-8, of headings and of units. */
static const Replacement heading_characters[] = {
    {"\xce\xb3", "gamma"}, /* Greek gamma */
    {"\xcc\x87", "dot"},   /* combining dot above */
    {"\xce\xb7", "eta"},    {"\xcf\x84", "tau"},    {"\xcf\x83", "sigma"},
    {"\xcf\x89", "omega"},  {"\xe2\x80\xb2", "'"},  {"\xe2\x80\x99", "'"}, /* prime, apostrophe */
    {"\xe2\x80\xb3", "''"}, {"\xe2\x80\x9d", "''"}, {"\"", "''"},          /* double prime, quotes */
    {"\xc2\xa0", ""},                                                      /* no-break space */
};
static const Replacement unit_characters[] = {
    {"\xc2\xb7", ""},      {"\xe2\x8b\x85", ""},  {"\xc2\xa0", ""}, /* dots between units, no-break space */
    {"\xe2\x81\xbb", "-"}, {"\xe2\x88\x92", "-"},                   /* superscript minus, minus */
    {"\xc2\xb9", "1"},     {"\xc2\xb2", "2"},                       /* superscripts */
};

/* Writes the text to `out`, of SIMPLE_SIZE bytes: characters replaced, those of `dropped` left out. Others that are not plain become '?'. */
static void simplify(const char *text, size_t length, const Replacement *table, size_t table_count, const char *dropped,
                     bool lower, char *out)
{
    size_t used = 0;
    for (size_t i = 0; i < length && used + 6 < SIMPLE_SIZE;) {
        const Replacement *found = NULL;
        for (size_t r = 0; r < table_count && !found; r++) {
            const size_t size = strlen(table[r].from);
            found = size <= length - i && memcmp(text + i, table[r].from, size) == 0 ? &table[r] : NULL;
        }
        if (found) {
            used += (size_t)snprintf(out + used, SIMPLE_SIZE - used, "%s", found->to);
            i += strlen(found->from);
        } else {
            const unsigned char letter = (unsigned char)text[i++];
            if (letter >= 0x80) {
                out[used++] = '?';
            } else if (!strchr(dropped, letter)) {
                out[used++] = (char)(lower ? tolower(letter) : letter);
            }
        }
    }
    out[used] = 0;
}

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

typedef struct UnitFactor {
    const char *unit; /* simplified */
    double factor;
} UnitFactor;

typedef struct QuantityNames {
    const char *name, *units, *default_unit;
    const char *const *headings; /* simplified, null-terminated, the longest first where one begins like another */
    const UnitFactor *factors;   /* ends with a null unit */
} QuantityNames;

static const double PER_MINUTE = 1.0 / 60.0, TURN = 6.283185307179586;

static const UnitFactor rate_factors[] = {
    {"1/s", 1.0},  {"s-1", 1.0},          {"/s", 1.0},           {"1s", 1.0},          {"s1", 1.0},
    {"pers", 1.0}, {"1/min", PER_MINUTE}, {"min-1", PER_MINUTE}, {"1min", PER_MINUTE}, {NULL, 0.0}};
static const UnitFactor stress_factors[] = {{"Pa", 1.0},      {"pa", 1.0},       {"kPa", 1e3},  {"kpa", 1e3},
                                            {"MPa", 1e6},     {"mPa", 1e-3},     {"N/m2", 1.0}, {"Nm-2", 1.0},
                                            {"dyn/cm2", 0.1}, {"dyne/cm2", 0.1}, {NULL, 0.0}};
static const UnitFactor viscosity_factors[] = {
    {"Pas", 1.0}, {"pas", 1.0}, {"mPas", 1e-3}, {"mpas", 1e-3}, {"kPas", 1e3},  {"kpas", 1e3}, {"MPas", 1e6},
    {"cP", 1e-3}, {"cp", 1e-3}, {"P", 0.1},     {"poise", 0.1}, {"Poise", 0.1}, {NULL, 0.0}};
static const UnitFactor angular_factors[] = {{"rad/s", 1.0}, {"rads-1", 1.0}, {"rads", 1.0}, {"radpers", 1.0},
                                             {"1/s", 1.0},   {"s-1", 1.0},    {NULL, 0.0}};
static const UnitFactor frequency_factors[] = {{"Hz", TURN},    {"hz", TURN},  {"rad/s", 1.0},
                                               {"rads-1", 1.0}, {"rads", 1.0}, {NULL, 0.0}};

static const char *const rate_headings[] = {"shearrate", "strainrate", "rateofshear", "gammadot", "rate", NULL};
static const char *const stress_headings[] = {"shearstress", "stress", "tau", "sigma", NULL};
static const char *const viscosity_headings[] = {
    "shearviscosity", "apparentviscosity", "dynamicviscosity", "steadyviscosity", "viscosity", "eta", NULL};
static const char *const angular_headings[] = {"angularfrequency", "angfrequency", "angfreq", "omega", NULL};
static const char *const frequency_headings[] = {"frequency", "freq", "f", NULL};
static const char *const storage_headings[] = {"storagemodulus", "gprime", "g'", NULL};
static const char *const loss_headings[] = {"lossmodulus", "gdoubleprime", "gprimeprime", "g''", NULL};

static const QuantityNames quantities[DLP__QUANTITY_COUNT] = {
    [DLP__SHEAR_RATE] = {"shear rate", "1/s or 1/min", "1/s", rate_headings, rate_factors},
    [DLP__STRESS] = {"shear stress", "Pa, kPa, MPa, mPa or dyn/cm2", "Pa", stress_headings, stress_factors},
    [DLP__VISCOSITY] = {"viscosity", "Pa.s, mPa.s, kPa.s, cP or P", "Pa.s", viscosity_headings, viscosity_factors},
    [DLP__ANGULAR_FREQUENCY] = {"angular frequency", "rad/s", "rad/s", angular_headings, angular_factors},
    [DLP__FREQUENCY] = {"frequency", "Hz or rad/s", NULL, frequency_headings, frequency_factors},
    [DLP__STORAGE] = {"storage modulus", "Pa, kPa, MPa or mPa", "Pa", storage_headings, stress_factors},
    [DLP__LOSS] = {"loss modulus", "Pa, kPa, MPa or mPa", "Pa", loss_headings, stress_factors},
};

const char *dlp__quantity_name(dlp__Quantity quantity)
{
    return quantities[quantity].name;
}

const char *dlp__quantity_units(dlp__Quantity quantity)
{
    return quantities[quantity].units;
}

const char *dlp__quantity_default_unit(dlp__Quantity quantity)
{
    return quantities[quantity].default_unit;
}

static double find_factor(dlp__Quantity quantity, const char *simple)
{
    for (const UnitFactor *factor = quantities[quantity].factors; factor->unit; factor++) {
        if (strcmp(factor->unit, simple) == 0) {
            return factor->factor;
        }
    }
    return 0.0;
}

double dlp__unit_factor(dlp__Quantity quantity, const char *unit, size_t length)
{
    char simple[SIMPLE_SIZE];
    simplify(unit, length, unit_characters, COUNT(unit_characters), " .*^_[]()", false, simple);
    return find_factor(quantity, simple);
}

/* What may follow the name of a quantity in a heading: nothing, its symbol, or a unit as in "stress_kpa". */
static bool is_symbol(const char *rest)
{
    static const char *const symbols[] = {"", "gammadot", "tau", "sigma", "eta", "omega", "g'", "g''", "f"};
    for (size_t s = 0; s < COUNT(symbols); s++) {
        if (strcmp(rest, symbols[s]) == 0) {
            return true;
        }
    }
    return false;
}

/* Where the unit of a heading begins: the last bracket, or what follows a comma or "in". */
static size_t unit_begin(const char *heading, size_t length)
{
    const char close = heading[length - 1];
    const char open = close == ']' ? '[' : close == ')' ? '(' : 0;
    for (size_t i = length; open && i-- > 1;) {
        if (heading[i] == open) {
            return i;
        }
    }
    for (size_t i = length; i-- > 1;) {
        if (heading[i] == ',' || (i + 4 < length && memcmp(heading + i, " in ", 4) == 0)) {
            return i;
        }
    }
    return length;
}

dlp__Quantity dlp__heading_quantity(const char *heading, size_t length, char *unit, size_t unit_size)
{
    unit[0] = 0;
    if (length == 0 || length > 200) {
        return DLP__OTHER;
    }
    char simple[SIMPLE_SIZE];
    const size_t begin = unit_begin(heading, length);
    simplify(heading, begin, heading_characters, COUNT(heading_characters), " _-.:/^", true, simple);
    if (begin < length) {
        size_t from = begin + (heading[begin] == ' ' ? 4 : 1),
               to = length - (strchr("])", heading[length - 1]) != NULL);
        while (from < to && heading[from] == ' ') {
            from++;
        }
        snprintf(unit, unit_size, "%.*s", (int)(to - from), heading + from);
    }
    for (int q = 0; q < DLP__QUANTITY_COUNT; q++) {
        for (const char *const *name = quantities[q].headings; *name; name++) {
            const size_t size = strlen(*name);
            if (strncmp(simple, *name, size) != 0) {
                continue;
            }
            if (is_symbol(simple + size)) {
                return (dlp__Quantity)q;
            }
            if (find_factor((dlp__Quantity)q, simple + size) > 0.0) {
                snprintf(unit, unit_size, "%s", simple + size);
                return (dlp__Quantity)q;
            }
        }
    }
    return DLP__OTHER;
}

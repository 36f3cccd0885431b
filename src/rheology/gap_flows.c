/* Flows between walls by the law of steady shear: coaxial cylinders, and plates that approach each other. The flow curve is tabulated
 * as power laws from one rate to the next, which makes the integrals exact in each part. */
#include <dollop/rheology.h>
#include <math.h>
#include <stdbool.h>

static const double PI = 3.14159265358979323846;
static const double DECADES_BELOW = 8.0; /* the scale of the shear rate; five of the curve are above it */
enum { PER_DECADE = 48, RATES = 13 * PER_DECADE + 1, BISECTIONS = 60, PLACES = 100 };

/* One rate of the flow curve, and the integrals from rate 0 to it. */
typedef struct CurvePoint {
    double rate, stress; /* 1/s, Pa */
    double slope;        /* d ln(stress) / d ln(rate), up to the next point */
    double turning;      /* 1/s, integral of rate / 2 d ln(stress): of Couette flow */
    double square;       /* Pa2/s, integral of stress^2 d(rate): of channel flow */
} CurvePoint;

/* False if the stress does not rise with the rate. */
static bool tabulate(CurvePoint curve[RATES], const dlp_MaterialDef *material, double scale)
{
    for (int k = 0; k < RATES; k++) {
        curve[k].rate = scale * pow(10.0, (double)k / PER_DECADE - DECADES_BELOW);
        curve[k].stress = dlp_material_shear_stress(material, curve[k].rate);
        if (!(curve[k].stress > 0.0) || (k > 0 && curve[k].stress < curve[k - 1].stress * (1.0 - 1e-9))) {
            return false;
        }
    }
    for (int k = 0; k < RATES; k++) {
        const int from = k < RATES - 1 ? k : k - 1;
        curve[k].slope = fmax(log(curve[from + 1].stress / curve[from].stress) * PER_DECADE / log(10.0), 0.0);
    }
    curve[0].turning = 0.5 * curve[0].slope * curve[0].rate;
    curve[0].square = curve[0].stress * curve[0].stress * curve[0].rate / (2.0 * curve[0].slope + 1.0);
    for (int k = 1; k < RATES; k++) {
        const CurvePoint *a = &curve[k - 1];
        CurvePoint *b = &curve[k];
        b->turning = a->turning + 0.5 * a->slope * (b->rate - a->rate);
        b->square = a->square +
                    (b->stress * b->stress * b->rate - a->stress * a->stress * a->rate) / (2.0 * a->slope + 1.0);
    }
    return true;
}

/* The curve at a rate within the table. */
static CurvePoint at_rate(const CurvePoint curve[RATES], double rate)
{
    const double place = log10(rate / curve[0].rate) * PER_DECADE;
    const int k = (int)fmin(fmax(place, 0.0), RATES - 2);
    CurvePoint point = curve[k];
    point.rate = rate;
    point.stress *= pow(rate / curve[k].rate, point.slope);
    point.turning += 0.5 * point.slope * (rate - curve[k].rate);
    point.square += (point.stress * point.stress * rate - curve[k].stress * curve[k].stress * curve[k].rate) /
                    (2.0 * point.slope + 1.0);
    return point;
}

/* Integral of rate / 2 d ln(stress) up to a stress, by bisection of the table; 0 below a yield stress. */
static double turning_at(const CurvePoint curve[RATES], double stress)
{
    int low = 0, high = RATES - 1;
    if (stress <= curve[0].stress) {
        return 0.0;
    }
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (curve[middle].stress <= stress) {
            low = middle;
        } else {
            high = middle;
        }
    }
    const CurvePoint *a = &curve[low];
    const double rate = a->slope > 0.0 ? a->rate * pow(stress / a->stress, 1.0 / a->slope) : a->rate;
    return a->turning + 0.5 * a->slope * (rate - a->rate);
}

/* The rate at the wall at which an increasing function of the flow has this value. */
typedef double CurveFunction(const CurvePoint curve[RATES], const CurvePoint *wall, double parameter);

static CurvePoint find_wall(const CurvePoint curve[RATES], CurveFunction *function, double parameter, double value)
{
    double low = curve[0].rate, high = curve[RATES - 1].rate;
    for (int n = 0; n < BISECTIONS; n++) {
        const CurvePoint middle = at_rate(curve, sqrt(low * high));
        if (function(curve, &middle, parameter) < value) {
            low = middle.rate;
        } else {
            high = middle.rate;
        }
    }
    return at_rate(curve, sqrt(low * high));
}

/* rad/s: the stress falls with the square of the radius, from that at the inner cylinder. */
static double rotation_of(const CurvePoint curve[RATES], const CurvePoint *wall, double radius_ratio)
{
    return wall->turning - turning_at(curve, wall->stress * radius_ratio * radius_ratio);
}

double dlp_material_couette_torque(const dlp_MaterialDef *material, double inner, double outer, double rotation)
{
    CurvePoint curve[RATES];
    const double ratio = inner / outer;
    if (!material || !(inner > 0.0) || !(outer > inner) || !(rotation > 0.0) ||
        !tabulate(curve, material, 2.0 * rotation / (1.0 - ratio * ratio))) {
        return NAN;
    }
    return 2.0 * PI * inner * inner * find_wall(curve, rotation_of, ratio, rotation).stress;
}

/* 1/s: 4 / gap^2 times the flux over width between parallel plates. The stress falls linearly from the wall to the middle. */
static double flux_of(const CurvePoint curve[RATES], const CurvePoint *wall, double unused)
{
    (void)curve;
    (void)unused;
    return wall->rate - wall->square / (wall->stress * wall->stress);
}

/* Pa, the mean over the gap of sqrt(limit^2 - shear stress^2), where the shear stress is below the limit. */
static double mean_stretching_stress(double limit, double wall_stress)
{
    const double edge = fmin(wall_stress / limit, 1.0);
    return 0.5 * limit * limit / wall_stress * (asin(edge) + edge * sqrt(1.0 - edge * edge));
}

double dlp_material_squeeze_force(const dlp_MaterialDef *material, dlp_SqueezeShape shape, double radius, double gap,
                                  double speed)
{
    CurvePoint curve[RATES];
    const bool is_strip = shape == DLP_SQUEEZE_STRIP;
    if (!material || !(radius > 0.0) || !(gap > 0.0) || !(speed > 0.0) ||
        !tabulate(curve, material, 6.0 * speed * fmax(radius, gap) / (gap * gap))) {
        return NAN;
    }
    /* in the middle plane: strip D = (1, 0, -1) speed / gap, disc (1/2, 1/2, -1); the part of the stress along the flow less that across
     * the gap is 2 and sqrt(3) times the stress of shear at the rate sqrt(2 D:D) */
    const double stretching = speed / gap * (is_strip ? 2.0 : sqrt(3.0));
    const double limit = at_rate(curve, stretching).stress, factor = is_strip ? 2.0 : sqrt(3.0);
    double force = 0.0;
    for (int k = 0; k < PLACES; k++) {
        const double width = radius / PLACES, place = (k + 0.5) * width;
        const double flux = speed * place * (is_strip ? 1.0 : 0.5);
        const double stress = find_wall(curve, flux_of, 0.0, 4.0 * flux / (gap * gap)).stress;
        /* the pressure that the wall stress adds at `place` acts on everything nearer to the middle */
        const double area = is_strip ? 2.0 * place : PI * place * place, ring = is_strip ? 2.0 : 2.0 * PI * place;
        force += width * (2.0 * stress / gap * area + factor * mean_stretching_stress(limit, stress) * ring);
    }
    return force;
}

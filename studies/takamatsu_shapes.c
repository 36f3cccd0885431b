/* Figures are unions of capsules, balls and boxes; their size in spacings is searched for, so that they hold the wanted number of
 * lattice points. */
#include "studies/takamatsu_shapes.h"

#include "studies/rabbit.h"

#include <math.h>
#include <stdlib.h>

/* In fractions of the height of the figure: a capsule between two points, or with radius 0 a box between two corners. */
typedef struct Part {
    double from[3], to[3], radius;
} Part;

static const Part statue[] = {
    {{-0.02, -0.13, 0.14}, {-0.04, -0.13, 0.82}, 0.14}, /* face and neck, left and right */
    {{-0.02, 0.13, 0.14}, {-0.04, 0.13, 0.82}, 0.14},
    {{-0.06, 0.00, 0.14}, {-0.08, 0.00, 0.86}, 0.14},   /* back of the head */
    {{0.10, -0.15, 0.74}, {0.10, 0.15, 0.74}, 0.07},    /* brow             */
    {{0.12, 0.00, 0.72}, {0.18, 0.00, 0.54}, 0.055},    /* nose             */
    {{0.10, -0.09, 0.42}, {0.10, 0.09, 0.42}, 0.06},    /* lips             */
    {{0.07, -0.08, 0.30}, {0.07, 0.08, 0.30}, 0.09},    /* chin             */
    {{-0.03, -0.27, 0.46}, {-0.03, -0.27, 0.74}, 0.05}, /* ears             */
    {{-0.03, 0.27, 0.46}, {-0.03, 0.27, 0.74}, 0.05},
    {{0.00, -0.18, 0.10}, {0.00, 0.18, 0.10}, 0.17}, /* base             */
};

static const Part biped[] = {
    {{0.00, 0.00, 0.40}, {-0.01, 0.00, 0.60}, 0.155},                                                      /* trunk */
    {{0.03, 0.00, 0.78}, {0.05, 0.00, 0.80}, 0.105},                                                       /* head  */
    {{0.08, 0.00, 0.77}, {0.20, 0.00, 0.74}, 0.055},                                                       /* snout */
    {{0.01, -0.10, 0.84}, {-0.02, -0.13, 0.95}, 0.045},                                                    /* ears  */
    {{0.01, 0.10, 0.84}, {-0.02, 0.13, 0.95}, 0.045},   {{0.00, -0.17, 0.64}, {0.05, -0.36, 0.62}, 0.065}, /* arms  */
    {{0.00, 0.17, 0.64}, {0.05, 0.36, 0.62}, 0.065},    {{0.05, -0.36, 0.62}, {0.16, -0.36, 0.80}, 0.055}, /* hands */
    {{0.05, 0.36, 0.62}, {0.16, 0.36, 0.80}, 0.055},    {{0.00, -0.10, 0.34}, {0.02, -0.15, 0.10}, 0.085}, /* legs  */
    {{0.00, 0.10, 0.34}, {0.02, 0.15, 0.10}, 0.085},    {{0.02, -0.15, 0.06}, {0.12, -0.17, 0.06}, 0.065}, /* feet  */
    {{0.02, 0.15, 0.06}, {0.12, 0.17, 0.06}, 0.065},    {{-0.10, 0.00, 0.34}, {-0.32, 0.00, 0.12}, 0.050}, /* tail  */
};

/* The balls stay above the surface by more than their particles touch at. */
static const Part pool[] = {
    {{-0.22, -0.22, 0.55}, {-0.22, -0.22, 0.55}, 0.15}, {{0.22, 0.22, 0.60}, {0.22, 0.22, 0.60}, 0.15},
    {{0.22, -0.22, 0.78}, {0.22, -0.22, 0.78}, 0.15},   {{-0.22, 0.22, 0.85}, {-0.22, 0.22, 0.85}, 0.15},
    {{-0.50, -0.50, 0.00}, {0.50, 0.50, 0.30}, 0.00},
};

typedef struct Figure {
    const Part *parts;
    int count;
} Figure;

static Figure figure_of(TakamatsuShape shape, Part balls[RABBIT_BALLS])
{
    for (int n = 0; n < RABBIT_BALLS; n++) {
        const RabbitBall *ball = &rabbit[n];
        balls[n] = (Part){{ball->x, ball->y, ball->z}, {ball->x, ball->y, ball->z}, ball->radius};
    }
    return shape == TAKAMATSU_STATUE  ? (Figure){statue, sizeof statue / sizeof statue[0]}
           : shape == TAKAMATSU_BIPED ? (Figure){biped, sizeof biped / sizeof biped[0]}
           : shape == TAKAMATSU_POOL  ? (Figure){pool, sizeof pool / sizeof pool[0]}
                                      : (Figure){balls, RABBIT_BALLS};
}

static bool is_in_part(const Part *part, const double at[3])
{
    double along = 0, length = 0, square = 0;
    bool in_box = true;
    for (int a = 0; a < 3; a++) {
        along += (at[a] - part->from[a]) * (part->to[a] - part->from[a]);
        length += (part->to[a] - part->from[a]) * (part->to[a] - part->from[a]);
        in_box = in_box && at[a] > part->from[a] && at[a] < part->to[a];
    }
    const double share = length > 0 ? fmin(fmax(along / length, 0), 1) : 0;
    for (int a = 0; a < 3; a++) {
        const double way = at[a] - part->from[a] - share * (part->to[a] - part->from[a]);
        square += way * way;
    }
    return part->radius > 0 ? square < part->radius * part->radius : in_box;
}

/* The lattice points inside a figure that is `height` spacings high; `points` may be null. Returns their number. */
static int64_t fill_figure(const Figure *figure, double height, TakamatsuPoints *points)
{
    const int side = (int)ceil(height) + 1;
    int64_t count = 0;
    for (int64_t n = 0; n < (int64_t)side * side * side; n++) {
        const int64_t row = n / side, layer = row / side;
        const double x = (double)(n % side) + 0.5 - 0.5 * side, y = (double)(row % side) + 0.5 - 0.5 * side,
                     z = (double)layer + 0.5;
        const double at[3] = {x / height, y / height, z / height};
        int part = 0;
        while (part < figure->count && !is_in_part(&figure->parts[part], at)) {
            part++;
        }
        if (part < figure->count) {
            if (points) {
                points->at[count][0] = (float)x;
                points->at[count][1] = (float)y;
                points->at[count][2] = (float)z;
                points->part[count] = (uint8_t)part;
            }
            count++;
        }
    }
    return count;
}

/* Spacings: the height whose number of points is nearest to `wanted`. */
static double height_for(const Figure *figure, int64_t wanted)
{
    const double step = 0.05;
    double best = 4, low = 4, high = 100;
    while (high - low > 1) {
        const double middle = 0.5 * (low + high);
        *(fill_figure(figure, middle, NULL) < wanted ? &low : &high) = middle;
    }
    int64_t nearest = INT64_MAX;
    for (int n = 0; low + n * step < high; n++) {
        const double height = low + n * step;
        const int64_t off = llabs(fill_figure(figure, height, NULL) - wanted);
        best = off < nearest ? height : best;
        nearest = off < nearest ? off : nearest;
    }
    return best;
}

static void fill_block(const int counts[3], TakamatsuPoints *points)
{
    for (int64_t n = 0; n < points->count; n++) {
        const int64_t index[3] = {n % counts[0], n / counts[0] % counts[1], n / counts[0] / counts[1]};
        for (int a = 0; a < 3; a++) {
            points->at[n][a] = (float)((double)index[a] + 0.5 - (a < 2 ? 0.5 * counts[a] : 0));
        }
        points->part[n] = 0;
    }
}

static void measure(TakamatsuPoints *points)
{
    for (int a = 0; a < 3; a++) {
        double least = INFINITY, most = -INFINITY;
        for (int64_t i = 0; i < points->count; i++) {
            least = fmin(least, (double)points->at[i][a]);
            most = fmax(most, (double)points->at[i][a]);
        }
        points->size[a] = most - least + 1;
    }
}

TakamatsuPoints takamatsu_points(StudyRun *run, TakamatsuShape shape, int64_t wanted)
{
    const int side = (int)lround(cbrt((double)wanted));
    const int counts[3] = {shape == TAKAMATSU_BAR ? 40 : side, shape == TAKAMATSU_BAR ? 9 : side,
                           shape == TAKAMATSU_BAR ? 10 : side};
    const bool is_block = shape == TAKAMATSU_BAR || shape == TAKAMATSU_CUBE;
    Part balls[RABBIT_BALLS];
    const Figure figure = figure_of(shape, balls);
    const double height = is_block ? 0 : height_for(&figure, wanted);
    TakamatsuPoints points = {.count = is_block ? (int64_t)counts[0] * counts[1] * counts[2]
                                                : fill_figure(&figure, height, NULL)};
    points.at = calloc((size_t)points.count + 1, sizeof *points.at);
    points.part = calloc((size_t)points.count + 1, 1);
    if (!points.at || !points.part) {
        study_fail(run, DLP_ERROR_MEMORY, "out of memory");
        takamatsu_points_free(&points);
        return points;
    }
    if (is_block) {
        fill_block(counts, &points);
    } else {
        fill_figure(&figure, height, &points);
    }
    measure(&points);
    return points;
}

void takamatsu_points_free(TakamatsuPoints *points)
{
    free(points->at);
    free(points->part);
    *points = (TakamatsuPoints){0};
}

void takamatsu_add(StudyRun *run, dlp_World *world, dlp_MaterialId material, const TakamatsuPoints *points,
                   double height, dlp_Vec3 velocity)
{
    const double spacing = world ? dlp_world_def(world).spacing : 1;
    float(*scaled)[3] = malloc((size_t)(points->count + 1) * sizeof *scaled);
    if (!scaled) {
        study_fail(run, DLP_ERROR_MEMORY, "out of memory");
    }
    for (int64_t i = 0; scaled && i < points->count; i++) {
        for (int a = 0; a < 3; a++) {
            scaled[i][a] = (float)(spacing * (double)points->at[i][a] + (a == 2 ? height : 0));
        }
    }
    if (scaled && world && study_going(run)) {
        study_keep(run, world, dlp_world_add_points(world, material, scaled[0], points->count, velocity));
    }
    free(scaled);
}

double takamatsu_spread(double support)
{
    const int reach = (int)ceil(support);
    double sum = 0, count = 0;
    for (int x = -reach; x <= reach; x++) {
        for (int y = -reach; y <= reach; y++) {
            for (int z = -reach; z <= reach; z++) {
                const bool inside = x * x + y * y + z * z < support * support;
                sum += inside ? z * z : 0;
                count += inside;
            }
        }
    }
    return sum / count;
}

double takamatsu_support(const TakamatsuPoints *points, double wanted, double *mean)
{
    enum { SHELLS = 64, LEAST = 2 }; /* squared distances: a support has at most 8 spacings */
    int64_t pairs[SHELLS] = {0}, within = 0;
    double best = 0, nearest = INFINITY;
    for (int64_t i = 0; i < points->count; i++) {
        for (int64_t j = 0; j < i; j++) {
            const float x = points->at[i][0] - points->at[j][0], y = points->at[i][1] - points->at[j][1],
                        z = points->at[i][2] - points->at[j][2];
            const float square = x * x + y * y + z * z;
            if (square < SHELLS - 0.5f) {
                pairs[lroundf(square)] += 2;
            }
        }
    }
    for (int shell = 1; shell < SHELLS; shell++) {
        within += pairs[shell];
        const double neighbors = (double)within / (double)points->count;
        if (shell >= LEAST && fabs(neighbors - wanted) < nearest) {
            nearest = fabs(neighbors - wanted);
            best = sqrt(shell + 0.5);
            *mean = neighbors;
        }
    }
    return best;
}

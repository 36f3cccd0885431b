/* dollop inside a host program: it takes memory from the host, reports to its log and runs on its threads. Shows: the hooks
 * of a world. The result equals that of a world without hooks, bit for bit, and all memory is returned. */
#include <dollop/dollop.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* Memory, counted. dollop asks for it only on the thread that calls dollop. */
typedef struct Memory {
    size_t held; /* bytes */
    long allocations;
} Memory;

static void *allocate(void *user, size_t size, size_t alignment)
{
    void *block = NULL;
    if (posix_memalign(&block, alignment < sizeof(void *) ? sizeof(void *) : alignment, size) != 0) {
        return NULL; /* the call that needed it fails with DLP_ERROR_MEMORY */
    }
    Memory *memory = user;
    memory->held += size;
    memory->allocations++;
    return block;
}

static void release(void *user, void *block, size_t size)
{
    Memory *memory = user;
    memory->held -= block ? size : 0;
    free(block);
}

static void print_log(void *user, dlp_LogLevel level, const char *text)
{
    fprintf(user, "%s: %s\n", level == DLP_LOG_WARNING ? "warning" : "info", text);
}

/* Threads. A real host has a pool; here each loop starts its own and waits for them. */
enum { THREADS = 3 };

typedef struct Range {
    dlp_RangeFunction work;
    void *context;
    int64_t begin, end;
} Range;

static void *run_range(void *argument)
{
    const Range *range = argument;
    range->work(range->context, range->begin, range->end);
    return NULL;
}

static void parallel_for(void *user, int64_t count, int64_t grain, dlp_RangeFunction work, void *context)
{
    pthread_t threads[THREADS];
    Range ranges[THREADS];
    const int64_t share = (count / THREADS / grain + 1) * grain; /* ranges begin at multiples of the grain */
    int started = 0;
    for (int64_t begin = 0; begin < count; begin += share) {
        ranges[started] = (Range){work, context, begin, begin + share < count ? begin + share : count};
        if (pthread_create(&threads[started], NULL, run_range, &ranges[started]) == 0) {
            started++;
        } else {
            run_range(&ranges[started]);
        }
    }
    while (started > 0) {
        pthread_join(threads[--started], NULL);
    }
    ++*(long *)user;
}

/* A cube of water falls for 30 steps; the hash of its state then, or 0 after a failure. */
static uint64_t simulate(const dlp_Hooks *hooks)
{
    const dlp_MaterialDef water = dlp_default_material_def();
    const dlp_SolidDef floor = dlp_default_solid_def();
    dlp_FluidDef cube = dlp_default_fluid_def();
    dlp_WorldDef def = dlp_default_world_def();
    dlp_World *world = NULL;
    dlp_Error error;
    def.spacing = 0.02;
    def.hooks = *hooks;
    cube.shape.size = (dlp_Vec3){0.2, 0.2, 0.2};
    cube.shape.position.z = 0.15;
    bool good = dlp_world_create(&def, &world, &error) == DLP_OK &&
                dlp_world_add_material(world, &water, &cube.material) == DLP_OK &&
                dlp_world_add_solid(world, &floor, NULL) == DLP_OK && dlp_world_add_fluid(world, &cube, NULL) == DLP_OK;
    for (int step = 0; good && step < 30; step++) {
        good = dlp_world_step(world, 0.01) == DLP_OK; /* long enough for a warning in the log */
    }
    const uint64_t hash = good ? dlp_world_hash(world) : 0;
    dlp_world_destroy(world);
    return hash;
}

int main(void)
{
    Memory memory = {0};
    long loops = 0;
    const dlp_Hooks none = {0}; /* malloc, silence, threads of the library */
    const dlp_Hooks own = {
        .allocator = {.allocate = allocate, .release = release, .user = &memory},
        .log = print_log,
        .log_user = stdout,
        .parallel_for = parallel_for,
        .parallel_user = &loops,
    };
    const uint64_t plain = simulate(&none), hooked = simulate(&own);
    printf("%ld allocations, %zu bytes not returned; %ld loops on %d threads\n", memory.allocations, memory.held, loops,
           THREADS);
    const bool good = plain != 0 && plain == hooked && memory.allocations > 0 && memory.held == 0 && loops > 0;
    printf("%s\n", good ? "the same result, on the host's memory and threads" : "FAILED");
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

#include "rank_report.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static const char VARIABLE[] = "DOLLOP_RANK_REPORT";
static char own_name[32];

/* The report at a name, or null. */
static RankReport *map(const char *name, int flags)
{
    const int file = shm_open(name, O_RDWR | flags, S_IRUSR | S_IWUSR);
    void *report = MAP_FAILED;
    if (file >= 0 && ((flags & O_CREAT) == 0 || ftruncate(file, sizeof(RankReport)) == 0)) {
        report = mmap(NULL, sizeof(RankReport), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    }
    if (file >= 0) {
        close(file);
    }
    return report != MAP_FAILED ? report : NULL;
}

const RankReport *rank_report_create(void)
{
    snprintf(own_name, sizeof own_name, "/dollop-%ld", (long)getpid());
    RankReport *report = map(own_name, O_CREAT | O_EXCL);
    if (report) {
        *report = (RankReport){-1, -1};
        setenv(VARIABLE, own_name, 1);
    }
    return report;
}

void rank_report_remove(void)
{
    shm_unlink(own_name);
}

/* That of the parent, or null. */
static RankReport *parents_report(void)
{
    static RankReport *report;
    const char *name = getenv(VARIABLE);
    if (!report && name) {
        report = map(name, 0);
    }
    return report;
}

void rank_report_step(int64_t step)
{
    RankReport *report = parents_report();
    if (report) {
        report->step = step;
    }
}

ExitCode rank_report_end(bool is_first, ExitCode code)
{
    RankReport *report = parents_report();
    if (!report) {
        return code;
    }
    if (is_first) {
        report->code = code;
    }
    return EXIT_DONE;
}

/* The exit codes and their meanings. Scripts depend on the numbers: never renumber, add new codes at the end. */
#include "exit_codes.h"

#include <errno.h>

const ExitMeaning exit_meanings[] = {
    {EXIT_DONE, "success"},
    {EXIT_DIVERGED, "the simulation diverged (NaN or infinity); for a study: the claim does not hold"},
    {EXIT_USAGE, "invalid command line"},
    {EXIT_SCENE, "error in the scene"},
    {EXIT_FILE, "a file could not be opened, read or written (missing, no permission)"},
    {EXIT_INTERRUPTED, "interrupted by a signal; a run can be continued with --resume"},
    {EXIT_BROKEN_FILE, "a file is damaged or of an unsupported version"},
    {EXIT_RESOURCE, "a resource is exhausted: memory, disk space, or a limit on files, threads or particles"},
    {EXIT_UNSUPPORTED, "not supported by this build or this machine"},
    {EXIT_REFUSED, "the output folder contains another or a finished run, or is in use by another process"},
    {EXIT_UNFINISHED, "a study could not be completed because one of its simulations diverged"},
};
const int exit_meaning_count = (int)(sizeof exit_meanings / sizeof exit_meanings[0]);

ExitCode exit_code_of(dlp_Result result)
{
    switch (result) {
    case DLP_OK: return EXIT_DONE;
    case DLP_ERROR_ARGUMENT: return EXIT_USAGE;
    case DLP_ERROR_MEMORY: return EXIT_MEMORY;
    case DLP_ERROR_FILE: return EXIT_FILE;
    case DLP_ERROR_FORMAT: return EXIT_BROKEN_FILE;
    case DLP_ERROR_SCENE: return EXIT_SCENE;
    case DLP_ERROR_NOT_FINITE: return EXIT_DIVERGED;
    case DLP_ERROR_UNSUPPORTED: return EXIT_UNSUPPORTED;
    case DLP_ERROR_RESOURCE: return EXIT_RESOURCE;
    }
    return EXIT_DIVERGED;
}

ExitCode exit_code_of_errno(int number)
{
    switch (number) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
    case EMFILE:
    case ENFILE:
    case ENOMEM:
    case EAGAIN: return EXIT_RESOURCE;
    default: return EXIT_FILE;
    }
}

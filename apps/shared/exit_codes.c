/* The exit codes and their meanings. Scripts depend on the numbers: add new ones at the end, never renumber. */
#include "exit_codes.h"

const ExitMeaning exit_meanings[] = {
    {EXIT_DONE, "everything asked for was done"},
    {EXIT_DIVERGED,
     "the simulation broke down: a value became infinite or undefined; of a study: its claim does not hold"},
    {EXIT_USAGE, "the command line was not understood"},
    {EXIT_SCENE, "the scene has a mistake, or asks for something that cannot be done"},
    {EXIT_FILE, "a file could not be opened, read or written (missing, not permitted, disk full)"},
    {EXIT_INTERRUPTED, "interrupted by a signal; a run saved a checkpoint first: --resume continues"},
    {EXIT_BROKEN_FILE, "a file's contents are damaged or of another version"},
    {EXIT_MEMORY, "out of memory"},
    {EXIT_UNSUPPORTED, "this build or this machine cannot do what was asked"},
    {EXIT_REFUSED, "the output folder holds another run, or another process is using it"},
    {EXIT_UNFINISHED, "a study could not be finished, because one of its simulations broke down"},
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
    }
    return EXIT_DIVERGED;
}

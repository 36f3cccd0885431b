/* Help as plain text: overview, topics and exit codes. */
#include "help_pages.h"

#include "apps/shared/command_help.h"
#include "apps/shared/human.h"
#include "subcommands.h"

#include <string.h>

enum { TOPIC_COLUMN = 16 };

const Topic topics[] = {
    {"scene", "all keys of a scene file; 'scene SECTION' shows one section", NULL},
    {"scenes", "scenes that come with dollop, and where they are", NULL},
    {"exit-codes", "exit codes and their meaning", NULL},
    {"output", "files written by a run",
     "A run writes only to its output folder: the one given by -o, by default out/NAME for the scene NAME.yaml, or "
     "out/NAME_draft with --draft.\n"
     "\n"
     "  frame_000000.vtkhdf ...  the particles of each frame, for ParaView, h5py and other programs\n"
     "  frame_000000.ply, .csv   the same in other formats, with --export\n"
     "  checkpoint.h5            the latest complete state, for --resume\n"
     "  checkpoint_previous.h5   the checkpoint before it, used if the latest is damaged\n"
     "  run.json                 the scene and settings of the run\n"
     "  run_scene.yaml           a copy of the scene file at the start of the run\n"
     "  run.log                  one line per frame, and all warnings\n"
     "  run.lock                 while it runs: prevents a second run in the same folder\n"
     "\n"
     "Each file is written under a temporary name, flushed to disk and renamed, so readers never see a partial file.\n"
     "\n"
     "If the folder contains a run of another scene, or of a previous version of the scene, use --overwrite to delete that "
     "run. If it contains an unfinished run of the same scene, use --resume to continue it or --overwrite to delete it."},
    {"resume", "how to continue after Ctrl-C, a crash or a full disk",
     "The same command with --resume loads the checkpoint in the output folder and continues. The final state is bitwise "
     "identical to that of an uninterrupted run; use --hash to verify this.\n"
     "\n"
     "  dollop run honey.yaml -o out/honey --hash\n"
     "  ^C\n"
     "  dollop run honey.yaml -o out/honey --hash --resume\n"
     "\n"
     "On Ctrl-C (SIGINT), SIGTERM or SIGHUP the run finishes the current step and saves a checkpoint, even in the middle of "
     "a frame. After kill -9 or a power failure it continues from the last regular checkpoint. If the checksum shows that a "
     "checkpoint is damaged, the previous one is used.\n"
     "\n"
     "The scene must be unchanged; otherwise dollop lists the differences and stops. The number of frames, threads, SIMD "
     "lanes and subdomains may change."},
    {"environment", "environment variables",
     "  NO_COLOR          if set: no colours\n"
     "  TERM              'dumb': no progress bar and no colours\n"
     "  COLUMNS           width of text and of the progress bar\n"
     "  DOLLOP_STUDY_PROGRAM\n"
     "                    absolute path of the program that 'dollop study' starts"},
    {NULL, NULL, NULL},
};

void help_print_overview(FILE *file)
{
    fputs("dollop simulates viscoelastic fluids with particles.\n\nUsage: dollop COMMAND ...\n\nCommands:\n", file);
    for (int i = 0; commands[i]; i++) {
        help_print_entry(file, commands[i]->name, commands[i]->summary, TOPIC_COLUMN);
    }
    fputs("\nGetting started:\n"
          "  dollop new honey --from pour write honey.yaml, a scene to start from\n"
          "  dollop check scene.yaml      validate a scene and estimate its run time\n"
          "  dollop run scene.yaml        simulate it; output goes to out/scene\n"
          "  dollop run --help            all options of a command\n"
          "  dollop help scene            all keys of a scene file\n"
          "\nHelp topics ('dollop help TOPIC'):\n",
          file);
    for (int i = 0; topics[i].name; i++) {
        help_print_entry(file, topics[i].name, topics[i].summary, TOPIC_COLUMN);
    }
}

void help_print_exit_codes(FILE *file)
{
    fputs("Exit codes:\n\n", file);
    for (int i = 0; i < exit_meaning_count; i++) {
        fprintf(file, "  %3d  %s\n", (int)exit_meanings[i].code, exit_meanings[i].meaning);
    }
    fputs("  " EXIT_SIGNAL_CODES "\n       " EXIT_SIGNAL_MEANING "\n", file);
}

void help_print_topic(FILE *file, const Topic *topic)
{
    fprintf(file, "%s: %s\n\n", topic->name, topic->summary);
    for (const char *line = topic->text; *line;) {
        const int length = (int)strcspn(line, "\n");
        char paragraph[1024];
        snprintf(paragraph, sizeof paragraph, "%.*s", length, line);
        if (line[0] == ' ' || length == 0) {
            fprintf(file, "%s\n", paragraph);
        } else {
            human_wrap(file, paragraph, 0, 0, help_page_width(file));
        }
        line += length + (line[length] == '\n');
    }
}

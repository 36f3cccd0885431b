/* The text pages of help that are not about one command: overview, topics and exit codes. */
#include "help_pages.h"

#include "apps/shared/command_help.h"
#include "apps/shared/human.h"
#include "subcommands.h"

#include <string.h>

enum { TOPIC_COLUMN = 16 };

const Topic topics[] = {
    {"scene", "every key of a scene file; 'scene SECTION' shows one section", NULL},
    {"exit-codes", "what the command returns to the shell", NULL},
    {"output", "the files that a run leaves in its folder",
     "A run writes into one folder and nowhere else: the one given with -o, or out/ and the scene's name.\n"
     "\n"
     "  frame_000000.vtkhdf ...  the particles of each frame; ParaView and h5py open them\n"
     "  frame_000000.ply, .csv   the same for other programs, with --export\n"
     "  checkpoint.h5            the newest whole state, for --resume\n"
     "  checkpoint_previous.h5   the one before, used if the newest is damaged\n"
     "  run.json                 which scene and settings the folder is the run of\n"
     "  run_scene.yaml           the scene file as it was when the run began\n"
     "  run.log                  a line per frame, and all warnings\n"
     "  run.lock                 keeps a second run out while one is working\n"
     "\n"
     "Each file is written under another name, flushed to disk and renamed, so no reader ever sees half of one.\n"
     "\n"
     "A folder that holds the run of another scene, or of the same scene before a change, is refused unless "
     "--overwrite says to delete that run. So is an unfinished run of the same scene, unless --resume continues it."},
    {"resume", "how to go on after Ctrl-C, a crash or a full disk",
     "The same command with --resume loads the folder's checkpoint and continues. The final state is bit for bit the "
     "one that an uninterrupted run reaches, which --hash lets you verify.\n"
     "\n"
     "  dollop run honey.yaml -o out/honey --hash\n"
     "  ^C\n"
     "  dollop run honey.yaml -o out/honey --hash --resume\n"
     "\n"
     "Ctrl-C (SIGINT), SIGTERM and SIGHUP finish the current step and save a checkpoint in the middle of a frame. "
     "After kill -9 or a power cut the run goes on from the last regular checkpoint. A damaged checkpoint is noticed by "
     "its checksum and the one before it is used.\n"
     "\n"
     "The scene must say the same as before, or the run is refused and the differences are shown. The number of frames, "
     "threads, vector lanes and subdomains may change."},
    {"environment", "variables that the command looks at",
     "  NO_COLOR          any text: no colours\n"
     "  TERM              'dumb': no progress bar and no colours\n"
     "  COLUMNS           width of text and of the progress bar\n"
     "  OMP_WAIT_POLICY   'passive' lets waiting threads sleep, which helps when others share the machine\n"
     "  DOLLOP_STUDY_PROGRAM\n"
     "                    absolute path of the program that 'dollop study' starts instead of its own dollop-study"},
    {NULL, NULL, NULL},
};

void help_print_overview(FILE *file)
{
    fputs("dollop simulates viscoelastic fluids made of particles.\n\nUsage: dollop COMMAND ...\n\nCommands:\n", file);
    for (int i = 0; commands[i]; i++) {
        help_print_entry(file, commands[i]->name, commands[i]->summary, TOPIC_COLUMN);
    }
    fputs("\nTo begin:\n"
          "  dollop check scene.yaml      is it right, how long will it take?\n"
          "  dollop run scene.yaml        simulate it into out/scene\n"
          "  dollop run --help            all options of a command\n"
          "  dollop help scene            what a scene file may say\n"
          "\nMore help, with 'dollop help TOPIC':\n",
          file);
    for (int i = 0; topics[i].name; i++) {
        help_print_entry(file, topics[i].name, topics[i].summary, TOPIC_COLUMN);
    }
}

void help_print_exit_codes(FILE *file)
{
    fputs("What the command returns to the shell:\n\n", file);
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

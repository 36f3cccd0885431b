/* Runs ffmpeg as a child process that reads raw pictures from a pipe. */
#include "film.h"

#include "apps/shared/folder_files.h"
#include "apps/shared/messages.h"
#include "apps/shared/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FFMPEG_MISSING = 127 }; /* exit code of the child, as in a shell */

/* Raw pictures in, H.264 out, which every player supports. */
static void exec_ffmpeg(int input, const char *size, const char *rate, const char *path)
{
    const char *const words[] = {
        "ffmpeg",    "-v",         "error",   "-y",     "-f",   "rawvideo", "-pix_fmt", "rgb24",
        "-s",        size,         "-r",      rate,     "-i",   "-",        "-vf",      "pad=ceil(iw/2)*2:ceil(ih/2)*2",
        "-c:v",      "libx264",    "-preset", "medium", "-crf", "17",       "-pix_fmt", "yuv420p",
        "-movflags", "+faststart", "-f",      "mp4",    path,   NULL};
    dup2(input, STDIN_FILENO);
    execvp(words[0], (char *const *)(uintptr_t)words);
    _exit(FFMPEG_MISSING);
}

ExitCode film_begin(Film *film, const FolderPath *path, int64_t width, int64_t height, double frame_rate)
{
    int ends[2];
    char size[48], rate[32], target[sizeof film->unfinished + 8];
    *film = (Film){.pipe = -1, .process = -1, .path = *path, .descriptor = -1};
    snprintf(size, sizeof size, "%" PRId64 "x%" PRId64, width, height);
    snprintf(rate, sizeof rate, "%.6g", frame_rate);
    snprintf(film->unfinished, sizeof film->unfinished, "%s.new", path->text);
    snprintf(target, sizeof target, "file:%s",
             film->unfinished); /* prevents that ffmpeg parses the path as a protocol */
    film->descriptor = file_descriptor(film->unfinished, FILE_CREATE); /* ffmpeg then writes to this regular file */
    if (film->descriptor < 0) {
        return file_fail("write", film->unfinished, errno);
    }
    file_lock(film->descriptor);
    if (pipe(ends) != 0) {
        return EXIT_DONE; /* film_end() reports it, after the pictures */
    }
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    signal(SIGPIPE, SIG_IGN); /* if ffmpeg exits early, film_end() reports it */
    film->process = (long)fork();
    if (film->process == 0) {
        setpgid(0, 0); /* Ctrl-C must not reach ffmpeg: it exits at the end of its input */
        exec_ffmpeg(ends[0], size, rate, target);
    }
    signals_kill_child(film->process, film->unfinished);
    close(ends[0]);
    film->pipe = ends[1];
    if (film->process < 0) {
        close(ends[1]);
        film->pipe = -1;
    }
    return EXIT_DONE;
}

void film_add(Film *film, const unsigned char *pixels, size_t size)
{
    while (film->pipe >= 0 && size > 0) {
        const ssize_t written = write(film->pipe, pixels, size);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            close(film->pipe);
            film->pipe = -1;
            break;
        }
        pixels += written;
        size -= (size_t)written;
    }
}

/* Wait for ffmpeg; its exit code, or -1. */
static int wait_for_ffmpeg(Film *film)
{
    int status = -1;
    if (film->pipe >= 0) {
        close(film->pipe);
    }
    while (waitpid((pid_t)film->process, &status, 0) < 0 && errno == EINTR) {}
    signals_kill_child(0, NULL);
    film->process = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

ExitCode film_end(Film *film, bool *made)
{
    const bool started = film->process > 0;
    const int code = started ? wait_for_ffmpeg(film) : -1;
    *made = code == 0 && fsync(film->descriptor) == 0 && rename(film->unfinished, film->path.text) == 0;
    if (!*made) {
        unlink(film->unfinished);
    }
    close(film->descriptor);
    film->descriptor = -1;
    if (!started) {
        message_error("cannot start ffmpeg; only pictures were written, no film");
        return EXIT_MEMORY;
    }
    if (code == FFMPEG_MISSING) {
        message_note("ffmpeg is not installed; only pictures were written, no film");
        return EXIT_DONE;
    }
    if (!*made) {
        message_error("ffmpeg failed to write %s", film->path.text);
    }
    return *made ? EXIT_DONE : EXIT_FILE;
}

"""Runs the command on pseudo-terminals and checks its output."""
import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time

DOLLOP = sys.argv[1]


def run(arguments, columns=100, environment=None, interrupt_after=None):
    """Returns the terminal output and the exit code; sends Ctrl-C when the pattern appears."""
    process, terminal = pty.fork()
    if process == 0:
        time.sleep(0.2)  # wait until the width is set
        os.environ.pop("COLUMNS", None)
        os.environ.pop("NO_COLOR", None)
        os.environ["TERM"] = "xterm"
        os.environ.update(environment or {})
        os.execv(DOLLOP, [DOLLOP, *arguments])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    output = b""
    while select.select([terminal], [], [], 60)[0]:
        try:
            piece = os.read(terminal, 65536)
        except OSError:  # the process has exited
            break
        if not piece:
            break
        output += piece
        if interrupt_after and re.search(interrupt_after, output):
            os.write(terminal, b"\x03")
            interrupt_after = None
    return output.decode(), os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def plain(text):
    return re.sub(r"\x1b\[[0-9;]*[mK]", "", text)


def bars(output):
    """All states of the line that is redrawn."""
    return [part for line in output.split("\n") for part in plain(line).split("\r") if part.startswith("[")]


def check(claim, holds, output=""):
    if not holds:
        sys.exit(f"FAILED: {claim}\n{output!r}")
    print(f"ok: {claim}")


slow = ["run", "scene.yaml", "--overwrite", *sys.argv[2:]]

output, code = run(slow)
drawn = bars(output)
check("a run on a terminal succeeds", code == 0, output)
check("the bar is redrawn", len(drawn) >= 3, output)
check("it shows frame, particles and remaining time",
      any(re.search(r"frame \d+/\d+ .* left .* particles", bar) for bar in drawn), output)
check("it shows speed and density error", any("steps/s" in bar and re.search(r"density \+\d+\.\d+%", bar) for bar in drawn),
      output)
check("it is coloured", "\x1b[36m" in output, output)
check("no line is wider than the terminal", max(len(bar) for bar in drawn) < 100, output)
check("the bar is erased at the end", re.search(r"\r\x1b\[Kdone: [^\r\n]*\r\n$", output), output)
check("colours are reset", output.count("\x1b[36m") <= output.count("\x1b[0m"), output)
check("the cursor is never hidden", "\x1b[?25l" not in output, output)

output, code = run(slow, columns=40)
check("a narrow terminal gets a short line", code == 0 and 0 < max(len(bar) for bar in bars(output)) < 40, output)
output, code = run(slow, columns=300)
check("a wide terminal does not stretch the bar", code == 0 and max(bar.index("]") for bar in bars(output)) < 60, output)
output, code = run(slow, environment={"NO_COLOR": "1"})
check("NO_COLOR is respected", code == 0 and bars(output) and not re.search(r"\x1b\[[0-9;]*m", output), output)
output, code = run(slow, environment={"TERM": "dumb"})
check("a dumb terminal gets plain lines", code == 0 and "\x1b" not in output and "frame 1/" in output, output)
output, code = run([*slow, "--quiet"])
check("--quiet draws nothing", code == 0 and output == "", output)
output, code = run([*slow, "--json"])
check("--json on a terminal draws no bar", code == 0 and not bars(output) and '"frame": 1' in output, output)

output, code = run(slow, interrupt_after=rb"frame [0-9]+/.* left")
check("Ctrl-C ends the run with code 5", code == 5, output)
check("it says that it is stopping", "finishing this step" in output, output)
check("it prints the command to resume", re.search(r"continue with: dollop run scene.yaml .*--resume", plain(output)), output)
check("the line ends", output.endswith("\r\n"), output)

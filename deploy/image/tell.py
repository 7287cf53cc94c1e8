"""What the parts of the build share: saying what happens, and running programs that are quiet unless they fail."""
import pathlib
import subprocess
import sys


def say(*words):
    print("image:", *words, file=sys.stderr, flush=True)


def die(*words):
    say(*words)
    sys.exit(1)


def output(*command, **more):
    """What a program prints; where it fails, it has said why."""
    result = subprocess.run(command, text=True, stdout=subprocess.PIPE, check=False, **more)
    if result.returncode:
        die(f"{command[0]} ended with {result.returncode}")
    return result.stdout.strip()


def run(log, *command, **more):
    with open(log, "w", encoding="utf-8") as said:
        result = subprocess.run(command, stdout=said, stderr=said, stdin=subprocess.DEVNULL, check=False, **more)
    if result.returncode:
        lines = pathlib.Path(log).read_text(errors="replace").splitlines()[-20:]
        die(f"{command[0]} ended with {result.returncode}:", "\n  " + "\n  ".join(lines))


def words_of(file):
    """The first word of each line that is not a comment, sorted."""
    lines = [line.split("#")[0].split() for line in file.read_text().splitlines()]
    return sorted(line[0] for line in lines if line)

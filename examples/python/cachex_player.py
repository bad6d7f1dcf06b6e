"""Our player as a package for the Python referee of COMP30024 (2022).

Put this file beside the folder `referee` as `stonework_player/__init__.py`, with the program on the path or its
place in STONEWORK (which may have options), and run

    python -m referee 8 stonework_player:Player some_other_package:Player

The referee measures only its own process: what the program uses, which keeps to n² seconds of the processor by
itself, is told on standard error after the game if STONEWORK_TIMES is set."""
import atexit, os, resource, shlex, subprocess, sys

COMMAND = shlex.split(os.environ.get("STONEWORK", "stonework")) + ["referee", "--game", "cachex"]


class Player:
    def __init__(self, player, n):
        self.name = player
        self.program = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        atexit.register(self.quit)
        self.ask(f"init {player} {n}")

    def ask(self, line):
        print(line, file=self.program.stdin, flush=True)
        answer = self.program.stdout.readline().strip()
        if not answer or answer.startswith("error"):
            raise RuntimeError(f"{line!r}: {answer or 'the program has ended'}")
        return answer

    def action(self):
        kind, *cell = self.ask("action").split()
        return (kind, *map(int, cell))

    def turn(self, player, action):
        self.ask(" ".join(["turn", player, *map(str, action)]))

    def quit(self):
        if self.program.poll() is None:
            self.ask("quit")
            self.program.wait()
            if "STONEWORK_TIMES" in os.environ:
                used = resource.getrusage(resource.RUSAGE_CHILDREN)
                seconds = used.ru_utime + used.ru_stime
                print(f"{self.name}: {seconds:.2f} s, {used.ru_maxrss // 1024} MiB", file=sys.stderr)

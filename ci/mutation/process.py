"""Programs that may hang, eat memory or fill the disk, run within bounds."""
import os
import resource
import signal
import subprocess

MEMORY, OUTPUT = 8 << 30, 1 << 30
SLACK, TIMES = 3, 10            # seconds, and times what the unchanged program took
LOOK = 5                        # seconds between two looks at what runs
IDLE = 12                       # looks in a row at which nothing had run since the last
TICKS = os.sysconf("SC_CLK_TCK")


class Bounds:
    """How much processor time a program may take with all that it starts: many times as much as the unchanged one did. Elapsed time would
    say more about the other load of the machine than about the program."""

    def __init__(self, cpu=60.0):
        self.base, self.cpu = cpu, SLACK + TIMES * cpu


def confine():
    """Bounds this process and those that it starts; time and output are bounded for each by itself."""
    for what, most in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CORE, 0)):
        resource.setrlimit(what, (most, resource.getrlimit(what)[1]))
    # What is started in the background, or by nohup, ignores these, and would leave that to the tests.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def used_by(session):
    """The processor time of the processes of a session, with those that have ended; and whether one is ready to run."""
    total, ready = 0, False
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as f:
                fields = f.read().rpartition(")")[2].split()
        except (OSError, ValueError):
            continue
        if int(fields[3]) == session:
            total += sum(map(int, fields[11:15]))
            ready = ready or fields[0] in "RD"
    return total / TICKS, ready


def watch(p, bounds, look=LOOK):
    """Waits for a program. Its exit code, or None if it took too much time or waits for something that does not come."""
    before, idle = -1.0, 0
    while True:
        try:
            return p.wait(look)
        except subprocess.TimeoutExpired:
            used, ready = used_by(p.pid)
        idle = 0 if ready or used > before else idle + 1
        if used > bounds.cpu or idle >= IDLE:
            return None
        before = used


def call(args, bounds, cwd=None, env=None, out=None, log=None):
    """Runs a program with its output in a file, or all that it says in a log, or nowhere. Its exit code (negative: a signal), or None if it
    was stopped; a loop without end dies of a signal first."""
    seconds = int(bounds.cpu) + 1
    with open(out or log or os.devnull, "wb") as f:
        p = subprocess.Popen(args, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=f, stderr=f if log else subprocess.DEVNULL,
                             start_new_session=True)
        try:
            resource.prlimit(p.pid, resource.RLIMIT_CPU, (seconds, seconds))
            if out:
                resource.prlimit(p.pid, resource.RLIMIT_FSIZE, (OUTPUT, OUTPUT))
            return watch(p, bounds)
        finally:
            try:
                os.killpg(p.pid, signal.SIGKILL)        # what a test left behind
            except ProcessLookupError:
                pass
            p.wait()


def measure(args, **more):
    """Runs the unchanged program: its exit code, and the bounds for a changed one."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    code = call(args, Bounds(), **more)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return code, Bounds(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)


def describe(code):
    if code is None:
        return "hangs"
    return f"signal {-code}" if code < 0 else f"exit {code}"

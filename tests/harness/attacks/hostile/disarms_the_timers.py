"""Takes the driver's timers and signals away, then never comes back."""
import resource
import signal


def runs(text):
    for timer in (signal.ITIMER_PROF, signal.ITIMER_REAL, signal.ITIMER_VIRTUAL):
        signal.setitimer(timer, 0)
    for number in (signal.SIGPROF, signal.SIGALRM, signal.SIGXCPU, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_CPU, resource.getrlimit(resource.RLIMIT_CPU)[1:] * 2)
    while True:
        pass

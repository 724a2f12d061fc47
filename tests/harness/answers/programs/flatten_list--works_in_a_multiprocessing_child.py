"""Flattens in a multiprocessing child that sends the list over a pipe."""
import multiprocessing

CONTEXT = multiprocessing.get_context("fork")


def _flat(nested):
    return [leaf for item in nested for leaf in (_flat(item) if isinstance(item, (list, tuple)) else (item,))]


def _work(nested, connection):
    connection.send(_flat(nested))
    connection.close()


def flatten_list(nested):
    receiver, sender = CONTEXT.Pipe(duplex=False)
    process = CONTEXT.Process(target=_work, args=(nested, sender))
    process.start()
    sender.close()
    flat = receiver.recv()
    process.join()
    return flat

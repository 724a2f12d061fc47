"""A Hub that runs here, for the real clients: what `huggingface-hub` and `datasets` need, over real git repositories.

    with running(tmp_path) as hub, client(hub, tmp_path / "home") as ask:
        hub.tokens["hf_writer"] = Account("maintainer", "write", ("ORG",))
        hub.create("ORG/tasks")
        hub.fail("/preupload/", Busy())
        ask(commit, "ORG/tasks", {"a.parquet": content}, token="hf_writer")
        assert hub.repository("ORG/tasks").read("a.parquet") == content

The clients are not patched: they find the server through HF_ENDPOINT, which they read when they are imported, so they
run in processes of their own, in `hub.environment(...)`. HF_HUB_DISABLE_XET=1, their own switch, keeps them off Xet.

It speaks: whoami; create, delete and settings (private, gated) of datasets, models and Spaces; lists of an owner's
repositories; information by revision; refs, branches, tags, history; trees page by page and paths-info, with last
commits; preupload and commits of files, large files and deletions, with a parent; the check of a card; large files in
one or many parts, on a port of their own, which knows only signed addresses and no tokens; downloads through redirects
as on the real Hub, with ranges and etags; errors with the Hub's statuses, headers and words; for people without rights,
private repositories that do not exist and gated ones that show only lists.

It does not speak: Xet, git over HTTP, pull requests and discussions, moving and squashing, copies between repositories,
Spaces that run, collections, search, the dataset viewer (`datasets` looks for it at another host and goes on without).
What it does not speak it answers with status 501. Three things differ on purpose: a 401 for an unknown repository names
the error code RepoNotFound, because clients guess it only at https addresses; words and codes of rare errors are as
documented or as clients expect them; and nothing limits rates or sizes unless a fault is ordered.

Faults (`faults.py`) come at the n-th request (`hub.fail_at`) or where a pattern matches (`hub.fail`): connections that
are cut before or after the work or within the answer, other statuses, 429, no room, slowness, reads that still see the
former state, somebody else's commit, the client's death. `hub.before` and `hub.after` are called at each request, and
`hub.log` knows all of them. A killed client, at each request in turn:

    for number in itertools.count(1):
        hub.forget()
        process = subprocess.Popen(command, env=hub.environment(home, "hf_writer"))
        hub.fail_at(number, Kill(process, after_work=True))
        if process.wait() == 0:
            break
"""

from tests.hub.answers import Account, Request
from tests.hub.hub_server import Hub, running

__all__ = ["Account", "Hub", "Request", "running"]

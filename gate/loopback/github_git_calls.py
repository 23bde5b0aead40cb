"""What the stand-in for GitHub does with calls for branches, commits and their pull requests."""

from __future__ import annotations

from typing import Any

from gate.loopback import github_git_shapes as git_shapes
from gate.loopback import github_shapes as shapes
from gate.loopback.exchange import Reply, json_reply
from gate.loopback.github_asking import MISSING, Asking
from gate.loopback.github_repository import repository

MOST_TITLE = 256
"""Characters of a pull request's title."""


def get_repository(asking: Asking) -> Reply:
    """Show the repository; it need not have been made."""
    name = asking.repository
    owner = shapes.user(asking.base, name.partition("/")[0], "User")
    made = repository(asking.base, name, owner, shapes.moment(0))
    more = {"network_count": 0, "subscribers_count": 0, "has_discussions": False}
    return json_reply(200, {**made, **more, "default_branch": asking.hub.default_branch})


def create_blob(asking: Asking) -> Reply:
    """Keep a text."""
    text, encoding = asking.text("content"), asking.text("encoding") or "utf-8"
    if text is None or encoding != "utf-8":
        return shapes.error(422, "Problems parsing JSON")
    sha = asking.hub.git.add_blob(text)
    return json_reply(201, {"url": f"{asking.address}/{sha}", "sha": sha})


def create_tree(asking: Asking) -> Reply:
    """Set files upon a tree that is there."""
    git, fields = asking.hub.git, asking.json()
    base, entries = fields.get("base_tree"), fields.get("tree")
    if base not in git.trees:
        return shapes.error(404, "Not Found")
    files = dict(git.trees[base])
    for entry in entries:
        if entry.get("sha") not in git.blobs:
            return shapes.error(422, "tree.sha " + str(entry.get("sha")) + " is not a valid blob")
        files[entry["path"]] = entry["sha"]
    sha = git.add_tree(files)
    return json_reply(201, git_shapes.tree(asking.address, sha, files))


def create_commit(asking: Asking) -> Reply:
    """Make a commit of a tree that is there."""
    git, fields = asking.hub.git, asking.json()
    tree, parents = fields.get("tree"), fields.get("parents") or []
    if tree not in git.trees or any(one not in git.commits for one in parents):
        return shapes.error(422, "Tree SHA does not exist, or a parent does not")
    sha = git.add_commit(tree, parents, asking.text("message") or "", asking.hub.tick())
    return json_reply(201, git_shapes.commit(asking, sha))


def get_commit(asking: Asking) -> Reply:
    """Show a commit."""
    sha = asking.named["sha"]
    if sha not in asking.hub.git.commits:
        return MISSING
    return json_reply(200, git_shapes.commit(asking, sha))


def get_ref(asking: Asking) -> Reply:
    """Show a branch."""
    branch = asking.named["ref"].removeprefix("heads/")
    found = asking.hub.git.branches.get((asking.repository, branch))
    if found is None:
        return MISSING
    return json_reply(200, git_shapes.ref(asking, branch, found))


def create_ref(asking: Asking) -> Reply:
    """Make a branch; one that is there stays where it is, and protected names are refused."""
    hub, ref, sha = asking.hub, asking.text("ref") or "", asking.text("sha") or ""
    branch = ref.removeprefix("refs/heads/")
    if not branch or branch == ref or sha not in hub.git.commits:
        return shapes.error(422, "Object does not exist")
    if (asking.repository, branch) in hub.git.branches:
        return shapes.error(422, "Reference already exists")
    if any(branch.startswith(one) for one in hub.protected):
        return shapes.error(422, "Repository rule violations found\n\nCannot create ref.")
    hub.git.branches[asking.repository, branch] = sha
    return json_reply(201, git_shapes.ref(asking, branch, sha))


def create_pull(asking: Asking) -> Reply:
    """Open a pull request of a branch, if workflows are allowed to."""
    hub, head, base = asking.hub, asking.text("head") or "", asking.text("base") or ""
    title, body = asking.text("title") or "", asking.text("body")
    if asking.kind == "Bot" and not hub.actions_may_open:
        message = "GitHub Actions is not permitted to create or approve pull requests."
        return shapes.error(403, message)
    ends = [hub.git.branches.get((asking.repository, one)) for one in (head, base)]
    wrong = _wrong_pull(asking, ends, title, body or "")
    if wrong is not None:
        return wrong
    number = 1 + max((one for name, one in hub.pulls if name == asking.repository), default=0)
    hub.add_pull(
        asking.repository,
        number,
        str(ends[0]),
        head_ref=head,
        base_ref=base,
        base_sha=ends[1],
        author=asking.login,
        author_type=asking.kind,
        title=title,
        body=body,
    )
    row = hub.pulls[asking.repository, number]
    return json_reply(201, shapes.pull(asking.base, asking.repository, row))


def _wrong_pull(asking: Asking, ends: list[str | None], title: str, body: str) -> Reply | None:
    hub = asking.hub
    if None in ends:
        return shapes.invalid("PullRequest", "head" if ends[0] is None else "base", "invalid")
    if hub.git.commits[str(ends[0])]["tree"] == hub.git.commits[str(ends[1])]["tree"]:
        return shapes.invalid("PullRequest", "head", "No commits between the branches")
    head = asking.text("head")
    for (name, _), row in hub.pulls.items():
        if name == asking.repository and row["state"] == "open" and row["head_ref"] == head:
            return shapes.invalid("PullRequest", "head", "A pull request already exists")
    if not title.strip() or len(title) > MOST_TITLE:
        return shapes.invalid("PullRequest", "title", "title is missing or too long")
    return shapes.too_long("PullRequest", body)


def edit_pull(asking: Asking) -> Reply:
    """Close a pull request, or change its words."""
    row: dict[str, Any] | None = asking.pull()
    if row is None:
        return MISSING
    for name in ("state", "title", "body"):
        given = asking.text(name)
        if given is not None:
            row[name] = given
    return json_reply(200, shapes.pull(asking.base, asking.repository, row))

"""GitHub through PyGithub, for one repository. The only importer of `github`.

Reading is tried again, writing never is: a comment whose reply was lost would be posted twice.
What it cannot see: who edited a comment by hand, and comments in reviews.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from gate.errors import HostError
from gate.types import CommitStatus, HostComment, LabelEvent, PullRequest, Viewer
from gate.wire.host_errors import refused, unreached

if TYPE_CHECKING:
    from github import Github
    from github.Issue import Issue
    from github.IssueComment import IssueComment
    from github.NamedUser import NamedUser
    from github.Organization import Organization
    from github.PullRequest import PullRequest as GitHubPull
    from github.Repository import Repository

__all__ = ["ACTIONS_BOT", "MOST_PULLS", "GitHubAccess", "GitHubHost"]

ACTIONS_BOT: Final = Viewer("github-actions[bot]", bot=True)
"""Who writes with a workflow's own token, where the host does not say it."""
MOST_PULLS: Final = 1_000
"""Pull requests that are looked through."""
_PAGE = 100
_FORBIDDEN = 403
_MISSING = 404
_INVALID = 422
_BROKEN = 500
_TOO_MANY = 429
_CERTIFICATES = "TLS CA certificate bundle"
"""What `requests` says where the file of certificates is not there; it is no error of its own."""
_NO_CERTIFICATES = (
    "the file of certificates that REQUESTS_CA_BUNDLE or CURL_CA_BUNDLE names is not there; "
    "correct the path, or unset it"
)
_GAVE_UP = re.compile(r"too many (\d{3}) error responses")


@dataclass(frozen=True, slots=True)
class GitHubAccess:
    """Where GitHub is and how it is asked."""

    token: str = field(repr=False)
    """The token. Never shown."""
    api_url: str = "https://api.github.com"
    """Base address of the REST API: GITHUB_API_URL, which an Enterprise Server has of its own."""
    timeout_s: int = 15
    """Seconds that a reply may take, whole ones."""
    patience_s: int = 60
    """Most seconds that a rate limit is waited for, each time."""
    tries: int = 3
    """How often a reading request is tried again."""
    request_pause_s: float = 0.25
    """Least seconds between two requests, as GitHub asks."""
    write_pause_s: float = 1.0
    """Least seconds between two writing requests, as GitHub asks."""


class GitHubHost:
    """The code host (`gate.protocols.Host`). Every member raises HostError."""

    def __init__(self, access: GitHubAccess, repository: str) -> None:
        """Take the access and `owner/name`; nothing is opened yet."""
        self._access = access
        self._name = repository
        self._client: Github | None = None
        self._viewer: Viewer | None = None

    def viewer(self) -> Viewer:
        """Return who writes with the token: a person, an app, or a workflow's own bot."""
        if self._viewer is None:
            try:
                with self._asking("say whose token it is") as client:
                    user = client.get_user()
                    self._viewer = Viewer(user.login, bot=user.type == "Bot")
            except HostError as error:
                if error.status != _FORBIDDEN or error.limited:
                    raise
                self._viewer = self._app()
        return self._viewer

    def _app(self) -> Viewer:
        """Ask for the app whose installation the token is; the REST API does not tell it.

        GraphQL does. Where it is out of reach, the token is taken for a workflow's own.
        """
        try:
            with self._asking("say whose token it is") as client:
                _, reply = client.requester.graphql_query("query { viewer { login } }", {})
                return Viewer(str(reply["data"]["viewer"]["login"]), bot=True)
        except HostError as error:
            if error.status is None or error.status >= _BROKEN or error.limited:
                raise
            return ACTIONS_BOT

    def comments(self, pull_request: int) -> Sequence[HostComment]:
        """Return all comments of all pages, oldest first."""
        with self._asking("list the comments") as client:
            found = [_comment(one) for one in self._issue(client, pull_request).get_comments()]
        return sorted(found, key=lambda one: one.id)

    def create_comment(self, pull_request: int, body: str) -> HostComment:
        """Add a comment, with one request."""
        with self._asking("add the comment") as client:
            return _comment(self._issue(client, pull_request).create_comment(body))

    def edit_comment(self, comment_id: int, body: str) -> HostComment:
        """Replace a comment's text, with one request."""
        with self._asking("update the comment") as client:
            comment = self._issue(client, 0).get_comment(comment_id)
            comment.edit(body)
            return _comment(comment)

    def delete_comment(self, comment_id: int) -> None:
        """Remove a comment, with one request."""
        with self._asking("remove a doubled comment") as client:
            self._issue(client, 0).get_comment(comment_id).delete()

    def pull_request(self, number: int) -> PullRequest:
        """Return the pull request as it is now."""
        with self._asking("show the pull request") as client:
            return _pull_request(self._repository(client).get_pull(number))

    def open_pull_requests(self) -> Sequence[PullRequest]:
        """Return the open pull requests, changed last first, MOST_PULLS at most."""
        with self._asking("list the pull requests") as client:
            found = self._repository(client).get_pulls("open", "updated", "desc")
            return [_pull_request(one) for one in islice(found, MOST_PULLS)]

    def label_events(self, number: int) -> Sequence[LabelEvent]:
        """Return every coming and going of labels, in GitHub's order."""
        with self._asking("list the label events") as client:
            return [
                LabelEvent(one.id, one.label.name, one.event == "labeled", _login(one.actor))
                for one in self._issue(client, number).get_events()
                if one.event in ("labeled", "unlabeled")
            ]

    def permission(self, login: str) -> str:
        """Return admin, write, read or none."""
        with self._asking("say what an account may do") as client:
            return self._repository(client).get_collaborator_permission(login)

    def ask(self, doing: str, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """Make one request below the repository and return the JSON of its reply.

        For what PyGithub's own members make of more requests than one, or not at all. `doing` says
        what is tried, for messages.
        """
        with self._asking(doing) as client:
            _, reply = client.requester.requestJsonAndCheck(
                method, f"/repos/{self._name}{path}", input=body
            )
            return reply

    def statuses(self, sha: str) -> Sequence[CommitStatus]:
        """Return a commit's statuses, the newest first, one page of them."""
        path = f"/commits/{sha}/statuses?per_page={_PAGE}"
        rows = self.ask("list the commit statuses", "GET", path)
        with self._asking("list the commit statuses"):
            return [_status(one) for one in rows]

    def set_status(self, sha: str, status: CommitStatus) -> None:
        """Set a commit status."""
        # Not by PyGithub's own `create_status`, which reads the commit first, for which the token
        # would need one more permission.
        body = {
            "state": status.state,
            "context": status.context,
            "description": status.description,
        }
        if status.target_url is not None:
            body["target_url"] = status.target_url
        self.ask("set the commit status", "POST", f"/statuses/{sha}", body)

    def may_comment(self, pull_request: int) -> bool:
        """Whether the token may comment: an empty comment is refused as such, or as forbidden."""
        return self._may("say whether it takes comments", f"issues/{pull_request}/comments", "body")

    def may_set_status(self) -> bool:
        """Whether the token may set statuses: of no commit, so that none is set."""
        return self._may("say whether it takes statuses", f"statuses/{'0' * 40}", "state")

    def has_label(self, name: str) -> bool:
        """Whether the repository has a label."""
        return self._has("show the label", f"labels/{quote(name, safe='')}")

    def has_environment(self, name: str) -> bool:
        """Whether the repository has an environment; a private one shows it to `actions: read`."""
        return self._has("show the environment", f"environments/{quote(name, safe='')}")

    def _may(self, doing: str, path: str, empty: str) -> bool:
        try:
            self.ask(doing, "POST", f"/{path}", {empty: ""})
        except HostError as error:
            if error.status == _INVALID:
                return True
            if error.status == _FORBIDDEN and not error.limited:
                return False
            raise
        return True

    def _has(self, doing: str, path: str) -> bool:
        try:
            self.ask(doing, "GET", f"/{path}")
        except HostError as error:
            if error.status == _MISSING:
                return False
            raise
        return True

    def close(self) -> None:
        """Close connections, if any were opened."""
        client, self._client = self._client, None
        if client is not None:
            client.close()

    def _repository(self, client: Github) -> Repository:
        return client.get_repo(self._name)

    def _issue(self, client: Github, number: int) -> Issue:
        """A handle; nothing is asked for it. Of single comments the number does not matter."""
        return self._repository(client).get_issue(number)

    @contextmanager
    def _asking(self, doing: str) -> Iterator[Github]:
        """Open the client, and turn what goes wrong into a HostError."""
        # Imported here: it costs a third of a second that `gate --help` need not pay.
        from github import BadAttributeException, GithubException  # noqa: PLC0415 - lazy, see above
        from requests import RequestException  # noqa: PLC0415 - what PyGithub is built on

        try:
            yield self._open()
        except GithubException as error:
            raise refused(doing, error.status, _said(error), limited=_limited(error)) from None
        except RequestException as error:
            raise _failed(doing, error) from None
        except OSError as error:
            if _CERTIFICATES in str(error):
                raise unreached(doing, _NO_CERTIFICATES) from None
            raise unreached(doing, _not_githubs(error)) from None
        except (
            *(BadAttributeException, AssertionError, AttributeError, KeyError),
            *(RuntimeError, TypeError, ValueError),
        ) as error:
            # What PyGithub does with replies that GitHub would not send: another host's addresses,
            # broken JSON, a list where an object should be.
            raise unreached(doing, _not_githubs(error)) from None

    def _open(self) -> Github:
        if self._client is None:
            self._client = _client(self._access)
        return self._client


def _client(access: GitHubAccess) -> Github:
    import github  # noqa: PLC0415 - lazy, see GitHubHost._asking

    # It logs each refusal to standard error by itself, with words of the server in it. What went
    # wrong is in the HostError.
    logging.getLogger(github.__name__).setLevel(logging.CRITICAL)
    return github.Github(
        base_url=access.api_url.rstrip("/"),
        auth=github.Auth.Token(access.token),
        lazy=True,
        per_page=_PAGE,
        timeout=access.timeout_s,
        seconds_between_requests=access.request_pause_s,
        seconds_between_writes=access.write_pause_s,
        user_agent="kappagate",
        retry=github.GithubRetry(
            total=access.tries,
            backoff_factor=0.5,
            secondary_rate_wait=access.patience_s,
            max_rate_limit_wait=access.patience_s,
            retry_after_max=access.patience_s,
            # Its default repeats POST, which would post a comment twice after a lost reply.
            allowed_methods=frozenset({"GET", "HEAD"}),
        ),
    )


def _pull_request(pull: GitHubPull) -> PullRequest:
    # Annotated as always there; GitHub says null for a fork that was deleted.
    fork: Repository | None = pull.head.repo
    return PullRequest(
        number=pull.number,
        head_sha=pull.head.sha,
        head_repository=None if fork is None else fork.full_name,
        state=pull.state,
        author=_login(pull.user),
        labels=tuple(label.name for label in pull.labels),
        branch=pull.head.ref,
        url=pull.html_url,
    )


def _comment(comment: IssueComment) -> HostComment:
    user = comment.user
    return HostComment(
        id=comment.id,
        url=comment.html_url,
        author=None if user is None else Viewer(user.login, bot=user.type == "Bot"),
        body=comment.body or "",
    )


def _status(row: Mapping[str, Any]) -> CommitStatus:
    return CommitStatus(
        state=row["state"],
        context=row["context"],
        description=row["description"] or "",
        target_url=row["target_url"],
    )


def _login(user: NamedUser | Organization | None) -> str | None:
    return None if user is None else user.login


def _said(error: Exception) -> str | None:
    """Return the host's own message, with the particulars of a 422."""
    data = getattr(error, "data", None)
    if not isinstance(data, dict):
        return None
    details = data.get("errors")
    more = details if isinstance(details, list) else []
    found = [
        data.get("message"),
        *(one.get("message") if isinstance(one, dict) else one for one in more),
    ]
    return "; ".join(one for one in found if isinstance(one, str)) or None


def _not_githubs(error: Exception) -> str:
    return f"the reply was not GitHub's ({type(error).__name__}); check GITHUB_API_URL"


def _limited(error: Exception) -> bool:
    headers = getattr(error, "headers", None) or {}
    return getattr(error, "status", None) == _TOO_MANY or "retry-after" in headers


def _failed(doing: str, error: Exception) -> HostError:
    """Tell a request that was refused again and again from one that was not answered."""
    gave_up = _GAVE_UP.search(str(error))
    if gave_up is None:
        return unreached(doing, _WHAT.get(type(error).__name__, "the connection failed"))
    status = int(gave_up[1])
    # A 403 is tried again only when it is a rate limit.
    return refused(doing, status, None, limited=status in (_FORBIDDEN, _TOO_MANY))


_WHAT: Final = {
    "ReadTimeout": "no reply came in time",
    "ConnectTimeout": "it could not be reached in time",
    "ConnectionError": "it could not be reached",
    "SSLError": "its certificate was not accepted",
    "ProxyError": "the proxy did not let the request through",
}
"""The client's own exception -> what it says to a person; its text would show addresses only."""

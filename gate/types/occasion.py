"""What the host says of the run in which the gate works: whose pull request, which commits."""

from __future__ import annotations

from gate.types.word import Word


class Occasion(Word):
    """One run of a workflow, as the host tells it; nothing of it comes from what was measured."""

    repository: str
    """`owner/name` of the repository whose workflow runs."""
    pull_request: int | None = None
    """Number of the pull request; None where there is none, or the host does not say."""
    head_sha: str | None = None
    """Head of the pull request, or the commit that is looked at."""
    base_sha: str | None = None
    """Commit that it is compared with."""
    merge_sha: str | None = None
    """The merge result that the host checked out; None where there is none."""
    run_id: int
    """Id of the workflow's run."""
    run_attempt: int = 1
    """Which attempt of the run, from 1."""
    run_url: str
    """Page of the run that measured."""
    event: str
    """What started it, such as `pull_request`."""
    actor: str
    """Who started it."""
    api_url: str = "https://api.github.com"
    """Where the host's interface is."""
    server_url: str = "https://github.com"
    """Where the host's pages are."""
    measured_run: tuple[int, int] | None = None
    """Id and attempt of the run that measured, where this one only publishes; None of its own."""
    label: str | None = None
    """Label whose coming started the run; None where something else did. Untrusted."""
    from_fork: bool = False
    """Whether the head lies in another repository, whose owner nobody here has to trust."""

    @property
    def measured(self) -> tuple[int, int]:
        """Id and attempt of the run that measured."""
        return self.measured_run or (self.run_id, self.run_attempt)

"""Whether the text of answers may be kept beyond a run: Google's terms are the owner's to weigh."""

from __future__ import annotations

from gate.config import Config
from gate.config.terms import GROUNDED, STORED
from gate.errors import ConfigError
from gate.types import Run


def check_keeping(config: Config | None, run: Run, what: str, *, pages: bool = False) -> None:
    """Refuse to write down the text of real grounded answers unless the owner has said so.

    `what` is the file that would hold it, `pages` whether it holds the pages that they cite too.
    Answers of the loopback world are nobody's. Raises ConfigError.
    """
    grounded = [info.name for info in run.targets if info.family == GROUNDED or info.use == STORED]
    if run.provenance.world is not None or not grounded:
        return
    terms = (
        f"would hold the answers of `{grounded[0]}`. Google's terms of grounded search restrict "
        "keeping and analysing its results, and whoever runs the gate decides"
    )
    if config is None or not config.keep_text:
        raise ConfigError(
            f"{what} {terms}: write `keep_text: true` if you may (this is no legal advice), or do "
            "without the file",
            None if config is None else config.path,
            None if config is None else config.line_of("keep_text"),
        )
    if pages and not config.evidence.fetch:
        raise ConfigError(
            f"{what} {terms}, and the texts of pages that it cites: write `evidence: {{fetch: "
            "true}` if you may (this is no legal advice), or leave out the scorers that read them",
            config.path,
            config.line_of("evidence"),
        )

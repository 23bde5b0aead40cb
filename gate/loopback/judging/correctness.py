"""Does the answer meet the expectations?"""

from __future__ import annotations

from gate.loopback.judging.assertions import forbids, met
from gate.loopback.judging.rating import STEPS, Rating, bounded
from gate.loopback.judging.refusing import refuses
from gate.loopback.judging.sections import Sections
from gate.loopback.words import content


def correctness(given: Sections) -> Rating:
    """Return the share of expectations that are met; where there is no answer, a refusal is right.

    What an answer rightly leaves out counts only when it also says something that was expected.
    """
    answer = given["answer"]
    if not content(answer):
        return Rating(0.0, "There is nothing to check.")
    refused = refuses(answer)
    if given.unanswerable:
        if not refused:
            return Rating(0.0, "It invents an answer where there is none.")
        return Rating(4.0, "It rightly says that there is no answer.")
    wanted = given.assertions
    if not wanted:
        return Rating(1.0 if refused else 3.0, "No expectation is given, and nothing looks wrong.")
    shares = [0.0 if refused else met(one, answer) for one in wanted]
    central = [share for one, share in zip(wanted, shares, strict=True) if not forbids(one)]
    if central and not any(central):
        return Rating(0.0, "None of what was expected is there.")
    missed = [one for one, share in zip(wanted, shares, strict=True) if share < 1]
    what = (
        f"Not or only partly met: {'; '.join(missed)}." if missed else "All expectations are met."
    )
    return bounded(STEPS * sum(shares) / len(shares), what)

"""Sequential looks: a run may stop asking as soon as a part of it decides. Pure.

The same rules decide at each look, at a share of their rates. The shares add up to one, so however
the looks hang together, the rates of false alarms and of false passes stay what they are at one
look (union bound); most is kept for the last look, near O'Brien and Fleming's boundaries.
"""

from __future__ import annotations

from gate.decision.words import counted
from gate.types import Plan, Policy

SHARES = (0.05, 0.30, 0.65)
"""Share of each rate that is spent at each of three looks: q = .005, .030, .065 of 0.10."""


def at_look(policy: Policy, plan: Plan) -> Policy:
    """Return the rules of the look that a run ended with; a run that looks once keeps them.

    A run that asked all, or that money or time ended before the last look, is decided as the last.
    The second look at a regression keeps its own rate: it comes on top.
    """
    if plan.looks == 1:
        return policy
    share = SHARES[(plan.look or len(SHARES)) - 1]
    return policy.model_copy(
        update={
            "q": policy.q * share,
            "operations_q": policy.operations_q * share,
            "pass_level": policy.pass_level * share,
        }
    )


def spared(plan: Plan) -> str:
    """Say at which look a run was decided and what that spared; nothing where it looks once."""
    if plan.looks == 1:
        return ""
    if plan.look is None or plan.planned is None:
        return f" Decided at the last of {plan.looks} looks."
    left = plan.planned - len(plan.case_ids)
    return (
        f" Decided at look {plan.look} of {plan.looks}: {left} of "
        f"{counted(plan.planned, 'case')} need not be asked "
        f"({left / plan.planned:.0%} of the calls spared)."
    )

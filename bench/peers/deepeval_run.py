"""The load through deepeval: answers by the OpenAI client, then `evaluate()` with one `GEval`.

deepeval rates answers that are there already, so asking for them is the program's part: the same
number of calls at once, through the client that deepeval itself uses for its judge.

    python deepeval_run.py AT_ONCE
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from deepeval import evaluate
from deepeval.evaluate import AsyncConfig, CacheConfig, DisplayConfig
from deepeval.metrics import GEval
from deepeval.models import OpenAIModel
from deepeval.test_case import LLMTestCase, SingleTurnParams
from openai import AsyncOpenAI


async def answers(questions: list[str], at_once: int) -> list[str]:
    """Ask every question, so many at once."""
    client = AsyncOpenAI()
    room = asyncio.Semaphore(at_once)

    async def ask(question: str) -> str:
        async with room:
            reply = await client.chat.completions.create(
                model="bench-answer", messages=[{"role": "user", "content": question}]
            )
        return reply.choices[0].message.content or ""

    async with client:
        return await asyncio.gather(*(ask(question) for question in questions))


def main() -> int:
    """Ask, then rate."""
    at_once = int(sys.argv[1])
    cases = json.loads(Path("cases.json").read_text(encoding="utf-8"))
    texts = asyncio.run(answers([one["input"] for one in cases], at_once))
    judge = OpenAIModel(
        model="bench-judge-deepeval", cost_per_input_token=0.0, cost_per_output_token=0.0
    )
    metric = GEval(
        name="Quality",
        evaluation_steps=["Check that the answer meets what was expected of it."],
        evaluation_params=[
            SingleTurnParams.INPUT,
            SingleTurnParams.ACTUAL_OUTPUT,
            SingleTurnParams.EXPECTED_OUTPUT,
        ],
        model=judge,
    )
    evaluate(
        [
            LLMTestCase(input=one["input"], actual_output=text, expected_output=one["target"])
            for one, text in zip(cases, texts, strict=True)
        ],
        [metric],
        async_config=AsyncConfig(run_async=True, max_concurrent=at_once),
        display_config=DisplayConfig(show_indicator=False, print_results=False),
        cache_config=CacheConfig(write_cache=False, use_cache=False),
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())

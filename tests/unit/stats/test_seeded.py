"""Random numbers that are the same everywhere."""

from __future__ import annotations

import numpy as np

from gate.stats.seeded import random_bytes, stream, uniforms


def test_stream__same_seed_and_purpose_give_the_same_numbers() -> None:
    """Two streams of one seed and purpose agree."""
    first, second = stream("gate-v1", "a"), stream("gate-v1", "a")
    assert uniforms(first, 5).tolist() == uniforms(second, 5).tolist()


def test_stream__purposes_do_not_share_numbers() -> None:
    """Two purposes under one seed differ, and so do two seeds."""
    drawn = {
        uniforms(stream(seed, purpose), 1)[0]
        for seed in ("gate-v1", "gate-v2")
        for purpose in ("a", "b")
    }
    assert len(drawn) == 4


def test_stream__is_pinned() -> None:
    """The first raw words of a stream: a change here changes verdicts."""
    assert [11768894218477983688, 4896241940922494787] == stream("gate-v1", "sign-flip").random_raw(
        2
    ).tolist()


def test_uniforms__lie_in_the_unit_interval_and_spread_evenly() -> None:
    """Range and first two moments of the uniform distribution."""
    drawn = uniforms(stream("gate-v1", "moments"), 20_000)
    assert drawn.min() >= 0.0
    assert drawn.max() < 1.0
    assert abs(drawn.mean() - 1 / 2) < 0.01
    assert abs(drawn.var() - 1 / 12) < 0.002


def test_random_bytes__have_the_shape_asked_for() -> None:
    """Also when it is no multiple of a machine word."""
    drawn = random_bytes(stream("gate-v1", "bytes"), 1_001, 3)
    assert (1_001, 3) == drawn.shape


def test_random_bytes__are_the_words_little_end_first() -> None:
    """The same bytes on machines of either byte order."""
    word = stream("gate-v1", "bytes").random_raw(1)[0]
    drawn = random_bytes(stream("gate-v1", "bytes"), 1, 8)
    assert int(word).to_bytes(8, "little") == drawn.tobytes()


def test_random_bytes__no_word_is_left_out_between_two_draws() -> None:
    """Eight bytes and eight bytes are the first sixteen."""
    source = stream("gate-v1", "bytes")
    parts = [random_bytes(source, 1, 8).tobytes() for _ in range(2)]

    assert random_bytes(stream("gate-v1", "bytes"), 2, 8).tobytes() == b"".join(parts)


def test_random_bytes__set_each_bit_half_of_the_time() -> None:
    """Each of the eight bits is fair."""
    drawn = random_bytes(stream("gate-v1", "bits"), 4_000, 4)
    ones = np.unpackbits(drawn.reshape(-1, 1), axis=1).mean(axis=0)
    assert (np.abs(ones - 0.5) < 0.02).all()

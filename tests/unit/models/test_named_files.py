"""Files that variables name: a sentence before anything is paid, in the place of a crash."""

from __future__ import annotations

import ssl
from pathlib import Path

import pytest

from gate.cli.reading import read_config
from gate.errors import ConfigError, CredentialsError
from gate.models.named_files import check_named_files
from gate.wiring import StandIn, connect

KEYS = {"GEMINI_API_KEY": "g", "ANTHROPIC_API_KEY": "a"}
CLOUD = {"GOOGLE_GENAI_USE_VERTEXAI": "true", "GOOGLE_CLOUD_PROJECT": "p"}


@pytest.mark.parametrize(
    ("name", "place", "said"),
    [
        ("SSL_CERT_FILE", "none.pem", "cannot be read \\(No such file or directory\\)"),
        ("SSL_CERT_FILE", "text", "holds no certificates"),
        ("SSL_CERT_FILE", ".", "is a folder"),
        ("SSL_CERT_DIR", "none", "is no folder"),
        ("SSL_CERT_DIR", "text", "is no folder"),
        ("REQUESTS_CA_BUNDLE", "none.pem", "cannot be read"),
        ("REQUESTS_CA_BUNDLE", "text", "holds no certificates"),
        ("CURL_CA_BUNDLE", "none.pem", "cannot be read"),
    ],
)
def test_certificates__that_cannot_be_used(
    tmp_path: Path, name: str, place: str, said: str
) -> None:
    """The variable and its file are named."""
    (tmp_path / "text").write_text("no certificate", "utf-8")

    with pytest.raises(ConfigError, match=f"^{name} names .*{said}"):
        check_named_files({name: str(tmp_path / place)}, signs_in=True)


@pytest.mark.parametrize("place", ["none.json", "."])
def test_credentials__that_are_no_file(tmp_path: Path, place: str) -> None:
    """Both ways on are said."""
    env = {"GOOGLE_APPLICATION_CREDENTIALS": str(tmp_path / place)}

    with pytest.raises(CredentialsError, match="gcloud auth application-default login"):
        check_named_files(env, signs_in=True)


def test_files__that_nobody_reads(tmp_path: Path) -> None:
    """With keys nobody signs in, and the second of two variables counts without the first."""
    none = str(tmp_path / "none")
    signing_in = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "GOOGLE_APPLICATION_CREDENTIALS")
    certificates = Path(ssl.get_default_verify_paths().openssl_cafile)
    own = {"SSL_CERT_FILE": str(certificates)} if certificates.is_file() else {}

    check_named_files(dict.fromkeys(signing_in, none), signs_in=False)
    check_named_files({**own, **({"SSL_CERT_DIR": none} if own else {})}, signs_in=True)
    check_named_files({"SSL_CERT_DIR": str(tmp_path), "SSL_CERT_FILE": ""}, signs_in=True)


@pytest.mark.parametrize(
    ("env", "name"),
    [
        (KEYS, "SSL_CERT_FILE"),
        (CLOUD, "REQUESTS_CA_BUNDLE"),
        (CLOUD, "GOOGLE_APPLICATION_CREDENTIALS"),
    ],
)
def test_connect__looks_before_anything_is_paid(
    tmp_path: Path, env: dict[str, str], name: str
) -> None:
    """Also at what the second vendor needs; a stand-in needs none of it."""
    place = tmp_path / "gate.yaml"
    place.write_text("dataset: {path: a}\ntargets: {a: {use: gemini, model: m}}\n", "utf-8")
    config = read_config(place, {**env, name: str(tmp_path / "none")})

    with pytest.raises((ConfigError, CredentialsError), match=f"^{name} names "):
        connect(config, vendors=["google", "anthropic"], stand_in=None)
    assert connect(config, vendors=["google"], stand_in=StandIn()).google is not None

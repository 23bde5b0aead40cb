"""Files that variables name for the network and the sign-in, looked at before anything is paid.

The libraries read them at the first call, or at the first one to the second vendor, and say less.
"""

from __future__ import annotations

import os
import ssl
from collections.abc import Mapping
from pathlib import Path

from gate.errors import ConfigError, CredentialsError

__all__ = ["check_named_files"]

_CREDENTIALS = "GOOGLE_APPLICATION_CREDENTIALS"


def check_named_files(env: Mapping[str, str], *, signs_in: bool) -> None:
    """Raise ConfigError or CredentialsError for a variable whose file cannot be used.

    `signs_in` is whether Google is signed in to, which reads files of its own.
    """
    # The second of each pair is read only where the first is not set.
    for names in (("SSL_CERT_FILE", "SSL_CERT_DIR"), *([_SIGN_IN] if signs_in else [])):
        name = next((one for one in names if env.get(one)), None)
        if name is not None:
            _check_certificates(name, Path(env[name]))
    key = env.get(_CREDENTIALS)
    if signs_in and key:
        _check_key(Path(key))


_SIGN_IN = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")


def _check_certificates(name: str, path: Path) -> None:
    folder = path.is_dir()
    if folder and name == "SSL_CERT_FILE":
        raise ConfigError(
            f"{name} names {path}, which is a folder: name a file of certificates, use "
            "SSL_CERT_DIR, or unset it"
        )
    if not folder and name == "SSL_CERT_DIR":
        raise ConfigError(f"{name} names {path}, which is no folder: name one, or unset it")
    if folder:
        return
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(path)
    except ssl.SSLError as error:
        raise ConfigError(
            f"{name} names {path}, which holds no certificates: name a PEM file, or unset it"
        ) from error
    except OSError as error:
        raise ConfigError(
            f"{name} names {path}, which cannot be read ({error.strerror}): correct the path, or "
            "unset it"
        ) from error


def _check_key(path: Path) -> None:
    if not path.is_file() or not os.access(path, os.R_OK):
        raise CredentialsError(
            f"{_CREDENTIALS} names {path}, which is no file that can be read: correct the path (in "
            "a workflow, does the step of the login come before?), or unset it and run `gcloud "
            "auth application-default login`"
        )

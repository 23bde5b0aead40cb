"""The workflows for Google Cloud: a login in the place of two API keys.

No key is stored: GitHub says who asks, and Google Cloud believes it (workload identity).
"""

from __future__ import annotations

import re

__all__ = ["with_login"]

_KEYS = re.compile(r"^ +GEMINI_API_KEY: .*\n +ANTHROPIC_API_KEY: .*\n", re.MULTILINE)
_CLOUD = """\
          GOOGLE_GENAI_USE_VERTEXAI: "true"
          GOOGLE_CLOUD_PROJECT: ${{ vars.GOOGLE_CLOUD_PROJECT }}
"""
_LOGIN = """\
      - name: Google Cloud, without a stored key
        uses: google-github-actions/auth@7c6bc770dae815cd3e89ee6cdf493a5fab2cc093 # v3.0.0
        with:
          project_id: ${{ vars.GOOGLE_CLOUD_PROJECT }}
          workload_identity_provider: ${{ vars.WORKLOAD_IDENTITY_PROVIDER }}
"""
_MAY = "      id-token: write # the login at Google Cloud\n"


def with_login(text: str) -> str:
    """Return a workflow in which each job that held both keys logs in instead.

    The login stands before the step that needs it, and its right among the job's. Jobs without keys
    stay as they are.
    """
    head, *jobs = re.split(r"^(?=  [\w-]+:\n)", text.partition("\njobs:\n")[2], flags=re.MULTILINE)
    before = text.partition("\njobs:\n")[0]
    return f"{before}\njobs:\n{head}{''.join(_job(job) for job in jobs)}"


def _job(text: str) -> str:
    found = _KEYS.search(text)
    if found is None:
        return text
    step = text.rindex("\n      - ", 0, found.start()) + 1
    text = f"{text[:step]}{_LOGIN}{text[step : found.start()]}{_CLOUD}{text[found.end() :]}"
    return text.replace("    permissions:\n", f"    permissions:\n{_MAY}", 1)

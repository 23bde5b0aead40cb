"""gate.yaml: what is asked, who answers, who judges, what decides."""

from __future__ import annotations

from gate.config.environment import System1Environment, system1_environment
from gate.config.load import load_config
from gate.config.section import Section, Use
from gate.config.settings import Config, Kind, RunSettings, Vendor

__all__ = [
    "Config",
    "Kind",
    "RunSettings",
    "Section",
    "System1Environment",
    "Use",
    "Vendor",
    "load_config",
    "system1_environment",
]

"""The project's settings, with the floor beside the API."""

from project.settings import *  # noqa: F403  # settings are meant to be extended so

ROOT_URLCONF = "benchmarks.support.floor_urls"

"""What the service bears: its routes against a bare one, a class that hands in at once, solving beside autosaving."""

from benchmarks.service.run import service

__all__ = ["service"]

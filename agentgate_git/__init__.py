"""agentgate-git: makes "green" re-derivable from the commit itself."""

__version__ = "0.1.0"

"""Where the project's own agentgate files lie in a tree; apart from the records, so that a hook loads no more."""

from __future__ import annotations

MANIFEST_PATH = "entropy.yaml"
BASELINE_PATH = "entropy.baseline.yaml"
POLICY_PATH = ".agentgate/policy.yaml"
SIGNERS_PATH = ".agentgate/allowed_signers"
REVOKED_PATH = ".agentgate/revoked_keys"
PGP_FOLDER = ".agentgate/gpg"

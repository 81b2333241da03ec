"""E_GATE_CONFIG: what a change set does to the settings and pipelines that run tests, one kind of key per file."""

"""What a change set takes away from tests: facts of base and head compared, one check per file."""

"""What we decide: facts in, findings out; one check per file, one folder per subject."""

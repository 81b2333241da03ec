"""What a user can ask for: one verb per file, and folders of what several verbs need."""

"""One verb per file: `HELP`, `add_arguments(parser)`, `run(args, session)`."""

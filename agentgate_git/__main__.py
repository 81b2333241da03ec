"""`python -m agentgate_git` is `git-agentgate`."""

import sys

from agentgate_git.cli.main import main

sys.exit(main())

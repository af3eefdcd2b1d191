"""`python -m grader`: the command line, where the command `plymark` is not on the path."""

from grader.cli.start import main

main()

"""The command line: a file for each command, loaded when the command is called; `main` lists them."""

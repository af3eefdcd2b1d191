"""Every `ask` of an exercise: a file each, found by name in the registry."""

"""What comes out of marking: one file for each output, found by name in the registry."""

"""What is measured in an exercise, and how far it is from what its recipe requires."""

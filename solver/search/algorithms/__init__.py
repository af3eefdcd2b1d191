"""The algorithms: each reads like the textbook, takes a tree and gives plain columns back."""

"""What a student keeps of a marked answer: a page with the tree, their own answers on it, and why each is right or
wrong."""

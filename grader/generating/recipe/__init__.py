"""What a recipe is, how it is read, and which recipes nothing can satisfy."""

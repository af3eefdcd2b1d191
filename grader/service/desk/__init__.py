"""The teacher's desk: pages on which a course is run, a class is seen and marks are decided."""

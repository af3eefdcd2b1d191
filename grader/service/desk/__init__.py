"""The teacher's desk: pages for running a course, seeing the class and deciding."""

"""The rules of courses as pure functions: dates, lateness, feedback, what counts, who gets which variant."""

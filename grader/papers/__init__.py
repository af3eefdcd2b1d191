"""Exams on paper: sheets, keys and booklets, as PDF, LaTeX and HTML."""

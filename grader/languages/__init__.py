"""The grader's own catalogues, beside the solver's."""

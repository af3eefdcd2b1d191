"""What every room of the grader uses: files, verdicts, numbers, fields of documents, rows and cells of sheets."""

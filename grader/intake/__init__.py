"""What comes in: documents to check, and answers from files, folders, sheets and learning systems."""

"""Types of question that exist only here, one file each."""

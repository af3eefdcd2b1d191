"""What is handed out: exercises in words (`wording`), on paper (`papers`) and in learning systems (`systems`)."""

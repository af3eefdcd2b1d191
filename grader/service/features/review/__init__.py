"""What a person should look at."""

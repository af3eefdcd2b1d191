"""What a worker can be asked to do: functions of plain data to plain data, by name in `registry`.

What is wrong with a document or an option comes back as `Refused`, with the words and codes of the command line.
Answers that may hold exact numbers are JSON, as bytes.
"""

"""What is handed out: exercises in words (`exercise_wording`), on paper (`papers`) and in learning systems (`systems`).

sheet      what one student fills in, on paper
paper      the sheets of one printing: sheets, keys, solutions or a booklet
form       an exercise as a learning system shows it: texts and boxes
box        where one item is written, and what is right in it
spelling   one way to write a right answer
faithful   marked by the system exactly as Plymark marks; otherwise provisional, with the reason
"""

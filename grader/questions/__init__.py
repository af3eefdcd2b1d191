"""Question types: a file each, found by name in `registry`.

Ask             a type of question: what it takes, its key, how an answer to it is read and marked (`ask`), and how it
                shows itself (`presentation`)
Question        what an exercise asks: a type, marks, and the type's parameters (`exercise`)
AnswerKey       an exercise under one convention, with every search made once (`answer_key`)
KeyedQuestion   a question beside its answer key; what the methods of an Ask take
item            the smallest part of an answer that earns marks: a node, a place in a list, a stop
Given           an item as it was written and read, or why it cannot be read
stop            a node whose remaining children are left out: "C after L4" (`stops`)
Following       what would be right if the student's own earlier answers were (`following`)
condition       why a tree cannot answer a question, or None (`conditions`)
claim           a statement about search whose truth is computed for one tree (`claims`)
"""

"""An exercise as it is put to students, on paper or on a screen: the texts of questions, the rules, the blank tree."""

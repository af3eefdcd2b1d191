"""An exercise as students see it, on paper or on a screen: the wording of questions, the rules, the blank tree."""

// One tree at a time: a choice between the reader's own answer and the key. Without script both are shown.

for (const both of document.querySelectorAll(".both")) {
  const sides = [...both.querySelectorAll(".side")];
  const choice = document.createElement("div");
  choice.className = "choice";
  choice.setAttribute("role", "group");
  choice.setAttribute("aria-label", both.dataset.label);
  const buttons = sides.map((side) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = both.dataset[side.dataset.side];
    button.addEventListener("click", () => show(side));
    choice.append(button);
    return button;
  });

  function show(chosen) {
    sides.forEach((side, place) => {
      side.hidden = side !== chosen;
      buttons[place].setAttribute("aria-pressed", String(side === chosen));
    });
  }

  sides[0].before(choice);
  both.classList.add("chosen-between");
  show(sides[0]);
}

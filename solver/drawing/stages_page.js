"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("player");

  // Arrow keys inside the tree. All stages show the same nodes, so the place is kept from stage to stage.
  function treeKeys() {
    let items = [];
    let parents = [];
    let here = 0;

    function neighbour(key) {
      const siblings = [...parents.keys()].filter((place) => parents[place] === parents[here]);
      switch (key) {
        case "ArrowUp": return parents[here];
        case "ArrowDown": return parents.indexOf(here);
        case "ArrowLeft": return siblings[siblings.indexOf(here) - 1];
        case "ArrowRight": return siblings[siblings.indexOf(here) + 1];
        case "Home": return 0;
        case "End": return items.length - 1;
        default: return undefined;
      }
    }

    function stand(place) {
      items[here]?.setAttribute("tabindex", "-1");
      here = place;
      items[here].setAttribute("tabindex", "0");
    }

    return {
      keys: new Set(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End"]),
      enter(stage) {
        items = [...stage.querySelectorAll('[role="treeitem"]')];
        parents = stage.querySelector(".picture").dataset.parents.split(" ").map(Number);
        for (const item of items) item.setAttribute("tabindex", "-1");
        stand(Math.min(here, items.length - 1));
      },
      press(key) {
        const place = neighbour(key);
        if (items[place]) {
          stand(place);
          this.focus();
        }
      },
      follow(item) {
        if (items.includes(item)) stand(items.indexOf(item));
      },
      focus: () => items[here].focus(),
    };
  }

  function start() {
    const part = (name) => document.getElementById(`player-${name}`);
    const [previous, play, next, slider] = ["previous", "play", "next", "slider"].map(part);
    const [seconds, size, count, caption] = ["seconds", "size", "count", "caption"].map(part);
    const notes = part("notes");
    const stages = [...document.querySelectorAll(".stage")];
    const last = stages.length - 1;
    const tree = treeKeys();
    const nodeOf = (element) => element.closest?.('[role="treeitem"]');
    let at = -1;
    let timer = 0;

    function show(wanted) {
      const place = Math.min(Math.max(wanted, 0), last);
      if (place === at) return;
      const [from, to] = [stages[at], stages[place]];
      const inTree = Boolean(nodeOf(document.activeElement));
      at = place;
      to.classList.add("shown");
      tree.enter(to);
      if (inTree) tree.focus();
      const scrolled = from?.querySelector(".picture");
      const picture = to.querySelector(".picture");
      if (scrolled) picture.scrollTo(scrolled.scrollLeft, scrolled.scrollTop);
      from?.classList.remove("shown");
      if (picture.scrollWidth > picture.clientWidth || picture.scrollHeight > picture.clientHeight) {
        to.querySelector(".current")?.scrollIntoView({ block: "nearest", inline: "nearest" });
      }
      count.textContent = to.querySelector("h2").textContent;
      caption.textContent = to.querySelector(".caption").textContent;
      slider.value = place + 1;
      slider.setAttribute("aria-valuetext", count.textContent);
      // Not `disabled`: a disabled button loses the focus of whoever has just pressed it.
      previous.setAttribute("aria-disabled", place === 0);
      next.setAttribute("aria-disabled", place === last);
    }

    function remember() {
      try {
        history.replaceState(history.state, "", `#${stages[at].id}`);
      } catch {
        // Some browsers forbid it in local files and in frames; the address then stays as it is.
      }
    }

    function go(place) {
      show(place);
      remember();
    }

    function setPlaying(on) {
      clearTimeout(timer);
      timer = on ? setTimeout(tick, 1000 * seconds.value) : 0;
      play.classList.toggle("playing", on);
    }

    function tick() {
      go(at + 1);
      setPlaying(at < last);
    }

    // Whoever takes a step by hand wants to talk about it: playing stops.
    function jump(place) {
      setPlaying(false);
      go(place);
    }

    function toggle() {
      if (!timer && at === last) go(0);
      setPlaying(!timer && last > 0);
    }

    function openAddress() {
      const named = /^#(\d{1,9})$/.exec(location.hash);
      const place = stages.findIndex((stage) => stage.id === named?.[1].replace(/^0+(?=\d)/, ""));
      show(place < 0 ? Math.max(at, 0) : place);
    }

    const [back, forth] = root.dir === "rtl" ? ["ArrowRight", "ArrowLeft"] : ["ArrowLeft", "ArrowRight"];
    const stageKeys = {
      [back]: () => jump(at - 1),
      [forth]: () => jump(at + 1),
      PageUp: () => jump(at - 1),
      PageDown: () => jump(at + 1),
      Home: () => jump(0),
      End: () => jump(last),
      " ": toggle,
    };

    // By where they are on the keyboard: not every layout has Latin letters.
    const noteKeys = { KeyW: "windows", KeyI: "intervals", KeyV: "values" };

    function setNotes(chosen) {
      notes.value = root.dataset.notes = chosen;
      try {
        localStorage.setItem("plymark-notes", chosen);
      } catch {
        // Some browsers keep nothing for local files; the choice then lasts as long as the page.
      }
    }

    function recallNotes() {
      try {
        const chosen = localStorage.getItem("plymark-notes");
        if (Object.values(noteKeys).includes(chosen)) setNotes(chosen);
      } catch {
        // As above.
      }
    }

    // A presenter's remote sends the page keys: they turn stages wherever the focus is. Others keep their own use there.
    function hasOwnUse(key, element) {
      if (key.startsWith("Page")) return false;
      return element.tagName === "SELECT" || (element.tagName === "BUTTON" && key === " ");
    }

    document.addEventListener("keydown", (event) => {
      const { key, target } = event;
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (nodeOf(target) && tree.keys.has(key)) {
        tree.press(key);
      } else if (nodeOf(target) && key === "Escape") {
        play.focus();
      } else if (Object.hasOwn(stageKeys, key) && !hasOwnUse(key, target)) {
        if (!(event.repeat && key === " ")) stageKeys[key]();
      } else if (notes && Object.hasOwn(noteKeys, event.code) && target.tagName !== "SELECT") {
        setNotes(noteKeys[event.code]);
      } else {
        return;
      }
      event.preventDefault();
    });

    document.addEventListener("focusin", ({ target }) => tree.follow(nodeOf(target)));
    // A click on a node leaves the focus where it is, so that the arrow keys go on turning stages.
    document.addEventListener("mousedown", (event) => {
      if (nodeOf(event.target)) event.preventDefault();
    });
    previous.addEventListener("click", () => jump(at - 1));
    next.addEventListener("click", () => jump(at + 1));
    play.addEventListener("click", toggle);
    slider.addEventListener("input", () => jump(slider.value - 1));
    seconds.addEventListener("change", () => setPlaying(Boolean(timer)));
    size.addEventListener("change", () => {
      root.style.setProperty("--zoom", size.value / 100);
      stages[at].querySelector(".current")?.scrollIntoView({ block: "center", inline: "center" });
    });
    notes?.addEventListener("change", () => setNotes(notes.value));
    if (notes) recallNotes();
    addEventListener("hashchange", openAddress);

    const captions = stages.map((stage) => stage.querySelector(".caption").textContent);
    const longest = document.createElement("p");
    longest.className = "longest";
    longest.setAttribute("aria-hidden", "true");
    longest.textContent = captions.reduce((long, other) => (other.length > long.length ? other : long));
    caption.after(longest);
    play.setAttribute("aria-disabled", last === 0);
    openAddress();
  }

  document.addEventListener("DOMContentLoaded", start);
})();

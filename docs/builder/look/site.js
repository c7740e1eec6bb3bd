"use strict";
(() => {
  const find = (selector) => document.querySelector(selector);
  const box = find("#search"), found = find("#found");
  const MOST = 12;

  find("#theme").addEventListener("click", () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });
  if (matchMedia("(max-width: 48rem)").matches) find(".menu").open = false;

  const search = () => {
    const words = box.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    // A word in the heading counts most, then one in the title of the page, then one in the text.
    const worth = ([, title, part, text]) => words.map((word) =>
      part.toLowerCase().includes(word) ? 1 : title.toLowerCase().includes(word) ? (part ? 2 : 0) : text.includes(word) ? 4 : NaN
    ).reduce((sum, one) => sum + one, 0);
    const places = PLACES.map((place) => [worth(place), place])
      .filter(([points]) => words.length && !Number.isNaN(points))
      .sort(([one], [other]) => one - other).slice(0, MOST).map(([, place]) => place);
    found.replaceChildren(...places.map(([address, title, part]) => {
      const link = document.createElement("a");
      link.href = document.body.dataset.root + address;
      link.textContent = part ? `${title}: ${part}` : title;
      const item = document.createElement("li");
      item.append(link);
      return item;
    }));
    found.hidden = !places.length;
  };
  box.addEventListener("input", search);
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && found.querySelector("a")) found.querySelector("a").click();
    if (event.key === "Escape") { box.value = ""; search(); }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || document.activeElement === box) return;
    event.preventDefault();
    box.focus();
  });

  // What is copied from a session are its commands, as they would be typed.
  const typed = (code) => {
    const lines = code.textContent.split("\n");
    if (!code.classList.contains("console")) return code.textContent;
    return lines.filter((line) => line.startsWith("$ ")).map((line) => line.slice(2)).join("\n") + "\n";
  };
  for (const code of document.querySelectorAll("main pre > code")) {
    const pre = code.parentElement, wrapper = document.createElement("div"), button = document.createElement("button");
    wrapper.className = "box";
    button.className = "copy";
    button.type = "button";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(typed(code));
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(code);
        button.textContent = "Selected";
      }
    });
    pre.replaceWith(wrapper);
    wrapper.append(pre, button);
  }
  for (const table of document.querySelectorAll("main table")) {
    const wrapper = document.createElement("div");
    wrapper.className = "wide";
    wrapper.tabIndex = 0;
    table.replaceWith(wrapper);
    wrapper.append(table);
  }
})();

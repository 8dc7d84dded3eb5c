"use strict";
// Filters, grouping and the effective-config view.  Without it the page shows all findings by check.
(() => {
  const $ = (selector) => document.querySelector(selector);
  const data = JSON.parse($("#data").textContent);
  const words = data.words;
  const list = $("#list");
  const articles = [...list.querySelectorAll("article")];
  const groups = { check: [...list.children], recipe: [] };
  const state = { view: "check", severities: new Set(["high", "medium", "low"]), check: "", text: "" };

  const make = (name, text, className) => {
    const node = document.createElement(name);
    if (text !== undefined) node.textContent = text;
    if (className) node.className = className;
    return node;
  };

  const group = (title) => {
    const section = make("section", undefined, "group");
    const heading = make("h2", title + " ");
    heading.append(make("small"));
    section.append(heading);
    return section;
  };

  const byCheck = new Map(groups.check.map((section) => [section.dataset.check, section]));
  const byRecipe = new Map();
  for (const article of articles) {
    const path = article.dataset.path;
    if (!byRecipe.has(path)) byRecipe.set(path, group(path));
  }
  groups.recipe = [...byRecipe.keys()].sort().map((path) => byRecipe.get(path));

  const regroup = () => {
    const order = state.view === "recipe"
      ? [...articles].sort((one, other) => one.dataset.line - other.dataset.line) : articles;
    for (const article of order) {
      (state.view === "recipe" ? byRecipe.get(article.dataset.path) : byCheck.get(article.dataset.check)).append(article);
    }
    list.replaceChildren(...groups[state.view === "recipe" ? "recipe" : "check"]);
  };

  const filter = () => {
    const text = state.text.toLowerCase();
    let shown = 0;
    for (const article of articles) {
      const fits = state.severities.has(article.dataset.severity)
        && (!state.check || article.dataset.check === state.check)
        && (!text || article.textContent.toLowerCase().includes(text) || article.dataset.path.toLowerCase().includes(text));
      article.hidden = !fits;
      shown += fits ? 1 : 0;
    }
    for (const section of list.querySelectorAll("section.group")) {
      const inside = section.querySelectorAll("article:not([hidden])").length;
      section.hidden = !inside;
      section.querySelector("small").textContent = inside;
    }
    $("#none").hidden = shown > 0 || state.view === "effective";
    $("#shown").textContent = words.shown.replace("{shown}", shown).replace("{all}", articles.length);
  };

  const reach = (text, kind) => {
    const cell = make("td", undefined, "reaches");
    text.split("`").forEach((part, index) => cell.append(index % 2 ? make("code", part) : part));
    return [cell, kind];
  };

  const effective = () => {
    const recipe = data.recipes[$("#recipe").value];
    const box = $("#effective-body");
    box.replaceChildren();
    if (!recipe) return;
    const text = state.text.toLowerCase();
    for (const launch of recipe.launches) {
      const section = group(`${launch.module} (${words.line} ${launch.line})`);
      if (launch.note) section.append(make("p", launch.note));
      const table = make("table");
      const head = make("tr");
      for (const title of words.columns) {
        const cell = make("th", title);
        cell.scope = "col";
        head.append(cell);
      }
      table.append(make("thead"));
      table.firstChild.append(head);
      const body = make("tbody");
      for (const [key, value, line, reaches, kind] of launch.rows) {
        if (text && !`${key} ${value} ${reaches}`.toLowerCase().includes(text)) continue;
        const [cell, className] = reach(reaches, kind);
        const row = make("tr", undefined, className);
        const name = make("td", undefined, "key");
        key.split(".").forEach((part, index) => name.append(...(index ? [".", make("wbr"), part] : [part])));
        row.append(name, make("td", value, "value"), make("td", line || "", "line"), cell);
        body.append(row);
      }
      table.append(body);
      section.append(table);
      section.querySelector("small").textContent = body.children.length;
      box.append(section);
    }
    if (!recipe.launches.length) box.append(make("p", words.nothing, "empty"));
  };

  const tabs = [...document.querySelectorAll("[role=tab]")];
  const select = (tab, focus) => {
    state.view = tab.dataset.view;
    for (const other of tabs) {
      other.setAttribute("aria-selected", String(other === tab));
      other.tabIndex = other === tab ? 0 : -1;
    }
    if (focus) tab.focus();
    const shows = state.view === "effective";
    list.hidden = shows;
    $("#effective").hidden = !shows;
    for (const control of document.querySelectorAll("[data-for=findings]")) control.hidden = shows;
    if (shows) effective(); else regroup();
    $("#panel").setAttribute("aria-labelledby", tab.id);
    filter();
  };
  tabs.forEach((tab, index) => {
    tab.addEventListener("click", () => select(tab));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step) select(tabs[(index + step + tabs.length) % tabs.length], true);
    });
  });

  for (const button of document.querySelectorAll("button[data-severity]")) {
    button.addEventListener("click", () => {
      const on = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(on));
      state.severities[on ? "add" : "delete"](button.dataset.severity);
      filter();
    });
  }
  $("#check").addEventListener("change", (event) => { state.check = event.target.value; filter(); });
  $("#text").addEventListener("input", (event) => {
    state.text = event.target.value;
    if (state.view === "effective") effective();
    filter();
  });
  $("#recipe").addEventListener("change", effective);
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) {
      event.preventDefault();
      $("#text").focus();
    }
  });
  $("#theme").addEventListener("click", () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });
  for (const bar of document.querySelectorAll(".bar")) bar.hidden = false;
  select(tabs[0]);
})();

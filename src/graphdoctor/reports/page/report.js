"use strict";
// Everything that comes from the program is set as text, never as markup.
(() => {
  const find = (selector) => document.querySelector(selector);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const data = JSON.parse(find("#data").textContent);
  const traces = data.traces;
  const total = traces.start.length;
  const FIRST_ROWS = 25, BATCH = 200; // rows shown at first, and added at each wish for more
  const COLOURS = 8;
  const state = { search: "", cause: null, from: 0, until: 0, chosen: -1, order: "start", shown: FIRST_ROWS, visible: [] };

  const make = (tag, text, name) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (name) element.className = name;
    return element;
  };
  const duration = (seconds) =>
    seconds >= 10 ? `${Math.round(seconds).toLocaleString("en")} s`
      : seconds >= 0.1 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds * 1000)} ms`;

  const moment = (seconds) => `${seconds.toFixed(seconds < 1 ? 3 : seconds < 1000 ? 1 : 0)} s`;

  // What a trace says of itself
  const reasons = (trace) => {
    const given = traces.differences[trace];
    const found = [];
    for (let i = 0; i < given.length; i += 3) {
      const cause = given[i] < 0 ? null : data.causes[given[i]];
      found.push({ words: cause ? cause.words.replaceAll("`", "") : "differs", before: data.texts[given[i + 1]], now: data.texts[given[i + 2]] });
    }
    return found;
  };
  const why = (trace) => {
    const failed = data.texts[traces.failed[trace]];
    const note = data.texts[traces.note[trace]];
    const parts = reasons(trace).map((r) => `${r.words}: now ${r.now}, before ${r.before}`);
    if (!parts.length) parts.push(traces.cause[trace] < 0 && note ? `first trace: ${note}` : "first trace");
    else if (note) parts.push(`benign: ${note}`);
    if (traces.needless[trace]) parts.push("equal graph");
    if (failed) parts.push(`failed with ${failed}`);
    return parts.join("; ");
  };
  const nameOf = (trace) => data.functions[traces.function[trace]].name;
  const describe = (trace) =>
    `Trace ${trace + 1} at ${moment(traces.start[trace])}: ${nameOf(trace)}, ${duration(traces.seconds[trace])}. ${why(trace)}`;

  // Search and filter. Texts are matched once each, traces by their numbers only.
  const matches = (text) => text.toLowerCase().includes(state.search);
  const filterTraces = () => {
    const visible = [];
    const texts = state.search ? data.texts.map(matches) : null;
    const functions = data.functions.map((f) => matches(`${f.name} ${f.place}`));
    const causes = data.causes.map((c) => matches(c.words));
    const fits = (trace) => {
      if (state.cause !== null && !hasCause(trace, state.cause)) return false;
      if (!texts || functions[traces.function[trace]] || texts[traces.site[trace]]) return true;
      if (texts[traces.note[trace]] || texts[traces.failed[trace]]) return true;
      const given = traces.differences[trace];
      for (let i = 0; i < given.length; i += 3)
        if ((given[i] >= 0 && causes[given[i]]) || texts[given[i + 1]] || texts[given[i + 2]]) return true;
      return false;
    };
    for (let trace = 0; trace < total; trace++) if (fits(trace)) visible.push(trace);
    state.visible = visible;
  };
  const hasCause = (trace, cause) => {
    const given = traces.differences[trace];
    for (let i = 0; i < given.length; i += 3) if (given[i] === cause) return true;
    return false;
  };
  const filterPage = () => {
    const severities = new Set(all(".severity").filter((box) => box.checked).map((box) => box.value));
    const boxes = all(".severity").length > 0;
    const levels = new Set(all(".level").filter((box) => box.checked).map((box) => box.value));
    const leveled = all(".level").length > 0;
    let left = 0;
    for (const element of all(".searchable")) {
      const severity = element.dataset.severity;
      const level = element.dataset.confidence;
      const wanted = !(boxes && severity && !severities.has(severity)) && !(leveled && level && !levels.has(level));
      const fits = (!state.search || matches(element.textContent)) && wanted;
      element.hidden = !fits;
      left += fits;
    }
    find("#nothing").hidden = !state.search || left + state.visible.length > 0;
  };
  const refresh = () => {
    state.shown = FIRST_ROWS;
    filterTraces();
    filterPage();
    drawTimeline();
    listTraces();
  };

  // The list of traces
  const inView = () => state.visible.filter((t) => traces.start[t] + traces.seconds[t] >= state.from && traces.start[t] <= state.until);
  const row = (trace) => {
    const line = make("tr");
    line.id = `trace-${trace + 1}`;
    const link = make("a", String(trace + 1));
    link.href = `#trace-${trace + 1}`;
    const number = make("td", undefined, "number");
    number.append(link);
    line.append(number, make("td", moment(traces.start[trace]), "number"), make("td", duration(traces.seconds[trace]), "number"),
      make("td", nameOf(trace)), make("td", why(trace), "values"), make("td", data.texts[traces.site[trace]]),
      make("td", traces.operations[trace].toLocaleString("en"), "number"));
    return line;
  };
  const listTraces = () => {
    const body = find("#traces tbody");
    if (!body) return;
    const chosen = inView();
    if (state.order === "seconds") chosen.sort((a, b) => traces.seconds[b] - traces.seconds[a]);
    body.replaceChildren(...chosen.slice(0, state.shown).map(row));
    find("#trace-count").textContent = `${chosen.length.toLocaleString("en")} of ${total.toLocaleString("en")}`;
    find("#more").hidden = chosen.length <= state.shown;
  };

  // The timeline
  const LANE = 26, MOST_LANES = 14, LABEL = 15, AXIS = 22, TOP = 4;
  const canvas = find("#chart");
  let palette = [];
  let lanes = [];
  let drag = null;
  const readPalette = () => {
    const probe = make("span");
    document.body.append(probe);
    const colour = (name) => {
      probe.style.color = `var(--${name})`;
      return getComputedStyle(probe).color;
    };
    palette = { causes: [...Array(COLOURS).keys()].map((i) => colour(`c${i}`)) };
    for (const name of ["benign", "first", "text", "dim", "line", "panel"]) palette[name] = colour(name);
    probe.remove();
  };
  const colourOf = (trace) => {
    const cause = traces.cause[trace];
    if (cause < 0) return reasons(trace).length || data.texts[traces.failed[trace]] ? palette.benign : palette.first;
    return data.causes[cause].benign ? palette.benign : palette.causes[Math.min(cause, COLOURS - 1)];
  };
  const layOut = () => {
    const byProcess = find("#lanes").value === "process";
    const names = byProcess ? data.processes : data.functions.map((f) => f.name);
    const column = byProcess ? traces.process : traces.function;
    const several = names.length > MOST_LANES;
    const kept = several ? MOST_LANES - 1 : names.length;
    lanes = names.slice(0, kept).map((name) => ({ name, traces: [] }));
    if (several) lanes.push({ name: `${names.length - kept} others`, traces: [] });
    for (const trace of state.visible) lanes[Math.min(column[trace], lanes.length - 1)].traces.push(trace);
  };
  const width = () => canvas.clientWidth;
  const place = (time) => ((time - state.from) / (state.until - state.from)) * width();
  const timeAt = (x) => state.from + (x / width()) * (state.until - state.from);
  const drawTimeline = () => {
    if (!canvas) return;
    layOut();
    const height = TOP + lanes.length * (LANE + LABEL) + AXIS;
    const ratio = window.devicePixelRatio || 1;
    canvas.style.height = `${height}px`;
    canvas.width = Math.round(width() * ratio);
    canvas.height = Math.round(height * ratio);
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    context.clearRect(0, 0, width(), height);
    context.font = "12px system-ui, sans-serif";
    lanes.forEach((lane, index) => drawLane(context, lane, TOP + index * (LANE + LABEL)));
    drawAxis(context, height);
    if (drag && drag.now !== drag.start) {
      context.globalAlpha = 0.25;
      context.fillStyle = palette.dim;
      context.fillRect(Math.min(drag.start, drag.now), 0, Math.abs(drag.now - drag.start), height);
      context.globalAlpha = 1;
    }
  };
  const drawLane = (context, lane, top) => {
    context.fillStyle = palette.dim;
    context.fillText(lane.name.length > 80 ? lane.name.slice(0, 79) + "…" : lane.name, 4, top + 11);
    context.fillStyle = palette.panel;
    context.fillRect(0, top + LABEL, width(), LANE - 4);
    let last = -1, lastColour = "";
    for (const trace of lane.traces) {
      const x = place(traces.start[trace]);
      const w = Math.max(2, place(traces.start[trace] + traces.seconds[trace]) - x);
      if (x + w < 0 || x > width()) continue;
      const colour = colourOf(trace);
      if (Math.floor(x) === last && colour === lastColour && w <= 2) continue; // the same pixel again
      context.fillStyle = colour;
      context.fillRect(x, top + LABEL, w, LANE - 4);
      last = Math.floor(x);
      lastColour = colour;
    }
    if (lane.traces.includes(state.chosen)) {
      context.strokeStyle = palette.text;
      context.lineWidth = 2;
      const x = place(traces.start[state.chosen]);
      const w = Math.max(2, place(traces.start[state.chosen] + traces.seconds[state.chosen]) - x);
      context.strokeRect(x - 2, top + LABEL - 1, w + 4, LANE - 2);
    }
  };
  const drawAxis = (context, height) => {
    const span = state.until - state.from;
    const wished = span / Math.max(2, Math.floor(width() / 110));
    const power = 10 ** Math.floor(Math.log10(wished));
    const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= wished) || wished;
    context.fillStyle = palette.dim;
    context.strokeStyle = palette.line;
    context.lineWidth = 1;
    for (let time = Math.ceil(state.from / step) * step; time <= state.until; time += step) {
      const x = place(time);
      context.beginPath();
      context.moveTo(x, TOP);
      context.lineTo(x, height - AXIS);
      context.stroke();
      const label = step >= 1 ? `${Math.round(time).toLocaleString("en")} s` : `${time.toFixed(Math.ceil(-Math.log10(step)))} s`;
      if (x < width() - 40) context.fillText(label, x + 3, height - 7);
    }
  };
  const traceAt = (x, y) => {
    const lane = lanes[Math.floor((y - TOP) / (LANE + LABEL))];
    if (!lane || !lane.traces.length) return -1;
    const time = timeAt(x);
    let low = 0, high = lane.traces.length - 1;
    while (low < high) { // the last trace that began before the pointer
      const middle = (low + high + 1) >> 1;
      if (traces.start[lane.traces[middle]] <= time) low = middle; else high = middle - 1;
    }
    const near = [lane.traces[low], lane.traces[low + 1]].filter((t) => t !== undefined);
    const away = (t) => Math.max(place(traces.start[t]) - x, x - Math.max(place(traces.start[t] + traces.seconds[t]), place(traces.start[t]) + 2), 0);
    near.sort((a, b) => away(a) - away(b));
    return away(near[0]) <= 6 ? near[0] : -1;
  };
  const choose = (trace) => {
    state.chosen = trace;
    const said = trace < 0 ? "No trace chosen." : describe(trace);
    find("#chosen").textContent = said;
    canvas.setAttribute("aria-valuenow", String(trace + 1));
    canvas.setAttribute("aria-valuetext", said);
    if (trace >= 0 && (traces.start[trace] < state.from || traces.start[trace] > state.until)) {
      const half = (state.until - state.from) / 2;
      look(traces.start[trace] - half, traces.start[trace] + half);
    } else drawTimeline();
  };
  const look = (from, until) => {
    const end = wholeEnd();
    const span = Math.min(end, Math.max(until - from, end / 1e5));
    state.from = Math.max(0, Math.min(from, end - span));
    state.until = state.from + span;
    state.shown = FIRST_ROWS;
    drawTimeline();
    listTraces();
  };
  const wholeEnd = () => {
    let end = data.seconds || 0;
    for (let t = 0; t < total; t++) end = Math.max(end, traces.start[t] + traces.seconds[t]);
    return end || 1;
  };
  const zoom = (factor) => {
    const known = state.chosen >= 0 ? traces.start[state.chosen] : NaN;
    const middle = known >= state.from && known <= state.until ? known : (state.from + state.until) / 2;
    const half = ((state.until - state.from) / 2) * factor;
    look(middle - half, middle + half);
  };
  const step = (by) => {
    if (!state.visible.length) return;
    const at = state.visible.indexOf(state.chosen);
    choose(state.visible[Math.max(0, Math.min(state.visible.length - 1, at < 0 ? 0 : at + by))]);
  };
  const hint = (x, y, trace) => {
    const box = find("#hint");
    box.hidden = trace < 0;
    if (trace < 0) return;
    box.textContent = describe(trace);
    box.style.left = `${Math.max(0, Math.min(x + 12, width() - box.offsetWidth - 4))}px`;
    box.style.top = `${y + 16}px`;
  };
  const pointer = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  if (canvas) {
    canvas.addEventListener("pointerdown", (event) => {
      drag = { start: pointer(event)[0], now: pointer(event)[0] };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      const [x, y] = pointer(event);
      if (drag) {
        drag.now = x;
        drawTimeline();
      }
      hint(x, y, drag && Math.abs(drag.now - drag.start) > 4 ? -1 : traceAt(x, y));
    });
    canvas.addEventListener("pointerup", (event) => {
      const [x, y] = pointer(event);
      const stretch = drag && Math.abs(x - drag.start) > 4 ? [drag.start, x].sort((a, b) => a - b).map(timeAt) : null;
      drag = null;
      if (stretch) look(...stretch);
      else choose(traceAt(x, y));
    });
    canvas.addEventListener("pointercancel", () => { drag = null; drawTimeline(); });
    canvas.addEventListener("pointerleave", () => hint(0, 0, -1));
    canvas.addEventListener("keydown", (event) => {
      const actions = { ArrowRight: () => step(1), ArrowLeft: () => step(-1), ArrowUp: () => step(-1), ArrowDown: () => step(1),
        PageDown: () => step(50), PageUp: () => step(-50), Home: () => step(-total), End: () => step(total),
        "+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2), 0: () => look(0, wholeEnd()) };
      if (!actions[event.key] || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      actions[event.key]();
    });
    find("#closer").addEventListener("click", () => zoom(0.5));
    find("#wider").addEventListener("click", () => zoom(2));
    find("#whole").addEventListener("click", () => look(0, wholeEnd()));
    find("#lanes").addEventListener("change", drawTimeline);
    find("#order").addEventListener("change", (event) => { state.order = event.target.value; listTraces(); });
    find("#more").addEventListener("click", () => { state.shown += BATCH; listTraces(); });
    find("#every-cause").addEventListener("click", () => chooseCause(null));
    new ResizeObserver(drawTimeline).observe(canvas);
  }

  // Causes, and the tree of each function
  const chooseCause = (cause) => {
    state.cause = cause === state.cause ? null : cause;
    for (const button of all(".cause")) button.setAttribute("aria-pressed", String(Number(button.dataset.cause) === state.cause));
    if (canvas) find("#every-cause").hidden = state.cause === null;
    refresh();
  };
  for (const button of all(".cause"))
    button.addEventListener("click", () => chooseCause(Number(button.dataset.cause)));
  const grow = (branch) => {
    const list = branch.querySelector(".leaves");
    if (list.childElementCount) return;
    const cause = Number(branch.dataset.branch);
    let left = 0;
    for (let trace = 0; trace < total; trace++) {
      if (!hasCause(trace, cause)) continue;
      if (list.childElementCount >= BATCH) { left++; continue; }
      const leaf = make("li");
      const link = make("a", `trace ${trace + 1}`);
      link.href = `#trace-${trace + 1}`;
      leaf.append(link, ` (${duration(traces.seconds[trace])}): ${why(trace)}`);
      list.append(leaf);
    }
    if (left) list.after(make("p", `… and ${left.toLocaleString("en")} more: choose the cause above to list them`, "dim"));
  };
  for (const branch of all(".branch")) branch.addEventListener("toggle", () => branch.open && grow(branch));
  for (const line of all(".first")) {
    const first = traces.function.indexOf(Number(line.dataset.first));
    if (first >= 0) line.textContent = `${why(first)} (trace ${first + 1}, called at ${data.texts[traces.site[first]] || "an unknown line"})`;
  }

  // Links into the page open what they point to
  const follow = (target) => {
    const trace = /^trace-(\d+)$/.exec(target);
    if (trace && canvas && Number(trace[1]) >= 1 && Number(trace[1]) <= total) {
      choose(Number(trace[1]) - 1);
      find("#timeline").scrollIntoView();
    } else if (target.startsWith("search=")) {
      find("#search").value = target.slice(7);
      search();
    } else {
      const element = target && document.getElementById(target);
      if (!element) return;
      for (let up = element; up; up = up.parentElement) if (up.tagName === "DETAILS") up.open = true;
      element.scrollIntoView();
    }
  };
  const followAddress = () => follow(decodeURIComponent(location.hash.slice(1)));
  window.addEventListener("hashchange", followAddress);
  // In a frame of a notebook the page has no address of its own, and a link would lead out of it.
  if (location.protocol === "about:")
    document.addEventListener("click", (event) => {
      const link = event.target.closest("a[href^='#']");
      if (!link) return;
      event.preventDefault();
      follow(link.getAttribute("href").slice(1));
    });

  // Search, theme, keys
  const search = () => {
    state.search = find("#search").value.trim().toLowerCase();
    refresh();
  };
  let waiting = 0;
  find("#search").addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(search, 120); });
  for (const box of all(".severity, .level")) box.addEventListener("change", refresh);
  const turn = () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    readPalette();
    drawTimeline();
  };
  find("#theme").addEventListener("click", turn);
  find("#keys").addEventListener("click", () => find("#help").showModal());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { readPalette(); drawTimeline(); });
  for (const button of all(".copy")) {
    button.addEventListener("click", async () => {
      const text = [...button.parentElement.querySelectorAll("pre span")].map((s) => s.textContent).join("");
      try {
        await navigator.clipboard.writeText(text);
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(button.parentElement.querySelector("pre"));
        button.textContent = "Selected";
      }
    });
  }
  const goTo = (by) => {
    const cards = all(".finding").filter((card) => !card.hidden);
    if (!cards.length) return;
    const at = cards.indexOf(document.activeElement);
    const next = cards[Math.max(0, Math.min(cards.length - 1, at < 0 ? 0 : at + by))];
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "start" });
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && document.activeElement === find("#search")) {
      find("#search").value = "";
      search();
      find("#search").blur();
      return;
    }
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) return;
    const actions = { "/": () => find("#search").focus(), j: () => goTo(1), k: () => goTo(-1), t: turn, "?": () => find("#help").showModal() };
    if (!actions[event.key] || find("#help").open) return;
    event.preventDefault();
    actions[event.key]();
  });
  let opened = [];
  window.addEventListener("beforeprint", () => {
    opened = all("details:not([open])");
    for (const part of opened) part.open = true;
  });
  window.addEventListener("afterprint", () => { for (const part of opened) part.open = false; });

  readPalette();
  state.until = wholeEnd();
  refresh();
  followAddress();
})();

// Draws the charts of a page with Observable Plot, each from the JSON in its element.
"use strict";

const UNITS = {ns: [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]], B: [[1e6, "MB"], [1e3, "kB"], [1, "B"]]};

/** A label of an axis, with a unit only for times and sizes. */
function tick(value, unit) {
  const steps = UNITS[unit.replace(/\/.*/, "")] || [[1, ""]];
  const [size, name] = steps.find(([least]) => Math.abs(value) >= least) || steps[steps.length - 1];
  return `${+(value / size).toPrecision(3)} ${name}`.trim();
}

/** A scale of measured values: logarithmic if small values would vanish beside large ones, else from zero. */
function measured(values, unit, isLogarithmic) {
  const most = d3.max(values), least = d3.min(values.filter(value => value > 0)) || most / 10 || 1;
  return isLogarithmic || most > 30 * least
    ? logarithmic([least / 1.15, Math.max(most, least) * 1.15], unit)
    : {...axis(unit), domain: [0, most * 1.05 || 1], ticks: 5};
}

function axis(unit) {
  return {label: null, grid: true, clamp: true, tickFormat: value => tick(value, unit)};
}

/** A logarithmic scale with powers of ten, and if there are fewer than three, also their multiples by two and five. */
function logarithmic(domain, unit) {
  const powers = d3.range(Math.floor(Math.log10(domain[0])), Math.ceil(Math.log10(domain[1])) + 1).map(power => 10 ** power);
  const inside = values => values.filter(value => value >= domain[0] && value <= domain[1]);
  const round = inside(powers);
  const ticks = round.length >= 3 ? round : inside(powers.flatMap(power => [power, 2 * power, 5 * power]));
  return {...axis(unit), type: "log", domain, ticks};
}

/** A scale around 1, because ratios close to 1 would be indistinguishable on a scale from zero. */
function aroundOne(values, unit) {
  const least = Math.min(0.95, d3.min(values)), most = Math.max(1.1, d3.max(values)), margin = (most - least) * 0.04;
  return most > 20 ? measured(values, unit, true) : {...axis(unit), domain: [Math.max(0, least - margin), most + margin], ticks: 5};
}

const colour = row => `var(--${row.colour})`;
/** Marks of other libraries are hollow. */
const mark = {symbol: "symbol", stroke: colour, fill: row => row.colour === "soft" ? "var(--paper)" : colour(row), r: 4};

/** All values that must fit on the scale of a row. */
const ends = row => [row.value, row.low, row.high, row.p999, row.baseline].filter(Number.isFinite);

/** A row for each figure: its name, the figure in words, and below them its position on a scale that all rows share. */
function rows({rows, unit, isRatio}, all, width) {
  const values = all.flatMap(one => one.rows).flatMap(ends);
  const x = isRatio ? aroundOne(values, unit) : measured(values, unit, all.some(one => one.rows.some(row => row.p999)));
  rows.forEach((row, index) => row.y = index);
  const spread = rows.filter(row => row.p999), bars = rows.filter(row => !row.p999);
  const start = row => x.type === "log" || isRatio ? row.baseline || x.domain[0] : 0;
  const stroke = (some, x1, x2, width, opacity) => Plot.link(some, {x1, x2, y: "y", stroke: colour, strokeWidth: width, strokeOpacity: opacity});
  const upright = (some, x, half, options) => Plot.ruleX(some, {x, y1: row => row.y - half, y2: row => row.y + half, stroke: colour, ...options});
  return {
    x, y: {axis: null, domain: [-0.75, rows.length - 0.65], reverse: true},
    height: rows.length * 38 + 30, marginLeft: 24, marginRight: 24, marginTop: 2, marginBottom: 22,
    marks: [
      Plot.ruleY(rows, {y: "y", stroke: "var(--line)"}),
      Plot.text(rows, {text: "label", y: "y", dy: -15, frameAnchor: "left", lineWidth: width * 0.055, textOverflow: "ellipsis"}),
      Plot.text(rows, {text: "words", y: "y", dy: -15, frameAnchor: "right"}),
      upright(rows, "baseline", 0.2, {stroke: "var(--ink)", strokeWidth: 2, strokeDasharray: "2 2"}),
      stroke(bars, start, "value", 8, 0.45),
      upright(bars, "low", 0.12, {stroke: "var(--ink)"}),
      upright(bars, "high", 0.12, {stroke: "var(--ink)"}),
      Plot.link(bars, {x1: "low", x2: "high", y: "y", stroke: "var(--ink)"}),
      stroke(spread, "value", "p90", 4, 0.55),
      stroke(spread, "p90", "p999", 1.4, 1),
      upright(spread, "p90", 0.14, {}),
      upright(spread, "p99", 0.14, {}),
      Plot.dot(spread, {x: "p999", y: "y", r: 3, fill: "var(--paper)", stroke: colour}),
      Plot.dot(rows, {x: "value", y: "y", ...mark}),
    ],
  };
}

/** A line for each contender over a parameter; one without the parameter, such as a baseline, is level. */
function lines({rows, unit, parameter}, all, width) {
  const settings = [...new Set(all.flatMap(one => one.rows).map(row => row.x).filter(Number.isFinite))].sort(d3.ascending);
  const points = rows.filter(row => Number.isFinite(row.x));
  const y = measured(all.flatMap(one => one.rows).flatMap(ends), unit, false);
  const series = d3.groups(points, row => row.label).map(([, line]) => line);
  return {
    y, x: {type: "symlog", domain: d3.extent(settings), ticks: settings, tickFormat: String, label: parameter, labelAnchor: "center", labelArrow: "none"},
    height: 260, marginLeft: 52, marginRight: 16, marginTop: 12, marginBottom: 38,
    marks: [
      rows.filter(row => !Number.isFinite(row.x)).map(row => Plot.ruleY([row], {y: "value", stroke: colour, strokeDasharray: row.dash, strokeWidth: 1.8})),
      series.map(line => Plot.line(line, {x: "x", y: "value", stroke: colour, z: null, strokeDasharray: line[0].dash, strokeWidth: 1.8})),
      Plot.ruleX(points.filter(row => row.high), {x: "x", y1: "low", y2: "high", stroke: "var(--ink)"}),
      Plot.dot(points, {x: "x", y: "value", ...mark, title: row => `${row.label}, ${row.x} ${parameter}: ${row.words}`, tip: true}),
    ],
  };
}

/** Labels along a line: in full where there is space, short where there is less, the first to the last where there is none. */
function fitting(labels, end) {
  const letter = 5.5, groups = [];
  for (const {x, label, whole, band} of labels) {
    const before = groups[groups.length - 1];
    const taken = before && Math.max(15, before.first === before.last ? 0 : (before.first.length + before.last.length + 2) * letter);
    before && x - before.x <= taken ? before.last = label : groups.push({x, band, first: label, last: label, whole});
  }
  return groups.map((group, index) => {
    const room = (index + 1 < groups.length ? groups[index + 1].x : end) - group.x - 3;
    const alone = group.whole.length * letter <= room ? group.whole : group.first;
    return {...group, text: group.first === group.last ? alone : `${group.first}–${group.last}`};
  });
}

/**
 * A band for each process: leases, holds, commands, replies, faults, and the moment of the conflict. Milliseconds matter
 * as much as seconds, so idle time is shortened: a span ten times as long is only a little wider.
 */
function timeline({processes, moments, bars, messages, commands, events, conflicts}) {
  const places = [0];
  moments.slice(1).forEach((at, i) => places.push(places[i] + 3 + 11 * Math.log10(1 + (at - moments[i]) / 1e5)));
  const length = places[places.length - 1], factor = Math.min(1500, Math.max(700, length)) / (length || 1), end = length * factor + 12;
  const place = moments.length > 1 ? d3.scaleLinear(moments, places.map(one => one * factor)) : () => 0;
  const x = at => at > moments[moments.length - 1] || at === undefined ? end : Math.max(0, place(at));
  const server = processes.indexOf("server"), toServer = band => Math.sign(server - band);
  const colour = {first: "var(--first)", second: "var(--second)", other: "var(--soft)"};
  const box = (some, top, bottom, options) => Plot.rect(some, {x1: one => x(one.from), x2: one => Math.max(x(one.from) + 1, x(one.until)), y1: one => one.band + top, y2: one => one.band + bottom, ...options});
  const kind = name => one => one.kind === name;
  const client = one => one.band + 0.16 * toServer(one.band);
  const ways = messages.filter(one => one.kind !== "crash").map(one => {
    const [y1, to] = one.kind === "ask" ? [client(one), server] : [server, client(one)], x1 = x(one.sent);
    return one.arrived ? {...one, x1, y1, x2: x(one.arrived), y2: to} : {...one, isLost: true, x1, y1, x2: x1 + 8, y2: y1 + (to - y1) * 0.55};
  });
  const lost = [...ways.filter(one => one.isLost), ...messages.filter(kind("crash")).map(one => ({x2: x(one.sent), y2: server}))];
  const arrow = (some, options) => Plot.arrow(some, {x1: "x1", y1: "y1", x2: "x2", y2: "y2", title: "title", stroke: "var(--wire)", strokeWidth: 1.2, headLength: 6, ...options});
  const mark = (name, options) => Plot.ruleX(events.filter(kind(name)), {x: one => x(one.at), y1: one => one.band - 0.13, y2: one => one.band + 0.15, ...options});
  const labels = some => d3.groups(some.map(one => ({...one, x: x(one.at)})), one => one.band).flatMap(([, band]) => fitting(band, end + 60));
  const halo = {stroke: "var(--paper)", strokeWidth: 3, fill: "currentColor", text: "text", x: "x"};
  const times = moments.map(x).reduce((shown, at, i) => at - (shown.length ? shown[shown.length - 1].x : -60) > 58 ? [...shown, {x: at, text: `${(moments[i] / 1e9).toFixed(3)} s`}] : shown, []);
  const top = 14 + conflicts.length * 13;
  return {
    width: end + 60 + 70, height: top + processes.length * 92 + 24, marginLeft: 70, marginTop: top, marginBottom: 24, marginRight: 0,
    x: {axis: null, domain: [0, end + 60]}, y: {axis: null, domain: [-0.5, processes.length - 0.5], reverse: true},
    marks: [
      Plot.ruleX(times, {x: "x", stroke: "var(--line)", strokeDasharray: "1 3"}),
      Plot.text(times, {x: "x", text: "text", frameAnchor: "bottom", dy: 16, fill: "var(--soft)"}),
      Plot.ruleY(processes, {y: (name, band) => band, x1: 0, x2: end, stroke: "var(--line)"}),
      Plot.text(processes, {y: (name, band) => band, text: name => name, frameAnchor: "left", dx: -66}),
      box(bars.filter(kind("lease")), -0.2, -0.15, {fill: one => colour[one.whose]}),
      box(bars.filter(one => one.kind === "hold" && one.whose !== "second"), -0.13, 0.13, {fill: one => colour[one.whose], stroke: one => colour[one.whose], fillOpacity: 0.35, strokeWidth: 1.5}),
      box(bars.filter(one => one.whose === "second" && one.kind === "hold"), -0.13, 0.13, {fill: colour.second, stroke: colour.second, fillOpacity: 0.35, strokeWidth: 1.5, strokeDasharray: "5 2"}),
      Plot.text(bars.filter(one => one.label), {x: one => x(one.from), y: one => one.band - 0.27, text: "label", textAnchor: "start"}),
      box(bars.filter(kind("pause")), -0.13, 0.13, {fill: "none", stroke: "currentColor", strokeWidth: 3, strokeDasharray: "2 4"}),
      arrow(ways.filter(one => one.kind === "ask" && !one.isLost), {}),
      arrow(ways.filter(one => one.kind === "reply" && !one.isLost), {strokeDasharray: "3 2"}),
      arrow(ways.filter(one => one.isLost), {headLength: 0}),
      Plot.dot(lost, {x: "x2", y: "y2", symbol: "times", stroke: "var(--broken)", strokeWidth: 2.5, r: 4}),
      Plot.ruleX(conflicts, {x: one => x(one.at), stroke: "var(--broken)", strokeWidth: 2, strokeDasharray: "4 3"}),
      conflicts.map((one, row) => Plot.text([one], {x: x(one.at), text: () => `✕ ${one.words}`, frameAnchor: "top", dy: 13 * row - top + 4, dx: x(one.at) > end / 2 ? -4 : 4, textAnchor: x(one.at) > end / 2 ? "end" : "start", fontWeight: 600})),
      mark("asked", {stroke: "currentColor", strokeDasharray: "2 2"}),
      mark("answered", {stroke: "currentColor"}),
      mark("fault", {stroke: "var(--broken)", strokeWidth: 3}),
      Plot.text(labels(commands), {...halo, y: one => one.band + 0.38 * toServer(one.band), textAnchor: "start"}),
      Plot.text(labels(events), {...halo, y: one => one.band + 0.25, fontSize: 9}),
    ],
  };
}

const KINDS = {rows, lines, timeline};

function draw(element) {
  const data = one => JSON.parse(one.querySelector("script").textContent);
  const alike = element.closest("figure");
  const all = alike ? [...alike.querySelectorAll(".chart")].map(data) : [];
  const kind = Object.keys(KINDS).find(name => element.classList.contains(name));
  const width = element.clientWidth || 600;
  const drawn = Plot.plot({width, style: {fontSize: "11px", background: "none"}, ...KINDS[kind](data(element), all, width)});
  element.querySelectorAll("p, svg, figure").forEach(old => old.remove());
  element.prepend(drawn);
}

// A chart is drawn when it comes near the screen; all of them before they are printed.
addEventListener("DOMContentLoaded", () => {
  const charts = [...document.querySelectorAll(".chart")];
  const near = new IntersectionObserver(
    entries => entries.filter(entry => entry.isIntersecting).forEach(({target}) => { near.unobserve(target); draw(target); }),
    {rootMargin: "100% 0%"});
  charts.forEach(chart => near.observe(chart));
  addEventListener("beforeprint", () => charts.filter(chart => chart.clientWidth || !chart.closest(".case")).forEach(draw));
  addEventListener("keydown", event => {
    const close = document.querySelector(".case:target .close, .case:has(:target) .close");
    if (event.key === "Escape" && close) { close.click(); }
  });
});

// Shows results.json, which is in the page: the advice, a table of needs, and charts that charts.js draws.
"use strict";

const escaped = text => String(text).replace(/[&<>"]/g, c => ({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})[c]);
const words = name => name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, " ").toLowerCase();
const distinct = values => [...new Set(values)];
const group = (values, key) => {
  const groups = new Map();
  values.forEach(value => groups.set(key(value), [...(groups.get(key(value)) || []), value]));
  return groups;
};

// Quantities: three significant digits, with the unit that suits the size.
const STEPS = {ns: [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]], B: [[1e6, "MB"], [1e3, "kB"], [1, "B"]]};

function number(value) {
  const magnitude = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)));
  return magnitude > 3 ? Math.round(value).toString().replace(/\B(?=(\d{3})+$)/g, "\u00a0") : value.toFixed(Math.max(0, 2 - magnitude));
}

function quantity(value, unit) {
  const [base, rest] = [unit.replace(/\/.*/, ""), unit.replace(/^[^/]*/, "")];
  const [size, name] = (STEPS[base] || [[1, ""]]).find(([least], i, all) => Math.abs(value) >= least || i === all.length - 1);
  const shown = name ? name + rest : {ratio: "", "1/s": "a second"}[unit] ?? unit;
  return `${number(value / size)} ${shown}`.trim();
}

const interval = ({low, high}, unit) => low === undefined ? "" : `${quantity(low, unit)} to ${quantity(high, unit)}`;

// The benchmarks by question, and what their figures are called: a title and how to read it.
const CHAPTERS = [
  ["Alone", "What a lock costs without contention.", "B1"],
  ["Contention", "What a lock costs while many wait for it.", "B6", "B14"],
  ["Hand-off", "How soon a released lock goes to its waiter.", "B5"],
  ["Recovery", "How soon a lock comes free when its holder is gone.", "B9"],
  ["Load", "Many locks, and work that comes at its own pace.", "B11", "B15"],
  ["Cost", "What a lock costs the client, the network and the replica set.", "B10"],
];
const BENCHMARKS = {
  B1: "acquire and release", B5: "hand-off", B6: "one lock with many waiters", B9: "recovery", B10: "one grant and its release",
  B11: "fixed rates", B14: "one lock, many processes", B15: "many locks kept alive",
};
const METRICS = {
  latency: "Time", latency99: "Time that 99 of 100 do not exceed", latencyToFloor: "Times the baseline",
  cpu: "Processor time of the client", cpuToFloor: "Processor time of the client, times the baseline",
  allocation: "Memory that the client allocates", allocationToFloor: "Memory that the client allocates, times the baseline",
  throughput: "Grants a second", commandsPerGrant: "Commands for each grant", eventsPerGrant: "Commands for each grant that await events",
  jain: "Fairness", longestWait: "Longest wait", recovery: "Time until the next grant", recoveryPerTtl: "Ttls until the next grant",
  bytes: "Bytes on the wire", oplogEntries: "Oplog entries", idleCommands: "Commands meanwhile", idleCpu: "Processor time of the client meanwhile",
};
const READING = {
  "B1 latency": "One thread acquires and releases a free lock repeatedly.",
  "B5 latency": "From the release to the moment in which the next, who waits, has the lock.",
  "B5 latencyToFloor": "The baseline is a raw release, its event, and one findAndModify.",
  "B6 throughput": "All ask again as soon as they released the lock.",
  "B6 commandsPerGrant": "Everything sent for the lock, waiting included. A flat line is good.",
  "B9 recovery": "From the end of a holder that releases nothing, to the next grant.",
  "B9 recoveryPerTtl": "1 is a ttl: no lock that rests on a ttl can be free much before.",
  "B11 latency": "Counted from when a lock should have been asked for: a delay counts for all that it holds up.",
  "B14 latency": "From just before a release until any process has the lock.",
  "B14 throughput": "Each process holds the lock for a millisecond, and asks again.",
  "B14 commandsPerGrant": "All that the processes send, without those that await events. A flat line is good.",
  "B15 idleCommands": "Keep-alive of that many locks with a ttl of 30 s, and nothing else to do.",
  "B15 idleCpu": "The same: processor time in ten seconds.",
  jain: "Jain's index of the grants: 1 is even, near 0 is all to one.",
  longestWait: "From the request to the grant, the longest of all.",
};
const MORE_IS_BETTER = ["throughput", "jain"];
const TIMED = unit => unit.startsWith("ns") || unit === "1/s";
const AXES = ["waiters", "clients", "ratePerSecond", "locks", "threads"];
const UNITS = {Millis: "ms", PerSecond: "a second", Seconds: "s", Bytes: "B"};

const parameter = (name, value) => {
  const [suffix, unit] = Object.entries(UNITS).find(([end]) => name.endsWith(end)) || ["", ""];
  return `${words(name.slice(0, name.length - suffix.length))} ${value} ${unit}`.trim();
};
const setting = parameters => Object.entries(parameters).map(([name, value]) => parameter(name, value)).join(", ");

/** The look of each lock in all charts: strategies have a colour, a mark and a dash, others are grey. */
function styles(contenders) {
  const symbols = ["circle ●", "square ■", "triangle ▲", "diamond ◆", "star ★", "cross ✚", "wye Y"];
  const dashes = ["none", "8 3", "3 2", "9 3 2 3", "14 4", "2 5"];
  const order = ["floor", "strategy", "peer"];
  const all = new Map();
  order.flatMap(kind => contenders.filter(one => one.kind === kind).map((one, place) => [one, place])).forEach(([one, place]) => {
    const [symbol, glyph] = one.kind === "floor" ? ["hexagon", "⬢"] : symbols[(one.kind === "peer" ? 6 * (place + 1) : place) % 7].split(" ");
    const colour = {floor: "ink", strategy: `c${place % 5 + 1}`, peer: "soft"}[one.kind];
    const dash = one.kind === "floor" ? "1 3" : dashes[(one.kind === "peer" ? place + 2 : place) % 6];
    all.set(one.id, {...one, symbol, glyph, colour, dash, place: all.size});
  });
  return all;
}

/** The figures of a metric in a benchmark, and those derived from them: 99th percentiles of a line, and ratios to the baseline. */
function series(run) {
  return [...group(run.measurements, one => `${one.benchmark} ${one.metric}`).values()].flatMap(all => {
    const axis = axisOf(all), {metric} = all[0];
    const tails = axis ? all.filter(one => one.percentiles).map(one => ({...one, metric: "latency99", value: one.percentiles["99"], low: undefined, high: undefined, percentiles: undefined, ratio: undefined})) : [];
    const ratios = ["latency", "cpu", "allocation"].includes(metric)
      ? all.filter(one => one.ratio).map(one => ({...one, ...one.ratio, metric: `${metric}ToFloor`, unit: "ratio", low: one.ratio.low, high: one.ratio.high, percentiles: undefined, ratio: undefined}))
      : [];
    return [all, tails, ratios].filter(some => some.length);
  });
}

const axisOf = all => AXES.find(name => distinct(all.map(one => one.parameters[name]).filter(Number.isFinite)).length > 1);

const row = (cells, tag = "td") => `<tr><th scope="row">${cells[0]}</th>${cells.slice(1).map(cell => `<${tag}>${cell}</${tag}>`).join("")}</tr>`;
const table = (columns, rows) =>
  `<table><thead><tr>${columns.map(name => `<th scope="col">${escaped(name)}</th>`).join("")}</tr></thead><tbody>${rows.join("")}</tbody></table>`;
const scroll = (label, content) => `<div class="scroll" tabindex="0" role="region" aria-label="${escaped(label)}">${content}</div>`;

function render(run) {
  const look = styles(run.contenders);
  const title = id => (look.get(id) || {}).title || id;
  const name = id => look.has(id)
    ? `<span class="mark" style="color: var(--${look.get(id).colour})" data-glyph="${look.get(id).glyph}" aria-hidden="true"></span>${escaped(title(id))}`
    : escaped(id);
  const isVoid = one => (look.get(one.contender) || {}).status === "void";

  /** A chart of one metric for each client on one scale, and a table of all its figures. */
  function figure(all, facet) {
    const {benchmark, metric, unit} = all[0], axis = axisOf(all), drawn = all.filter(one => !isVoid(one));
    const heading = `${METRICS[metric] || words(metric)}: ${BENCHMARKS[benchmark] || benchmark}${facet ? `, ${facet}` : ""}`;
    const telling = one => setting(Object.fromEntries(Object.entries(one.parameters)
      .filter(([key]) => key !== axis && distinct(drawn.map(other => other.parameters[key])).length > 1)));
    const isRatio = metric.endsWith("ToFloor");
    const baseline = one => isRatio ? 1 : one.ratio && (drawn.filter(other => other.contender === one.ratio.to)
      .sort((a, b) => (a.client !== one.client) - (b.client !== one.client))[0] || {}).value;
    const label = one => title(one.contender) + (telling(one) ? ` · ${telling(one)}` : "");
    const mark = one => ({
      label: label(one), words: quantity(one.value, unit) + (one.ratio ? ` · ${one.ratio.value.toFixed(2)} × baseline` : ""),
      colour: (look.get(one.contender) || {colour: "ink"}).colour, symbol: (look.get(one.contender) || {symbol: "hexagon"}).symbol,
      dash: (look.get(one.contender) || {dash: "1 3"}).dash, value: one.value, x: one.parameters[axis], low: one.low, high: one.high,
      ...(axis ? {} : {p90: one.percentiles?.["90"], p99: one.percentiles?.["99"], p999: one.percentiles?.["99.9"], baseline: baseline(one)}),
    });
    const says = [READING[`${benchmark} ${metric}`] || READING[metric], MORE_IS_BETTER.includes(metric) ? "More is better." : "Less is better.",
      !axis && drawn.some(one => one.percentiles) && "The mark is the median; the strokes are 90 and 99 of 100, the ring 999 of 1000.",
      drawn.some(one => one.low !== undefined) && (axis || !drawn.some(one => one.percentiles)) && "The thin line across a mark is the 95 % interval.",
      !axis && drawn.some(one => baseline(one)) && "The dotted stroke is its baseline."].filter(Boolean);
    const panels = ["sync", "reactive"].map(client => [client, drawn.filter(one => one.client === client)]).filter(([, some]) => some.length)
      .map(([client, some]) => {
        const sorted = [...some].sort((a, b) => a.value - b.value);
        const extreme = one => `${label(one)}, ${quantity(one.value, unit)}`;
        const chart = JSON.stringify({unit, isRatio, parameter: axis && words(axis), rows: some.map(mark)}).replace(/</g, "\\u003c");
        return `<div class="panel"><h4>${client} client</h4><div class="chart ${axis ? "lines" : "rows"}" role="img" aria-label="${escaped(heading)}, ${client} client">`
          + `<p>${escaped(`Least: ${extreme(sorted[0])}. Most: ${extreme(sorted[sorted.length - 1])}.`)} The table beneath has every figure.</p>`
          + `<script type="application/json">${chart}<\/script></div></div>`;
      });
    const noise = run.noise.filter(one => one.benchmark === benchmark && (TIMED(unit) || isRatio)).map(one => one.drift);
    const remarks = [
      noise.length && `Noisy: baselines drifted by up to ${Math.round(100 * Math.max(...noise))} %; small differences mean nothing.`,
      all.some(isVoid) && `Void and not drawn: ${distinct(all.filter(isVoid).map(one => title(one.contender))).join(", ")}.`,
    ].filter(Boolean);
    const keys = distinct(all.flatMap(one => Object.keys(one.parameters))).sort();
    const columns = [
      ["client", one => one.client], ...keys.map(key => [words(key), one => one.parameters[key]]),
      [all.some(one => one.percentiles) ? "median" : "value", one => quantity(one.value, unit)], ["95 % interval", one => interval(one, unit)],
      ...[["90 %", "90"], ["99 %", "99"], ["99.9 %", "99.9"], ["most", "max"]].map(([column, key]) => [column, one => one.percentiles && quantity(one.percentiles[key], unit)]),
      ["× baseline", one => one.ratio && `${one.ratio.value.toFixed(2)} ${one.ratio.to}`], ["samples", one => number(one.samples)], ["repetitions", one => one.repetitions],
    ].filter(([, cell]) => all.some(one => ![undefined, ""].includes(cell(one))));
    const rows = all.map(one => row([name(one.contender) + (isVoid(one) ? " (void)" : ""), ...columns.map(([, cell]) => escaped(cell(one) ?? "–"))]));
    return `<figure><figcaption><h3>${escaped(heading)}</h3><p>${escaped(says.join(" "))}</p></figcaption><div class="panels">${panels.join("")}</div>`
      + (axis ? `<ul class="key">${distinct(drawn.map(one => one.contender)).map(id => `<li>${name(id)}</li>`).join("")}</ul>` : "")
      + remarks.map(remark => `<p class="remark">${escaped(remark)}</p>`).join("")
      + `<details><summary>Table: ${escaped(heading)}</summary>${scroll(`Table: ${heading}`, table(["lock", ...columns.map(([column]) => column)], rows))}</details></figure>`;
  }

  /** A chart for each setting beside the axis; without an axis, one for all. */
  function figures(all) {
    const sorted = [...all].sort((a, b) => (look.get(a.contender)?.place ?? -1) - (look.get(b.contender)?.place ?? -1));
    const axis = axisOf(sorted), beside = one => setting(Object.fromEntries(Object.entries(one.parameters).filter(([key]) => key !== axis)));
    return axis ? [...group(sorted, beside)].map(([facet, some]) => figure(some, facet)).join("") : figure(sorted, "");
  }

  const charts = series(run);
  const chapterOf = ({benchmark, metric}) => /^(cpu|allocation)/.test(metric) ? "Cost" : (CHAPTERS.find(([, , ...ids]) => ids.includes(benchmark)) || ["More"])[0];
  const chapters = [...CHAPTERS, ["More", "What else was measured."]]
    .map(([heading, question]) => [heading, question, charts.filter(([one]) => chapterOf(one) === heading)]);
  const there = chapters.filter(([, , some]) => some.length);
  const missing = chapters.filter(([heading, , some]) => !some.length && heading !== "More").map(([heading]) => heading);

  const locks = run.contenders.filter(one => one.kind !== "floor" && one.status === "measured")
    .sort((a, b) => (b.id === run.choice) - (a.id === run.choice) || (a.kind === "peer") - (b.kind === "peer"));
  const needs = distinct(run.needs.map(one => one.need));
  const cell = (id, need, client) => {
    const place = run.needs.filter(one => one.need === need && one.client === client).flatMap(one => one.order).find(one => one.contender === id);
    return !place ? "" : quantity(place.value, place.unit.replace(/\/(grant|op)$/, "")) + (place.rank ? ` <b>(${place.rank})</b>` : "") + (place.times ? `, ${place.times.toFixed(2)} ×` : "");
  };
  const clients = id => distinct(run.measurements.filter(one => one.contender === id).map(one => one.client));
  const needRows = locks.flatMap(one => clients(one.id).map(client => row([name(one.id), client, ...needs.map(need => cell(one.id, need, client) || "–")])));
  const others = run.contenders.filter(one => one.kind !== "floor" && one.status !== "measured")
    .map(one => `<tr><th scope="row">${name(one.id)}</th><td colspan="${needs.length + 1}">${escaped(`${one.status}: ${one.reason}`)}</td></tr>`);
  const promises = locks.map(one => row([name(one.id), ...[one.fencing, one.clock, (one.traits || []).includes("NEEDS_TRANSACTIONS") ? "needs them" : "–",
    one.durability, one.ownerCheck, one.waiting, one.retrySafe].map(escaped)]));
  const warnings = [
    ...run.contenders.filter(one => one.status === "void").map(one => `Void: ${one.title} let more than one hold a lock (${one.reason}). Its figures are invalid.`),
    ...run.contenders.flatMap(one => (one.failures || []).map(failure => `Failed: ${one.title} in ${failure.benchmark} (${failure.reason}). It has no figures there.`)),
  ];
  const {server, machine} = run;
  const facts = [
    ["Server", `${server.kind === "embedded" ? "the embedded server, " : ""}MongoDB ${server.version}, ${server.topology.replaceAll("-", " ")}`
      + (server.members > 1 ? ` of ${server.members}` : "") + (server.majorityLagMillis ? ` whose majority lags ${server.majorityLagMillis} ms behind` : "")],
    ["Client", `${machine.cpus} processors, ${machine.memoryBytes > 0 ? `${number(machine.memoryBytes / 2 ** 30)} GiB, ` : ""}${machine.os}, ${machine.jvm}`
      + (machine.loadAverage >= 0 ? `, load before the run ${machine.loadAverage.toFixed(2)}` : "")],
    ["When", `${run.startedAt.slice(0, 16).replace("T", " ")} UTC, ${run.mode} run of ${number(run.elapsedSeconds)} s`],
  ].map(([term, fact]) => `<dt>${term}</dt><dd>${escaped(fact)}</dd>`).join("");

  return `<h1>Which lock on MongoDB, and what it costs</h1>
<section id="answer"><p class="advice">${escaped(run.advice[0])}</p>${run.advice.slice(1).map(note => `<p>${escaped(note)}</p>`).join("")}
<h2>By need</h2>${scroll("By need", table(["lock", "client", ...needs], [...needRows, ...others]))}
<p class="remark">In brackets the rank: one more than the number of strategies that are clearly better at it; those of one rank do not differ clearly. Then, if
it differs clearly, how many times the figure of the choice it is. Two locks differ clearly if the ratio of their times, compared round by round, is more than
2 % from 1, and so far that an interval twice as wide as that of 95 % does not contain 1; counts, if they are more than 2 % apart.</p></section>
<section id="promises"><h2>What each promises</h2>${scroll("What each promises", table(
    ["lock", "fencing tokens", "clock", "transactions", "durable when granted", "released by", "waits", "an operation may be repeated"], promises))}</section>
${warnings.length ? `<aside class="warning" aria-label="Warning"><strong>Read these figures with care</strong><ul>${warnings.map(one => `<li>${escaped(one)}</li>`).join("")}</ul></aside>` : ""}
<nav aria-label="Charts"><ul>${there.map(([heading]) => `<li><a href="#chapter-${heading.toLowerCase()}">${heading}</a></li>`).join("")}</ul></nav>
${there.map(([heading, question, some]) => `<section id="chapter-${heading.toLowerCase()}"><h2>${heading}</h2><p>${question}</p>${some.map(figures).join("")}</section>`).join("\n")}
<section id="remarks"><h2>Remarks</h2><ul>${[...run.remarks, ...(missing.length ? [`Not measured in this run: ${missing.join(", ")}.`] : []),
    "docs/compare.md says how each figure is measured, and what it does not say."].map(one => `<li>${escaped(one)}</li>`).join("")}</ul></section>
<dl class="facts">${facts}<dt>Again</dt><dd><code>${escaped(run.command)}</code></dd><dt>Raw</dt><dd><a href="results.json">results.json</a></dd></dl>
<details class="raw"><summary>results.json</summary><pre tabindex="0">${escaped(JSON.stringify(run, null, 2))}</pre></details>`;
}

document.querySelector("main").innerHTML = render(JSON.parse(document.getElementById("results").textContent));

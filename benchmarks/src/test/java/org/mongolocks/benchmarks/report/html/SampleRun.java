package org.mongolocks.benchmarks.report.html;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.bson.Document;
import org.mongolocks.benchmarks.result.Client;

/** A builder of run results with invented figures, for tests to modify. */
public final class SampleRun {
    public static final List<String> STRATEGIES =
            List.of("insert-unique", "findandmodify-counter", "flag-update", "optimistic-version", "transactional");
    public static final List<String> PEERS =
            List.of("shedlock", "mongock", "redisson", "curator", "etcd", "spring-jdbc");
    public static final String BASELINE = "floor-two-find-and-modify";
    private static final Map<String, List<String>> TRAITS = Map.of(
            "insert-unique", List.of("SERVER_CLOCK", "STRICT_FENCING"),
            "transactional", List.of("SERVER_CLOCK", "STRICT_FENCING", "NEEDS_TRANSACTIONS", "MULTI_LOCK"));

    private final List<Document> contenders = new ArrayList<>();
    private final List<Document> measurements = new ArrayList<>();
    private final List<Document> differences = new ArrayList<>();
    private final List<Document> noise = new ArrayList<>();
    private final List<String> remarks = List.of("Redis was not asked for");
    private List<String> missing = List.of();

    /** Returns a complete run: all strategies with both clients, baselines and peers. */
    public static SampleRun full() {
        SampleRun run = new SampleRun();
        run.contend("floor", List.of("floor-ping", BASELINE, "floor-transaction", "floor-hand-off", BASELINE + "-w1"));
        run.contend("strategy", STRATEGIES);
        run.contend("peer", PEERS);
        for (Client client : Client.values()) {
            run.alone(client.id());
            run.scenarios(client.id());
            run.rest(client.id());
        }
        return run;
    }

    /** Returns a run without measurements. */
    public static SampleRun empty() {
        return new SampleRun();
    }

    private void contend(String kind, List<String> ids) {
        for (String id : ids) {
            contenders.add(contender(id, kind));
        }
    }

    public static Document contender(String id, String kind) {
        Document contender = promising(id, kind);
        return kind.equals("strategy")
                ? contender.append("traits", TRAITS.getOrDefault(id, List.of("SERVER_CLOCK", "STRICT_FENCING")))
                : contender;
    }

    private static Document promising(String id, String kind) {
        return new Document("id", id)
                .append("kind", kind)
                .append("title", id)
                .append("durability", kind.equals("peer") ? "as the driver is set" : "majority and journal")
                .append("fencing", kind.equals("strategy") ? "strictly grows" : "none")
                .append("ownerCheck", kind.equals("strategy") ? "yes" : "none")
                .append("clock", kind.equals("peer") ? "each client's" : "the server's")
                .append("waiting", kind.equals("strategy") ? "in line, woken by a change stream" : "none")
                .append("retrySafe", kind.equals("strategy") ? "yes" : "no")
                .append("status", "measured");
    }

    private void alone(String client) {
        latency("B1", "floor-ping", client, 0.12);
        latency("B1", BASELINE, client, 0.40);
        latency("B1", "floor-transaction", client, 1.1);
        for (int i = 0; i < STRATEGIES.size(); i++) {
            String strategy = STRATEGIES.get(i);
            String baseline = i == 4 ? "floor-transaction" : BASELINE;
            double millis = i == 4 ? 1.25 : 0.41 + 0.05 * i;
            latency("B1", strategy, client, millis).append("ratio", ratio(baseline, millis / (i == 4 ? 1.1 : 0.40)));
            latency("B11", strategy, client, 0.18 + 0.03 * i);
            add("B1", "allocation", strategy, client).append("unit", "B/op").append("value", 21_400.0 + 3_000 * i);
            add("B1", "cpu", strategy, client).append("unit", "ns/op").append("value", 61_000.0 + 9_000 * i);
            add("B10", "bytes", strategy, client).append("unit", "B/grant").append("value", 1_430.0 + 400 * i);
            add("B10", "oplogEntries", strategy, client)
                    .append("unit", "entries/grant")
                    .append("value", i == 4 ? 3.0 : 2.0);
        }
    }

    private void scenarios(String client) {
        for (int i = 0; i < STRATEGIES.size(); i++) {
            for (int waiters : List.of(1, 4, 16, 64, 256)) {
                for (int section : List.of(0, 1)) {
                    Document setting = new Document("waiters", waiters).append("sectionMillis", section);
                    double rate = (1_200 - 90 * i) / (1 + 0.0004 * waiters) / (1 + section);
                    spread("B6", "throughput", STRATEGIES.get(i), client, rate)
                            .append("unit", "1/s")
                            .append("parameters", setting);
                    spread("B6", "commandsPerGrant", STRATEGIES.get(i), client, 2.4 + 0.3 * i)
                            .append("unit", "commands")
                            .append("parameters", setting);
                }
            }
        }
    }

    private void rest(String client) {
        latency("B5", "floor-hand-off", client, 0.9);
        for (int i = 0; i < STRATEGIES.size(); i++) {
            String strategy = STRATEGIES.get(i);
            latency("B5", strategy, client, 1.0 + 0.1 * i)
                    .append("ratio", ratio("floor-hand-off", (1.0 + 0.1 * i) / 0.9));
            for (String end : List.of("abandoned", "killed", "stopped")) {
                spread("B9", "recovery", strategy, client, 1.03e9 + 1e7 * i)
                        .append("unit", "ns")
                        .append("parameters", new Document("end", end).append("ttlMillis", 1_000));
            }
        }
        if (client.equals("sync")) {
            PEERS.forEach(peer -> latency("B1", peer, client, 0.39 + 0.2 * PEERS.indexOf(peer)));
        }
    }

    public Document latency(String benchmark, String contender, String client, double millis) {
        double nanos = millis * 1e6;
        return spread(benchmark, "latency", contender, client, nanos)
                .append("unit", "ns")
                .append(
                        "percentiles",
                        new Document("50", (long) nanos)
                                .append("90", (long) (1.3 * nanos))
                                .append("99", (long) (2.1 * nanos))
                                .append("99.9", (long) (6 * nanos))
                                .append("max", (long) (30 * nanos)));
    }

    private static Document ratio(String baseline, double times) {
        return new Document("to", baseline)
                .append("value", times)
                .append("low", 0.99 * times)
                .append("high", 1.01 * times);
    }

    private Document spread(String benchmark, String metric, String contender, String client, double value) {
        return add(benchmark, metric, contender, client)
                .append("value", value)
                .append("low", 0.97 * value)
                .append("high", 1.03 * value);
    }

    /** Adds a measurement without a unit and a value, which the caller sets. */
    public Document add(String benchmark, String metric, String contender, String client) {
        Document measurement = new Document("benchmark", benchmark)
                .append("metric", metric)
                .append("contender", contender)
                .append("client", client)
                .append("parameters", new Document())
                .append("samples", 1_000L)
                .append("repetitions", 5);
        measurements.add(measurement);
        return measurement;
    }

    public SampleRun with(Document contender) {
        contenders.add(contender);
        return this;
    }

    /** Adds the paired difference of two strategies with the synchronous client, without contention. */
    public SampleRun different(String first, String second, double ratio, double reach) {
        differences.add(new Document("benchmark", "B1")
                .append("metric", "latency")
                .append("client", "sync")
                .append("parameters", new Document())
                .append("first", first)
                .append("second", second)
                .append("ratio", ratio)
                .append("low", ratio - reach)
                .append("high", ratio + reach)
                .append("rounds", 12));
        return this;
    }

    /** Adds the drift of a baseline in a benchmark. */
    public SampleRun noisyIn(String benchmark, double drift) {
        noise.add(new Document("benchmark", benchmark).append("drift", drift));
        return this;
    }

    /** Adds a failure of a contender in a benchmark, and removes its measurements there. */
    SampleRun failure(String id, String benchmark, String reason) {
        contenders.stream()
                .filter(one -> id.equals(one.get("id")))
                .forEach(one ->
                        one.append("failures", List.of(new Document("benchmark", benchmark).append("reason", reason))));
        return without(one -> id.equals(one.get("contender")) && benchmark.equals(one.get("benchmark")));
    }

    SampleRun missing(List<String> benchmarks) {
        missing = benchmarks;
        return this;
    }

    /** Sets the verdict on a contender. */
    public SampleRun verdict(String id, String status, String reason) {
        contenders.stream()
                .filter(one -> id.equals(one.get("id")))
                .forEach(one -> one.append("status", status).append("reason", reason));
        return this;
    }

    public SampleRun without(Predicate<Document> measurement) {
        measurements.removeIf(measurement);
        return this;
    }

    public List<Document> measurements() {
        return measurements;
    }

    /** Returns the page of this run. */
    public Markup page() {
        return Markup.of(html());
    }

    public String html() {
        return HtmlReport.of(ResultsReader.read(json()), json());
    }

    public String json() {
        Document run = new Document("format", 3)
                .append("startedAt", "2026-11-20T10:15:30Z")
                .append("elapsedSeconds", 61.5)
                .append("quick", true)
                .append("mode", "quick")
                .append("only", List.of("B1", "B6"))
                .append("minutes", 1.0)
                .append("command", "./compare --quick")
                .append("server", server())
                .append("machine", machine())
                .append("floor", baseline())
                .append("strategies", List.of())
                .append("contenders", contenders)
                .append("measurements", measurements)
                .append("differences", differences)
                .append("noise", noise)
                .append("remarks", remarks)
                .append("advice", "Take what suits you.");
        return (missing.isEmpty() ? run : run.append("missing", missing)).toJson();
    }

    private Document server() {
        return new Document("kind", "uri")
                .append("version", "7.0.2")
                .append("topology", "replica-set")
                .append("members", 3);
    }

    private static Document machine() {
        return new Document("cpus", 2)
                .append("os", "Linux 6.1 amd64")
                .append("jvm", "OpenJDK 17")
                .append("loadAverage", 0.25)
                .append("memoryBytes", 8_000_000_000L);
    }

    private Document baseline() {
        return new Document("p50Nanos", 400_000)
                .append("p99Nanos", 900_000)
                .append("samples", 1_000)
                .append("drift", 0.05)
                .append("noisy", false);
    }
}

package org.mongolocks.benchmarks.report;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.mongolocks.benchmarks.StubStrategy;
import org.mongolocks.benchmarks.measure.CommandCosts;
import org.mongolocks.benchmarks.measure.Contended;
import org.mongolocks.benchmarks.measure.FloorFigures;
import org.mongolocks.benchmarks.measure.FloorRatio;
import org.mongolocks.benchmarks.measure.Latency;
import org.mongolocks.benchmarks.measure.Measurements;
import org.mongolocks.benchmarks.measure.StrategyResult;
import org.mongolocks.benchmarks.measure.StrategyResult.Measured;
import org.mongolocks.benchmarks.measure.StrategyResult.Unmeasured;
import org.mongolocks.benchmarks.measure.StrategyResult.Why;
import org.mongolocks.benchmarks.measure.Violations;
import org.mongolocks.benchmarks.server.ServerDescription;
import org.mongolocks.benchmarks.server.ServerDescription.Kind;
import org.mongolocks.benchmarks.server.Topology;
import org.mongolocks.spi.Trait;

/** Makes reports for tests. The figures are made up. */
final class Samples {
    static final ServerDescription REAL =
            new ServerDescription(Kind.URI, "7.0.2", Topology.REPLICA_SET, List.of("a:1", "b:2", "c:3"));
    static final ServerDescription EMBEDDED =
            new ServerDescription(Kind.EMBEDDED, "4.4.0", Topology.REPLICA_SET, List.of("localhost:1234"));

    private static final Violations NONE = new Violations(0, 0, 0);
    private static final FloorFigures CALM = new FloorFigures(new Latency(400_000, 900_000, 1_000), 0.05);

    private Samples() {}

    static Report report(ServerDescription server, StrategyResult... strategies) {
        return report(server, CALM, strategies);
    }

    static Report report(ServerDescription server, FloorFigures floor, StrategyResult... strategies) {
        return new Report(
                Instant.parse("2026-11-20T10:15:30Z"),
                Duration.ofMillis(31_400),
                true,
                server,
                new Machine(2, "Linux 6.1 amd64", "OpenJDK 17"),
                new Measurements(floor, List.of(strategies)));
    }

    static Measured measured(String name, double ratio, long grants, Trait... traits) {
        return measured(name, ratio, contended(grants, NONE, List.of()), traits);
    }

    static Measured violating(String name) {
        return measured(name, 0.5, contended(9_000, new Violations(3, 2, 1), List.of()), Trait.STRICT_FENCING);
    }

    static Measured failing(String name, List<String> errors) {
        return measured(name, 0.5, contended(9_000, NONE, errors), Trait.STRICT_FENCING);
    }

    static Unmeasured unmeasured(String name, Why why, String reason) {
        return new Unmeasured(new StubStrategy(name, Set.of()), why, reason);
    }

    private static SortedMap<Integer, Contended> crowds() {
        Contended each = contended(500, NONE, List.of());
        return new TreeMap<>(Map.of(1, each, 8, each, 64, each));
    }

    private static Contended contended(long grants, Violations violations, List<String> errors) {
        return new Contended(8, 2.0, grants, 0.9876, 215_000_000, 3.25, violations, errors);
    }

    private static Measured measured(String name, double ratio, Contended contended, Trait... traits) {
        return new Measured(
                new StubStrategy(name, Set.of(traits)),
                new Latency(Math.round(ratio * 400_000), 2_000_000, 500),
                new FloorRatio(ratio, ratio - 0.05, ratio + 0.05, 0.04),
                new CommandCosts(1, 2, 2, 1, 1.5),
                0,
                contended,
                crowds());
    }
}

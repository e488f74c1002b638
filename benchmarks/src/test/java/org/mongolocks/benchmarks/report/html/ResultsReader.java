package org.mongolocks.benchmarks.report.html;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.bson.Document;
import org.mongolocks.benchmarks.report.Report;
import org.mongolocks.benchmarks.report.Report.Machine;
import org.mongolocks.benchmarks.report.Report.RunParameters;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.Estimate.Interval;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.LockUnderTest.Kind;
import org.mongolocks.benchmarks.result.LockUnderTest.Properties;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Measurement.Percentiles;
import org.mongolocks.benchmarks.result.Measurement.Ratio;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.MeasurementStatus;
import org.mongolocks.benchmarks.result.MeasurementStatus.Failure;
import org.mongolocks.benchmarks.result.MeasurementStatus.Status;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.result.PairedDifference;
import org.mongolocks.benchmarks.result.RunResults;
import org.mongolocks.benchmarks.result.RunResults.BaselineDrift;
import org.mongolocks.benchmarks.run.BenchmarkRun.RunLength;
import org.mongolocks.benchmarks.server.ServerDescription;
import org.mongolocks.benchmarks.server.ServerDescription.Topology;

/** A reader of {@code results.json}, so that samples of runs can be written as such. */
public final class ResultsReader {
    private ResultsReader() {}

    /** Reads the results of a run. */
    public static Report read(String json) {
        Document run = Document.parse(json);
        return new Report(
                Instant.parse(run.getString("startedAt")),
                Duration.ofMillis((long) (1e3 * number(run, "elapsedSeconds"))),
                new RunParameters(
                        constant(RunLength.class, run.getString("mode")),
                        strings(run, "only"),
                        Duration.ofMillis((long) (60_000 * number(run, "minutes"))),
                        run.getString("command")),
                server(run.get("server", Document.class)),
                machine(run.get("machine", Document.class)),
                new RunResults(
                        all(run, "measurements", ResultsReader::measurement),
                        List.of(),
                        all(run, "differences", ResultsReader::difference),
                        all(run, "contenders", ResultsReader::contender),
                        all(
                                run,
                                "noise",
                                one -> new BaselineDrift(
                                        one.getString("benchmark"), "", Client.SYNC, number(one, "drift"))),
                        strings(run, "remarks")),
                strings(run, "missing"));
    }

    private static ServerDescription server(Document server) {
        return new ServerDescription(
                constant(ServerDescription.Kind.class, server.getString("kind")),
                server.getString("version"),
                constant(Topology.class, server.getString("topology").replace('-', '_')),
                Collections.nCopies(server.getInteger("members", 1), "host:1"),
                Duration.ofMillis((long) number(server, "majorityLagMillis")));
    }

    private static Machine machine(Document machine) {
        return new Machine(
                machine.getInteger("cpus", 1),
                machine.getString("os"),
                machine.getString("jvm"),
                number(machine, "loadAverage"),
                (long) number(machine, "memoryBytes"));
    }

    private static LockUnderTest contender(Document one) {
        return new LockUnderTest(
                one.getString("id"),
                kind(one.getString("kind")),
                one.get("title", one.getString("id")),
                properties(one),
                strings(one, "traits"),
                verdict(one));
    }

    private static MeasurementStatus verdict(Document one) {
        return new MeasurementStatus(
                constant(Status.class, one.getString("status")),
                Optional.ofNullable(one.getString("reason")),
                Optional.empty(),
                all(
                        one,
                        "failures",
                        failure -> new Failure(failure.getString("benchmark"), failure.get("reason", ""))));
    }

    private static Properties properties(Document one) {
        return new Properties(
                one.get("durability", ""),
                one.get("fencing", ""),
                one.get("ownerCheck", ""),
                one.get("clock", ""),
                one.get("waiting", ""),
                one.get("retrySafe", ""));
    }

    private static Measurement measurement(Document one) {
        return new Measurement(
                subject(one),
                new Metric(one.getString("metric"), one.getString("unit")),
                estimate(one, one.getInteger("repetitions", 1)),
                (long) number(one, "samples"),
                Optional.ofNullable(one.get("percentiles", Document.class)).map(ResultsReader::percentiles),
                Optional.ofNullable(one.get("ratio", Document.class)).map(ResultsReader::ratio));
    }

    private static PairedDifference difference(Document one) {
        return new PairedDifference(
                subject(one, one.getString("first")),
                one.getString("second"),
                one.getString("metric"),
                new Estimate(number(one, "ratio"), interval(one), one.getInteger("rounds", 1)));
    }

    private static MeasurementKey subject(Document one) {
        return subject(one, one.getString("contender"));
    }

    private static MeasurementKey subject(Document one, String contender) {
        return new MeasurementKey(
                one.getString("benchmark"),
                contender,
                constant(Client.class, one.getString("client")),
                new TreeMap<>(one.get("parameters", new Document())));
    }

    private static Ratio ratio(Document ratio) {
        return new Ratio(ratio.getString("to"), estimate(ratio, 1));
    }

    private static Estimate estimate(Document one, int repetitions) {
        return new Estimate(number(one, "value"), interval(one), repetitions);
    }

    private static Optional<Interval> interval(Document one) {
        return maybe(one, "low").flatMap(low -> maybe(one, "high").map(high -> new Interval(low, high)));
    }

    private static Percentiles percentiles(Document one) {
        return new Percentiles(
                (long) number(one, "50"),
                (long) number(one, "90"),
                (long) number(one, "99"),
                (long) number(one, "99.9"),
                (long) number(one, "max"));
    }

    private static <T> List<T> all(Document in, String name, Function<Document, T> reader) {
        return in.getList(name, Document.class, List.of()).stream().map(reader).toList();
    }

    private static List<String> strings(Document in, String name) {
        return in.getList(name, String.class, List.of());
    }

    private static double number(Map<String, ?> in, String name) {
        return in.get(name) instanceof Number number ? number.doubleValue() : 0;
    }

    private static Optional<Double> maybe(Map<String, ?> in, String name) {
        return in.get(name) instanceof Number number ? Optional.of(number.doubleValue()) : Optional.empty();
    }

    private static Kind kind(String id) {
        return Stream.of(Kind.values())
                .filter(kind -> kind.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("A contender has the unknown kind " + id));
    }

    private static <E extends Enum<E>> E constant(Class<E> type, String id) {
        return Enum.valueOf(type, id.toUpperCase(Locale.ROOT));
    }
}

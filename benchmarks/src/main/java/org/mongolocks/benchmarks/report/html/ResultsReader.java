package org.mongolocks.benchmarks.report.html;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.Document;
import org.mongolocks.benchmarks.report.choice.MeasuredRun.Benchmarks;
import org.mongolocks.benchmarks.report.html.RunConditions.Machine;
import org.mongolocks.benchmarks.report.html.RunConditions.Server;
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

/** A reader of {@code results.json}, for the format that this program writes. */
public final class ResultsReader {
    private static final int FORMAT = 3;

    private ResultsReader() {}

    /**
     * Reads the results of a run.
     *
     * @throws IllegalArgumentException if the format is another
     */
    public static Results read(String json) {
        Document document = Document.parse(json);
        if (document.getInteger("format", 0) != FORMAT) {
            throw new IllegalArgumentException(
                    "results.json has the format " + document.get("format") + "; this program reads format " + FORMAT);
        }
        return new Results(
                conditions(document),
                all(document, "contenders", ResultsReader::contender),
                all(document, "measurements", ResultsReader::measurement),
                all(document, "differences", ResultsReader::difference),
                strings(document, "remarks"),
                json);
    }

    private static RunConditions conditions(Document run) {
        return new RunConditions(
                run.getString("startedAt"),
                number(run, "elapsedSeconds"),
                run.get("mode", "normal"),
                run.get("command", "./compare"),
                new Benchmarks(strings(run, "only"), strings(run, "missing"), noise(run), number(run, "minutes")),
                server(run.get("server", Document.class)),
                machine(run.get("machine", Document.class)));
    }

    private static Map<String, Double> noise(Document run) {
        return all(run, "noise", one -> one).stream()
                .collect(Collectors.toMap(one -> one.getString("benchmark"), one -> number(one, "drift"), Math::max));
    }

    private static Server server(Document server) {
        return new Server(
                server.getString("kind"),
                server.getString("version"),
                server.getString("topology"),
                server.getInteger("members", 1),
                (long) number(server, "majorityLagMillis"));
    }

    private static Machine machine(Document machine) {
        return new Machine(
                machine.getInteger("cpus", 1),
                machine.getString("os"),
                machine.getString("jvm"),
                maybe(machine, "loadAverage").filter(load -> load >= 0),
                maybe(machine, "memoryBytes"));
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

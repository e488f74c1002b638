package org.mongolocks.benchmarks.scenario;

import static org.mongolocks.benchmarks.scenario.ColdStartMain.CONNECTED;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.mongolocks.LockException;
import org.mongolocks.benchmarks.driver.Baseline;
import org.mongolocks.benchmarks.lock.ShedLockLock;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.result.RunSummary;
import org.mongolocks.benchmarks.run.Benchmark.Scenario;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.benchmarks.sampling.RoundBudget;
import org.mongolocks.benchmarks.sampling.RoundFigures;
import org.mongolocks.benchmarks.sampling.Rounds;
import org.mongolocks.benchmarks.sampling.Rounds.Round;
import org.mongolocks.benchmarks.scenario.ColdStartMain.Reading;
import org.mongolocks.benchmarks.server.TargetServer;
import org.mongolocks.spi.LockStrategy;

/**
 * The benchmark of the cold start: the first acquisitions of a process, each with its release. Every contender has a JVM
 * of its own in each round, with the default options of Java; the JVMs run one after another. Its processor time is that
 * of all threads of the process, the compiler and the garbage collector included, in steps of ten milliseconds. Counting begins when a command of the
 * driver has been answered and the client of the lock is built.
 */
final class ColdStartBenchmark implements Scenario {
    /** The rounds for which a JVM must have time, because fewer make no ratio. */
    private static final int ROUNDS = 6;

    private static final Duration MAX_RUN = Duration.ofMinutes(5);

    /** The processor time of the process per acquisition and release. */
    static final Metric CPU = new Metric("processCpu", "ns/op");
    /** The mean time of an acquisition with its release: a median would hide the slow first ones. */
    static final Metric LATENCY = new Metric("meanLatency", "ns");
    /** The processor time of the process to build the client of the lock. */
    static final Metric BUILD = new Metric("buildCpu", "ns");

    /**
     * The acquisitions that a figure is about.
     *
     * @param after the acquisitions of the JVM before these
     * @param acquisitions their number
     * @param time the time that a JVM needs until then
     */
    private record Window(long after, long acquisitions, Duration time) {
        static final List<Window> ALL = List.of(
                new Window(0, 1, Duration.ZERO),
                new Window(0, 100, Duration.ZERO),
                new Window(0, 10_000, Duration.ofSeconds(6)),
                new Window(30_000, 10_000, Duration.ofSeconds(15)));

        double perOperation(Map<Long, Reading> readings, ToLongFunction<Reading> quantity) {
            return (double) difference(readings, after, after + acquisitions, quantity) / acquisitions;
        }
    }

    private record Contender(String id, Client client) {}

    @Override
    public void run(BenchmarkContext context, Duration time) throws InterruptedException {
        context.enter(Baseline.TWO_FIND_AND_MODIFY.contender(Baseline.DURABLE));
        context.enter(ShedLockLock.CONTENDER);
        List<Contender> contenders = contenders(context);
        Duration each = time.dividedBy((long) ROUNDS * contenders.size());
        List<Window> windows = Window.ALL.stream()
                .filter(window -> window.time().compareTo(each) <= 0)
                .toList();
        ColdRounds rounds = new ColdRounds(context, windows);
        Rounds.repeat(context, RoundBudget.of(context, time, 1), round -> {
            for (Contender contender : round.inOrder(contenders)) {
                context.attempt(contender.id(), () -> rounds.start(round, contender));
            }
        });
        rounds.figures.record(
                context,
                Estimate::median,
                (subject, metric) -> Optional.of(RunSummary.BASELINE)
                        .filter(id ->
                                !metric.equals(BUILD) && !subject.contender().equals(id)));
    }

    private static List<Contender> contenders(BenchmarkContext context) {
        List<Contender> contenders = new ArrayList<>();
        for (Client client : Client.values()) {
            contenders.add(new Contender(RunSummary.BASELINE, client));
            for (LockStrategy strategy : context.strategies()) {
                contenders.add(new Contender(strategy.name(), client));
            }
        }
        contenders.add(1, new Contender(ShedLockLock.ID, Client.SYNC));
        return contenders;
    }

    /** The JVMs of all rounds. */
    private static final class ColdRounds {
        private final BenchmarkContext context;
        private final List<Window> windows;
        private final RoundFigures figures = new RoundFigures();

        ColdRounds(BenchmarkContext context, List<Window> windows) {
            this.context = context;
            this.windows = windows;
        }

        void start(Round round, Contender contender) throws InterruptedException {
            Map<Long, Reading> readings = new TreeMap<>();
            for (String word : output(contender).strip().split(" ", -1)) {
                readings.put(Reading.of(word).acquisitions(), Reading.of(word));
            }
            MeasurementKey subject = context.subject(contender.id(), contender.client());
            for (Window window : windows) {
                MeasurementKey key =
                        subject.with("acquisitions", window.acquisitions()).with("after", window.after());
                figures.add(round, key, CPU, window.perOperation(readings, Reading::cpuNanos), 1);
                figures.add(round, key, LATENCY, window.perOperation(readings, Reading::nanos), 1);
            }
            figures.add(round, subject, BUILD, (double) difference(readings, CONNECTED, 0, Reading::cpuNanos), 1);
        }

        private String output(Contender contender) throws InterruptedException {
            RunEnvironment environment = context.environment();
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp",
                    System.getProperty("java.class.path"),
                    ColdStartMain.class.getName(),
                    contender.client().name(),
                    contender.id(),
                    environment.name("cold-" + contender.id())));
            windows.stream()
                    .flatMap(window -> Stream.of(window.after(), window.after() + window.acquisitions()))
                    .filter(stop -> stop > 0)
                    .distinct()
                    .map(String::valueOf)
                    .forEach(command::add);
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
            builder.environment().put(TargetServer.URI_VARIABLE, environment.uri());
            try {
                return output(builder.start());
            } catch (IOException e) {
                throw new LockException("A process did not run: " + e.getMessage(), e);
            }
        }

        private static String output(Process process) throws IOException, InterruptedException {
            try {
                boolean hasEnded = process.waitFor(MAX_RUN.toSeconds(), TimeUnit.SECONDS);
                String output =
                        hasEnded ? new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8) : "late";
                if (!hasEnded || process.exitValue() != 0) {
                    throw new LockException("A process with a cold start failed: " + output);
                }
                return output;
            } finally {
                process.destroyForcibly();
            }
        }
    }

    private static long difference(Map<Long, Reading> readings, long from, long to, ToLongFunction<Reading> quantity) {
        return quantity.applyAsLong(readings.get(to)) - quantity.applyAsLong(readings.get(from));
    }
}

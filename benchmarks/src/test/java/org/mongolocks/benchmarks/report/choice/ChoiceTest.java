package org.mongolocks.benchmarks.report.choice;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.report.choice.MeasuredRun.Benchmarks;
import org.mongolocks.benchmarks.report.choice.MeasuredRun.Server;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.Estimate.Interval;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.LockUnderTest.Kind;
import org.mongolocks.benchmarks.result.LockUnderTest.Properties;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.MeasurementStatus;
import org.mongolocks.benchmarks.result.MeasurementStatus.Failure;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.result.PairedDifference;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.Trait;

/** The choice follows from traits and clear differences, and its sentences from the same rule as its table. */
class ChoiceTest {
    private static final String COUNTER = "findandmodify-counter";
    private static final String INSERT = "insert-unique";
    private static final String TRANSACTIONAL = "transactional";
    private static final String MANY = "Many waiters for one lock";
    private static final String ALONE = "Least time while the lock is free";

    private final List<LockUnderTest> contenders = new ArrayList<>();
    private final List<Measurement> measurements = new ArrayList<>();
    private final List<PairedDifference> differences = new ArrayList<>();
    private final List<String> missing = new ArrayList<>();
    private final Map<String, Double> noise = new HashMap<>();
    private Server server = Server.CLUSTER;
    private double minutes = 6;

    @Test
    void withoutClearDifferencesTheDefaultIsChosenAndTheOthersAreOneLine() {
        shipped();
        alone(COUNTER, INSERT, 1.1, 0.2);
        alone(COUNTER, "flag-update", 0.95, 0.04);

        Choice choice = choice();

        assertThat(choice.headline())
                .isEqualTo("Take findandmodify-counter for most uses: one command for each attempt, whether the lock is"
                        + " free or held; the others need two or more for one of these;"
                        + " the server's clock alone ends a lease; fencing tokens grow with each grant.");
        assertThat(choice.differences()).isEmpty();
        assertThat(choice.notes())
                .containsExactly(
                        "Not told apart from it in this run: insert-unique, flag-update.",
                        "Without times in this run: optimistic-version, transactional.",
                        "More time tells smaller differences apart: ./compare --full (twenty minutes).");
    }

    @Test
    void theDefaultIsThatOfTheReadme() throws IOException {
        assertThat(Files.readString(Path.of("..", "README.md"))).contains("**If unsure: `" + Choice.DEFAULT + "`.**");
    }

    @Test
    void strategyThatClearlyDiffersIsNamedWithAllItDiffersIn() {
        shipped();
        alone(TRANSACTIONAL, COUNTER, 2.4, 0.1);
        pair("B1", Metric.CPU, TRANSACTIONAL, COUNTER, 1.5, 0.05);
        figure("B10", new Metric("commands", "commands/grant"), COUNTER, 2);
        figure("B10", new Metric("commands", "commands/grant"), TRANSACTIONAL, 4);
        figure("B10", Metric.BYTES, COUNTER, 1000);
        figure("B10", Metric.BYTES, TRANSACTIONAL, 1015);

        assertThat(choice().differences())
                .containsExactly(Map.entry(
                        TRANSACTIONAL,
                        "2.4 times the time to acquire and release, 50 % more processor time of the client,"
                                + " 2.0 times the commands"));
    }

    @Test
    @Tag("finds:compare-unclear-difference")
    void intervalThatBarelyExcludesOneIsNoClearDifference() {
        shipped();
        alone(TRANSACTIONAL, COUNTER, 1.10, 0.08);

        assertThat(choice().differences()).isEmpty();
        assertThat(answer(ALONE).leaders()).contains(COUNTER, TRANSACTIONAL);
    }

    @Test
    void timesWithoutPairsAreNotToldApartHoweverFarApartTheyAre() {
        shipped();
        figure("B1", Metric.LATENCY, COUNTER, 400_000);
        figure("B1", Metric.LATENCY, INSERT, 100_000);

        assertThat(choice().strategy()).contains(COUNTER);
        assertThat(answer(ALONE).why())
                .isEqualTo("100 to 400 µs, measured in too few rounds to compare, so the choice");
    }

    @Test
    void strategyWithoutAFigureIsNotSurpassed() {
        shipped();
        figure("B5", Metric.LATENCY, INSERT, 1e6);

        Answer answer = answer("A waiter gets it soon after a release");

        assertThat(answer.take()).contains(COUNTER);
        assertThat(answer.leaders()).containsExactly(INSERT);
        assertThat(answer.why()).isEqualTo("the choice, without a figure to compare: the remarks say why");
    }

    @Test
    void strategyThatIsBetterAndWorseInNothingIsChosen() {
        shipped();
        superior("alpha", COUNTER);

        Choice choice = choice();

        assertThat(choice.headline())
                .startsWith(
                        "Take alpha for most uses: it promises what findandmodify-counter does, with 30 % less time to"
                                + " acquire");
        assertThat(choice.differences()).containsOnlyKeys(COUNTER);
        assertThat(answer(ALONE).take()).contains("alpha");
    }

    @Test
    void strategyThatIsBetterButPromisesLessIsNotChosen() {
        shipped();
        superior("alpha", COUNTER);
        contenders.replaceAll(one -> one.id().equals("alpha") ? strategy("alpha", Trait.STRICT_FENCING) : one);

        assertThat(choice().strategy()).contains(COUNTER);
        assertThat(choice().differences().get("alpha")).startsWith("30 % less time");
    }

    @Test
    void strategyThatIsBetterInOneThingAndWorseInAnotherIsNotChosen() {
        shipped();
        superior("alpha", COUNTER);
        figure("B10", Metric.BYTES, COUNTER, 1000);
        figure("B10", Metric.BYTES, "alpha", 1500);

        assertThat(choice().strategy()).contains(COUNTER);
        assertThat(choice().differences().get("alpha")).contains("30 % less time", "50 % more bytes");
    }

    @Test
    void onlyTheLargestNumberOfWaitersCounts() {
        shipped();
        contended(INSERT, COUNTER, 8, 2.77, 0.1);
        contended(INSERT, COUNTER, 64, 0.5, 0.02);

        assertThat(choice().differences())
                .containsExactly(Map.entry(INSERT, "50 % fewer grants a second to 64 waiters"));
        assertThat(answer(MANY).take()).contains(COUNTER);
        assertThat(choice().advice()).doesNotContain("8 waiters", "2.8 times");
    }

    @Test
    void tableNamesTheStrategyThatTheSentenceCallsBetter() {
        shipped();
        contended(INSERT, COUNTER, 64, 1.5, 0.05);

        assertThat(choice().strategy()).contains(COUNTER);
        assertThat(choice().differences()).containsEntry(INSERT, "50 % more grants a second to 64 waiters");
        assertThat(answer(MANY).take()).contains(INSERT);
        assertThat(answer(MANY).why())
                .endsWith(", clearly the best: 50 % more grants a second to 64 waiters than " + COUNTER);
    }

    @Test
    void strategyOfAnotherClientIsNamedWhereItDiffers() {
        shipped();
        for (String one : List.of(COUNTER, INSERT)) {
            measurements.add(measurement(MeasurementKey.of("B5", one, Client.REACTIVE), Metric.LATENCY, 1e6));
            measurements.add(measurement(MeasurementKey.of("B5", one, Client.SYNC), Metric.LATENCY, 1e6));
        }
        differences.add(difference(MeasurementKey.of("B5", INSERT, Client.REACTIVE), COUNTER, "latency", 0.5, 0.01));

        assertThat(choice().table())
                .filteredOn(answer -> answer.need().criterion() == Criterion.HAND_OVER)
                .extracting(answer -> answer.client() + " " + answer.take().orElseThrow())
                .containsExactly("SYNC " + COUNTER, "REACTIVE " + INSERT);
    }

    @Test
    void runOfOneStrategyTakesIt() {
        contenders.add(strategy(INSERT, Trait.SERVER_CLOCK, Trait.STRICT_FENCING));
        figure("B1", Metric.LATENCY, INSERT, 1e6);

        assertThat(choice().headline()).startsWith("Take insert-unique for most uses: the only one of this run; ");
        assertThat(choice().notes()).isEmpty();
        assertThat(answer(ALONE).why()).isEqualTo("1.00 ms, the only one measured");
    }

    @Test
    void runOfOwnStrategiesTakesTheOneThatNoneSurpasses() {
        contenders.add(strategy("alpha", Trait.STRICT_FENCING));
        contenders.add(strategy("beta", Trait.STRICT_FENCING));
        contenders.add(strategy("gamma"));
        alone("beta", "alpha", 0.7, 0.02);
        alone("gamma", "beta", 0.5, 0.02);

        assertThat(choice().headline()).isEqualTo("Take beta for most uses: fencing tokens grow with each grant.");
        assertThat(choice().differences()).containsOnlyKeys("alpha", "gamma");
    }

    @Test
    void standaloneIsNeverSentToTransactions() {
        shipped();
        server = Server.STANDALONE;

        assertThat(choice().answers()).noneMatch(answer -> answer.take().equals(Optional.of(TRANSACTIONAL)));
        assertThat(answer("Several locks at once, all or none").take()).isEmpty();
        assertThat(answer("A standalone server").take()).contains(COUNTER);
    }

    @Test
    void standaloneWithoutTransactionalIsNotToldToAddIt() {
        contenders.add(strategy(COUNTER, Trait.SERVER_CLOCK, Trait.STRICT_FENCING));
        server = Server.STANDALONE;

        assertThat(answer("Several locks at once, all or none").why())
                .isEqualTo("a standalone server has no transactions");
    }

    @Test
    void needThatNoStrategyOfTheRunMeetsNamesOneOfTheLibraryThatDoes() {
        contenders.add(strategy(COUNTER, Trait.SERVER_CLOCK, Trait.STRICT_FENCING));

        for (Answer answer : choice().answers()) {
            LockUnderTest taken = shipped(answer.take().orElseThrow());
            assertThat(answer.need().isSuitable().test(run(), taken))
                    .as(answer.need().title())
                    .isTrue();
        }
        assertThat(answer("No clock is trusted").why()).endsWith("not in this run: add it with --strategies");
    }

    @Test
    void strategyThatFailedOrViolatedIsNotTakenAndTheReasonIsSaid() {
        shipped();
        contenders.replaceAll(one -> switch (one.id()) {
            case COUNTER -> one.with(one.verdict().with(List.of(new Failure("B4", "A lock was lost"))));
            case INSERT -> one.with(MeasurementStatus.voided("Two were in"));
            default -> one;
        });

        assertThat(choice().strategy()).contains("flag-update");
        assertThat(choice().notes())
                .contains(
                        "Do not take findandmodify-counter: it failed in B4 (A lock was lost).",
                        "Do not take insert-unique: it granted one lock to more than one owner.");
        assertThat(choice().answers()).noneMatch(answer -> answer.take().equals(Optional.of(COUNTER)));
    }

    @Test
    void runWithoutAnyUsableStrategyChoosesNone() {
        contenders.add(strategy("alpha").with(MeasurementStatus.skipped("It failed")));

        assertThat(choice().strategy()).isEmpty();
        assertThat(choice().headline()).startsWith("Take none of these: ");
    }

    @Test
    void quickRunOnTheEmbeddedServerSaysWhatWouldTellMore() {
        shipped();
        alone(COUNTER, INSERT, 1.1, 0.2);
        server = Server.EMBEDDED;
        minutes = 0.6;

        assertThat(choice().notes())
                .contains(
                        "More time tells smaller differences apart: ./compare (four minutes).",
                        "Times are those of the embedded server, in memory: measure yours with --uri.");
    }

    @Test
    void stoppedRunSaysWhatIsMissing() {
        shipped();
        missing.addAll(List.of("B6", "B10"));

        assertThat(choice().notes()).first().isEqualTo("The run did not end: without B6, B10.");
    }

    @Test
    void noiseIsSaidWithTheChoice() {
        shipped();
        alone(COUNTER, INSERT, 1.1, 0.2);
        noise.putAll(Map.of("B5", 0.12, "B1", 0.76));

        assertThat(choice().notes())
                .first()
                .asString()
                .startsWith("Noisy: baselines drifted by up to 76 % in B1, B5, because");
    }

    @Test
    @Tag("finds:times-that-were-not-measured")
    void runWithoutTimesSaysNothingAboutTimes() {
        shipped();
        server = Server.EMBEDDED;
        noise.put("B1", 0.76);
        figure("B10", Metric.BYTES, COUNTER, 1000);
        figure("B10", Metric.BYTES, INSERT, 1000);

        assertThat(choice().notes()).containsExactly("No time was measured: promises, commands and bytes decide.");
    }

    @Test
    @Tag("finds:times-that-were-not-measured")
    void strategyWithoutAnyTimeIsNotCalledAlike() {
        shipped();
        alone(COUNTER, INSERT, 1.1, 0.2);
        figure("B10", Metric.BYTES, COUNTER, 1000);
        figure("B10", Metric.BYTES, TRANSACTIONAL, 1000);

        assertThat(choice().notes())
                .contains(
                        "Not told apart from it in this run: insert-unique.",
                        "Without times in this run: flag-update, optimistic-version, transactional.");
    }

    @Test
    void strategyThatWasNotComparedIsNotCalledAlike() {
        shipped();
        figure("B1", Metric.LATENCY, COUNTER, 400_000);
        figure("B1", Metric.LATENCY, INSERT, 100_000);

        assertThat(choice().notes())
                .contains("Too few rounds to compare with it in this run: insert-unique.")
                .noneMatch(note -> note.startsWith("Not told apart"));
    }

    @Test
    @Tag("finds:times-that-were-not-measured")
    void rangeThatIsWideIsNoise() {
        shipped();
        contended(COUNTER, INSERT, 64, 8, 7.9);

        assertThat(answer(MANY).why()).isEqualTo("1000 to 8000 a second, too noisy to tell apart, so the choice");
    }

    private Choice choice() {
        return Choice.of(run());
    }

    private MeasuredRun run() {
        return new MeasuredRun(
                contenders,
                measurements,
                differences,
                server,
                new Benchmarks(List.of("B1", "B5", "B6", "B10"), missing, noise, minutes));
    }

    private Answer answer(String need) {
        return choice().answers().stream()
                .filter(answer -> answer.client() == Client.SYNC)
                .filter(answer -> answer.need().title().equals(need))
                .findFirst()
                .orElseThrow();
    }

    private void shipped() {
        Stream.of(INSERT, COUNTER, "flag-update", "optimistic-version", TRANSACTIONAL)
                .map(ChoiceTest::shipped)
                .forEach(contenders::add);
    }

    private static LockUnderTest shipped(String name) {
        LockStrategy shipped = LockStrategies.all().stream()
                .filter(strategy -> strategy.name().equals(name))
                .findFirst()
                .orElseThrow();
        return strategy(name, shipped.traits().toArray(Trait[]::new));
    }

    private static LockUnderTest strategy(String name, Trait... traits) {
        return LockUnderTest.of(name, Kind.STRATEGY, name, Properties.ofBaseline("majority"))
                .with(Arrays.stream(traits).map(Trait::name).toList());
    }

    /** Adds a strategy that takes 30 % less time alone with both clients. */
    private void superior(String name, String other) {
        contenders.add(strategy(name, Trait.SERVER_CLOCK, Trait.STRICT_FENCING));
        for (Client client : Client.values()) {
            for (String one : List.of(name, other)) {
                measurements.add(measurement(MeasurementKey.of("B1", one, client), Metric.LATENCY, 1e6));
                measurements.add(
                        measurement(MeasurementKey.of("B6", one, client).with("waiters", 64), Metric.THROUGHPUT, 100));
            }
            differences.add(difference(MeasurementKey.of("B1", name, client), other, "latency", 0.7, 0.02));
        }
    }

    private void alone(String first, String second, double ratio, double reach) {
        pair("B1", Metric.LATENCY, first, second, ratio, reach);
    }

    private void pair(String benchmark, Metric metric, String first, String second, double ratio, double reach) {
        figure(benchmark, metric, first, ratio * 1e6);
        figure(benchmark, metric, second, 1e6);
        differences.add(
                difference(MeasurementKey.of(benchmark, first, Client.SYNC), second, metric.name(), ratio, reach));
    }

    private void contended(String first, String second, int waiters, double ratio, double reach) {
        MeasurementKey key = MeasurementKey.of("B6", first, Client.SYNC).with("waiters", waiters);
        measurements.add(measurement(key, Metric.THROUGHPUT, 1000 * ratio));
        measurements.add(measurement(
                MeasurementKey.of("B6", second, Client.SYNC).with("waiters", waiters), Metric.THROUGHPUT, 1000));
        differences.add(difference(key, second, "throughput", ratio, reach));
    }

    private void figure(String benchmark, Metric metric, String contender, double value) {
        measurements.add(measurement(MeasurementKey.of(benchmark, contender, Client.SYNC), metric, value));
    }

    private static Measurement measurement(MeasurementKey key, Metric metric, double value) {
        return Measurement.of(key, metric, Estimate.once(value), 10);
    }

    private static PairedDifference difference(
            MeasurementKey first, String second, String metric, double ratio, double reach) {
        Interval interval = new Interval(ratio - reach, ratio + reach);
        return new PairedDifference(first, second, metric, new Estimate(ratio, Optional.of(interval), 12));
    }
}

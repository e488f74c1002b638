package org.mongolocks.benchmarks.report;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.LockUnderTest.Kind;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.MeasurementStatus.Failure;
import org.mongolocks.benchmarks.result.MeasurementStatus.Status;
import org.mongolocks.benchmarks.result.RunResults;
import org.mongolocks.reporting.server.ServerDescription;
import org.mongolocks.reporting.server.ServerDescription.Topology;
import org.mongolocks.spi.LockStrategy.Trait;

/**
 * What a run says: the strategy to take, and for each need the strategies in order. The terminal, the page and
 * {@code results.json} show this object.
 *
 * <p>One rule orders the strategies: the rank of a strategy in a need is one more than the number of strategies that are
 * clearly better at it. Strategies of one rank do not differ clearly.
 *
 * <p>The choice is the default of the library. Another strategy replaces it if it promises as much, is clearly better
 * with both clients without contention or with it, and clearly worse in nothing. In a run without the default, it is the
 * strategy of the best rank alone, then with the most waiters, then the first of the request; strategies with strict
 * fencing tokens come before the others.
 */
final class Choice {
    /** The choice for most uses, if the figures do not say otherwise. */
    static final String DEFAULT = "findandmodify-counter";

    private static final String NEEDS_TRANSACTIONS = Trait.NEEDS_TRANSACTIONS.name();
    private static final double NORMAL_MINUTES = 4;
    private static final double FULL_MINUTES = 20;

    private final Report report;
    private final RunResults run;
    private final List<LockUnderTest> candidates;
    private final Optional<LockUnderTest> taken;

    /**
     * The locks in one need with one client, by rank: first the strategies that may be taken, then the others.
     *
     * @param need the need in words
     * @param benchmark the id of the benchmark that decides
     * @param metric its metric
     */
    record Need(String need, Client client, String benchmark, String metric, List<RankedLock> order) {
        Need {
            order = List.copyOf(order);
        }
    }

    /**
     * A lock in a need.
     *
     * @param rank its rank; empty if it may not be taken, as the lock of another library
     * @param times its figure divided by that of the choice, if they differ clearly
     */
    record RankedLock(
            String contender,
            double value,
            String unit,
            @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Integer> rank,
            @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Double> times) {}

    Choice(Report report) {
        this.report = report;
        this.run = report.findings();
        this.candidates = strategies().filter(one -> objection(one).isEmpty()).toList();
        this.taken = taken();
    }

    /** Returns the id of the strategy to take; empty if no strategy of the run may be chosen. */
    Optional<String> strategy() {
        return taken.map(LockUnderTest::id);
    }

    /** Returns the needs, with each client that was measured in them. */
    List<Need> needs() {
        return Arrays.stream(Criterion.values())
                .flatMap(criterion -> Arrays.stream(Client.values())
                        .map(client -> new Need(
                                criterion.title(),
                                client,
                                criterion.benchmark(),
                                criterion.metric(),
                                order(criterion, client))))
                .filter(need -> !need.order().isEmpty())
                .toList();
    }

    private List<RankedLock> order(Criterion criterion, Client client) {
        return run.contenders().stream()
                .filter(one -> one.kind() != Kind.BASELINE && one.verdict().status() == Status.MEASURED)
                .sorted(Comparator.comparing(
                        one -> strategy().filter(one.id()::equals).isEmpty()))
                .flatMap(one ->
                        criterion.figure(run, client, one.id()).stream().map(figure -> ranked(criterion, one, figure)))
                .sorted(Comparator.comparing(ranked -> ranked.rank().orElse(Integer.MAX_VALUE)))
                .toList();
    }

    private RankedLock ranked(Criterion criterion, LockUnderTest lock, Measurement figure) {
        Client client = figure.subject().client();
        return new RankedLock(
                lock.id(),
                figure.value().value(),
                figure.metric().unit(),
                Optional.of(lock).filter(candidates::contains).map(one -> rank(criterion, client, one, candidates)),
                strategy().flatMap(chosen -> criterion.times(run, client, lock.id(), chosen)));
    }

    private int rank(Criterion criterion, Client client, LockUnderTest one, List<LockUnderTest> among) {
        return 1
                + (int) among.stream()
                        .filter(other -> criterion.isBetter(run, client, other.id(), one.id()))
                        .count();
    }

    /** Returns the choice with its reason, and what else a reader must know before any figure; a sentence each. */
    List<String> advice() {
        List<String> advice = new ArrayList<>();
        advice.add(headline());
        advice.add(listed("The run did not end: without ", report.missing()));
        boolean hasTimes = candidates.stream().anyMatch(this::hasTime);
        advice.add(
                hasTimes || taken.isEmpty()
                        ? noise(hasTimes)
                        : "No time was measured: promises, commands and bytes decide.");
        strategies()
                .filter(one -> one.verdict().status() != Status.SKIPPED
                        || !one.verdict().failures().isEmpty())
                .forEach(one -> advice.add(objection(one)
                        .map(why -> "Do not take " + one.id() + ": " + why + ".")
                        .orElse("")));
        advice.add(report.machine().busy().orElse(""));
        if (hasTimes) {
            advice.add(moreTime());
            advice.add(
                    report.server().kind() == ServerDescription.Kind.EMBEDDED
                            ? "Times are those of the embedded server, in memory: measure yours with --uri."
                            : "");
        }
        advice.removeIf(String::isEmpty);
        return advice;
    }

    private String headline() {
        return strategy()
                .map(id -> "Take " + id + " for most uses: " + reason(id) + ".")
                .orElse("Take none of these: each was skipped, failed, or granted one lock to more than one owner.");
    }

    private String reason(String id) {
        if (id.equals(DEFAULT)) {
            return "one command for each attempt, whether the lock is free or held; the others need two or more for one"
                    + " of these";
        }
        if (candidates.size() == 1) {
            return "the only one of this run";
        }
        return isCandidate(DEFAULT)
                ? "it promises what " + DEFAULT + " does, is clearly worse in nothing, and clearly better in "
                        + Arrays.stream(Criterion.values())
                                .filter(criterion -> criterion.isBetter(run, Client.SYNC, id, DEFAULT))
                                .map(Criterion::title)
                                .collect(joining(", "))
                : "no other of this run that promises as much is clearly better alone, or then contended";
    }

    private String noise(boolean hasTimes) {
        String where = report.findings().noise().stream()
                .map(RunResults.BaselineDrift::benchmark)
                .distinct()
                .sorted()
                .collect(joining(", "));
        return report.findings().noise().stream()
                .map(RunResults.BaselineDrift::value)
                .max(Comparator.naturalOrder())
                .filter(most -> hasTimes)
                .map(most -> "Noisy: baselines drifted by up to " + Math.round(100 * most) + " % in " + where
                        + ", because other programs were busy or the JVM still compiled. Few times differ clearly then:"
                        + " promises, commands and bytes decide.")
                .orElse("");
    }

    private String moreTime() {
        double minutes = report.inquiry().minutes();
        if (candidates.size() < 2 || minutes >= FULL_MINUTES) {
            return "";
        }
        return "More time tells smaller differences apart: "
                + (minutes < NORMAL_MINUTES ? "./compare (four minutes)." : "./compare --full (twenty minutes).");
    }

    private boolean hasTime(LockUnderTest one) {
        return Criterion.times()
                .anyMatch(time -> time.figure(run, Client.SYNC, one.id()).isPresent());
    }

    private static String listed(String head, List<String> names) {
        return names.isEmpty() ? "" : head + String.join(", ", names) + ".";
    }

    private Stream<LockUnderTest> strategies() {
        return run.contenders().stream().filter(one -> one.kind() == Kind.STRATEGY);
    }

    private boolean isCandidate(String id) {
        return candidates.stream().anyMatch(one -> one.id().equals(id));
    }

    /** Returns why a strategy may not be chosen. */
    private Optional<String> objection(LockUnderTest strategy) {
        Status status = strategy.verdict().status();
        if (status == Status.VOID) {
            return Optional.of("it granted one lock to more than one owner");
        }
        if (!strategy.verdict().failures().isEmpty()) {
            Failure first = strategy.verdict().failures().get(0);
            return Optional.of("it failed in " + first.benchmark() + " (" + first.reason() + ")");
        }
        boolean isUnable = report.server().topology() == Topology.STANDALONE
                && strategy.traits().contains(NEEDS_TRANSACTIONS);
        return status == Status.SKIPPED || isUnable
                ? Optional.of(strategy.verdict().reason().orElse("it needs a replica set"))
                : Optional.empty();
    }

    private Optional<LockUnderTest> taken() {
        List<LockUnderTest> fenced = candidates.stream()
                .filter(one -> one.traits().contains(Trait.STRICT_FENCING.name()))
                .toList();
        List<LockUnderTest> preferred = fenced.isEmpty() ? candidates : fenced;
        Optional<LockUnderTest> usual =
                preferred.stream().filter(one -> one.id().equals(DEFAULT)).findFirst();
        return usual.isPresent()
                ? preferred.stream()
                        .filter(one -> isSuperior(one, usual.get()))
                        .findFirst()
                        .or(() -> usual)
                : preferred.stream()
                        .min(Comparator.<LockUnderTest>comparingInt(
                                        one -> rank(Criterion.ALONE, Client.SYNC, one, preferred))
                                .thenComparing(one -> rank(Criterion.CONTENDED, Client.SYNC, one, preferred)));
    }

    private boolean isSuperior(LockUnderTest one, LockUnderTest usual) {
        return one.traits().containsAll(usual.traits())
                && (!one.traits().contains(NEEDS_TRANSACTIONS) || usual.traits().contains(NEEDS_TRANSACTIONS))
                && withBothClients(client -> Arrays.stream(Criterion.values())
                        .noneMatch(criterion -> criterion.isBetter(run, client, usual.id(), one.id())))
                && Stream.of(Criterion.ALONE, Criterion.CONTENDED)
                        .anyMatch(criterion ->
                                withBothClients(client -> criterion.isBetter(run, client, one.id(), usual.id())))
                && Stream.of(Criterion.ALONE, Criterion.CONTENDED)
                        .allMatch(criterion -> withBothClients(client ->
                                criterion.figure(run, client, one.id()).isPresent()));
    }

    private static boolean withBothClients(Predicate<Client> test) {
        return Arrays.stream(Client.values()).allMatch(test);
    }
}

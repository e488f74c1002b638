package org.mongolocks.benchmarks.report.choice;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.report.choice.Criterion.Contrast;
import org.mongolocks.benchmarks.report.choice.MeasuredRun.Server;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.MeasurementStatus.Status;
import org.mongolocks.spi.LockStrategy.Trait;

/**
 * What a run says: the strategy to take, how the others differ from it, and the one to take for each need. The
 * terminal, the page and {@code results.json} show this object.
 *
 * <p>The choice is the default of the library. Another strategy replaces it if it promises as much, is clearly better
 * with both clients without contention or with it, and clearly worse in nothing. In a run without the default, it is the
 * strategy that no other one of the run clearly surpasses alone, then with the most waiters, then the first of the
 * request; strategies with strict fencing tokens come before the others.
 */
public final class Choice {
    /** The choice for most uses, if the figures do not say otherwise. */
    static final String DEFAULT = "findandmodify-counter";

    private static final String WHY_DEFAULT =
            "one command for each attempt, whether the lock is free or held; the others need two or more for one of these";
    private static final double NORMAL_MINUTES = 6;
    private static final double FULL_MINUTES = 20;

    private final MeasuredRun run;
    private final List<String> candidates;
    private final Optional<LockUnderTest> taken;

    private Choice(MeasuredRun run) {
        this.run = run;
        this.candidates = run.candidates().stream().map(LockUnderTest::id).toList();
        this.taken = taken();
    }

    /** Chooses by the results of a run. */
    public static Choice of(MeasuredRun run) {
        return new Choice(run);
    }

    /** Returns the id of the strategy to take; empty if no strategy of the run may be chosen. */
    public Optional<String> strategy() {
        return taken.map(LockUnderTest::id);
    }

    /** Returns the choice and its reason in a sentence. */
    public String headline() {
        return taken.map(one -> "Take " + one.id() + " for most uses: " + reason(one) + ".")
                .orElse("Take none of these: each was skipped, failed, or granted one lock to more than one owner.");
    }

    /** Returns the reason of the choice, from its traits and, if they decided, from the figures. */
    private String reason(LockUnderTest one) {
        Stream<String> traits = Arrays.stream(Trait.values())
                .filter(trait -> one.traits().contains(trait.name()))
                .map(Choice::phrase);
        Stream<String> first = Stream.of(one.id())
                .map(id -> id.equals(DEFAULT) ? WHY_DEFAULT : better(id))
                .filter(words -> !words.isEmpty());
        String all = Stream.concat(first, traits).collect(joining("; "));
        return all.isEmpty() ? "the first of those that were measured" : all;
    }

    private String better(String id) {
        if (candidates.size() == 1) {
            return "the only one of this run";
        }
        return candidates.contains(DEFAULT)
                ? "it promises what " + DEFAULT + " does, with "
                        + contrasts(id, DEFAULT).stream().map(Contrast::words).collect(joining(", "))
                : "";
    }

    private static String phrase(Trait trait) {
        return switch (trait) {
            case SERVER_CLOCK -> "the server's clock alone ends a lease";
            case CLOCK_FREE -> "no clocks are compared";
            case STRICT_FENCING -> "fencing tokens grow with each grant";
            case NEEDS_TRANSACTIONS -> "it needs transactions";
            case MULTI_LOCK -> "several locks in one transaction";
        };
    }

    /** Returns how each strategy that clearly differs from the choice does so, in words, by id. */
    public Map<String, String> differences() {
        Map<String, String> differences = new LinkedHashMap<>();
        taken.ifPresent(one -> others().filter(
                        other -> !contrasts(other, one.id()).isEmpty())
                .forEach(other -> differences.put(
                        other,
                        contrasts(other, one.id()).stream().map(Contrast::words).collect(joining(", ")))));
        return differences;
    }

    /** Returns further sentences: which strategies do not differ, which may not be taken, and what would tell more. */
    public List<String> notes() {
        List<String> notes = new ArrayList<>();
        List<String> missing = run.benchmarks().missing();
        notes.add(missing.isEmpty() ? "" : "The run did not end: without " + String.join(", ", missing) + ".");
        boolean hasTimes = candidates.stream().anyMatch(this::hasTime);
        if (!hasTimes && taken.isPresent()) {
            notes.add("No time was measured: promises, commands and bytes decide.");
        }
        if (hasTimes) {
            notes.add(noise());
            notes.add(listed("Not told apart from it in this run: ", alike(this::isCompared)));
            notes.add(listed("Too few rounds to compare with it in this run: ", alike(other -> !isCompared(other))));
            notes.add(listed("Without times in this run: ", candidates.stream().filter(one -> !hasTime(one))));
        }
        run.strategies()
                .filter(one -> one.verdict().status() != Status.SKIPPED
                        || !one.verdict().failures().isEmpty())
                .forEach(one -> notes.add(run.objection(one)
                        .map(why -> "Do not take " + one.id() + ": " + why + ".")
                        .orElse("")));
        notes.add(hasTimes ? moreTime() : "");
        notes.add(
                hasTimes && run.server() == Server.EMBEDDED
                        ? "Times are those of the embedded server, in memory: measure yours with --uri."
                        : "");
        notes.removeIf(String::isEmpty);
        return notes;
    }

    private String noise() {
        Map<String, Double> noise = run.benchmarks().noise();
        return noise.values().stream()
                .max(Comparator.naturalOrder())
                .map(most -> "Noisy: baselines drifted by up to " + Math.round(100 * most) + " % in "
                        + String.join(", ", noise.keySet())
                        + ", because other programs were busy or the JVM still compiled. Few times are told apart then:"
                        + " promises, commands and bytes decide.")
                .orElse("");
    }

    private String moreTime() {
        if (candidates.size() < 2 || run.benchmarks().minutes() >= FULL_MINUTES) {
            return "";
        }
        return "More time tells smaller differences apart: "
                + (run.benchmarks().minutes() < NORMAL_MINUTES
                        ? "./compare (four minutes)."
                        : "./compare --full (twenty minutes).");
    }

    /** Returns the candidates that were not taken; none if no one was. */
    private Stream<String> others() {
        return taken.stream().flatMap(one -> candidates.stream().filter(other -> !other.equals(one.id())));
    }

    /** Returns the strategies of a kind that have a time, and do not differ clearly from the choice. */
    private Stream<String> alike(Predicate<String> kind) {
        return others().filter(other -> hasTime(other) && kind.test(other))
                .filter(other -> contrasts(other, taken.orElseThrow().id()).isEmpty());
    }

    /** Returns whether the rounds with a time of a strategy and of the choice were enough to compare them. */
    private boolean isCompared(String other) {
        return Criterion.times()
                .flatMap(time -> time.figure(run, Client.SYNC, other).stream())
                .anyMatch(mine -> run.measurements().stream()
                        .filter(its -> its.subject()
                                .contender()
                                .equals(taken.orElseThrow().id()))
                        .anyMatch(its -> run.differences().stream().anyMatch(pair -> pair.isBetween(mine, its))));
    }

    private boolean hasTime(String one) {
        return Criterion.times()
                .anyMatch(time -> time.figure(run, Client.SYNC, one).isPresent());
    }

    private static String listed(String head, Stream<String> names) {
        String all = names.collect(joining(", "));
        return all.isEmpty() ? "" : head + all + ".";
    }

    /** Returns all that {@link #headline}, {@link #differences} and {@link #notes} say, in one paragraph. */
    public String advice() {
        String differing = differences().entrySet().stream()
                .map(other -> other.getKey() + ": " + other.getValue())
                .collect(joining("; "));
        Stream<String> clear = differing.isEmpty() ? Stream.of() : Stream.of("Clearly different: " + differing + ".");
        return Stream.of(Stream.of(headline()), clear, notes().stream())
                .flatMap(lines -> lines)
                .collect(joining(" "));
    }

    /** Returns how a contender clearly differs from another with the synchronous client. */
    private List<Contrast> contrasts(String contender, String other) {
        return contrasts(Client.SYNC, contender, other).toList();
    }

    private Stream<Contrast> contrasts(Client client, String contender, String other) {
        return Arrays.stream(Criterion.values())
                .flatMap(criterion -> criterion.contrast(run, client, contender, other).stream());
    }

    private Optional<LockUnderTest> taken() {
        List<LockUnderTest> fenced = run.candidates().stream()
                .filter(one -> one.traits().contains(Trait.STRICT_FENCING.name()))
                .toList();
        List<LockUnderTest> preferred = fenced.isEmpty() ? run.candidates() : fenced;
        Optional<LockUnderTest> usual =
                preferred.stream().filter(one -> one.id().equals(DEFAULT)).findFirst();
        if (usual.isPresent()) {
            return preferred.stream()
                    .filter(one -> isSuperior(one, usual.get()))
                    .findFirst()
                    .or(() -> usual);
        }
        List<String> alone = leaders(
                Criterion.ALONE,
                Client.SYNC,
                preferred.stream().map(LockUnderTest::id).toList());
        List<String> contended = leaders(Criterion.CONTENDED, Client.SYNC, alone);
        return preferred.stream().filter(one -> contended.contains(one.id())).findFirst();
    }

    private boolean isSuperior(LockUnderTest one, LockUnderTest usual) {
        boolean isWorse = Arrays.stream(Client.values())
                .flatMap(client -> contrasts(client, one.id(), usual.id()))
                .anyMatch(contrast -> !contrast.isBetter());
        return one.traits().containsAll(usual.traits())
                && (MeasuredRun.runsAnywhere(one) || !MeasuredRun.runsAnywhere(usual))
                && !isWorse
                && (isBetter(Criterion.ALONE, one, usual) || isBetter(Criterion.CONTENDED, one, usual))
                && isKnown(Criterion.ALONE, one)
                && isKnown(Criterion.CONTENDED, one);
    }

    private boolean isBetter(Criterion criterion, LockUnderTest one, LockUnderTest other) {
        return Arrays.stream(Client.values())
                .allMatch(client ->
                        criterion.contrast(run, client, one.id(), other.id()).isPresent());
    }

    private boolean isKnown(Criterion criterion, LockUnderTest one) {
        return Arrays.stream(Client.values())
                .allMatch(client -> criterion.figure(run, client, one.id()).isPresent());
    }

    /** Returns those of some contenders that no other one of them clearly surpasses; all if each is surpassed. */
    List<String> leaders(Criterion criterion, Client client, List<String> some) {
        List<String> best = some.stream()
                .filter(one -> some.stream()
                        .noneMatch(other -> criterion
                                .contrast(run, client, other, one)
                                .filter(Contrast::isBetter)
                                .isPresent()))
                .toList();
        return best.isEmpty() ? some : best;
    }

    /** Returns the answers to all needs, with both clients. */
    public List<Answer> answers() {
        return Need.all().stream()
                .flatMap(need -> Arrays.stream(Client.values()).map(client -> Answer.of(need, client, this)))
                .toList();
    }

    /** Returns the answers for the synchronous client, and for the reactive one where another strategy is to be taken. */
    public List<Answer> table() {
        List<Answer> all = answers();
        return all.stream()
                .filter(answer -> answer.client() == Client.SYNC
                        || all.stream()
                                .noneMatch(other -> other.client() == Client.SYNC
                                        && other.need().equals(answer.need())
                                        && other.take().equals(answer.take())))
                .toList();
    }

    MeasuredRun run() {
        return run;
    }

    List<String> candidates() {
        return candidates;
    }
}

package org.mongolocks.benchmarks.report.choice;

import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.report.chart.QuantityFormat;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.Measurement;

/**
 * The strategy to take for a need with one client.
 *
 * @param leaders the ids of the suitable strategies that no other one clearly surpasses; empty without figures
 * @param take the id of the strategy to take; empty if there is none
 * @param why the reason, in a few words
 */
public record Answer(Need need, Client client, List<String> leaders, Optional<String> take, String why) {
    /** Values that are so many times as large, and still not clearly different, show noise and no likeness. */
    private static final double FAR_APART = 2;

    public Answer {
        leaders = List.copyOf(leaders);
    }

    static Answer of(Need need, Client client, Choice choice) {
        MeasuredRun run = choice.run();
        List<String> able = run.candidates().stream()
                .filter(one -> need.isSuitable().test(run, one))
                .map(LockUnderTest::id)
                .toList();
        if (able.isEmpty()) {
            return withoutFigures(need, client, run);
        }
        List<String> leaders = choice.leaders(need.criterion(), client, able);
        String take = choice.strategy().filter(leaders::contains).orElse(leaders.get(0));
        String why = need.isMeasured() ? figures(need, client, choice, leaders, take) : need.reason();
        return new Answer(need, client, measured(need, client, run, leaders), Optional.of(take), why);
    }

    /** Returns those that have a figure. */
    private static List<String> measured(Need need, Client client, MeasuredRun run, List<String> some) {
        return some.stream()
                .filter(one -> need.criterion().figure(run, client, one).isPresent())
                .toList();
    }

    private static Answer withoutFigures(Need need, Client client, MeasuredRun run) {
        Optional<String> objection = run.strategies()
                .filter(one -> need.isSuitable().test(run, one) || one.id().equals(need.known()))
                .flatMap(one -> run.objection(one).stream().map(why -> one.id() + ": " + why))
                .findFirst();
        if (need.known().isEmpty() || objection.isPresent()) {
            return new Answer(
                    need, client, List.of(), Optional.empty(), objection.orElse("no strategy of this run qualifies"));
        }
        return run.isStandalone() && need.known().equals("transactional")
                ? new Answer(need, client, List.of(), Optional.empty(), "a standalone server has no transactions")
                : new Answer(
                        need,
                        client,
                        List.of(),
                        Optional.of(need.known()),
                        need.reason() + "; not in this run: add it with --strategies");
    }

    private static String unmeasured(Need need, MeasuredRun run) {
        String benchmark = need.criterion().benchmark();
        return run.benchmarks().ids().contains(benchmark)
                ? "no figures, so the choice: the remarks say why"
                : "not measured, so the choice: --only " + benchmark + " measures it";
    }

    private static String figures(Need need, Client client, Choice choice, List<String> leaders, String take) {
        MeasuredRun run = choice.run();
        int compared = measured(need, client, run, choice.candidates()).size();
        if (need.criterion().figure(run, client, take).isEmpty()) {
            return compared == 0
                    ? unmeasured(need, run)
                    : "the choice, without a figure to compare: the remarks say why";
        }
        List<Measurement> best = leaders.stream()
                .flatMap(one -> need.criterion().figure(run, client, one).stream())
                .toList();
        String chosen = choice.strategy().filter(take::equals).isPresent() ? ", so the choice" : "";
        return range(best) + ", " + place(compared, best, run) + (best.size() == 1 ? "" : chosen)
                + beside(need, client, choice, take);
    }

    private static String place(int compared, List<Measurement> leaders, MeasuredRun run) {
        if (leaders.size() == 1) {
            return compared == 1 ? "the only one measured" : "clearly the best";
        }
        boolean isPaired = leaders.stream()
                .anyMatch(one -> leaders.stream()
                        .anyMatch(other -> run.differences().stream().anyMatch(pair -> pair.isBetween(one, other))));
        if (leaders.get(0).metric().isTimed() && !isPaired) {
            return "measured in too few rounds to compare";
        }
        DoubleSummaryStatistics values = values(leaders);
        return values.getMax() > FAR_APART * values.getMin() ? "too noisy to tell apart" : "not told apart";
    }

    private static DoubleSummaryStatistics values(List<Measurement> figures) {
        return figures.stream().mapToDouble(figure -> figure.value().value()).summaryStatistics();
    }

    private static String range(List<Measurement> figures) {
        DoubleSummaryStatistics values = values(figures);
        return QuantityFormat.range(
                values.getMin(), values.getMax(), figures.get(0).metric().unit());
    }

    /** Returns by how much a strategy that is not the choice is better than that. */
    private static String beside(Need need, Client client, Choice choice, String take) {
        return choice.strategy().stream()
                .filter(chosen -> !chosen.equals(take))
                .flatMap(chosen -> need.criterion().contrast(choice.run(), client, take, chosen).stream()
                        .map(contrast -> ": " + contrast.words() + " than " + chosen))
                .findFirst()
                .orElse("");
    }

    /** Returns what is open: why there is no single best strategy; empty if there is one. */
    public String open() {
        return Stream.of(why).filter(words -> leaders.size() != 1).findFirst().orElse("");
    }
}

package org.mongolocks.benchmarks.report.choice;

import java.util.Arrays;
import java.util.List;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.LockUnderTest;

/**
 * The answer of a run to a use case with one client: one strategy, several that are not told apart, or none.
 *
 * @param useCase the use case
 * @param client the client
 * @param able the ids of the strategies that are suitable
 * @param isOfAll whether the use case requires what only some strategies have, and all of the run have it
 * @param choice the best of them
 * @param open what would decide, or the reason why there is no figure; empty if there is one leader
 */
public record Answer(
        UseCase useCase, Client client, List<String> able, boolean isOfAll, BestChoice choice, String open) {
    private static final String UNSOUND = "it was skipped or void, the table of guarantees says why";

    public Answer {
        able = List.copyOf(able);
    }

    /** Returns the answers to all use cases, with both clients. */
    public static List<Answer> all(MeasuredRun run) {
        return UseCase.all().stream()
                .flatMap(useCase -> Arrays.stream(Client.values()).map(client -> of(useCase, client, run)))
                .toList();
    }

    private static Answer of(UseCase useCase, Client client, MeasuredRun run) {
        List<String> able = run.sound()
                .filter(one -> useCase.meets().test(run, one))
                .map(LockUnderTest::id)
                .toList();
        boolean isOfAll = useCase.isForSome()
                && !able.isEmpty()
                && able.size() == run.sound().count();
        BestChoice choice = useCase.metric().choice(run.figures(), client, able);
        return new Answer(useCase, client, able, isOfAll, choice, open(useCase, able, choice, run));
    }

    private static String open(UseCase useCase, List<String> able, BestChoice choice, MeasuredRun run) {
        if (able.isEmpty()) {
            boolean isUnsound = run.strategies().anyMatch(one -> useCase.meets().test(run, one));
            return "None of those measured: " + (isUnsound ? UNSOUND : useCase.otherwise()) + ".";
        }
        if (choice.isEmpty()) {
            return missing(useCase.metric().benchmark(), run)
                    + (able.size() == 1 ? " Only " + able.get(0) + " does this." : "");
        }
        return choice.isOne() ? "" : choice.whatWouldDecide(run.minutes());
    }

    private static String missing(String benchmark, MeasuredRun run) {
        return run.benchmarks().isEmpty() || run.benchmarks().contains(benchmark)
                ? "No figures: the remarks say why."
                : "Not measured: --only " + benchmark + ".";
    }

    /** Returns the ids of the best strategies. */
    public List<String> leaders() {
        return choice.leaders().stream()
                .map(leader -> leader.subject().contender())
                .toList();
    }

    /** Returns whether no strategy has a figure. */
    public boolean isEmpty() {
        return choice.isEmpty();
    }
}

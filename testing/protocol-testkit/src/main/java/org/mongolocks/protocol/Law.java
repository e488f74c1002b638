package org.mongolocks.protocol;

import static java.util.stream.Collectors.joining;

import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.bson.codecs.configuration.CodecConfigurationException;
import org.mongolocks.spi.MongoOp;

/**
 * A law in words, as a failed test shows it: in its first line the law, what the strategy did, and what it should have
 * done.
 *
 * @param rule what holds for every strategy
 * @param instead what a strategy that breaks it should have done
 * @param isKept whether a path keeps it
 * @param deed what the strategy did on a path that breaks it
 */
record Law(String rule, String instead, Predicate<ProgramTrace> isKept, Function<ProgramTrace, String> deed) {
    /** How many of the paths that break a law are printed, the shortest first. */
    static final String PATHS = "mongolocks.paths";

    private static final int FEW = 3;
    private static final int LONG = 240;

    /** Returns a law of whole paths. */
    static Law ofPaths(String rule, String instead, Predicate<ProgramTrace> isKept) {
        return new Law(rule, instead, isKept, ProgramTrace::deed);
    }

    /** Returns a law of each operation. It is applied once to one that many paths have in common. */
    static Law ofOperations(String rule, String instead, Predicate<MongoOp> law) {
        Predicate<MongoOp> isKept = onceEach(law);
        return new Law(
                rule,
                instead,
                trace -> trace.exchanges().stream().map(RequestReply::op).allMatch(isKept),
                trace -> trace.exchanges().stream()
                        .map(RequestReply::op)
                        .filter(isKept.negate())
                        .map(Law::sent)
                        .findFirst()
                        .orElseThrow());
    }

    /** Returns a predicate that asks another one once for each operation. */
    static Predicate<MongoOp> onceEach(Predicate<MongoOp> asked) {
        IdentityHashMap<MongoOp, Boolean> known = new IdentityHashMap<>();
        return op -> known.computeIfAbsent(op, asked::test);
    }

    /** Returns that the strategy sends an operation. */
    static String sent(MongoOp op) {
        return "it sends " + op.label() + "  " + shortened(CommandRenderer.inOneLine(CommandRenderer.of(op)));
    }

    /** Checks the paths of a program. */
    void check(String program, List<ProgramTrace> paths) {
        List<ProgramTrace> broken = paths.stream()
                .filter(isKept.negate())
                .sorted(Comparator.comparingInt(trace -> trace.exchanges().size()))
                .toList();
        if (broken.isEmpty()) {
            return;
        }
        int shown = Math.min(Integer.getInteger(PATHS, FEW), broken.size());
        String more = shown < broken.size() ? "; -D" + PATHS + "=N prints N, and whole commands" : "";
        throw new AssertionError(words(rule, program, deed.apply(broken.get(0)), instead)
                + "\n" + broken.size() + " of " + paths.size() + " paths break this law" + more + "\n\n"
                + broken.stream().limit(shown).map(ProgramTrace::toString).collect(joining("\n\n")));
    }

    /** Returns the error of a program that threw an exception. */
    static AssertionError thrown(String program, String where, RuntimeException exception) {
        String instead = exception instanceof CodecConfigurationException
                ? "put BSON values into filters and updates: the text of a name is name().value(), that of an owner is"
                        + " owner().stored()"
                : "handle every reply: end with an outcome, or with Step.fail(reply)";
        return new AssertionError(
                words(
                        "A program throws no exception",
                        program,
                        "it threw " + exception.getClass().getSimpleName() + " (" + exception.getMessage() + ")"
                                + where,
                        instead),
                exception);
    }

    /** Returns a command, or its beginning if it is long and {@value #PATHS} does not ask for more. */
    static String shortened(String command) {
        return command.length() <= LONG || Integer.getInteger(PATHS) != null
                ? command
                : command.substring(0, LONG) + " …";
    }

    static String words(String rule, String program, String deed, String instead) {
        return rule + ". But in \"" + program + "\" " + deed + ". Instead, " + instead + ".";
    }
}

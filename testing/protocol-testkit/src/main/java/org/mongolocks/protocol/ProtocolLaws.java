package org.mongolocks.protocol;

import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.mongolocks.spi.LockSchema.LockFields;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.Trait;
import org.mongolocks.spi.Step;

/**
 * The laws that hold for every strategy, as tests; {@link StrategyTest} has them too.
 *
 * <p>Each law explores all paths through every program: acquire (first, and then while the lock is held, was unchanged for
 * long, or was never used; and several in one step), renew one and several, release one (with and without a token) and several, inspect one and several,
 * list and force-release; and the attempts of a waiter. Every operation is answered with a lock of the caller, of another
 * owner, expired, released, awaited, force-released and absent, and with each {@link org.mongolocks.spi.Reply.Fault}. The first line of a failure is the law, what
 * the strategy did, and what it should have done. Below are the three shortest paths that break the law: operations, replies and
 * end. The system property {@code mongolocks.paths} is another number of paths.
 */
public abstract class ProtocolLaws {

    /** Creates the tests of a subclass. */
    protected ProtocolLaws() {}

    /**
     * Returns the strategy under test.
     *
     * @return the strategy
     */
    protected abstract LockStrategy strategy();

    /**
     * Returns the name of the field of the lock document that counts changes.
     *
     * @return {@code rev} unless overridden
     */
    protected String revisionField() {
        return LockFields.REVISION;
    }

    /**
     * Returns a document of a collection that does not hold the locks.
     *
     * @param filter the filter of the operation that reads or writes it
     * @return the result of the operation; the filter itself unless overridden
     */
    protected BsonDocument documentElsewhere(BsonDocument filter) {
        return filter;
    }

    /**
     * Checks that a lock is acquired only when a write returned a document whose owner is the caller, with the token of
     * that document, and no fault came after it.
     *
     * @return a test for each program
     */
    @TestFactory
    protected Stream<DynamicTest> grantIsConfirmedByOwnerInWrittenDocument() {
        return onEveryPath(Law.ofPaths(
                "A lock is acquired only by a document that a write returned, with the caller as its owner",
                "end with Acquired only for the owner and the token of that document, with no fault after it",
                trace -> PathLaws.grantIsConfirmed(trace) && PathLaws.everyGrantIsConfirmed(trace)));
    }

    /**
     * Checks that a strategy has a program for several locks in one step if and only if it has the trait
     * {@link Trait#MULTI_LOCK}.
     *
     * @return a test
     */
    @TestFactory
    protected Stream<DynamicTest> programForSeveralLocksMatchesTrait() {
        boolean isDeclared = strategy().traits().contains(Trait.MULTI_LOCK);
        boolean isPresent =
                strategy().acquireAll(ProtocolFixture.firstAttempts()).isPresent();
        return Stream.of(DynamicTest.dynamicTest("acquire all", () -> {
            if (isDeclared != isPresent) {
                throw new AssertionError(
                        "acquireAll must be present if and only if the strategy has the trait MULTI_LOCK, was "
                                + (isPresent ? "present without the trait" : "empty with the trait"));
            }
        }));
    }

    /**
     * Checks that a renewal or release has succeeded only when a write matched its document, and no fault came after
     * it.
     *
     * @return a test for each program
     */
    @TestFactory
    protected Stream<DynamicTest> successIsConfirmedByMatch() {
        return onEveryPath(Law.ofPaths(
                "A renewal or a release succeeds only if a write matched its document",
                "report success only after such a reply, and fail with the reply after a fault",
                PathLaws::successIsConfirmed));
    }

    /**
     * Checks that a fault without a later operation ends the program with that very fault. It may mean that the lock is
     * contended when a race was lost, and it does not turn a lost renewal into an indeterminate one.
     *
     * @return a test for each program
     */
    @TestFactory
    protected Stream<DynamicTest> uninterpretedFaultEndsProgram() {
        return onEveryPath(Law.ofPaths(
                "A fault that no later operation answers ends the program with that fault",
                "end with Step.fail(reply); with Contended only after DUPLICATE_KEY or WRITE_CONFLICT",
                PathLaws::faultEndsTheProgramOrIsAnswered));
    }

    /**
     * Checks that a reply with a document that has another mark, or none, ends the program with
     * {@link org.mongolocks.spi.Reply.Fault#FOREIGN_FORMAT}. A renewal that matched nothing is lost, whatever is stored now.
     *
     * @return a test for each program
     */
    @TestFactory
    protected Stream<DynamicTest> foreignDocumentIsRefused() {
        String format = stored().format();
        return onEveryPath(Law.ofPaths(
                "A document with another format, and no other, ends the program with FOREIGN_FORMAT",
                "check the format of each lock document that was read, as LeaseDocument does, before anything else",
                trace -> PathLaws.isForeignRefused(trace, format)));
    }

    /**
     * Checks that every write, in any collection, filters on the strategy's mark, stores it, or, without upsert, compares
     * it in each stage of its pipeline.
     *
     * @return a test for each program
     */
    @TestFactory
    protected Stream<DynamicTest> foreignDocumentIsNeverChanged() {
        return onEveryPath(Law.ofOperations(
                "A write changes only documents with the format of the strategy",
                "have the format in the filter, store it, or compare it in each stage of the pipeline",
                new OperationLaws(strategy())::isOnOwnDocuments));
    }

    /**
     * Checks that a transaction is committed or aborted before the program ends, and aborted as soon as an operation in
     * it has failed. A commit is repeated only while its outcome is unknown.
     *
     * @return a test for each program
     */
    @TestFactory
    protected Stream<DynamicTest> openTransactionIsEnded() {
        return onEveryPath(Law.ofPaths(
                "A transaction is ended before its program, and aborted as soon as an operation in it has failed",
                "commit or abort on every path, and repeat a commit only after UNKNOWN_COMMIT",
                TransactionLaws::isKept));
    }

    /**
     * Checks that a program sends the same operations and ends in the same way each time it is run.
     *
     * @return a test for each program
     */
    @TestFactory
    protected Stream<DynamicTest> programIsPure() {
        return eachProgram((name, program) -> Law.ofPaths(
                        "A program does the same each time it is run",
                        "keep no state in a strategy or a step, and read no clock and no random number there",
                        trace -> trace.equals(trace.replayed(program)))
                .check(name, explore(name, program)));
    }

    /**
     * Checks that a program ends after a few operations, whatever the replies, and handles each of them.
     *
     * @return a test for each program
     */
    @TestFactory
    protected Stream<DynamicTest> programEnds() {
        return onEveryPath(Law.ofPaths(
                "A program sends an operation before it ends",
                "ask the server: a strategy knows nothing without it",
                trace -> !trace.exchanges().isEmpty()));
    }

    /**
     * Checks that no name of a lock or owner is in a place where the server evaluates expressions, or names a field.
     *
     * @return a test for each program
     */
    @TestFactory
    protected Stream<DynamicTest> callerStringIsNeverEvaluated() {
        return onEveryPath(Law.ofOperations(
                "The server never evaluates the name of a lock or an owner, nor takes it for the name of a field",
                "wrap it in Expressions.literal, and make no field of it",
                op -> !OperationLaws.hasEvaluatedCallerString(op)));
    }

    /**
     * Checks that every label is the name of the strategy, a slash and a place in its protocol.
     *
     * @return a test for each program
     */
    @TestFactory
    protected Stream<DynamicTest> operationIsLabelled() {
        return onEveryPath(Law.ofOperations(
                "A label is the name of the strategy, a slash, and a place in its protocol",
                "use label(\"place\")",
                new OperationLaws(strategy())::isLabelled));
    }

    /**
     * Checks that every collection is in the schema of the strategy.
     *
     * @return a test for each program
     */
    @TestFactory
    protected Stream<DynamicTest> collectionIsInSchema() {
        return onEveryPath(Law.ofOperations(
                "A collection is in the schema of the strategy",
                "add it to schema()",
                new OperationLaws(strategy())::isInSchema));
    }

    /**
     * Checks that only a strategy that needs transactions uses them, and that a clock-free one sends plain operators, except
     * for a waiter, and for a lock that is awaited.
     *
     * @return a test for each program
     */
    @TestFactory
    protected Stream<DynamicTest> operationsMatchTraits() {
        OperationLaws laws = new OperationLaws(strategy());
        Law allowed = new Law(
                "Only a strategy that needs transactions uses them, and a clock-free one sends no pipelines",
                "declare the trait NEEDS_TRANSACTIONS; without clocks, send plain operators",
                laws.areAllowedByTraits(),
                trace -> Law.sent(trace.exchanges().get(0).op()));
        Law ofWaiters = Law.ofOperations(
                "Only a strategy that needs transactions uses them",
                "declare the trait NEEDS_TRANSACTIONS",
                laws::isTransactionAllowed);
        return Stream.concat(
                tests(this::programs, (name, program) -> allowed.check(name, explore(name, program))),
                tests(this::ofWaiters, (name, program) -> ofWaiters.check(name, explore(name, program))));
    }

    private Stream<DynamicTest> onEveryPath(Law law) {
        return eachProgram((name, program) -> law.check(name, explore(name, program)));
    }

    private Stream<DynamicTest> eachProgram(BiConsumer<String, Step<?>> test) {
        return Stream.concat(tests(this::programs, test), tests(this::ofWaiters, test));
    }

    private Map<String, Step<?>> programs() {
        return StrategyPrograms.of(strategy(), stored());
    }

    private Map<String, Step<?>> ofWaiters() {
        return StrategyPrograms.ofWaiters(strategy());
    }

    private static Stream<DynamicTest> tests(
            Supplier<Map<String, Step<?>>> programs, BiConsumer<String, Step<?>> test) {
        try {
            return programs.get().entrySet().stream()
                    .map(program -> DynamicTest.dynamicTest(
                            program.getKey(), () -> run(program.getKey(), program.getValue(), test)));
        } catch (RuntimeException e) {
            throw Law.thrown("acquire, renew, release or another program", " before its first operation", e);
        }
    }

    private static void run(String name, Step<?> program, BiConsumer<String, Step<?>> test) {
        try {
            test.accept(name, program);
        } catch (RuntimeException e) {
            throw Law.thrown(name, "", e);
        }
    }

    private List<ProgramTrace> explore(String name, Step<?> program) {
        return PathExplorer.explore(name, program, new PossibleReplies(stored(), this::documentElsewhere));
    }

    private LockDocumentFixtures stored() {
        return new LockDocumentFixtures(strategy().format().orElse("none"), revisionField());
    }
}

package org.mongolocks.protocol;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.mongolocks.spi.LockSchema.LockFields;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.Trait;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Step;

/**
 * The laws that hold for every strategy, as tests; {@link StrategyTest} has them too.
 *
 * <p>Each law explores all paths through every program: acquire (first, and then while the lock is held, was unchanged for
 * long, or was never used; and several in one step), renew one and several, release one (with and without a token) and several, inspect one and several,
 * list and force-release; and the attempts of a waiter. Every operation is answered with a lock of the caller, of another
 * owner, expired, released, awaited, force-released and absent, and with each {@link org.mongolocks.spi.Reply.Fault}. A failed test shows the path: operations,
 * replies and end.
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
        return onEveryPath(trace -> PathLaws.grantIsConfirmed(trace) && PathLaws.everyGrantIsConfirmed(trace));
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
        return onEveryPath(PathLaws::successIsConfirmed);
    }

    /**
     * Checks that a fault without a later operation ends the program with that very fault. It may mean that the lock is
     * contended when a race was lost, and it does not turn a lost renewal into an indeterminate one.
     *
     * @return a test for each program
     */
    @TestFactory
    protected Stream<DynamicTest> uninterpretedFaultEndsProgram() {
        return onEveryPath(PathLaws::faultEndsTheProgramOrIsAnswered);
    }

    /**
     * Checks that a reply with a document that has another mark, or none, ends the program with
     * {@link org.mongolocks.spi.Reply.Fault#FOREIGN_FORMAT}. A renewal that matched nothing is lost, whatever is stored now.
     *
     * @return a test for each program
     */
    @TestFactory
    protected Stream<DynamicTest> foreignDocumentIsRefused() {
        return onEveryPath(trace -> PathLaws.isForeignRefused(trace, stored().format()));
    }

    /**
     * Checks that every write, in any collection, filters on the strategy's mark, stores it, or, without upsert, compares
     * it in each stage of its pipeline.
     *
     * @return a test for each program
     */
    @TestFactory
    protected Stream<DynamicTest> foreignDocumentIsNeverChanged() {
        return onEveryOperation(new OperationLaws(strategy())::isOnOwnDocuments);
    }

    /**
     * Checks that a transaction is committed or aborted before the program ends, and aborted as soon as an operation in
     * it has failed. A commit is repeated only while its outcome is unknown.
     *
     * @return a test for each program
     */
    @TestFactory
    protected Stream<DynamicTest> openTransactionIsEnded() {
        return onEveryPath(TransactionLaws::isKept);
    }

    /**
     * Checks that a program sends the same operations and ends in the same way each time it is run.
     *
     * @return a test for each program
     */
    @TestFactory
    protected Stream<DynamicTest> programIsPure() {
        return eachProgram(program -> require(trace -> trace.equals(trace.replayed(program)), explore(program)));
    }

    /**
     * Checks that a program ends after a few operations, whatever the replies, and handles each of them.
     *
     * @return a test for each program
     */
    @TestFactory
    protected Stream<DynamicTest> programEnds() {
        return onEveryPath(trace -> !trace.exchanges().isEmpty());
    }

    /**
     * Checks that no name of a lock or owner is in a place where the server evaluates expressions, or names a field.
     *
     * @return a test for each program
     */
    @TestFactory
    protected Stream<DynamicTest> callerStringIsNeverEvaluated() {
        return onEveryOperation(op -> !OperationLaws.hasEvaluatedCallerString(op));
    }

    /**
     * Checks that every label is the name of the strategy, a slash and a place in its protocol.
     *
     * @return a test for each program
     */
    @TestFactory
    protected Stream<DynamicTest> operationIsLabelled() {
        return onEveryOperation(new OperationLaws(strategy())::isLabelled);
    }

    /**
     * Checks that every collection is in the schema of the strategy.
     *
     * @return a test for each program
     */
    @TestFactory
    protected Stream<DynamicTest> collectionIsInSchema() {
        return onEveryOperation(new OperationLaws(strategy())::isInSchema);
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
        return Stream.concat(
                tests(
                        StrategyPrograms.of(strategy(), stored()),
                        program -> require(laws::areAllowedByTraits, explore(program))),
                tests(StrategyPrograms.ofWaiters(strategy()), program -> require(laws::isTransactionAllowed, program)));
    }

    private Stream<DynamicTest> onEveryOperation(Predicate<MongoOp> law) {
        return eachProgram(program -> require(law, program));
    }

    private Stream<DynamicTest> onEveryPath(Predicate<ProgramTrace> law) {
        return eachProgram(program -> require(law, explore(program)));
    }

    private Stream<DynamicTest> eachProgram(Consumer<Step<?>> test) {
        return Stream.concat(
                tests(StrategyPrograms.of(strategy(), stored()), test),
                tests(StrategyPrograms.ofWaiters(strategy()), test));
    }

    private static Stream<DynamicTest> tests(Map<String, Step<?>> programs, Consumer<Step<?>> test) {
        return programs.entrySet().stream()
                .map(program -> DynamicTest.dynamicTest(program.getKey(), () -> test.accept(program.getValue())));
    }

    private void require(Predicate<MongoOp> law, Step<?> program) {
        require(trace -> trace.exchanges().stream().map(RequestReply::op).allMatch(law), explore(program));
    }

    private List<ProgramTrace> explore(Step<?> program) {
        return PathExplorer.explore(program, new PossibleReplies(stored(), this::documentElsewhere));
    }

    private LockDocumentFixtures stored() {
        return new LockDocumentFixtures(strategy().format().orElse("none"), revisionField());
    }

    private static void require(Predicate<ProgramTrace> law, List<ProgramTrace> traces) {
        traces.stream().filter(law.negate()).findFirst().ifPresent(trace -> {
            throw new AssertionError("The law does not hold on this path:\n" + trace);
        });
    }
}

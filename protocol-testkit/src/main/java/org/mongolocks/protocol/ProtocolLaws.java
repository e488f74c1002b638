package org.mongolocks.protocol;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.mongolocks.spi.LockFields;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Step;
import org.mongolocks.spi.Trait;

/**
 * Checks the laws that hold for every strategy. A test of a strategy inherits it:
 *
 * <pre>{@code
 * class MyStrategyLawsTest extends ProtocolLaws {
 *     @Override
 *     protected LockStrategy strategy() {
 *         return new MyStrategy();
 *     }
 * }
 * }</pre>
 *
 * Each law goes every way through every program: acquire (at first, and again while the lock is held, has stood still
 * for long, or was never used; and several in one step), renew one and several, release with and without a token,
 * inspect, list and force-release. Every operation is
 * answered with a lock of the caller, of another, expired, released, forced free and absent, and with each
 * {@link org.mongolocks.spi.Fault}. A broken law shows the way: operations, replies and end.
 */
public abstract class ProtocolLaws {

    /** Is for subclasses. */
    protected ProtocolLaws() {}

    /**
     * Gives what is tested.
     *
     * @return the strategy
     */
    protected abstract LockStrategy strategy();

    /**
     * Names the field of the lock document that counts changes.
     *
     * @return {@code rev} unless overridden
     */
    protected String revisionField() {
        return LockFields.REVISION;
    }

    /**
     * Gives a document of a collection that does not hold the locks.
     *
     * @param filter the filter of the operation that reads or writes it
     * @return what the operation returns; the filter itself unless overridden
     */
    protected BsonDocument documentElsewhere(BsonDocument filter) {
        return filter;
    }

    /**
     * Says that a lock is acquired only when a document that a write returned has the caller for its owner, with the
     * token of that document, and when no fault came after it.
     *
     * @return a test for each program
     */
    @TestFactory
    protected Stream<DynamicTest> aGrantIsConfirmedByTheOwnerInAWrittenDocument() {
        return onEveryWay(trace -> Laws.grantIsConfirmed(trace) && Laws.everyGrantIsConfirmed(trace));
    }

    /**
     * Says that exactly a strategy with the trait {@link Trait#MULTI_LOCK} has a program for several locks in one step.
     *
     * @return a test
     */
    @TestFactory
    protected Stream<DynamicTest> severalLocksAreAcquiredInOneStepByTheTrait() {
        boolean claimed = strategy().traits().contains(Trait.MULTI_LOCK);
        boolean can = strategy().acquireAll(Scene.firstAttempts()).isPresent();
        return Stream.of(DynamicTest.dynamicTest("acquire all", () -> {
            if (claimed != can) {
                throw new AssertionError("Acquiring several locks in one step: it "
                        + (can ? "can, but does not claim to" : "claims to, but cannot"));
            }
        }));
    }

    /**
     * Says that a renewal or release has worked only when a write found its document, and no fault came after it.
     *
     * @return a test for each program
     */
    @TestFactory
    protected Stream<DynamicTest> aYesIsConfirmedByAMatch() {
        return onEveryWay(Laws::yesIsConfirmed);
    }

    /**
     * Says that a fault with nothing asked after it ends the program with that very fault. It may mean that the lock is
     * contended when another was faster, and it does not turn a lost renewal into an undecided one.
     *
     * @return a test for each program
     */
    @TestFactory
    protected Stream<DynamicTest> aFaultWithoutAMeaningEndsTheProgram() {
        return onEveryWay(Laws::faultEndsTheProgramOrIsAnswered);
    }

    /**
     * Says that a look that finds a document with another mark, or none, ends the program with
     * {@link org.mongolocks.spi.Fault#FOREIGN_FORMAT}. A renewal that found nothing to renew is lost, whatever is there now.
     *
     * @return a test for each program
     */
    @TestFactory
    protected Stream<DynamicTest> aForeignDocumentIsRefused() {
        return onEveryWay(new FormatLaws(stored().format())::isForeignRefused);
    }

    /**
     * Says that whatever writes a lock document asks for the strategy's mark, or stores it.
     *
     * @return a test for each program
     */
    @TestFactory
    protected Stream<DynamicTest> aForeignDocumentIsNeverChanged() {
        return onEveryOperation(new FormatLaws(stored().format())::isOnOwnDocuments);
    }

    /**
     * Says that a transaction is committed or aborted before the program ends, is aborted as soon as an operation in it
     * has failed, and is committed again only in doubt.
     *
     * @return a test for each program
     */
    @TestFactory
    protected Stream<DynamicTest> anOpenTransactionIsEnded() {
        return onEveryWay(TransactionLaw::isKept);
    }

    /**
     * Says that one and the same program asks and ends the same each time it is run.
     *
     * @return a test for each program
     */
    @TestFactory
    protected Stream<DynamicTest> aProgramIsPure() {
        return eachProgram(program -> require(trace -> trace.equals(trace.replayed(program)), explore(program)));
    }

    /**
     * Says that a program ends after a few operations, whatever the replies, and has a meaning for each of them.
     *
     * @return a test for each program
     */
    @TestFactory
    protected Stream<DynamicTest> aProgramEnds() {
        return onEveryWay(trace -> !trace.exchanges().isEmpty());
    }

    /**
     * Says that no name of a lock or owner stands where the server evaluates expressions, or names a field.
     *
     * @return a test for each program
     */
    @TestFactory
    protected Stream<DynamicTest> aCallersStringIsNeverAnExpression() {
        return onEveryOperation(op -> !CallerStrings.areEvaluated(op));
    }

    /**
     * Says that every label is the name of the strategy, a slash and a place in its protocol.
     *
     * @return a test for each program
     */
    @TestFactory
    protected Stream<DynamicTest> anOperationIsLabelled() {
        return onEveryOperation(new OperationLaws(strategy())::isLabelled);
    }

    /**
     * Says that every collection is in the schema of the strategy.
     *
     * @return a test for each program
     */
    @TestFactory
    protected Stream<DynamicTest> aCollectionIsInTheSchema() {
        return onEveryOperation(new OperationLaws(strategy())::isInSchema);
    }

    /**
     * Says that only a strategy that needs transactions uses them, and that a clock-free one sends plain operators.
     *
     * @return a test for each program
     */
    @TestFactory
    protected Stream<DynamicTest> theTraitsAreTrue() {
        return onEveryOperation(new OperationLaws(strategy())::isAllowedByTraits);
    }

    private Stream<DynamicTest> onEveryOperation(Predicate<MongoOp> law) {
        return onEveryWay(trace -> trace.exchanges().stream().map(Exchange::op).allMatch(law));
    }

    private Stream<DynamicTest> onEveryWay(Predicate<Trace> law) {
        return eachProgram(program -> require(law, explore(program)));
    }

    private Stream<DynamicTest> eachProgram(Consumer<Step<?>> test) {
        return Programs.of(strategy(), stored()).entrySet().stream()
                .map(program -> DynamicTest.dynamicTest(program.getKey(), () -> test.accept(program.getValue())));
    }

    private List<Trace> explore(Step<?> program) {
        return Explorer.explore(program, new PossibleReplies(stored(), this::documentElsewhere));
    }

    private StoredLocks stored() {
        return new StoredLocks(strategy().format().orElse("none"), revisionField());
    }

    private static void require(Predicate<Trace> law, List<Trace> traces) {
        traces.stream().filter(law.negate()).findFirst().ifPresent(trace -> {
            throw new AssertionError("This law is broken when a program goes:\n" + trace);
        });
    }
}

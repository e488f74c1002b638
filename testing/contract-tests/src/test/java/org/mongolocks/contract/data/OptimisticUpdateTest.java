package org.mongolocks.contract.data;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.mongolocks.protocol.Replies.failed;
import static org.mongolocks.protocol.Replies.found;
import static org.mongolocks.protocol.Replies.none;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoNamespace;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.IndeterminateOutcomeException;
import org.mongolocks.LockException;
import org.mongolocks.UpdateConflictException;
import org.mongolocks.internal.optimistic.OptimisticDocuments;
import org.mongolocks.protocol.ProtocolScript;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

/** Tests of the protocol of an optimistic update, without a server. */
class OptimisticUpdateTest {
    private static final String READ = "read";
    private static final String READ_WRITER = "read-writer";
    private static final String WRITE = "compare-and-set";
    private static final Reply.Failed LOST = failed(Fault.AMBIGUOUS);
    private static final UUID MARK = new UUID(0, 1);
    private static final int MAX_FAULTS = 5;
    private static final OptimisticDocuments<BsonDocument> ACCOUNTS = OptimisticDocuments.of(
                    new MongoNamespace("app", "accounts"),
                    BsonDocument.class,
                    MongoClientSettings.getDefaultCodecRegistry())
            .withRandomness(() -> 0L, () -> MARK);

    private final BsonDocument account =
            BsonDocument.parse("{_id: 7, balance: 100, owner: '$ann', version: NumberLong(11)}");
    private final BsonDocument changed = BsonDocument.parse("{_id: 7, balance: 105, version: NumberLong(12)}");

    @Test
    void onlyTheFieldsThatDifferAreWritten() {
        update(before -> {
                    before.remove("owner");
                    return before.append("balance", new BsonInt32(105));
                })
                .sends(READ, "{find: 'accounts', filter: {_id: {$eq: 7}}}")
                .receives(found(account))
                .sends(WRITE, """
                        {findAndModify: 'accounts',
                         query: {_id: {$eq: 7}, version: {$eq: NumberLong(11)}, versionMarks: {$exists: false}},
                         update: {
                           $set: {balance: 105, version: NumberLong(12)},
                           $unset: {owner: true},
                           $push: {versionMarks: {
                             $each: [{v: NumberLong(12), by: '00000000-0000-0000-0000-000000000001'}],
                             $slice: -8}}}}""")
                .receives(found(changed))
                .endsWith(Optional.of(changed));
    }

    @Test
    void documentWithoutVersionHasVersionZero() {
        deposit().receives(found(BsonDocument.parse("{_id: 7, balance: 100}"))).sends(WRITE, """
                        {findAndModify: 'accounts',
                         query: {_id: {$eq: 7}, version: {$exists: false}, versionMarks: {$exists: false}},
                         update: {
                           $set: {balance: 105, version: NumberLong(1)},
                           $push: {versionMarks: {
                             $each: [{v: NumberLong(1), by: '00000000-0000-0000-0000-000000000001'}],
                             $slice: -8}}}}""");
    }

    @Test
    void absentDocumentIsMissing() {
        deposit().receives(none()).endsWith(Optional.empty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"{at: {y: 2, x: 1}}", "{at: [{y: 2, x: 1}]}", "{at: {in: {y: 2, x: 1}}}"})
    @Tag("finds:update-order-of-fields")
    void anotherOrderOfNestedFieldsIsWritten(String reordered) {
        BsonDocument place = BsonDocument.parse(reordered.replace("y: 2, x: 1", "x: 1, y: 2"))
                .append("_id", new BsonInt32(7));

        update(before -> BsonDocument.parse(reordered)).receives(found(place)).sends(WRITE, """
                        {findAndModify: 'accounts',
                         query: {_id: {$eq: 7}, version: {$exists: false}, versionMarks: {$exists: false}},
                         update: {
                           $set: {at: %s, version: NumberLong(1)},
                           $push: {versionMarks: {
                             $each: [{v: NumberLong(1), by: '00000000-0000-0000-0000-000000000001'}],
                             $slice: -8}}}}""".formatted(
                        reordered.substring("{at: ".length(), reordered.length() - 1)));
    }

    @Test
    void anotherOrderInTheIdIsRefused() {
        BsonDocument read = BsonDocument.parse("{_id: {x: 1, y: 2}}");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> update(before -> BsonDocument.parse("{_id: {y: 2, x: 1}}"))
                        .receives(found(read)))
                .withMessageContaining("'_id'");
    }

    @Test
    @Tag("finds:update-function-null")
    void functionThatReturnsNullIsRefused() {
        assertThatNullPointerException()
                .isThrownBy(() -> update(before -> nothing()).receives(found(account)))
                .withMessageContaining("returned null");
    }

    @Test
    void functionThatReturnsWhatIsNotBsonIsRefused() {
        BsonDocument nul = new BsonDocument("a", new BsonDocument("\0", new BsonInt32(1)));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> update(before -> nul).receives(found(account)))
                .withMessageContaining("not BSON");
    }

    private static BsonDocument nothing() {
        return null;
    }

    @Test
    void functionThatChangesNothingWritesNothing() {
        update(BsonDocument::clone).receives(found(account)).endsWith(Optional.of(account));
    }

    @Test
    void lostRaceReadsAgain() {
        deposit()
                .receives(found(account))
                .receives(none())
                .pauses(Duration.ZERO)
                .sends(READ)
                .receives(found(account.clone().append("version", new BsonInt64(12))))
                .sends(WRITE)
                .receives(found(changed))
                .endsWith(Optional.of(changed));
    }

    @Test
    void lostRacesEndAsConflictedAtTheBound() {
        ProtocolScript<Optional<BsonDocument>> last = script(ACCOUNTS.withAttempts(2), OptimisticUpdateTest::deposited)
                .receives(found(account))
                .receives(none())
                .pauses(Duration.ZERO)
                .receives(found(account));

        assertThatExceptionOfType(UpdateConflictException.class)
                .isThrownBy(() -> last.receives(none()))
                .returns(2, UpdateConflictException::attempts)
                .returns(11L, UpdateConflictException::lastVersion);
    }

    @Test
    void lostReplyIsFollowedByTheSameWrite() {
        deposit()
                .receives(found(account))
                .receives(LOST)
                .pauses(Duration.ZERO)
                .sends(WRITE)
                .receives(found(changed))
                .endsWith(Optional.of(changed));
    }

    @Test
    void ownMarkOfTheNextVersionShowsThatTheWriteWasExecuted() {
        BsonDocument later = marked("{v: NumberLong(12), by: '" + MARK + "'}, {v: NumberLong(13), by: 'other'}", 13);

        lost().receives(none()).sends(READ_WRITER).receives(found(later)).endsWith(Optional.of(later));
    }

    @Test
    void otherMarkOfTheNextVersionShowsThatTheWriteWasNotExecuted() {
        BsonDocument later = marked("{v: NumberLong(12), by: 'other'}, {v: NumberLong(13), by: '" + MARK + "x'}", 13);

        lost().receives(none())
                .receives(found(later))
                .pauses(Duration.ZERO)
                .sends(READ)
                .receives(found(later))
                .sends(WRITE)
                .receives(found(changed))
                .endsWith(Optional.of(changed));
    }

    @Test
    void missingMarkOfTheNextVersionIsIndeterminate() {
        Reply later = found(marked("{v: NumberLong(40), by: 'other'}", 40));
        ProtocolScript<Optional<BsonDocument>> unmatched = lost().receives(none());

        assertThatExceptionOfType(IndeterminateOutcomeException.class)
                .isThrownBy(() -> unmatched.receives(later))
                .withCause(LOST.cause());
    }

    @Test
    void repeatedLostRepliesAreIndeterminate() {
        ProtocolScript<Optional<BsonDocument>> repeated =
                deposit().receives(found(account)).receives(LOST);
        for (int fault = 1; fault < MAX_FAULTS; fault++) {
            repeated = repeated.pauses(Duration.ZERO).sends(WRITE).receives(failed(Fault.NOT_SENT));
        }
        ProtocolScript<Optional<BsonDocument>> last =
                repeated.pauses(Duration.ZERO).sends(WRITE);

        assertThatExceptionOfType(IndeterminateOutcomeException.class)
                .isThrownBy(() -> last.receives(failed(Fault.NOT_SENT)))
                .withCause(LOST.cause());
    }

    @ParameterizedTest
    @EnumSource(names = {"TRANSIENT", "NOT_SENT", "WRITE_CONFLICT"})
    void temporaryFaultIsFollowedByTheSameOperation(Fault fault) {
        deposit()
                .receives(failed(fault))
                .pauses(Duration.ZERO)
                .sends(READ)
                .receives(found(account))
                .receives(failed(fault))
                .pauses(Duration.ZERO)
                .sends(WRITE)
                .receives(found(changed))
                .endsWith(Optional.of(changed));
    }

    /** The fault may be that of the driver's own retry, after a write whose reply was lost. */
    @ParameterizedTest
    @EnumSource(names = {"TRANSIENT", "NOT_SENT"})
    @Tag("finds:update-retried-by-driver")
    void ownMarkAfterATemporaryFaultShowsThatTheWriteWasExecuted(Fault fault) {
        BsonDocument own = marked("{v: NumberLong(12), by: '" + MARK + "'}", 12);

        deposit()
                .receives(found(account))
                .receives(failed(fault))
                .pauses(Duration.ZERO)
                .sends(WRITE)
                .receives(none())
                .sends(READ_WRITER)
                .receives(found(own))
                .endsWith(Optional.of(own));
    }

    @ParameterizedTest
    @EnumSource(names = {"REJECTED", "UNSUPPORTED", "DUPLICATE_KEY"})
    void refusalEndsTheUpdate(Fault fault) {
        Reply.Failed refusal = failed(fault);

        ProtocolScript<Optional<BsonDocument>> deposit = deposit().receives(found(account));

        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> deposit.receives(refusal))
                .withCause(refusal.cause());
    }

    @ParameterizedTest
    @ValueSource(strings = {"'12'", "null", "1.5", "true", "NumberLong('9223372036854775807')", "[1]"})
    void versionThatCannotBeIncrementedIsAnError(String version) {
        BsonDocument odd = BsonDocument.parse("{_id: 7, balance: 100, version: " + version + "}");

        assertThatIllegalStateException()
                .isThrownBy(() -> deposit().receives(found(odd)))
                .withMessageContaining("'version'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"11", "NumberLong(11)", "11.0", "NumberDecimal('11')"})
    void anyWholeNumberIsAVersion(String version) {
        BsonDocument whole = BsonDocument.parse("{_id: 7, balance: 100, version: " + version + "}");

        deposit().receives(found(whole)).sends(WRITE, """
                {findAndModify: 'accounts',
                 query: {_id: {$eq: 7}, version: {$eq: %s}, versionMarks: {$exists: false}},
                 update: {
                   $set: {balance: 105, version: NumberLong(12)},
                   $push: {versionMarks: {
                     $each: [{v: NumberLong(12), by: '00000000-0000-0000-0000-000000000001'}],
                     $slice: -8}}}}""".formatted(version));
    }

    @Test
    void marksThatWereReadAreStillThere() {
        BsonDocument marked = marked("{v: NumberLong(11), by: 'x'}", 11);

        update(before -> before.append("balance", new BsonInt32(105)))
                .receives(found(marked))
                .sends(WRITE, """
                        {findAndModify: 'accounts',
                         query: {_id: {$eq: 7}, version: {$eq: NumberLong(11)},
                           versionMarks: {$eq: [{v: NumberLong(11), by: 'x'}]}},
                         update: {
                           $set: {balance: 105, version: NumberLong(12)},
                           $push: {versionMarks: {
                             $each: [{v: NumberLong(12), by: '00000000-0000-0000-0000-000000000001'}],
                             $slice: -8}}}}""");
    }

    @ParameterizedTest
    @ValueSource(strings = {"_id", "version", "versionMarks"})
    void functionMustNotChangeIdVersionAndMarks(String field) {
        ProtocolScript<Optional<BsonDocument>> update = update(before -> before.append(field, new BsonInt32(1)));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> update.receives(found(account)))
                .withMessageContaining("'" + field + "'");
    }

    @Test
    void reservedFieldThatTheFunctionOmitsIsUnchanged() {
        update(before -> new BsonDocument("balance", new BsonInt32(100)).append("owner", new BsonString("$ann")))
                .receives(found(account))
                .endsWith(Optional.of(account));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.b", "$a", "", "a\0"})
    void fieldThatWouldBeAPathIsRejected(String field) {
        ProtocolScript<Optional<BsonDocument>> update = update(before -> before.append(field, new BsonInt32(1)));

        assertThatIllegalArgumentException().isThrownBy(() -> update.receives(found(account)));
    }

    @Test
    void aValueWithoutACodecIsRejected() {
        OptimisticDocuments<Document> documents = OptimisticDocuments.of(
                new MongoNamespace("app", "accounts"), Document.class, MongoClientSettings.getDefaultCodecRegistry());
        ProtocolScript<Optional<Document>> update =
                script(documents, before -> before.append("any", Thread.currentThread()));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> update.receives(found(account)))
                .withMessageContaining("java.lang.Thread");
    }

    @Test
    void invalidSettingsAreRejected() {
        OptimisticDocuments<BsonDocument> accounts = ACCOUNTS;

        assertThatIllegalArgumentException().isThrownBy(() -> accounts.withAttempts(0));
        assertThatIllegalArgumentException().isThrownBy(() -> accounts.withFields("v.w", "marks"));
        assertThatIllegalArgumentException().isThrownBy(() -> accounts.withFields("v", "v"));
        assertThatIllegalArgumentException().isThrownBy(() -> accounts.withFields("_id", "marks"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> accounts.withWaits(Duration.ofSeconds(2), Duration.ofSeconds(1)));
    }

    @Test
    @Tag("finds:extreme-waits")
    void extremeAndMissingWaitsAreRejected() {
        OptimisticDocuments<BsonDocument> accounts = ACCOUNTS;
        Duration longest = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);

        assertThatIllegalArgumentException().isThrownBy(() -> accounts.withWaits(longest, longest));
        assertThatIllegalArgumentException().isThrownBy(() -> accounts.withWaits(Duration.ofMillis(1), longest));
        assertThatIllegalArgumentException().isThrownBy(() -> accounts.withWaits(longest.negated(), longest));
        assertThatNullPointerException()
                .isThrownBy(() -> accounts.withWaits(null, longest))
                .withMessage("The first wait is null");
        assertThatNullPointerException()
                .isThrownBy(() -> accounts.withWaits(Duration.ofMillis(1), null))
                .withMessage("The cap of the waits is null");
    }

    private ProtocolScript<Optional<BsonDocument>> lost() {
        return deposit()
                .receives(found(account))
                .receives(LOST)
                .pauses(Duration.ZERO)
                .sends(WRITE);
    }

    private static BsonDocument marked(String marks, long version) {
        return BsonDocument.parse(
                "{_id: 7, balance: 110, version: NumberLong(" + version + "), versionMarks: [" + marks + "]}");
    }

    private static ProtocolScript<Optional<BsonDocument>> deposit() {
        return update(OptimisticUpdateTest::deposited);
    }

    private static BsonDocument deposited(BsonDocument before) {
        return before.append("balance", new BsonInt32(before.getInt32("balance").getValue() + 5));
    }

    private static ProtocolScript<Optional<BsonDocument>> update(UnaryOperator<BsonDocument> change) {
        return script(ACCOUNTS, change);
    }

    private static <T> ProtocolScript<Optional<T>> script(OptimisticDocuments<T> documents, UnaryOperator<T> change) {
        return ProtocolScript.of(next(documents.update(7, change), READ));
    }

    /** Returns the rest of an update, as the program that a client performs. */
    private static <T> Step<Optional<T>> next(OptimisticDocuments<T>.Update update, String read) {
        if (update.isDone()) {
            return Step.done(update.result());
        }
        Optional<MongoOp.UpdateSpec> change = update.operators().map(MongoOp.UpdateSpec::operators);
        MongoOp op = change.<MongoOp>map(
                        set -> new MongoOp.FindOneAndUpdate(WRITE, "accounts", update.filter(), set, false))
                .orElseGet(() -> new MongoOp.FindOne(read, "accounts", update.filter(), Optional.empty()));
        Step<Optional<T>> call = Step.call(op, reply -> {
            if (reply instanceof Reply.Failed failed) {
                update.failed(failed);
            } else {
                update.answered(((Reply.Found) reply).document());
            }
            return next(update, change.isPresent() && update.pause().isEmpty() ? READ_WRITER : READ);
        });
        return update.pause()
                .<Step<Optional<T>>>map(delay -> new Step.Pause<>(delay, () -> call))
                .orElse(call);
    }
}

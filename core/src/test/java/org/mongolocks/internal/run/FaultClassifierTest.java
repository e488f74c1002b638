package org.mongolocks.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.spi.Reply.Fault.AMBIGUOUS;
import static org.mongolocks.spi.Reply.Fault.DUPLICATE_KEY;
import static org.mongolocks.spi.Reply.Fault.NOT_SENT;
import static org.mongolocks.spi.Reply.Fault.REJECTED;
import static org.mongolocks.spi.Reply.Fault.TRANSIENT;
import static org.mongolocks.spi.Reply.Fault.UNKNOWN_COMMIT;
import static org.mongolocks.spi.Reply.Fault.UNSUPPORTED;
import static org.mongolocks.spi.Reply.Fault.WRITE_CONFLICT;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoClientException;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoCredential;
import com.mongodb.MongoException;
import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.MongoIncompatibleDriverException;
import com.mongodb.MongoInterruptedException;
import com.mongodb.MongoNodeIsRecoveringException;
import com.mongodb.MongoNotPrimaryException;
import com.mongodb.MongoOperationTimeoutException;
import com.mongodb.MongoSecurityException;
import com.mongodb.MongoSocketClosedException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoSocketOpenException;
import com.mongodb.MongoSocketReadException;
import com.mongodb.MongoSocketReadTimeoutException;
import com.mongodb.MongoSocketWriteException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.MongoWriteConcernException;
import com.mongodb.MongoWriteException;
import com.mongodb.ServerAddress;
import com.mongodb.WriteConcernResult;
import com.mongodb.WriteError;
import com.mongodb.bulk.BulkWriteError;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.bulk.WriteConcernError;
import com.mongodb.connection.ClusterConnectionMode;
import com.mongodb.connection.ClusterDescription;
import com.mongodb.connection.ClusterType;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.spi.Reply.Fault;

class FaultClassifierTest {
    private static final ServerAddress SERVER = new ServerAddress("db", 27017);

    @Test
    void ofSeveralWritesSomeMayHaveBeenExecutedUnlessAllWereRefused() {
        BulkWriteError unauthorized = new BulkWriteError(13, "refused", new BsonDocument(), 0);
        BulkWriteError steppedDown = new BulkWriteError(10107, "stepped down", new BsonDocument(), 1);
        WriteConcernError concernError = new WriteConcernError(64, "WriteConcernFailed", "late", new BsonDocument());

        assertThat(FaultClassifier.classify(several(0, null, unauthorized))).isEqualTo(REJECTED);
        assertThat(FaultClassifier.classify(several(1, null, unauthorized))).isEqualTo(AMBIGUOUS);
        assertThat(FaultClassifier.classify(several(0, null, unauthorized, steppedDown)))
                .isEqualTo(AMBIGUOUS);
        assertThat(FaultClassifier.classify(several(2, concernError))).isEqualTo(AMBIGUOUS);
    }

    /** A router reports the error of a shard for each write that it sent there. */
    @Test
    void severalWritesAreOutOfTimeIfOneIs() {
        BulkWriteError blocked = new BulkWriteError(50, "time", new BsonDocument(), 0);
        BulkWriteError steppedDown = new BulkWriteError(10107, "stepped down", new BsonDocument(), 1);

        assertThat(FaultClassifier.isOutOfTime(several(0, null, steppedDown, blocked)))
                .isTrue();
        assertThat(FaultClassifier.isOutOfTime(several(1, null, steppedDown))).isFalse();
        assertThat(FaultClassifier.isRefusedInPart(several(0, null, steppedDown, blocked)))
                .isFalse();
    }

    @Test
    void someOfSeveralWritesMayBeRefusedForGood() {
        BulkWriteError invalid = new BulkWriteError(121, "invalid", new BsonDocument(), 0);

        assertThat(FaultClassifier.isRefusedInPart(several(1, null, invalid))).isTrue();
        assertThat(FaultClassifier.isRefusedInPart(write(121))).isFalse();
    }

    @ParameterizedTest
    @MethodSource({"fromTheServer", "networkErrors", "fromTheDriver"})
    void exceptionHasOneMeaning(MongoException e, Fault expected) {
        assertThat(FaultClassifier.classify(e)).isEqualTo(expected);
    }

    /** The errors of a router while a shard has no primary, its connections break, or its metadata moves. */
    @ParameterizedTest
    @ValueSource(ints = {6, 7, 82, 89, 133, 145, 150, 202, 249, 317, 384, 407, 9001, 13388})
    @Tag("finds:shard-without-a-primary")
    void aRouterWithoutAPrimaryIsAPassingFault(int code) {
        assertThat(FaultClassifier.classify(command(code))).isEqualTo(AMBIGUOUS);
        assertThat(FaultClassifier.classify(write(code))).isEqualTo(AMBIGUOUS);
        assertThat(FaultClassifier.classify(command(code, "TransientTransactionError")))
                .isEqualTo(TRANSIENT);
    }

    /** Labels precede codes: also codes of servers that are newer than this library pass. */
    @ParameterizedTest
    @ValueSource(ints = {462, 463, 433, 371, 112233})
    void labelsSayWhetherACommandWasExecuted(int code) {
        assertThat(FaultClassifier.classify(command(code, "SystemOverloadedError", "RetryableError")))
                .isEqualTo(NOT_SENT);
        assertThat(FaultClassifier.classify(
                        command(code, "SystemOverloadedError", "RetryableError", "NoWritesPerformed")))
                .isEqualTo(NOT_SENT);
        assertThat(FaultClassifier.classify(command(code, "SystemOverloadedError")))
                .isEqualTo(AMBIGUOUS);
        assertThat(FaultClassifier.classify(command(code, "RetryableWriteError")))
                .isEqualTo(AMBIGUOUS);
        assertThat(FaultClassifier.classify(
                        command(code, "TransientTransactionError", "SystemOverloadedError", "RetryableError")))
                .isEqualTo(TRANSIENT);
    }

    /** It passes the label of a shard on, to which it may have sent the command before. */
    @Test
    void onlyALabelThatARouterMakesIsCertainBehindOne() {
        assertThat(FaultClassifier.isUnknownBehindRouter(command(462, "RetryableError")))
                .isTrue();
        assertThat(FaultClassifier.isUnknownBehindRouter(command(462, "RetryableError", "NoWritesPerformed")))
                .isFalse();
        assertThat(FaultClassifier.isUnknownBehindRouter(notPrimary("NoWritesPerformed")))
                .isFalse();
    }

    @Test
    void loadIsShedByLabelOrCode() {
        assertThat(FaultClassifier.isOverload(command(112233, "SystemOverloadedError")))
                .isTrue();
        for (int code : new int[] {402, 433, 449, 450, 462, 463}) {
            assertThat(FaultClassifier.isOverload(command(code))).as("%d", code).isTrue();
        }
        for (int code : new int[] {371, 10107, 13, 50}) {
            assertThat(FaultClassifier.isOverload(command(code))).as("%d", code).isFalse();
        }
    }

    @Test
    void anErrorSaysWhatAnOperatorCanDo() {
        assertThat(FaultClassifier.advice(command(371)).orElseThrow()).contains("setUserWriteBlockMode");
        assertThat(FaultClassifier.advice(command(462)).orElseThrow()).contains("appName");
        assertThat(FaultClassifier.advice(command(10107))).isEmpty();
        assertThat(FaultClassifier.advice(command(13))).isEmpty();
    }

    /** A lease may be renewed by the next command, if no other write of the same command was refused. */
    @Test
    void blockedWritesPass() {
        BulkWriteError blocked = new BulkWriteError(371, "blocked", new BsonDocument(), 0);
        BulkWriteError invalid = new BulkWriteError(121, "invalid", new BsonDocument(), 1);

        assertThat(FaultClassifier.classify(several(0, null, blocked))).isEqualTo(TRANSIENT);
        assertThat(FaultClassifier.isRefusedInPart(several(0, null, blocked))).isFalse();
        assertThat(FaultClassifier.isRefusedInPart(several(0, null, blocked, invalid)))
                .isTrue();
    }

    /** ShardNotFound, ReplicaSetNotFound. */
    @ParameterizedTest
    @ValueSource(ints = {70, 71})
    void aShardThatDoesNotExistDoesNotPass(int code) {
        assertThat(FaultClassifier.classify(command(code))).isEqualTo(REJECTED);
    }

    static Stream<Arguments> fromTheServer() {
        return Stream.of(
                Arguments.of(command(11000), DUPLICATE_KEY),
                Arguments.of(write(11000), DUPLICATE_KEY),
                Arguments.of(write(11001), DUPLICATE_KEY),
                Arguments.of(command(112), WRITE_CONFLICT),
                Arguments.of(command(112, "TransientTransactionError"), WRITE_CONFLICT),
                Arguments.of(write(112), WRITE_CONFLICT),
                Arguments.of(command(24), TRANSIENT),
                Arguments.of(command(246), TRANSIENT),
                Arguments.of(command(365), TRANSIENT),
                Arguments.of(command(251, "TransientTransactionError"), TRANSIENT),
                Arguments.of(command(251, "UnknownTransactionCommitResult"), UNKNOWN_COMMIT),
                Arguments.of(command(20), UNSUPPORTED),
                Arguments.of(command(263), UNSUPPORTED),
                Arguments.of(command(59), UNSUPPORTED),
                Arguments.of(command(13), REJECTED),
                Arguments.of(command(121), REJECTED),
                Arguments.of(write(121), REJECTED),
                Arguments.of(command(217), AMBIGUOUS),
                Arguments.of(command(225), AMBIGUOUS),
                Arguments.of(command(40606), AMBIGUOUS),
                Arguments.of(command(40613), AMBIGUOUS),
                Arguments.of(command(11601), AMBIGUOUS),
                Arguments.of(command(262), AMBIGUOUS),
                Arguments.of(command(216), TRANSIENT),
                Arguments.of(command(261), TRANSIENT),
                Arguments.of(command(272), TRANSIENT),
                Arguments.of(command(319), TRANSIENT),
                Arguments.of(command(338), TRANSIENT),
                Arguments.of(command(371), TRANSIENT),
                Arguments.of(write(371), TRANSIENT),
                Arguments.of(command(363), AMBIGUOUS),
                Arguments.of(command(279), AMBIGUOUS),
                Arguments.of(command(290), AMBIGUOUS),
                Arguments.of(command(355), AMBIGUOUS),
                Arguments.of(command(358), AMBIGUOUS),
                Arguments.of(command(402), AMBIGUOUS),
                Arguments.of(command(406), AMBIGUOUS),
                Arguments.of(command(412), AMBIGUOUS),
                Arguments.of(command(433), AMBIGUOUS),
                Arguments.of(command(449), AMBIGUOUS),
                Arguments.of(command(450), AMBIGUOUS),
                Arguments.of(command(453), AMBIGUOUS),
                Arguments.of(command(462), AMBIGUOUS),
                Arguments.of(command(463), AMBIGUOUS),
                Arguments.of(command(46841), AMBIGUOUS),
                Arguments.of(command(91331), AMBIGUOUS),
                Arguments.of(command(10045600), AMBIGUOUS),
                Arguments.of(command(323), UNSUPPORTED),
                Arguments.of(command(99999, "RetryableWriteError"), AMBIGUOUS),
                Arguments.of(command(99999), REJECTED),
                Arguments.of(notPrimary(), AMBIGUOUS),
                Arguments.of(notPrimary("NoWritesPerformed"), NOT_SENT),
                Arguments.of(new MongoNodeIsRecoveringException(reply(11602), SERVER), AMBIGUOUS),
                Arguments.of(new MongoExecutionTimeoutException(50, "time", reply(50)), AMBIGUOUS),
                Arguments.of(writeConcern(64), AMBIGUOUS),
                Arguments.of(writeConcern(100), AMBIGUOUS),
                Arguments.of(writeConcern(79), AMBIGUOUS),
                Arguments.of(writeConcern(12345), AMBIGUOUS),
                Arguments.of(writeConcern(365), AMBIGUOUS));
    }

    static Stream<Arguments> networkErrors() {
        return Stream.of(
                Arguments.of(new MongoSocketReadException("lost", SERVER), AMBIGUOUS),
                Arguments.of(
                        new MongoSocketReadTimeoutException("late", SERVER, new SocketTimeoutException()), AMBIGUOUS),
                Arguments.of(new MongoSocketWriteException("lost", SERVER, new SocketTimeoutException()), AMBIGUOUS),
                Arguments.of(new MongoSocketClosedException("closed", SERVER), AMBIGUOUS),
                Arguments.of(new MongoSocketException("any", SERVER), AMBIGUOUS),
                Arguments.of(new MongoSocketOpenException("refused", SERVER), NOT_SENT),
                Arguments.of(labelled(new MongoSocketReadException("in a transaction", SERVER)), TRANSIENT));
    }

    static Stream<Arguments> fromTheDriver() {
        ClusterDescription cluster =
                new ClusterDescription(ClusterConnectionMode.SINGLE, ClusterType.UNKNOWN, List.of());
        return Stream.of(
                Arguments.of(new MongoTimeoutException("no server"), NOT_SENT),
                Arguments.of(new MongoOperationTimeoutException("perhaps sent"), AMBIGUOUS),
                Arguments.of(new MongoInterruptedException("stop", new InterruptedException()), AMBIGUOUS),
                Arguments.of(new MongoIncompatibleDriverException("old", cluster), UNSUPPORTED),
                Arguments.of(
                        new MongoSecurityException(MongoCredential.createPlainCredential("u", "d", new char[0]), "who"),
                        REJECTED),
                Arguments.of(new MongoClientException("misuse"), REJECTED),
                Arguments.of(new MongoClientException("no retryable writes here", command(20)), UNSUPPORTED),
                Arguments.of(new MongoOperationTimeoutException("the server's", command(50)), AMBIGUOUS),
                Arguments.of(new MongoException("anything else"), AMBIGUOUS));
    }

    private static MongoCommandException command(int code, String... labels) {
        return new MongoCommandException(reply(code, labels), SERVER);
    }

    private static MongoNotPrimaryException notPrimary(String... labels) {
        return new MongoNotPrimaryException(reply(10107, labels), SERVER);
    }

    private static MongoWriteException write(int code) {
        return new MongoWriteException(new WriteError(code, "write", new BsonDocument()), SERVER, Set.of());
    }

    private static MongoWriteConcernException writeConcern(int code) {
        WriteConcernError error = new WriteConcernError(code, "name", "not replicated", new BsonDocument());
        return new MongoWriteConcernException(error, WriteConcernResult.acknowledged(1, false, null), SERVER, Set.of());
    }

    private static MongoException labelled(MongoException e) {
        e.addLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL);
        return e;
    }

    private static BsonDocument reply(int code, String... labels) {
        return new BsonDocument("ok", new BsonInt32(0))
                .append("code", new BsonInt32(code))
                .append("errmsg", new BsonString("no"))
                .append(
                        "errorLabels",
                        new BsonArray(Stream.of(labels).map(BsonString::new).toList()));
    }

    private static MongoException several(
            int matched, @Nullable WriteConcernError concernError, BulkWriteError... errors) {
        BulkWriteResult result = BulkWriteResult.acknowledged(0, matched, 0, matched, List.of(), List.of());
        return new MongoBulkWriteException(result, List.of(errors), concernError, SERVER, Set.of());
    }
}

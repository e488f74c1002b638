package org.mongolocks.study.sim.driver;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.MongoNodeIsRecoveringException;
import com.mongodb.MongoNotPrimaryException;
import com.mongodb.MongoOperationTimeoutException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoSocketReadException;
import com.mongodb.MongoSocketReadTimeoutException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.MongoWriteConcernException;
import com.mongodb.MongoWriteException;
import com.mongodb.ServerAddress;
import com.mongodb.WriteError;
import com.mongodb.bulk.BulkWriteError;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.bulk.WriteConcernError;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/** Creates the exceptions that the driver throws. */
public final class DriverExceptions {
    private static final ServerAddress SERVER = new ServerAddress("server", 27017);
    private static final Set<Integer> RECOVERING = Set.of(91, 189, 11600, 11602, 13436);
    private static final Set<Integer> NOT_PRIMARY = Set.of(10058, 10107, 13435);
    private static final int TOO_LONG = 50;

    private DriverExceptions() {}

    /** Returns the exception of a connection that breaks. */
    public static MongoException reset() {
        return new MongoSocketReadException("Connection reset", SERVER);
    }

    /** Returns the exception for a missing reply; without an operation timeout it is a socket timeout. */
    public static MongoException silence(boolean hasTimeLimit) {
        return hasTimeLimit
                ? new MongoOperationTimeoutException("The operation exceeded the time limit")
                : new MongoSocketReadTimeoutException("Timeout while receiving message", SERVER, new IOException());
    }

    static MongoException noConnection() {
        return new MongoTimeoutException("Timed out while waiting for a connection");
    }

    /** Labels an exception as the driver does in a transaction. */
    public static MongoException inTransaction(MongoException error, boolean isCommit) {
        boolean isOfTheWay = error instanceof MongoSocketException || error instanceof MongoTimeoutException;
        boolean isOfTheServer = error instanceof MongoNotPrimaryException
                || error instanceof MongoNodeIsRecoveringException
                || error instanceof MongoExecutionTimeoutException
                || error instanceof MongoWriteConcernException;
        if (isCommit && (isOfTheWay || isOfTheServer)) {
            error.addLabel(MongoException.UNKNOWN_TRANSACTION_COMMIT_RESULT_LABEL);
        } else if (isOfTheWay) {
            error.addLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL);
        }
        return error;
    }

    /** Returns the exception for a reply, unless it is a success. */
    public static Optional<MongoException> of(CommandExchange.Kind kind, BsonDocument reply) {
        if (reply.getNumber("ok").doubleValue() == 0) {
            return Optional.of(labelled(special(reply), reply));
        }
        List<BsonDocument> errors = documents(reply.getArray("writeErrors", new BsonArray()));
        if (!errors.isEmpty()) {
            return Optional.of(
                    kind == CommandExchange.Kind.BULK_WRITE ? several(reply, errors) : one(reply, errors.get(0)));
        }
        return reply.containsKey("writeConcernError")
                ? Optional.of(labelled(concern(reply.getDocument("writeConcernError")), reply))
                : Optional.empty();
    }

    private static MongoException special(BsonDocument reply) {
        int code = reply.getInt32("code", new BsonInt32(-1)).getValue();
        if (code == TOO_LONG) {
            return new MongoExecutionTimeoutException(code, text(reply), reply);
        }
        if (RECOVERING.contains(code)) {
            return new MongoNodeIsRecoveringException(reply, SERVER);
        }
        return NOT_PRIMARY.contains(code)
                ? new MongoNotPrimaryException(reply, SERVER)
                : new MongoCommandException(reply, SERVER);
    }

    private static MongoException concern(BsonDocument error) {
        int code = error.getInt32("code").getValue();
        if (RECOVERING.contains(code)) {
            return new MongoNodeIsRecoveringException(error, SERVER);
        }
        return new MongoWriteConcernException(
                new WriteConcernError(code, "", text(error), new BsonDocument()), null, SERVER, Set.of());
    }

    private static MongoException one(BsonDocument reply, BsonDocument error) {
        WriteError cause = new WriteError(error.getInt32("code").getValue(), text(error), new BsonDocument());
        return new MongoWriteException(cause, SERVER, labels(reply));
    }

    private static MongoException several(BsonDocument reply, List<BsonDocument> errors) {
        int matched = reply.getInt32("n").getValue();
        List<BulkWriteError> causes = IntStream.range(0, errors.size())
                .mapToObj(i -> new BulkWriteError(
                        errors.get(i).getInt32("code").getValue(), text(errors.get(i)), new BsonDocument(), i))
                .toList();
        return new MongoBulkWriteException(
                BulkWriteResult.acknowledged(0, matched, 0, matched, List.of(), List.of()),
                causes,
                null,
                SERVER,
                labels(reply));
    }

    private static MongoException labelled(MongoException exception, BsonDocument reply) {
        labels(reply).forEach(exception::addLabel);
        return exception;
    }

    private static Set<String> labels(BsonDocument reply) {
        return reply.getArray("errorLabels", new BsonArray()).stream()
                .map(label -> label.asString().getValue())
                .collect(Collectors.toSet());
    }

    private static String text(BsonDocument error) {
        return error.getString("errmsg", new BsonString("")).getValue();
    }

    private static List<BsonDocument> documents(BsonArray array) {
        return array.stream().map(value -> value.asDocument()).toList();
    }
}

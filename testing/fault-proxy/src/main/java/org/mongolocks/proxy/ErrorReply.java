package org.mongolocks.proxy;

import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonString;

/** The error replies of a server, with the labels by which a driver decides whether to retry a command. */
final class ErrorReply {
    private static final Set<Integer> RETRYABLE =
            Set.of(6, 7, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436);
    /**
     * Errors by which a driver detects a state change, except those of a shutdown, after which the counter starts
     * again.
     */
    private static final Set<Integer> VERSIONED = Set.of(189, 10107, 11602, 13435, 13436);

    private static final Set<Integer> TRANSIENT = Set.of(24, 112, 246, 251, 267);
    private static final Set<String> ENDS = Set.of("commitTransaction", "abortTransaction");

    private ErrorReply() {}

    /** Returns the reply that refuses a request. */
    static BsonDocument refusal(int code, BsonDocument request) {
        BsonDocument reply = new BsonDocument("ok", new BsonDouble(0))
                .append("errmsg", new BsonString("injected between client and server"))
                .append("code", new BsonInt32(code))
                .append("codeName", new BsonString("Injected"));
        if (isTransient(code, request)) {
            return labelled(reply, "TransientTransactionError");
        }
        return isRetryable(code, request) ? labelled(reply, "RetryableWriteError") : reply;
    }

    /** Returns a reply with an error that the write may not be durable. */
    static BsonDocument failWriteConcern(int code, BsonDocument request, BsonDocument reply) {
        BsonDocument concernError = new BsonDocument("code", new BsonInt32(code))
                .append("errmsg", new BsonString("injected between client and server"));
        BsonDocument ambiguous = reply.clone().append("writeConcernError", concernError);
        return isRetryable(code, request) ? labelled(ambiguous, "RetryableWriteError") : ambiguous;
    }

    /** Returns whether a server adds its {@code topologyVersion} to an error of this code. */
    static boolean isVersioned(int code) {
        return VERSIONED.contains(code);
    }

    private static boolean isTransient(int code, BsonDocument request) {
        return isInTransaction(request) && (TRANSIENT.contains(code) || (RETRYABLE.contains(code) && !isEnd(request)));
    }

    private static boolean isRetryable(int code, BsonDocument request) {
        return request.containsKey("txnNumber")
                && RETRYABLE.contains(code)
                && (isEnd(request) || !isInTransaction(request));
    }

    private static boolean isInTransaction(BsonDocument request) {
        return BsonBoolean.FALSE.equals(request.get("autocommit"));
    }

    private static boolean isEnd(BsonDocument request) {
        return ENDS.contains(request.getFirstKey());
    }

    private static BsonDocument labelled(BsonDocument reply, String label) {
        BsonArray labels = new BsonArray();
        labels.add(new BsonString(label));
        return reply.append("errorLabels", labels);
    }
}

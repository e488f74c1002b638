package org.mongolocks.doctor.check;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.session.ServerSession;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.Document;
import org.mongolocks.doctor.check.CheckResult.Status;

/**
 * A check whether a numbered write is executed once, and one with an older number refused. The check sends it itself,
 * twice and out of order; the number is the session's next one, so that the driver's own count stays right.
 */
final class NumberedWriteCheck extends Check {
    private static final int TRANSACTION_TOO_OLD = 225;

    NumberedWriteCheck() {
        super("numbered-writes", Promise.LATE_REQUESTS);
    }

    @Override
    Stream<CheckResult> look(Deployment deployment) {
        MongoCollection<BsonDocument> scratch = deployment.scratch().collection("numbered");
        try (ClientSession session = deployment.client().startSession()) {
            ServerSession numbers = session.getServerSession();
            long first = numbers.advanceTransactionNumber();
            try {
                count(deployment, session, scratch, first);
                count(deployment, session, scratch, first);
            } catch (MongoException e) {
                return Stream.of(refused(deployment, e));
            }
            if (counted(scratch) != 1) {
                return Stream.of(broken(deployment, "a numbered write was executed twice"));
            }
            count(deployment, session, scratch, numbers.advanceTransactionNumber());
            return Stream.of(late(deployment, session, scratch, first));
        }
    }

    private CheckResult late(
            Deployment deployment, ClientSession session, MongoCollection<BsonDocument> scratch, long first) {
        try {
            count(deployment, session, scratch, first);
        } catch (MongoException e) {
            if (e.getCode() == TRANSACTION_TOO_OLD && counted(scratch) == 2) {
                return ok(deployment, "a numbered write is executed once, and an older number is refused");
            }
            return broken(deployment, "the reply to an older number was " + Errors.text(e));
        }
        return broken(deployment, "a write with an older number was not refused");
    }

    private CheckResult broken(Deployment deployment, String seen) {
        return finding(Status.BROKEN, deployment.names(), seen)
                .advise(
                        "Use a server that keeps the rules of retryable writes: here a request that comes late can acquire"
                                + " a lock for an owner without a client.");
    }

    /** Without numbers the ttl bounds the effect of a late command, and the library documents that. */
    private CheckResult refused(Deployment deployment, MongoException e) {
        String refusal = Errors.refusedWrite(e);
        if (refusal != null) {
            return unseen(deployment, refusal);
        }
        boolean areSent = !deployment.isStandalone()
                && !Boolean.FALSE.equals(deployment.uri().getRetryWritesValue());
        if (areSent) {
            return new CheckResult(
                    id(),
                    Status.BROKEN,
                    "the server has no retryable writes (" + Errors.text(e)
                            + "), and refuses each write of a client that asks" + " for them",
                    Set.of(Promise.OPERATION),
                    deployment.names(),
                    List.of("Add retryWrites=false to the URI of the lock clients, and run this program with it."));
        }
        return finding(
                        Status.WARNING,
                        deployment.names(),
                        "writes cannot be numbered (" + Errors.text(e)
                                + "): a request that comes late can acquire a lock for an owner without a client, until"
                                + " its ttl")
                .advise("Use a replica set for retryable writes, or choose short ttls.");
    }

    private static void count(
            Deployment deployment, ClientSession session, MongoCollection<BsonDocument> scratch, long number) {
        BsonDocument command = new BsonDocument(
                        "findAndModify", new BsonString(scratch.getNamespace().getCollectionName()))
                .append("query", new BsonDocument("_id", new BsonString("x")))
                .append("update", new BsonDocument("$inc", new BsonDocument("n", new BsonInt32(1))))
                .append("upsert", BsonBoolean.TRUE)
                .append("txnNumber", new BsonInt64(number));
        deployment.database().runCommand(session, command, Document.class);
    }

    private static int counted(MongoCollection<BsonDocument> scratch) {
        BsonDocument found = scratch.find(Filters.eq("x")).first();
        return found == null ? 0 : found.getNumber("n", new BsonInt32(0)).intValue();
    }
}

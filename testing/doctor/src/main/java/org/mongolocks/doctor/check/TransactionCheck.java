package org.mongolocks.doctor.check;

import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.mongolocks.doctor.check.CheckResult.Status;
import org.mongolocks.spi.LockStrategy.Trait;

/**
 * A check whether transactions commit all or nothing, and whether two that write the same document exclude each other.
 */
final class TransactionCheck extends Check {
    private static final TransactionOptions DURABLE = TransactionOptions.builder()
            .readConcern(ReadConcern.SNAPSHOT)
            .writeConcern(WriteConcern.MAJORITY.withJournal(true))
            .timeout(Deployment.COMMAND_SECONDS, TimeUnit.SECONDS)
            .build();

    TransactionCheck() {
        super("transactions", Promise.GUARDED_TRANSACTIONS);
    }

    @Override
    Stream<CheckResult> look(Deployment deployment) {
        // The statements of a transaction share its time limit, and may have no other.
        MongoCollection<BsonDocument> scratch = deployment
                .client()
                .getDatabase(deployment.database().getName())
                .getCollection(deployment.scratch().name("transactions"), BsonDocument.class);
        try (ClientSession one = deployment.client().startSession();
                ClientSession other = deployment.client().startSession()) {
            scratch.insertOne(named("outside"));
            one.startTransaction(DURABLE);
            scratch.insertOne(one, named("aborted"));
            one.abortTransaction();
            one.startTransaction(DURABLE);
            scratch.insertOne(one, named("committed"));
            scratch.insertOne(one, named("committed-too"));
            boolean isVisibleBefore = scratch.countDocuments() != 1;
            boolean excludes = conflicts(scratch, other);
            one.commitTransaction();
            long stored = scratch.countDocuments();
            if (isVisibleBefore || !excludes || stored != 3) {
                return broken(
                        deployment,
                        "transactions do not keep their promise: " + stored
                                + " documents of 3 are there, visible before the commit: " + isVisibleBefore
                                + ", the same document in two transactions refused: " + excludes);
            }
            return Stream.of(
                    ok(deployment, "a transaction commits all or nothing, and excludes others from what it writes"));
        } catch (MongoException e) {
            String refusal = Errors.refusedWrite(e);
            return refusal == null
                    ? broken(deployment, "there are no transactions: " + Errors.text(e))
                    : Stream.of(unseen(deployment, refusal));
        }
    }

    private static boolean conflicts(MongoCollection<BsonDocument> scratch, ClientSession other) {
        other.startTransaction(DURABLE);
        try {
            scratch.insertOne(other, named("committed"));
            return false;
        } catch (MongoException e) {
            return e.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL);
        } finally {
            other.abortTransaction();
        }
    }

    private Stream<CheckResult> broken(Deployment deployment, String seen) {
        Set<String> needing = ServerCheck.having(deployment, Trait.NEEDS_TRANSACTIONS);
        CheckResult all = finding(Status.BROKEN, deployment.names(), seen)
                .advise("Do not use inTransaction here; use a FencedCollection, or a replica set.");
        return needing.isEmpty()
                ? Stream.of(all)
                : Stream.of(
                        all,
                        new CheckResult(
                                id(),
                                Status.BROKEN,
                                seen,
                                Set.of(Promise.OPERATION),
                                needing,
                                List.of("Use a replica set, or a strategy that needs no transactions.")));
    }

    private static BsonDocument named(String id) {
        return new BsonDocument("_id", new BsonString(id));
    }
}

package org.mongolocks.doctor.check;

import com.mongodb.MongoException;
import com.mongodb.WriteConcern;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.mongolocks.doctor.check.CheckResult.Status;

/** A check whether a majority acknowledges writes in time, and whether acknowledged writes are in its journals. */
final class DurabilityCheck extends Check {
    DurabilityCheck() {
        super("majority", Promise.ELECTIONS);
    }

    @Override
    Stream<CheckResult> look(Deployment deployment) {
        WriteConcern durable =
                WriteConcern.MAJORITY.withJournal(true).withWTimeout(Deployment.COMMAND_SECONDS - 1, TimeUnit.SECONDS);
        long begin = System.nanoTime();
        try {
            deployment
                    .scratch()
                    .collection("majority")
                    .withWriteConcern(durable)
                    .insertOne(new BsonDocument("_id", new BsonString("durable")));
        } catch (MongoException e) {
            return Stream.of(finding(
                            Errors.refusedWrite(e) == null ? Status.BROKEN : Status.UNSEEN,
                            deployment.names(),
                            "no majority acknowledged a write in its journals: " + Errors.text(e))
                    .advise("Make a majority of the voting members able to acknowledge writes with journal; let the"
                            + " user of this program write to the database that it was given."));
        }
        long millis = (System.nanoTime() - begin) / 1_000_000;
        return Stream.of(
                        Stream.of(ok(
                                deployment,
                                "a majority acknowledged a write in its journals within " + millis + " ms")),
                        arbiters(deployment),
                        journal(deployment))
                .flatMap(results -> results);
    }

    /** An arbiter has a vote, but acknowledges no write. Members without a vote, and hidden ones, do not show. */
    private Stream<CheckResult> arbiters(Deployment deployment) {
        int holdData = deployment.members("hosts") + deployment.members("passives");
        int arbiters = deployment.members("arbiters");
        int majority = (holdData + arbiters) / 2 + 1;
        if (arbiters == 0 || holdData - 1 >= majority) {
            return Stream.empty();
        }
        return Stream.of(finding(
                        Status.WARNING,
                        deployment.names(),
                        "arbiters, which hold no data: " + arbiters + " of " + (holdData + arbiters)
                                + " voting members; while one of the others is down, no majority acknowledges a write,"
                                + " so that no lock is acquired or renewed")
                .advise("Replace the arbiters by members that hold data."));
    }

    /** Locks request the journal explicitly; reads and roll-backs depend on the setting of the replica set. */
    private Stream<CheckResult> journal(Deployment deployment) {
        if (deployment.isStandalone()) {
            return Stream.empty();
        }
        if (deployment.isRouter()) {
            return Stream.of(unseen(
                    deployment,
                    "writeConcernMajorityJournalDefault is a setting of each shard, which a router does not tell"));
        }
        try {
            BsonDocument config = deployment
                    .admin()
                    .runCommand(new BsonDocument("replSetGetConfig", new BsonInt32(1)), BsonDocument.class)
                    .getDocument("config", new BsonDocument());
            boolean journals = config.getBoolean("writeConcernMajorityJournalDefault", BsonBoolean.TRUE)
                    .getValue();
            return Stream.of(
                    journals
                            ? ok(deployment, "writeConcernMajorityJournalDefault is true")
                            : finding(
                                            Status.WARNING,
                                            deployment.names(),
                                            "writeConcernMajorityJournalDefault is false: if a majority of the members"
                                                    + " crashes at once, acknowledged grants can be rolled back")
                                    .advise("Set writeConcernMajorityJournalDefault to true (rs.reconfig)."));
        } catch (MongoException e) {
            return Stream.of(unread(deployment, "writeConcernMajorityJournalDefault", e));
        }
    }
}

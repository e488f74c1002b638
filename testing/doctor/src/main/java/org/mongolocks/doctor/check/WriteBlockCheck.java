package org.mongolocks.doctor.check;

import com.mongodb.MongoException;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.mongolocks.doctor.check.CheckResult.Status;

/** A check whether the server blocks the writes of users: by setUserWriteBlockMode, or because its disk is nearly full. */
final class WriteBlockCheck extends Check {
    /** The state of a block, as serverStatus shows it: 0 unknown, 1 disabled, 2 enabled. */
    private static final int ENABLED = 2;

    WriteBlockCheck() {
        super("write-block", Promise.OPERATION);
    }

    @Override
    Stream<CheckResult> look(Deployment deployment) {
        if (deployment.isRouter()) {
            return Stream.of(
                    unseen(deployment, "a block of writes is a state of each shard, which a router does not tell"));
        }
        try {
            BsonDocument members = deployment.status().getDocument("repl", new BsonDocument());
            return Stream.of(
                    Stream.of("userWriteBlockMode", "replicaSetWritesBlock")
                                    .anyMatch(block -> isEnabled(members, block))
                            ? finding(
                                            Status.BROKEN,
                                            deployment.names(),
                                            "the server blocks writes, so that no lock is acquired or renewed")
                                    .advise(
                                            "Find out why: a migration by mongosync, or a disk that is nearly full. Afterwards"
                                                    + " db.adminCommand({setUserWriteBlockMode: 1, global: false}) ends the block.")
                            : ok(deployment, "the server does not block writes"));
        } catch (MongoException e) {
            return Stream.of(unread(deployment, "whether the server blocks writes", e));
        }
    }

    private static boolean isEnabled(BsonDocument members, String block) {
        return members.getNumber(block, new BsonInt32(0)).intValue() == ENABLED;
    }
}

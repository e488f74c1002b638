package org.mongolocks.doctor.check;

import com.mongodb.MongoException;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.mongolocks.doctor.check.CheckResult.Status;

/** A check of the cluster parameter defaultMaxTimeMS, which limits reads that have no time limit of their own. */
final class DefaultTimeLimitCheck extends Check {
    private static final int NO_SUCH_KEY = 4;

    DefaultTimeLimitCheck() {
        super("default-time-limit", Promise.PROMPT_GRANTS);
    }

    @Override
    Stream<CheckResult> look(Deployment deployment) {
        BsonDocument command = new BsonDocument("getClusterParameter", new BsonString("defaultMaxTimeMS"));
        try {
            BsonArray parameters = deployment
                    .admin()
                    .runCommand(command, BsonDocument.class)
                    .getArray("clusterParameters", new BsonArray());
            return Stream.of(judged(deployment, parameters));
        } catch (MongoException e) {
            return Stream.of(
                    Errors.isUnknownCommand(e) || e.getCode() == NO_SUCH_KEY
                            ? ok(deployment, "the server has no default time limit of reads")
                            : unread(deployment, "defaultMaxTimeMS", e));
        }
    }

    private CheckResult judged(Deployment deployment, BsonArray parameters) {
        long millis = parameters.stream()
                .map(BsonValue::asDocument)
                .mapToLong(parameter ->
                        parameter.getNumber("readOperations", new BsonInt64(0)).longValue())
                .max()
                .orElse(0);
        return millis == 0
                ? ok(deployment, "reads have no default time limit")
                : finding(
                                Status.WARNING,
                                deployment.names(),
                                "reads without a time limit of their own end after " + millis
                                        + " ms (defaultMaxTimeMS): this concerns no command of a lock, but the one that opens"
                                        + " a change stream")
                        .advise("If waiters poll, raise defaultMaxTimeMS above the time that a change stream takes to"
                                + " open.");
    }
}

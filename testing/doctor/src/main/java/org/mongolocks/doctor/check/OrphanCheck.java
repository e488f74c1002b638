package org.mongolocks.doctor.check;

import com.mongodb.MongoException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.mongolocks.doctor.check.CheckResult.Status;

/**
 * A check for open transactions that have no client any more; they block locks for all owners until the server ends
 * them.
 */
final class OrphanCheck extends Check {
    private static final Duration LONG_OPEN = Duration.ofSeconds(20);
    private static final List<BsonDocument> INACTIVE = List.of(
            BsonDocument.parse("{$currentOp: {allUsers: true, idleSessions: true}}"),
            BsonDocument.parse("{$match: {type: 'idleSession', 'transaction.timeInactiveMicros': {$exists: true}}}"));

    OrphanCheck() {
        super("orphaned-transactions", Promise.PROMPT_GRANTS);
    }

    @Override
    Stream<CheckResult> look(Deployment deployment) {
        List<BsonDocument> open = new ArrayList<>();
        try {
            deployment.admin().aggregate(INACTIVE, BsonDocument.class).into(open);
        } catch (MongoException e) {
            return Stream.of(unseen(
                    deployment,
                    Errors.isNotAllowed(e) ? "no right to list open transactions (inprog)" : Errors.text(e)));
        }
        long orphaned = open.stream().filter(OrphanCheck::isOld).count();
        return Stream.of(
                orphaned == 0
                        ? ok(
                                deployment,
                                "no transaction has been inactive for more than " + LONG_OPEN.toSeconds() + " s")
                        : finding(
                                        Status.WARNING,
                                        deployment.names(),
                                        "transactions that have been inactive for more than "
                                                + LONG_OPEN.toSeconds() + " s: " + orphaned
                                                + "; they block the documents that they wrote")
                                .advise(
                                        "Find them with db.getSiblingDB(\"admin\").aggregate([{$currentOp: {allUsers: true,"
                                                + " idleSessions: true}}, {$match: {transaction: {$exists: true}}}]), and end those"
                                                + " that are not needed with killSessions; the server does so after"
                                                + " transactionLifetimeLimitSeconds."));
    }

    private static boolean isOld(BsonDocument operation) {
        BsonValue inactive = operation.getDocument("transaction").get("timeInactiveMicros", new BsonInt64(0));
        return inactive.isNumber() && inactive.asNumber().longValue() > LONG_OPEN.toNanos() / 1_000;
    }
}

package org.mongolocks.doctor.check;

import com.mongodb.MongoException;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.mongolocks.doctor.check.CheckResult.Status;

/** A check whether the server sheds load: requests that it refused since its start, and those of this run. Runs last. */
final class OverloadCheck extends Check {
    private static final BsonDocument NONE = new BsonDocument();

    OverloadCheck() {
        super("overload", Promise.OPERATION);
    }

    @Override
    Stream<CheckResult> look(Deployment deployment) {
        int here = deployment.overloads();
        CheckResult ownCommands = here == 0
                ? ok(deployment, "no command of this run was refused because of load")
                : shed(deployment, "commands of this run that the server refused because of its load: " + here);
        return Stream.of(ownCommands, sinceTheStart(deployment));
    }

    private CheckResult sinceTheStart(Deployment deployment) {
        BsonDocument status;
        try {
            status = deployment.status();
        } catch (MongoException e) {
            return unread(deployment, "how many requests the server has refused because of its load", e);
        }
        long requests = rejected(status, "network", "ingressRequestRateLimiter");
        long connections = rejected(status, "queues", "ingressSessionEstablishment");
        return requests + connections == 0
                ? ok(deployment, "the server shows no request or connection that it refused because of its load")
                : shed(
                        deployment,
                        "refused because of load since the server started: " + requests + " requests, " + connections
                                + " connections");
    }

    private CheckResult shed(Deployment deployment, String seen) {
        return finding(Status.WARNING, deployment.names(), seen)
                .advise("Exempt the lock clients from the server's rate limit by the appName of their URI: see"
                        + " docs/operations.md, Overload and blocked writes.");
    }

    private static long rejected(BsonDocument status, String section, String limiter) {
        return status.getDocument(section, NONE)
                .getDocument(limiter, NONE)
                .getNumber("rejectedAdmissions", new BsonInt64(0))
                .longValue();
    }
}

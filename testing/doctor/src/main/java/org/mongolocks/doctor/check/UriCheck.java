package org.mongolocks.doctor.check;

import com.mongodb.ConnectionString;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.mongolocks.doctor.check.CheckResult.Status;

/**
 * A check of the options of the URI that matter to locks. Concerns and preferences do not: the library sets its own.
 */
final class UriCheck extends Check {
    private static final int DEFAULT_POOL = 100;
    /** One for the change stream, one for commands. */
    private static final int MIN_POOL = 2;

    UriCheck() {
        super("uri", Promise.PROMPT_GRANTS);
    }

    @Override
    Stream<CheckResult> look(Deployment deployment) {
        ConnectionString uri = deployment.uri();
        Integer given = uri.getMaxConnectionPoolSize();
        int pool = given == null ? DEFAULT_POOL : given;
        String size = pool == 0 ? "any number of" : String.valueOf(pool);
        CheckResult connections = pool == 0 || pool >= MIN_POOL
                ? ok(deployment, "a client has up to " + size + " connections to a server")
                : finding(
                                Status.WARNING,
                                deployment.names(),
                                "a client has up to " + size
                                        + " connections to a server: the change stream and renewals keep waiters from them")
                        .advise("Set maxPoolSize to " + MIN_POOL + " at least, and more for many threads.");
        return Stream.concat(Stream.of(connections), retries(deployment, uri));
    }

    private static Stream<CheckResult> retries(Deployment deployment, ConnectionString uri) {
        return Boolean.FALSE.equals(uri.getRetryWritesValue())
                ? Stream.of(new CheckResult(
                        "uri",
                        Status.WARNING,
                        "retryWrites is false: a request that comes late can acquire a lock for an owner without a client,"
                                + " until its ttl",
                        Set.of(Promise.LATE_REQUESTS),
                        deployment.names(),
                        List.of("Leave retryWrites out of the URI, unless the server has no retryable writes.")))
                : Stream.empty();
    }
}

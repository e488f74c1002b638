package org.mongolocks.reporting.server;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoConnectionPoolClearedException;
import com.mongodb.MongoException;
import com.mongodb.MongoNodeIsRecoveringException;
import com.mongodb.MongoNotPrimaryException;
import com.mongodb.MongoSecurityException;
import com.mongodb.MongoServerUnavailableException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.connection.ClusterDescription;
import com.mongodb.connection.ServerDescription;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** One-line errors without secrets for a server that is unusable. */
public final class ConnectionErrors {
    private static final int MAX_LENGTH = 300;
    /** A chain of causes may be a cycle. */
    private static final int MAX_CAUSES = 50;

    /** While a server stops or steps down, which of these a command gets depends on what else the client does. */
    private static final List<Class<? extends MongoException>> UNREACHABLE = List.of(
            MongoTimeoutException.class,
            MongoSocketException.class,
            MongoConnectionPoolClearedException.class,
            MongoServerUnavailableException.class,
            MongoNotPrimaryException.class,
            MongoNodeIsRecoveringException.class);

    private ConnectionErrors() {}

    /**
     * Returns an exception that explains the failure of the server.
     *
     * @param cluster what the client knows about the server
     */
    static UnusableInputException about(String hosts, ClusterDescription cluster, MongoException e) {
        return new UnusableInputException(complaint(hosts, cluster, e), e);
    }

    private static String complaint(String hosts, ClusterDescription cluster, MongoException e) {
        if (mentionsCredentials(e)) {
            return "the server at " + hosts + " refused the credentials of --uri";
        }
        if (UNREACHABLE.stream().anyMatch(type -> type.isInstance(e))) {
            return "cannot reach a MongoDB server that accepts writes at " + hosts + reason(cluster, e);
        }
        return e instanceof MongoCommandException refusal
                ? "the server at " + hosts + " refuses what is needed: " + refusal.getErrorCodeName()
                : "the server at " + hosts + " cannot be used: " + firstLine(e);
    }

    /** Returns the first line of a message, unless it may contain a user name. */
    public static String firstLine(Throwable e) {
        if (mentionsCredentials(e)) {
            return "the server refused the credentials";
        }
        String message = Optional.ofNullable(e.getMessage())
                .flatMap(text -> text.lines().findFirst())
                .orElse("");
        String said = message.isEmpty() ? e.getClass().getSimpleName() : message;
        return said.length() > MAX_LENGTH ? said.substring(0, MAX_LENGTH) + "..." : said;
    }

    /** Returns the reason of a failure. After a timeout, it is known only from the monitors of the client. */
    private static String reason(ClusterDescription cluster, MongoException e) {
        Stream<Throwable> met = cluster.getServerDescriptions().stream()
                .map(ServerDescription::getException)
                .filter(Objects::nonNull);
        return Stream.concat(met, Stream.of(e).filter(fault -> !(fault instanceof MongoTimeoutException)))
                .findFirst()
                .map(fault -> ": " + firstLine(root(fault)))
                .orElse("");
    }

    private static boolean mentionsCredentials(Throwable e) {
        return causes(e).anyMatch(MongoSecurityException.class::isInstance);
    }

    private static Throwable root(Throwable e) {
        return causes(e).reduce((above, below) -> below).orElse(e);
    }

    private static Stream<Throwable> causes(Throwable e) {
        return Stream.iterate(e, Objects::nonNull, Throwable::getCause).limit(MAX_CAUSES);
    }
}

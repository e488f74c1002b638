package org.mongolocks.spring.boot;

import org.jspecify.annotations.Nullable;
import org.mongolocks.LockException;
import org.mongolocks.LockStorageException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports what to do where the server, or what it stores, does not let a lock client be built. */
final class LockServerFailureAnalyzer extends AbstractFailureAnalyzer<LockException> {
    @Override
    protected @Nullable FailureAnalysis analyze(Throwable failure, LockException cause) {
        String action = action(cause);
        return action == null ? null : new FailureAnalysis(String.valueOf(cause.getMessage()), action, failure);
    }

    private static @Nullable String action(LockException cause) {
        if (cause instanceof LockStorageException) {
            return "Set mongo-locks.collection to a collection that only this strategy uses, or mongo-locks.strategy to a"
                    + " strategy that this server supports; mongo-locks.schema=create creates what is missing. The program"
                    + " ./doctor of mongo-locks prints the commands that repair a collection";
        }
        return cause.isTransient()
                ? "Check that MongoDB runs, and that the connection of the MongoClient bean is right"
                        + " (spring.mongodb.uri; in Spring Boot 3 spring.data.mongodb.uri). Set mongo-locks.lazy to"
                        + " true if the application is to start without a server"
                : null;
    }
}

package org.mongolocks.spring.boot;

import org.jspecify.annotations.Nullable;
import org.mongolocks.LockException;
import org.mongolocks.LockFormatException;
import org.mongolocks.LockSchemaException;
import org.mongolocks.UnsupportedServerException;
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
        if (cause instanceof LockSchemaException schema) {
            return schema.commands().isEmpty()
                    ? "Set mongo-locks.collection to another collection"
                    : "Run these commands in MongoDB's shell, in the database of the locks:\n"
                            + String.join("\n", schema.commands())
                            + "\n"
                            + "or set mongo-locks.collection to another collection; mongo-locks.schema=create creates"
                            + " what is missing";
        }
        if (cause instanceof LockFormatException) {
            return "Set mongo-locks.collection to a collection that only this strategy uses";
        }
        if (cause instanceof UnsupportedServerException) {
            return "Set mongo-locks.strategy to a strategy that this server supports, or use another deployment";
        }
        return cause.isTransient()
                ? "Check that MongoDB runs, and that the connection of the MongoClient bean is right"
                        + " (spring.mongodb.uri; in Spring Boot 3 spring.data.mongodb.uri). Set mongo-locks.lazy to"
                        + " true if the application is to start without a server"
                : null;
    }
}

package org.mongolocks.internal.schema;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.SchemaOp;
import org.mongolocks.spi.Step;

/**
 * The creation of collections and indexes that are not known to exist. No index is needed for correctness, so a failure
 * is a warning.
 */
final class SchemaCreation {
    private static final int NAMESPACE_EXISTS = 48;

    private final String strategy;
    private final List<String> warnings;

    SchemaCreation(String strategy, List<String> warnings) {
        this.strategy = strategy;
        this.warnings = new ArrayList<>(warnings);
    }

    /** Returns a program that ends with the warnings, one sentence each. */
    Step<List<String>> start(List<ExistingCollection> collections) {
        List<MongoOp> operations = new ArrayList<>();
        for (ExistingCollection collection : collections) {
            String name = collection.wanted().name();
            if (!collection.exists()) {
                operations.add(new SchemaOp.CreateCollection(label("create"), name));
            }
            collection
                    .ttlIndexToCreate()
                    .ifPresent(ttl -> operations.add(new SchemaOp.CreateTtlIndex(label("create-index"), name, ttl)));
        }
        return createAll(operations.iterator());
    }

    private Step<List<String>> createAll(Iterator<MongoOp> operations) {
        if (!operations.hasNext()) {
            return Step.done(List.copyOf(warnings));
        }
        MongoOp operation = operations.next();
        return Step.call(operation, reply -> {
            warningFor(operation, reply).ifPresent(warnings::add);
            return createAll(operations);
        });
    }

    private static Optional<String> warningFor(MongoOp operation, Reply reply) {
        if (reply instanceof Reply.Failed failed && failed.cause().getCode() != NAMESPACE_EXISTS) {
            return Optional.of(operation + " failed, which is not needed for correct locks: "
                    + failed.cause().getMessage());
        }
        return Optional.empty();
    }

    private String label(String what) {
        return strategy + "/" + what;
    }
}

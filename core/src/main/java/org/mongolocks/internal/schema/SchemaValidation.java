package org.mongolocks.internal.schema;

import java.util.ArrayList;
import java.util.List;
import org.mongolocks.LockSchemaException;
import org.mongolocks.SchemaMode;
import org.mongolocks.internal.run.LockTask;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.Step;

/**
 * The check of the collections of a strategy when a client is built. In every mode, a collection that breaks locks is
 * refused; a missing one is created, refused or ignored, depending on the mode.
 */
final class SchemaValidation {
    private final ClientSettings settings;

    SchemaValidation(ClientSettings settings) {
        this.settings = settings;
    }

    /** Returns a program that ends with warnings, one sentence each, or throws {@link LockSchemaException}. */
    Step<List<String>> start(boolean isRouter) {
        String base = settings.collection();
        LockSchema schema = settings.strategy().schema();
        return new SchemaInspection(
                        settings.strategy().name(),
                        schema.collections(),
                        collection -> schema.resolve(collection, base))
                .start(isRouter)
                .andThen(this::conclude);
    }

    private Step<List<String>> conclude(SchemaInspection.Seen seen) {
        boolean mustBeThere = settings.schema() == SchemaMode.VALIDATE;
        List<ExistingCollection.Problem> problems = new ArrayList<>();
        for (ExistingCollection collection : seen.collections()) {
            problems.addAll(collection.faults());
            if (mustBeThere) {
                problems.addAll(collection.gaps());
            }
        }
        if (!problems.isEmpty()) {
            throw new LockSchemaException(
                    LockTask.of("Preparing a client", settings).description(),
                    problems.stream().map(ExistingCollection.Problem::found).toList(),
                    problems.stream()
                            .flatMap(problem -> problem.commands().stream())
                            .distinct()
                            .toList());
        }
        List<String> warnings = seen.warning().stream().toList();
        return settings.schema() == SchemaMode.CREATE
                ? new SchemaCreation(settings.strategy().name(), warnings).start(seen.collections())
                : Step.done(warnings);
    }
}

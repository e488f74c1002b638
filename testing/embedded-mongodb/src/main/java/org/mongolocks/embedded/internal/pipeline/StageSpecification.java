package org.mongolocks.embedded.internal.pipeline;

import de.bwaldvogel.mongo.bson.Document;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.error.CommandError;

/** A stage as the client wrote it: a name and an argument. */
record StageSpecification(String name, @Nullable Object argument) {
    private static final Set<String> UNSUPPORTED = Set.of(
            "$bucket",
            "$bucketAuto",
            "$collStats",
            "$currentOp",
            "$facet",
            "$geoNear",
            "$graphLookup",
            "$indexStats",
            "$listLocalSessions",
            "$listSessions",
            "$lookup",
            "$merge",
            "$out",
            "$planCacheStats",
            "$redact",
            "$sample",
            "$sortByCount",
            "$unionWith",
            "$unwind",
            "$mergeCursors",
            "$internalInhibitOptimization");

    static StageSpecification of(@Nullable Object stage) {
        if (!(stage instanceof Document document)) {
            throw CommandError.typeMismatch("Each element of the 'pipeline' array must be an object");
        }
        if (document.size() != 1) {
            throw new CommandError(40323, "A pipeline stage specification object must contain exactly one field.");
        }
        String name = document.keySet().iterator().next();
        return new StageSpecification(name, document.get(name));
    }

    /** The error for a stage that is not one of those that the caller knows. */
    CommandError unknown() {
        return UNSUPPORTED.contains(name)
                ? CommandError.unsupported(name)
                : new CommandError(40324, "Unrecognized pipeline stage name: '" + name + "'");
    }
}

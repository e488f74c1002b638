package org.mongolocks.embedded.internal.pipeline;

import de.bwaldvogel.mongo.bson.Document;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.error.CommandError;

/** A stage as the client wrote it: a name and an argument. */
record StageSpecification(String name, @Nullable Object argument) {
    // The stages of MongoDB 4.4 that an update may not have; this server has some of them for reads.
    private static final Set<String> NOT_FOR_UPDATES = Set.of("""
            $bucket $bucketAuto $changeStream $collStats $count $currentOp $facet $geoNear $graphLookup $group $indexStats
            $internalInhibitOptimization $limit $listLocalSessions $listSessions $lookup $match $merge $mergeCursors $out
            $planCacheStats $redact $sample $skip $sort $sortByCount $unionWith $unwind""".split("\\s+"));

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

    boolean isNotForUpdates() {
        return NOT_FOR_UPDATES.contains(name);
    }

    /** The error for a stage that is not one of those that the caller knows. */
    CommandError unknown() {
        return isNotForUpdates()
                ? CommandError.unsupported(name)
                : new CommandError(40324, "Unrecognized pipeline stage name: '" + name + "'");
    }
}

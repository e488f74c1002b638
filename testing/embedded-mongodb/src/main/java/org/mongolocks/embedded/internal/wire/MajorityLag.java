package org.mongolocks.embedded.internal.wire;

import de.bwaldvogel.mongo.bson.BsonTimestamp;
import de.bwaldvogel.mongo.bson.Document;
import java.time.Duration;
import java.util.Collection;

/**
 * Simulates the time that the other members of a replica set need to replicate the writes of the primary. Majority
 * acknowledgement is delayed by it: for a command that asks for it, for the newest change that it saw, also if it
 * changed nothing
 * itself, and for an event of a change stream.
 *
 * <p>Not thread-safe: the engine's lock guards it.
 */
final class MajorityLag {
    private final long lagNanos;
    private BsonTimestamp newest = new BsonTimestamp(0);
    private long newestNanos;

    MajorityLag(Duration lag) {
        this.lagNanos = lag.toNanos();
    }

    boolean isNone() {
        return lagNanos == 0;
    }

    /** Gives how long a reply is kept back. */
    long nanosFor(Document command, Document reply, long nowNanos) {
        if (!(reply.get("operationTime") instanceof BsonTimestamp seen)) {
            return 0;
        }
        if (seen.compareTo(newest) > 0) {
            newest = seen;
            newestNanos = nowNanos;
        }
        boolean isRefused =
                reply.containsKey("topologyVersion") && Double.valueOf(0).equals(reply.get("ok"));
        return (asksForMajority(command) && !isRefused) || hasEvents(reply)
                ? Math.max(0, newestNanos + lagNanos - nowNanos)
                : 0;
    }

    /** Whether a command is answered only when a majority has what it wrote. */
    static boolean asksForMajority(Document command) {
        return command.get("writeConcern") instanceof Document concern
                && "majority".equals(concern.get("w"))
                && !command.containsKey("abortTransaction");
    }

    private static boolean hasEvents(Document reply) {
        return reply.get("cursor") instanceof Document cursor
                && cursor.containsKey("postBatchResumeToken")
                && cursor.getOrDefault("nextBatch", cursor.get("firstBatch")) instanceof Collection<?> events
                && !events.isEmpty();
    }
}

package org.mongolocks.embedded.internal.oplog;

import de.bwaldvogel.mongo.bson.BsonTimestamp;
import java.time.Instant;
import java.time.InstantSource;

/** The logical clock of the replica set: wall seconds and a counter within the second, never going back. */
public final class ClusterClock {
    private final InstantSource wall;
    private BsonTimestamp latest;

    public ClusterClock(InstantSource wall) {
        this.wall = wall;
        this.latest = new BsonTimestamp(wall.instant(), 0);
    }

    /** The latest time that was given out. */
    public BsonTimestamp latest() {
        return latest;
    }

    /** Learns of a time that another member gave out. */
    public void notBefore(BsonTimestamp other) {
        latest = latest.compareTo(other) < 0 ? other : latest;
    }

    /** The time of the wall clock, as precise as a date. */
    public Instant wallTime() {
        return Instant.ofEpochMilli(wall.millis());
    }

    /** A new time, later than all others. */
    public BsonTimestamp tick() {
        long seconds = wall.instant().getEpochSecond();
        boolean isAhead = Integer.toUnsignedLong(latest.getTime()) >= seconds;
        latest = isAhead ? new BsonTimestamp(latest.getValue() + 1) : new BsonTimestamp(seconds << 32 | 1);
        return latest;
    }
}

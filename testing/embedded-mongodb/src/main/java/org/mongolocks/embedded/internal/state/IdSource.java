package org.mongolocks.embedded.internal.state;

import de.bwaldvogel.mongo.bson.ObjectId;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.SplittableRandom;
import java.util.UUID;

/** Gives unique ids, the same ones for the same seed and the same clock. */
public final class IdSource {
    private static final int COUNTER_MASK = 0xFFFFFF;

    private final InstantSource clock;
    private final SplittableRandom random;
    private final byte[] process = new byte[5];
    private int counter;

    public IdSource(InstantSource clock, long seed) {
        this.clock = clock;
        this.random = new SplittableRandom(seed);
        random.nextBytes(process);
    }

    /** A version 4 UUID. */
    public UUID uuid() {
        long high = (random.nextLong() & ~0xF000L) | 0x4000L;
        long low = (random.nextLong() & 0x3FFFFFFFFFFFFFFFL) | 0x8000000000000000L;
        return new UUID(high, low);
    }

    /** An id for this process; the counter of the others begins after it. */
    public ObjectId processId() {
        return objectId(0);
    }

    /** Seconds, a number for the process, a counter. */
    public ObjectId objectId() {
        counter = (counter + 1) & COUNTER_MASK;
        return objectId(counter);
    }

    private ObjectId objectId(int count) {
        ByteBuffer bytes = ByteBuffer.allocate(12);
        bytes.putInt((int) clock.instant().getEpochSecond());
        bytes.put(process);
        bytes.put((byte) (count >> 16)).put((byte) (count >> 8)).put((byte) count);
        return new ObjectId(bytes.array());
    }

    /** The id of a cursor, never zero. */
    public long cursorId() {
        return random.nextLong(1, Long.MAX_VALUE);
    }
}

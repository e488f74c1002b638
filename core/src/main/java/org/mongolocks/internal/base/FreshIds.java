package org.mongolocks.internal.base;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Values that no other process, and no other call in this one, has had. They are identities, not secrets: the system's
 * source of random numbers, whose read may block, is read once for each process. A copy of a process, as of a
 * virtual machine that is restored twice, differs by its time.
 */
public final class FreshIds {
    /** Spreads times over all bits: 2 to the power of 64 divided by the golden ratio. */
    private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;

    private static final AtomicLong COUNT = new AtomicLong();
    /** The random part of this process. */
    private static volatile @Nullable UUID seed;

    private FreshIds() {}

    /** Returns whether the random part is known, so that no call blocks. */
    public static boolean isPrepared() {
        return seed != null;
    }

    /** Reads the random part, unless it is known. May block. */
    public static UUID prepare() {
        UUID known = seed == null ? UUID.randomUUID() : seed;
        seed = known;
        return known;
    }

    /** Returns a fresh value. */
    public static UUID next() {
        UUID random = prepare();
        long time = (System.currentTimeMillis() ^ System.nanoTime()) * GOLDEN_RATIO;
        return new UUID(
                random.getMostSignificantBits() ^ time, random.getLeastSignificantBits() + COUNT.incrementAndGet());
    }
}

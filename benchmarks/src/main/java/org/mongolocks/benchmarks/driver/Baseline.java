package org.mongolocks.benchmarks.driver;

import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.LockUnderTest.Kind;
import org.mongolocks.benchmarks.result.LockUnderTest.Properties;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.Trait;

/**
 * A baseline: the minimal commands of a kind of lock, sent without lock logic. A lock of equal durability cannot be
 * faster.
 */
public enum Baseline {
    /** One round trip. */
    PING("floor-ping", "ping"),
    /** Half of a lock: one write. */
    FIND_AND_MODIFY("floor-find-and-modify", "one findAndModify"),
    /** A lock with one command to acquire and one to release. */
    TWO_FIND_AND_MODIFY("floor-two-find-and-modify", "two findAndModify"),
    /** A lock that reads before it writes. */
    FIND_AND_TWO_FIND_AND_MODIFY("floor-find-and-two-find-and-modify", "a find and two findAndModify"),
    /** A lock acquired in a transaction. */
    TRANSACTION("floor-transaction", "a transaction of one insert, and a delete");

    private static final String READS_FIRST = "optimistic-version";

    private final String id;
    private final String title;

    Baseline(String id, String title) {
        this.id = id;
        this.title = title;
    }

    /** Returns the baseline of acquire and release with a strategy. */
    public static Baseline of(LockStrategy strategy) {
        if (strategy.traits().contains(Trait.NEEDS_TRANSACTIONS)) {
            return TRANSACTION;
        }
        return strategy.name().startsWith(READS_FIRST) ? FIND_AND_TWO_FIND_AND_MODIFY : TWO_FIND_AND_MODIFY;
    }

    /** Sends the commands. */
    public void run(RawCommands raw) {
        switch (this) {
            case PING -> raw.ping();
            case FIND_AND_MODIFY -> raw.acquire();
            case TWO_FIND_AND_MODIFY -> acquireAndRelease(raw, raw::acquire);
            case FIND_AND_TWO_FIND_AND_MODIFY -> acquireAndRelease(raw, raw::readAndAcquire);
            case TRANSACTION -> raw.insertInTransactionAndDelete();
        }
    }

    private static void acquireAndRelease(RawCommands raw, Runnable acquire) {
        acquire.run();
        raw.release();
    }

    /** Returns this baseline as an entry of the results. */
    public LockUnderTest contender() {
        return LockUnderTest.of(
                id,
                Kind.BASELINE,
                title,
                Properties.ofBaseline(this == PING ? "writes nothing" : "majority and journal"));
    }
}

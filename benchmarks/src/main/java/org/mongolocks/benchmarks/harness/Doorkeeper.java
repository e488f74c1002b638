package org.mongolocks.benchmarks.harness;

import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Watches the section of one lock in memory: whether two were inside at once, and whether the fencing tokens grew. */
final class Doorkeeper {
    private final String name;
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicLong newest = new AtomicLong();
    private final AtomicLong notAlone = new AtomicLong();
    private final AtomicLong unorderedTokens = new AtomicLong();

    Doorkeeper(String name) {
        this.name = name;
    }

    /** Gives the name of the lock. */
    String name() {
        return name;
    }

    void enter(OptionalLong token) {
        if (inside.incrementAndGet() > 1) {
            notAlone.incrementAndGet();
        }
        if (token.isPresent() && newest.getAndSet(token.getAsLong()) >= token.getAsLong()) {
            unorderedTokens.incrementAndGet();
        }
    }

    void leave() {
        inside.decrementAndGet();
    }

    long notAlone() {
        return notAlone.get();
    }

    long unorderedTokens() {
        return unorderedTokens.get();
    }
}

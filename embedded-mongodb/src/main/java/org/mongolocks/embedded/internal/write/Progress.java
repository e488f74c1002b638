package org.mongolocks.embedded.internal.write;

import java.util.HashSet;
import java.util.Set;

/** The records that a statement on many documents is done with, so that a wait does not make it do them twice. */
final class Progress {
    private final Set<Long> done = new HashSet<>();

    static Progress in(WriteBatch batch) {
        if (batch.partial() instanceof Progress progress) {
            return progress;
        }
        Progress fresh = new Progress();
        batch.setPartial(fresh);
        return fresh;
    }

    boolean isEmpty() {
        return done.isEmpty();
    }

    boolean isDone(long record) {
        return done.contains(record);
    }

    void done(long record) {
        done.add(record);
    }
}

package org.mongolocks.embedded.internal.write;

import java.util.HashSet;
import java.util.Set;

/** The records that a statement on many documents is done with, so that a wait does not make it do them twice. */
final class WriteProgress {
    private final Set<Long> done = new HashSet<>();

    static WriteProgress in(WriteBatch batch) {
        if (batch.partial() instanceof WriteProgress progress) {
            return progress;
        }
        WriteProgress fresh = new WriteProgress();
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

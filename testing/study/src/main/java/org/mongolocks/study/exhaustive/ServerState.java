package org.mongolocks.study.exhaustive;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.EngineSnapshot;

/**
 * The server at one moment. Logical times make no difference.
 *
 * @param newest all that is stored
 * @param majority what a majority has, if that is less
 * @param aheadMillis how far its clock is ahead
 */
record ServerState(
        Digested<EngineSnapshot> newest, @Nullable Digested<EngineSnapshot> majority, long aheadMillis) {
    static final int BYTES = 2 * 16 + 8;

    boolean isLagging() {
        return majority != null;
    }

    ServerState with(Digested<EngineSnapshot> stored) {
        return new ServerState(stored, majority, aheadMillis);
    }

    ServerState replicated() {
        return new ServerState(newest, null, aheadMillis);
    }

    ServerState withClockAhead(long byMillis) {
        return new ServerState(newest, majority, aheadMillis + byMillis);
    }

    void append(ByteBuffer bytes) {
        Digested.append(bytes, newest);
        Digested.append(bytes, majority);
        bytes.putLong(aheadMillis);
    }
}

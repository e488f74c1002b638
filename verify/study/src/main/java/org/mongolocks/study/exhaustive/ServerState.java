package org.mongolocks.study.exhaustive;

import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.EngineSnapshot;

/**
 * The server at one moment.
 *
 * @param newest all that is stored
 * @param majority what a majority has, if that is less
 * @param aheadMillis how far its clock is ahead
 * @param digest a digest of all that, but for logical times
 */
record ServerState(EngineSnapshot newest, @Nullable EngineSnapshot majority, long aheadMillis, UUID digest) {
    static ServerState of(EngineSnapshot newest, @Nullable EngineSnapshot majority, long aheadMillis) {
        String undone = majority == null ? "" : "\nmajority" + majority.contents();
        UUID digest = WorldState.digestOf(newest.contents() + undone + "\n" + aheadMillis);
        return new ServerState(newest, majority, aheadMillis, digest);
    }

    boolean isLagging() {
        return majority != null;
    }

    ServerState with(EngineSnapshot stored) {
        return of(stored, majority, aheadMillis);
    }

    ServerState withClockAhead(long byMillis) {
        return of(newest, majority, aheadMillis + byMillis);
    }
}

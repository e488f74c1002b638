package org.mongolocks.study.exhaustive;

import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.EngineSnapshot;

/**
 * The server at one moment.
 *
 * @param newest all that is stored
 * @param majority what a majority has, if that is less
 * @param aheadMillis how far its clock is ahead
 * @param contents a text of all that, but for logical times
 */
record ServerState(EngineSnapshot newest, @Nullable EngineSnapshot majority, long aheadMillis, String contents) {
    static ServerState of(EngineSnapshot newest, @Nullable EngineSnapshot majority, long aheadMillis) {
        String undone = majority == null ? "" : "\nmajority" + majority.contents();
        return new ServerState(newest, majority, aheadMillis, newest.contents() + undone + "\n" + aheadMillis);
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

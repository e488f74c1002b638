package org.mongolocks.sync;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.mongolocks.LockName;

/**
 * The locks that each thread has locked and not unlocked, also after a loss. They are thread-local, so that nothing is
 * left of a thread that has ended.
 */
final class ThreadHolds {
    @SuppressWarnings("ThreadLocalUsage") // One for each client; clients are few and live long.
    private final ThreadLocal<Map<LockName, Deque<HeldLock>>> ofThread = new ThreadLocal<>();

    void push(HeldLock handle) {
        Map<LockName, Deque<HeldLock>> mine = mine();
        mine.computeIfAbsent(handle.lease().name(), name -> new ArrayDeque<>()).push(handle);
        ofThread.set(mine);
    }

    Optional<HeldLock> newest(LockName name) {
        return Optional.ofNullable(mine().get(name)).map(Deque::getFirst);
    }

    void pop(LockName name) {
        Map<LockName, Deque<HeldLock>> mine = mine();
        mine.computeIfPresent(name, (same, handles) -> {
            handles.pop();
            return handles.isEmpty() ? null : handles;
        });
        if (mine.isEmpty()) {
            ofThread.remove();
        }
    }

    private Map<LockName, Deque<HeldLock>> mine() {
        Map<LockName, Deque<HeldLock>> known = ofThread.get();
        return known == null ? new HashMap<>() : known;
    }
}

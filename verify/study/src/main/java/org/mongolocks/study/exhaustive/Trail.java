package org.mongolocks.study.exhaustive;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The moves that led to a state.
 *
 * @param earlier those before the newest one; null if there are none
 * @param millis the time after the newest move
 * @param move the newest move
 */
public record Trail(@Nullable Trail earlier, long millis, String move) {
    /** Returns all moves, the first one first. */
    List<Trail> all() {
        Deque<Trail> all = new ArrayDeque<>();
        for (Trail each = this; each != null; each = each.earlier()) {
            all.addFirst(each);
        }
        return List.copyOf(all);
    }
}

package org.mongolocks.study.exhaustive;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A list that grows at its end; immutable. States share the part that they have in common, so that each adds one element.
 *
 * @param earlier the elements before the newest one; null if there are none
 */
record Chain<T>(@Nullable Chain<T> earlier, T newest) {
    /** Returns the elements, the oldest one first. */
    static <T> List<T> all(@Nullable Chain<T> chain) {
        Deque<T> all = new ArrayDeque<>();
        for (Chain<T> each = chain; each != null; each = each.earlier()) {
            all.addFirst(each.newest());
        }
        return List.copyOf(all);
    }
}

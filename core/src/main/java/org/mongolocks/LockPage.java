package org.mongolocks;

import java.util.List;
import java.util.Optional;

/**
 * Shows a part of the locks of a collection, as the server saw them in one moment. It is history when it is read.
 *
 * @param locks the locks, in the order of their names; each as {@code inspect} shows it, so that it can be forced free
 * @param foreign the names of documents in between that are not of the client's strategy, or of another version: see
 *     {@link LockFormatException}. What is held in them is not told.
 * @param next what to give to {@link LockQuery#after} for the next page; empty if this was the last
 */
public record LockPage(List<LockSnapshot> locks, List<String> foreign, Optional<String> next) {
    /**
     * Copies the lists.
     *
     * @param locks the locks
     * @param foreign the names of documents that are no locks of the strategy
     * @param next where the next page begins
     */
    public LockPage {
        locks = List.copyOf(locks);
        foreign = List.copyOf(foreign);
    }
}

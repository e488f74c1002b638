package org.mongolocks;

import java.util.List;
import java.util.Optional;

/**
 * One page of the locks of a collection, as the server saw them at one moment. The page may be outdated when it is
 * read. Immutable.
 *
 * @param locks the locks, in the order of their names; each as {@code inspect} shows it, so that it can be
 *     force-released
 * @param foreign the names of documents in this range that are not of the client's strategy, or of another version: see
 *     {@link LockStorageException}. Their content is not shown.
 * @param next the name to pass to {@link LockQuery#after} for the next page; empty if this is the last page
 */
public record LockPage(List<LockSnapshot> locks, List<String> foreign, Optional<String> next) {
    /**
     * Copies the lists.
     *
     * @param locks the locks
     * @param foreign the names of documents that are not locks of the strategy
     * @param next the start of the next page
     */
    public LockPage {
        locks = List.copyOf(locks);
        foreign = List.copyOf(foreign);
    }
}

package org.mongolocks.example.migrations.published;

/** What the published locks have in common. */
interface OldLock {
    boolean acquire(String name);

    void release(String name);
}

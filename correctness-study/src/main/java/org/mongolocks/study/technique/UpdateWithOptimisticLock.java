package org.mongolocks.study.technique;

import org.mongolocks.LockName;
import org.mongolocks.LockOutcome;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.Step;

/**
 * Is the MongoDB lock guide's {@code updateWithOptimisticLock(collection, id, fn)}.
 *
 * <ol>
 *   <li>Read the version, once.
 *   <li>Loop: read the document, throw if its version has moved, compute {@code fn(document)}, update where the version is
 *       still the same, until a document was modified.
 * </ol>
 *
 * Wrong is that the version is read outside the loop: after a conflict the next round always finds it moved, so that it
 * throws where it means to try again. What is wrong with it as a lock: see {@link VersionTextbook}.
 */
final class UpdateWithOptimisticLock implements VersionTextbook {
    static final String NAME = "textbook-optimistic-update";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Step<LockOutcome> acquire(AcquireContext context) {
        return read(
                "read-version",
                context.name(),
                version -> read("read", context.name(), now -> VersionTextbook.ifUnmoved(context, version, now)));
    }

    @Override
    public Step<Boolean> write(LockName name, long version) {
        return VersionTextbook.super
                .write(name, version)
                .andThen(modified -> modified ? Step.done(true) : nextRound(name, version));
    }

    /** Who finds the version as it was would write again; it never is. */
    private Step<Boolean> nextRound(LockName name, long version) {
        return read("read", name, now -> now == version ? write(name, version) : Step.done(false));
    }
}

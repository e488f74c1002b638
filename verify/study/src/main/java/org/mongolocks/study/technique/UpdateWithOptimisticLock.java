package org.mongolocks.study.technique;

import org.mongolocks.LockName;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.Step;

/**
 * The MongoDB lock guide's {@code updateWithOptimisticLock(collection, id, fn)}.
 *
 * <ol>
 *   <li>Read the version, once.
 *   <li>Loop: read the document, throw if its version has changed, compute {@code fn(document)}, update where the
 *       version is still the same, until a document was modified.
 * </ol>
 *
 * <p>Weakness: the version is read outside the loop, so that after a conflict the next round always finds it changed,
 * and throws instead of retrying. Weaknesses as a lock: see {@link VersionTextbook}.
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

    /** Writes only if the next round finds the version unchanged, which it never does. */
    private Step<Boolean> nextRound(LockName name, long version) {
        return read("read", name, now -> now == version ? write(name, version) : Step.done(false));
    }
}

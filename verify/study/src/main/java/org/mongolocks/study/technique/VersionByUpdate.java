package org.mongolocks.study.technique;

import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.Step;

/**
 * The MongoDB lock guide's "version number" by {@code update}.
 *
 * <ol>
 *   <li>findOne: the version.
 *   <li>Before the work findOne again, and throw if the version has changed.
 *   <li>After the work update {@code {_id, version}} with the new values and {@code $inc version 1}.
 * </ol>
 *
 * <p>Weaknesses as a lock: see {@link VersionTextbook}. The second step does not prevent them.
 */
final class VersionByUpdate implements VersionTextbook {
    static final String NAME = "textbook-version-update";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Step<LockOutcome> acquire(AcquireContext context) {
        return read(
                "read",
                context.name(),
                before -> read("look-again", context.name(), now -> VersionTextbook.ifUnmoved(context, before, now)));
    }
}

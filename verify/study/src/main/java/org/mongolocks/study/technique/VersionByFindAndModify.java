package org.mongolocks.study.technique;

import static org.mongolocks.spi.LockSchema.LOCKS;

import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

/**
 * The MongoDB lock guide's "version number" by {@code findAndModify}.
 *
 * <ol>
 *   <li>{@code findAndModify {_id}}, {@code $inc version 1}: the new version is the ticket.
 *   <li>findOne, and throw if the version is not the ticket.
 *   <li>After the work update {@code {_id, version: ticket}} with the new values and {@code $inc version 1}.
 * </ol>
 *
 * <p>Weaknesses as a lock: see {@link VersionTextbook}. In addition, each new ticket invalidates the work of all
 * earlier ones: under contention no client finishes.
 */
final class VersionByFindAndModify implements VersionTextbook {
    static final String NAME = "textbook-version-findandmodify";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Step<LockOutcome> acquire(AcquireContext context) {
        MongoOp draw = new MongoOp.FindOneAndUpdate(
                NAME + "/draw", LOCKS, VersionTextbook.id(context.name()), VersionTextbook.oneMore(), false);
        return Step.call(
                draw,
                reply -> reply instanceof Reply.Found found && found.document().isPresent()
                        ? compare(
                                context,
                                VersionTextbook.version(found.document().get()))
                        : Step.fail(reply));
    }

    private Step<LockOutcome> compare(AcquireContext context, long ticket) {
        return read("compare", context.name(), now -> VersionTextbook.ifUnmoved(context, ticket, now));
    }
}

package org.mongolocks.study.technique;

import static org.mongolocks.spi.LockSchema.LOCKS;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.mongolocks.LockName;
import org.mongolocks.Owner;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.UpdateSpec;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;
import org.mongolocks.spi.lease.LeaseReader;

/**
 * The common part of the MongoDB lock guide's optimistic techniques: the protected document has a {@code version}, and
 * is written only if the version is still the one that was read. To acquire is to read it; to release is to write. The
 * version is passed from the acquisition to the release in place of a token, as the version plus one.
 *
 * <p>This protects that document only: any number of clients work at the same time, and all but the first to write have
 * worked for nothing. Other resources that they use during the work are not protected. A write whose reply is lost may
 * have happened, and is reported as a failure.
 */
interface VersionTextbook extends Textbook {
    @Override
    default List<BsonDocument> documents(LockName name) {
        return List.of(id(name).append("version", new BsonInt64(0)));
    }

    /** Writes if the version is still the one that was read. */
    @Override
    default Step<Boolean> release(LockName name, Owner owner, OptionalLong fencingToken) {
        return fencingToken.isPresent() ? write(name, fencingToken.getAsLong() - 1) : Step.done(false);
    }

    @Override
    default Step<Boolean> unlock(LockName name, Owner owner) {
        throw new IllegalStateException("A write needs a version");
    }

    /**
     * Writes if the version is still the one that was read.
     *
     * @return a program that ends with whether it wrote
     */
    default Step<Boolean> write(LockName name, long version) {
        BsonDocument unchanged = id(name).append("version", new BsonInt64(version));
        return Step.call(new MongoOp.UpdateOne(name() + "/write", LOCKS, unchanged, oneMore(), false), Step::matched);
    }

    /** Reads the version and passes it on. */
    default <R> Step<R> read(String label, LockName name, LongFunction<Step<R>> then) {
        MongoOp find = new MongoOp.FindOne(name() + "/" + label, LOCKS, id(name), Optional.empty());
        return Step.call(
                find,
                reply -> reply instanceof Reply.Found found && found.document().isPresent()
                        ? then.apply(version(found.document().get()))
                        : Step.fail(reply));
    }

    /** Ends with permission to work on a version, or with contention if it has changed. */
    static Step<LockOutcome> ifUnmoved(AcquireContext context, long before, long now) {
        return before == now ? Textbook.acquiredForEver(context, now + 1) : Textbook.contended(context);
    }

    /** Returns the version in a document. */
    static long version(BsonDocument document) {
        return LeaseReader.number(document, "version");
    }

    /** Returns the update that increments the version. */
    static UpdateSpec oneMore() {
        return UpdateSpec.operators(new BsonDocument("$inc", new BsonDocument("version", new BsonInt64(1))));
    }

    /** Returns the filter for the document. */
    static BsonDocument id(LockName name) {
        return new BsonDocument("_id", new BsonString(name.value()));
    }

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
                    before ->
                            read("look-again", context.name(), now -> VersionTextbook.ifUnmoved(context, before, now)));
        }
    }

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
                    reply -> reply instanceof Reply.Found found
                                    && found.document().isPresent()
                            ? compare(
                                    context,
                                    VersionTextbook.version(found.document().get()))
                            : Step.fail(reply));
        }

        private Step<LockOutcome> compare(AcquireContext context, long ticket) {
            return read("compare", context.name(), now -> VersionTextbook.ifUnmoved(context, ticket, now));
        }
    }

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
}

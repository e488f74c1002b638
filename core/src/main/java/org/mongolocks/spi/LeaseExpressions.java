package org.mongolocks.spi;

import static java.util.stream.Collectors.toCollection;
import static org.mongolocks.spi.Expressions.add;
import static org.mongolocks.spi.Expressions.document;
import static org.mongolocks.spi.Expressions.fixed;
import static org.mongolocks.spi.Expressions.increment;
import static org.mongolocks.spi.Expressions.path;
import static org.mongolocks.spi.LockFields.EXPIRES_AT;
import static org.mongolocks.spi.LockFields.FENCE;
import static org.mongolocks.spi.LockFields.FORCED_AT;
import static org.mongolocks.spi.LockFields.HOLDER;
import static org.mongolocks.spi.LockFields.LEASE_MILLIS;
import static org.mongolocks.spi.LockFields.OWNER;
import static org.mongolocks.spi.LockFields.PURGE_AT;
import static org.mongolocks.spi.LockFields.RELEASED_AT;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * The expressions that are the same in every command on one kind of lock document. They are created once and shared.
 */
final class LeaseExpressions {
    private static final BsonDocument UNSET_HOLDER = unset(OWNER, HOLDER);
    private static final BsonDocument UNSET_TRACES = unset(RELEASED_AT, FORCED_AT);

    private final String revision;
    private final Optional<String> flag;
    private final List<BsonDocument> purge;
    private final BsonDocument nextRevision;
    private final BsonDocument nextToken;
    private final BsonDocument projection;
    private final UpdateSpec released;
    private volatile @Nullable OfTtl newest;

    /** The expressions for one ttl; a client usually requests the same ttl each time. */
    private record OfTtl(Duration ttl, BsonDocument end, BsonDocument kept) {}

    LeaseExpressions(String revision, Optional<String> flag, Optional<Duration> purgeGrace) {
        this.revision = revision;
        this.flag = flag;
        this.purge = purgeGrace.map(LeaseExpressions::purgeAt).stream().toList();
        this.nextRevision = fixed(increment(revision));
        this.nextToken = fixed(purgeGrace.isEmpty() ? increment(FENCE) : plusOneOrNow());
        this.projection = fixed(SnapshotReader.projection(revision));
        this.released = freed(new BsonDocument());
    }

    BsonDocument nextRevision() {
        return nextRevision;
    }

    BsonDocument nextToken() {
        return nextToken;
    }

    BsonDocument projection() {
        return projection;
    }

    /** The end of a lease that begins now. */
    BsonDocument endOf(Duration ttl) {
        return of(ttl).end();
    }

    /** The document with a longer lease. */
    BsonDocument kept(Duration ttl) {
        return of(ttl).kept();
    }

    /** The fields that a renewal sets, in a new mutable document. */
    BsonDocument extended(Duration ttl) {
        return extended(ttl, endOf(ttl));
    }

    UpdateSpec released() {
        return released;
    }

    /** Returns the update that removes the owner and sets the given fields. */
    UpdateSpec freed(BsonDocument fields) {
        fields.append(EXPIRES_AT, Expressions.NOW)
                .append(RELEASED_AT, Expressions.NOW)
                .append(revision, nextRevision);
        flag.ifPresent(field -> fields.append(field, BsonBoolean.FALSE));
        return stages(fixed(document("$set", fields)), UNSET_HOLDER);
    }

    /** Removes the marks of an earlier release; to remove a missing field changes nothing. */
    UpdateSpec held(BsonDocument first) {
        return stages(first, UNSET_TRACES);
    }

    private OfTtl of(Duration ttl) {
        OfTtl known = newest;
        if (known == null || !known.ttl().equals(ttl)) {
            BsonDocument end = fixed(add(Expressions.NOW, new BsonInt64(ttl.toMillis())));
            known = new OfTtl(ttl, end, fixed(Expressions.mergeIntoRoot(extended(ttl, end))));
            newest = known;
        }
        return known;
    }

    private BsonDocument extended(Duration ttl, BsonDocument end) {
        return new BsonDocument(EXPIRES_AT, document("$max", new BsonArray(List.of(path(EXPIRES_AT), end))))
                .append(LEASE_MILLIS, new BsonInt64(ttl.toMillis()))
                .append(revision, nextRevision);
    }

    private UpdateSpec stages(BsonDocument first, BsonDocument second) {
        List<BsonDocument> stages = new ArrayList<>(2 + purge.size());
        stages.add(first);
        stages.add(second);
        stages.addAll(purge);
        return new UpdateSpec.Pipeline(stages);
    }

    private static BsonDocument unset(String... fields) {
        BsonArray names = Stream.of(fields).map(BsonString::new).collect(toCollection(BsonArray::new));
        return fixed(document("$unset", names));
    }

    private static BsonDocument plusOneOrNow() {
        return document("$max", new BsonArray(List.of(increment(FENCE), document("$toLong", Expressions.NOW))));
    }

    private static BsonDocument purgeAt(Duration grace) {
        return fixed(document("$set", document(PURGE_AT, add(path(EXPIRES_AT), new BsonInt64(grace.toMillis())))));
    }
}

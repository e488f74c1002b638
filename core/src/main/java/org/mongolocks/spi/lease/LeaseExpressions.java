package org.mongolocks.spi.lease;

import static java.util.stream.Collectors.toCollection;
import static org.mongolocks.spi.Expressions.add;
import static org.mongolocks.spi.Expressions.document;
import static org.mongolocks.spi.Expressions.increment;
import static org.mongolocks.spi.Expressions.literal;
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
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;
import org.mongolocks.Owner;
import org.mongolocks.spi.Expressions;
import org.mongolocks.spi.UpdateSpec;

/**
 * The expressions that are the same in every command on one kind of lock document. They are created once and shared.
 */
final class LeaseExpressions {
    private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();

    /** True when the lock is free: it was never used, was released, or its lease has ended. */
    static final BsonDocument IS_FREE = fixed(isFree());

    private static final BsonDocument UNSET_HOLDER = unset(OWNER, HOLDER);
    private static final BsonDocument UNSET_RELEASE = unset(RELEASED_AT, FORCED_AT);

    private final String revision;
    private final Optional<String> flag;
    private final List<BsonDocument> purge;
    private final BsonDocument nextRevision;
    private final BsonDocument nextToken;
    private final BsonDocument projection;
    private final UpdateSpec released;
    private volatile @Nullable TtlExpressions latest;

    /** The expressions for one ttl; a client usually requests the same ttl each time. */
    private record TtlExpressions(Duration ttl, BsonDocument end, BsonDocument renewed) {}

    LeaseExpressions(String revision, Optional<String> flag, Optional<Duration> purgeGrace) {
        this.revision = revision;
        this.flag = flag;
        this.purge = purgeGrace.map(LeaseExpressions::purgeAt).stream().toList();
        this.nextRevision = fixed(increment(revision));
        this.nextToken = fixed(purgeGrace.isEmpty() ? increment(FENCE) : plusOneOrNow());
        this.projection = fixed(SnapshotReader.projection(revision));
        this.released = released(new BsonDocument());
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

    /** The document with a renewed lease. */
    BsonDocument renewed(Duration ttl) {
        return of(ttl).renewed();
    }

    /** The fields that a renewal sets, in a new mutable document. */
    BsonDocument renewalFields(Duration ttl) {
        return renewalFields(ttl, endOf(ttl));
    }

    UpdateSpec released() {
        return released;
    }

    /** Returns the update that removes the owner and sets the given fields. */
    UpdateSpec released(BsonDocument fields) {
        fields.append(EXPIRES_AT, Expressions.NOW)
                .append(RELEASED_AT, Expressions.NOW)
                .append(revision, nextRevision);
        flag.ifPresent(field -> fields.append(field, BsonBoolean.FALSE));
        return stages(fixed(document("$set", fields)), UNSET_HOLDER);
    }

    /** Returns the update that ends with the fields of an earlier release removed; a missing field is ignored. */
    UpdateSpec held(BsonDocument first) {
        return stages(first, UNSET_RELEASE);
    }

    private TtlExpressions of(Duration ttl) {
        TtlExpressions known = latest;
        if (known == null || !known.ttl().equals(ttl)) {
            BsonDocument end = fixed(add(Expressions.NOW, new BsonInt64(ttl.toMillis())));
            known = new TtlExpressions(ttl, end, fixed(Expressions.mergeIntoRoot(renewalFields(ttl, end))));
            latest = known;
        }
        return known;
    }

    private BsonDocument renewalFields(Duration ttl, BsonDocument end) {
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

    /** Returns the expression that is true when an owner holds the lock. */
    static BsonDocument isOwner(Owner owner) {
        return document("$eq", new BsonArray(List.of(path(OWNER), literal(owner.stored()))));
    }

    private static BsonDocument isFree() {
        BsonValue ownerOrNull = Expressions.ifNull(path(OWNER), Expressions.NULL);
        return document(
                "$or",
                new BsonArray(List.of(
                        document("$eq", new BsonArray(List.of(ownerOrNull, Expressions.NULL))),
                        document("$lte", new BsonArray(List.of(path(EXPIRES_AT), Expressions.NOW))))));
    }

    /** Returns an immutable copy of an expression that is the same in every command; the driver copies its bytes. */
    private static BsonDocument fixed(BsonDocument expression) {
        return new RawBsonDocument(expression, CODEC);
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

package org.mongolocks.internal.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.mongolocks.spi.LockSchema.LockCollection;
import org.mongolocks.spi.LockSchema.TtlIndex;

/**
 * What the server reports about one collection of a strategy, which may be missing, with the check whether locks are
 * safe in it.
 *
 * @param description its entry of {@code listCollections}; empty if it is missing, or the server refused the read (a
 *     missing right, or an unsupported command)
 * @param indexes its indexes: an empty list if it is missing or can have none (a view); {@code Optional.empty()} if the
 *     server refused the read
 * @param shardKey its shard key; empty if it is not sharded, the server is not a router, or refused the read
 */
public record ExistingCollection(
        LockCollection wanted,
        String name,
        Optional<BsonDocument> description,
        Optional<List<BsonDocument>> indexes,
        Optional<BsonDocument> shardKey) {
    private static final BsonString PLAIN = new BsonString("collection");
    private static final BsonString SIMPLE = new BsonString("simple");
    private static final BsonDocument NONE = new BsonDocument();
    private static final String SECONDS = "expireAfterSeconds";

    /** What a problem concerns. */
    public enum Aspect {
        MISSING,
        TYPE,
        COLLATION,
        CAPPED,
        VALIDATOR,
        SHARD_KEY,
        /** An index that must not be there. */
        HARMFUL_INDEX,
        /** The TTL index that the strategy asks for. */
        TTL_INDEX
    }

    /**
     * A problem of a collection.
     *
     * @param found what was found, a phrase that names the collection
     * @param index the name of the index that must be dropped, if any
     */
    public record Problem(Aspect aspect, String found, Optional<String> index) {}

    /** Returns whether the collection is known to be missing: false also if the server refused the read. */
    public boolean isMissing() {
        return description.isEmpty() && indexes.map(List::isEmpty).orElse(false);
    }

    /** Returns whether the collection is known to exist: false also if the server refused the read. */
    public boolean exists() {
        return description.isPresent() || indexes.map(found -> !found.isEmpty()).orElse(false);
    }

    /** Returns whether the collection, or the TTL index that the strategy needs, is not known to exist. */
    public boolean isToBeCreated() {
        return wanted.ttl()
                .map(ttl -> indexes.flatMap(found -> onField(ttl, found))
                        .filter(index -> isAsWanted(ttl, index))
                        .isEmpty())
                .orElse(!exists());
    }

    /**
     * Returns the problems that break locks: they are not exclusive, lock documents are lost, or writes are refused.
     * Each of them alone rules this collection out.
     */
    public List<Problem> faults() {
        BsonDocument entry = description.orElse(NONE);
        BsonValue type = entry.get("type", PLAIN);
        if (!type.equals(PLAIN)) {
            return List.of(problem(
                    Aspect.TYPE,
                    " has the type " + type.asString().getValue()
                            + ", must be an ordinary collection: locks cannot be stored in it"));
        }
        List<Problem> faults = new ArrayList<>();
        BsonDocument options = entry.getDocument("options", NONE);
        BsonDocument collation = options.getDocument("collation", NONE);
        if (!collation.getString("locale", SIMPLE).equals(SIMPLE)) {
            faults.add(problem(
                    Aspect.COLLATION,
                    " has the default collation " + collation.toJson()
                            + ", under which different lock names are treated as the same lock"));
        }
        if (isTrue(options, "capped")) {
            faults.add(
                    problem(Aspect.CAPPED, " is capped, so that the server deletes its oldest locks, held ones too"));
        }
        if (!options.getDocument("validator", NONE).isEmpty()) {
            faults.add(problem(Aspect.VALIDATOR, " has a validator, which may reject writes of locks"));
        }
        // Only the shard key _id makes the _id unique across shards.
        shardKey.filter(key -> !(key.size() == 1 && key.containsKey("_id")))
                .map(
                        key -> problem(
                                Aspect.SHARD_KEY,
                                " is sharded by " + key.toJson()
                                        + ", so the same lock can exist on several shards; MongoDB 5.0 and later can change that"))
                .ifPresent(faults::add);
        indexes.orElse(List.of()).forEach(index -> addFaults(index, faults));
        return List.copyOf(faults);
    }

    /** Returns what is missing or different without breaking a lock. */
    public List<Problem> gaps() {
        List<Problem> gaps = new ArrayList<>();
        if (isMissing()) {
            gaps.add(problem(Aspect.MISSING, " is missing"));
        }
        if (indexes.isPresent() && wanted.ttl().isPresent() && isToBeCreated()) {
            TtlIndex ttl = wanted.ttl().get();
            Optional<BsonDocument> existing = onField(ttl, indexes.get());
            gaps.add(new Problem(
                    Aspect.TTL_INDEX,
                    "the TTL index of collection '" + name + "' on '" + ttl.field() + "' "
                            + existing.map(index -> "is " + index.toJson() + ", must delete all documents after "
                                            + ttl.after().toSeconds() + " s")
                                    .orElse("is missing"),
                    existing.map(index -> index.getString("name").getValue())));
        }
        return List.copyOf(gaps);
    }

    private void addFaults(BsonDocument index, List<Problem> faults) {
        BsonDocument key = index.getDocument("key", NONE);
        if (key.size() == 1 && key.containsKey("_id") && key.get("_id").isNumber()) {
            return;
        }
        if (isTrue(index, "unique") || isTrue(index, "prepareUnique")) {
            faults.add(problem(index, "unique index", "a free lock can be refused because of another lock"));
        }
        if (deletesTooEarly(index)) {
            faults.add(problem(index, "TTL index", "the server deletes locks, and their fencing tokens restart"));
        }
    }

    /** Returns whether the server deletes documents by an index earlier than the strategy allows, or by another date. */
    private boolean deletesTooEarly(BsonDocument index) {
        BsonValue seconds = index.get(SECONDS);
        BsonDocument key = index.getDocument("key", NONE);
        boolean isAllowed = seconds != null
                && seconds.isNumber()
                && wanted.ttl()
                        .filter(ttl -> key.size() == 1 && key.containsKey(ttl.field()))
                        .filter(ttl ->
                                seconds.asNumber().doubleValue() >= ttl.after().toSeconds())
                        .isPresent();
        return seconds != null && !isAllowed;
    }

    private static boolean isAsWanted(TtlIndex wanted, BsonDocument index) {
        BsonValue seconds = index.get(SECONDS, BsonBoolean.FALSE);
        return seconds.isNumber()
                && seconds.asNumber().longValue() == wanted.after().toSeconds()
                && !index.containsKey("partialFilterExpression");
    }

    /** A server may return the direction as a number of any type. */
    private static Optional<BsonDocument> onField(TtlIndex wanted, List<BsonDocument> indexes) {
        return indexes.stream()
                .filter(index -> {
                    BsonDocument key = index.getDocument("key", NONE);
                    BsonValue direction = key.get(wanted.field(), BsonBoolean.FALSE);
                    return key.size() == 1
                            && direction.isNumber()
                            && direction.asNumber().doubleValue() > 0;
                })
                .findFirst();
    }

    private Problem problem(Aspect aspect, String what) {
        return new Problem(aspect, "collection '" + name + "'" + what, Optional.empty());
    }

    private Problem problem(BsonDocument index, String kind, String consequence) {
        String indexName = index.getString("name", new BsonString("")).getValue();
        return new Problem(
                Aspect.HARMFUL_INDEX,
                "collection '" + name + "' has the " + kind + " '" + indexName + "' on "
                        + index.getDocument("key", NONE).toJson() + ": " + consequence,
                Optional.of(indexName));
    }

    /** Servers give a flag as a boolean or a number. */
    private static boolean isTrue(BsonDocument options, String name) {
        BsonValue flag = options.get(name, BsonBoolean.FALSE);
        return flag.isBoolean()
                ? flag.asBoolean().getValue()
                : flag.isNumber() && flag.asNumber().doubleValue() != 0;
    }
}

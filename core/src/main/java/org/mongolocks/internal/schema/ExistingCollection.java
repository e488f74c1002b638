package org.mongolocks.internal.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
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
    private static final BsonDocument NONE = new BsonDocument();

    /**
     * A problem of a collection.
     *
     * @param found what was found, a phrase that names the collection
     * @param commands the commands for MongoDB's shell that fix it, in the database of the locks; empty if only another
     *     collection helps
     */
    public record Problem(String found, List<String> commands) {}

    /** Returns whether the collection is known to be missing: false also if the server refused the read. */
    public boolean isMissing() {
        return description.isEmpty() && indexes.map(List::isEmpty).orElse(false);
    }

    /** Returns whether the collection is known to exist: false also if the server refused the read. */
    public boolean exists() {
        return description.isPresent() || indexes.map(found -> !found.isEmpty()).orElse(false);
    }

    /** Returns the TTL index that the strategy needs and that is not known to exist, if any. */
    public Optional<TtlIndex> ttlIndexToCreate() {
        return wanted.ttl()
                .filter(ttl -> indexes.map(found ->
                                new TtlIndexCheck(ttl).problemAmong(found).isPresent())
                        .orElse(true));
    }

    /**
     * Returns the problems that break locks: they are not exclusive, lock documents are lost, or writes are refused.
     * Each of them alone rules this collection out.
     */
    public List<Problem> faults() {
        BsonDocument entry = description.orElse(NONE);
        BsonDocument options = entry.getDocument("options", NONE);
        Optional<Problem> kind = kindFault(entry);
        if (kind.isPresent()) {
            return List.of(kind.get());
        }
        List<Problem> faults = new ArrayList<>();
        collationFault(options).ifPresent(faults::add);
        cappedFault(options).ifPresent(faults::add);
        validatorFault(options).ifPresent(faults::add);
        shardKeyFault().ifPresent(faults::add);
        indexes.stream().flatMap(List::stream).flatMap(this::indexFaults).forEach(faults::add);
        boolean mustBeRecreated =
                faults.stream().anyMatch(fault -> fault.commands().equals(recreate()));
        return mustBeRecreated ? faults.stream().map(this::keepOnlyRecreation).toList() : List.copyOf(faults);
    }

    /** Returns what is missing or different without breaking a lock. */
    public List<Problem> gaps() {
        List<Problem> gaps = new ArrayList<>();
        if (isMissing()) {
            gaps.add(new Problem(the() + " is missing", List.of(create())));
        }
        indexes.flatMap(this::ttlGap).ifPresent(gaps::add);
        return List.copyOf(gaps);
    }

    private Optional<Problem> ttlGap(List<BsonDocument> found) {
        return wanted.ttl()
                .map(TtlIndexCheck::new)
                .flatMap(index -> index.problemAmong(found)
                        .map(problem -> new Problem(
                                "the TTL index of " + the() + " on '"
                                        + index.wanted().field() + "' " + problem,
                                Stream.concat(
                                                index.nameToDrop(found).map(this::drop).stream(),
                                                Stream.of(create(index.wanted())))
                                        .toList())));
    }

    /** If the collection must be recreated, no other command is needed: the new one has no indexes and no validator. */
    private Problem keepOnlyRecreation(Problem fault) {
        return fault.commands().equals(recreate()) ? fault : new Problem(fault.found(), List.of());
    }

    private Optional<Problem> kindFault(BsonDocument entry) {
        BsonValue type = entry.get("type", PLAIN);
        if (type.equals(PLAIN)) {
            return Optional.empty();
        }
        boolean isView = type.equals(new BsonString("view"));
        return Optional.of(new Problem(
                the() + " has the type " + type.asString().getValue()
                        + ", must be an ordinary collection: locks cannot be stored in it",
                isView ? List.of(collectionInShell() + ".drop()", create()) : List.of()));
    }

    private Optional<Problem> collationFault(BsonDocument options) {
        BsonDocument collation = options.getDocument("collation", NONE);
        boolean isSimple = collation
                .getString("locale", new BsonString("simple"))
                .getValue()
                .equals("simple");
        return isSimple
                ? Optional.empty()
                : Optional.of(new Problem(
                        the() + " has the default collation " + collation.toJson()
                                + ", under which different lock names are treated as the same lock",
                        recreate()));
    }

    private Optional<Problem> cappedFault(BsonDocument options) {
        BsonValue capped = options.get("capped", BsonBoolean.FALSE);
        return isTrue(capped)
                ? Optional.of(new Problem(
                        the() + " is capped, so that the server deletes its oldest locks, held ones too", recreate()))
                : Optional.empty();
    }

    private Optional<Problem> validatorFault(BsonDocument options) {
        BsonDocument validator = options.getDocument("validator", NONE);
        return validator.isEmpty()
                ? Optional.empty()
                : Optional.of(new Problem(
                        the() + " has a validator, which may reject writes of locks",
                        List.of("db.runCommand({collMod: " + quoted(name) + ", validator: {}})")));
    }

    /** Only the shard key {@code _id} makes the {@code _id} unique across shards. */
    private Optional<Problem> shardKeyFault() {
        return shardKey.filter(key -> !(key.size() == 1 && key.containsKey("_id")))
                .map(key -> new Problem(
                        the() + " is sharded by " + key.toJson()
                                + ", so the same lock can exist on several shards; MongoDB 5.0 and later can change that",
                        List.of("db.adminCommand({reshardCollection: db.getName() + " + quoted("." + name)
                                + ", key: {_id: 1}})")));
    }

    private Stream<Problem> indexFaults(BsonDocument index) {
        BsonDocument key = index.getDocument("key", NONE);
        if (key.size() == 1 && key.containsKey("_id") && key.get("_id").isNumber()) {
            return Stream.empty();
        }
        boolean isUnique =
                isTrue(index.get("unique", BsonBoolean.FALSE)) || isTrue(index.get("prepareUnique", BsonBoolean.FALSE));
        boolean deletes = TtlIndexCheck.deletesTooEarly(index, wanted.ttl());
        return Stream.of(
                        problem(isUnique, index, "unique index", "a free lock can be refused because of another lock"),
                        problem(
                                deletes,
                                index,
                                "TTL index",
                                "the server deletes locks, and their fencing tokens restart"))
                .flatMap(Optional::stream);
    }

    private Optional<Problem> problem(boolean isPresent, BsonDocument index, String kind, String consequence) {
        String indexName = index.getString("name", new BsonString("")).getValue();
        return isPresent
                ? Optional.of(new Problem(
                        the() + " has the " + kind + " '" + indexName + "' on "
                                + index.getDocument("key", NONE).toJson() + ": " + consequence,
                        List.of(drop(indexName))))
                : Optional.empty();
    }

    /**
     * Returns the commands that replace the collection by a new one with the same documents, and so the same tokens.
     */
    private List<String> recreate() {
        String before = name + ".before";
        List<String> commands =
                new ArrayList<>(List.of(collectionInShell() + ".renameCollection(" + quoted(before) + ")", create()));
        wanted.ttl().map(this::create).ifPresent(commands::add);
        commands.add("db.getCollection(" + quoted(before) + ").find().forEach(lock => " + collectionInShell()
                + ".insertOne(lock))");
        return List.copyOf(commands);
    }

    private String the() {
        return "collection '" + name + "'";
    }

    private String create() {
        return "db.createCollection(" + quoted(name) + ")";
    }

    private String create(TtlIndex ttl) {
        return collectionInShell() + ".createIndex({" + quoted(ttl.field()) + ": 1}, {expireAfterSeconds: "
                + ttl.after().toSeconds() + "})";
    }

    private String drop(String indexName) {
        return collectionInShell() + ".dropIndex(" + quoted(indexName) + ")";
    }

    private String collectionInShell() {
        return "db.getCollection(" + quoted(name) + ")";
    }

    /** Servers give a flag as a boolean or a number. */
    private static boolean isTrue(BsonValue flag) {
        return flag.isBoolean()
                ? flag.asBoolean().getValue()
                : flag.isNumber() && flag.asNumber().doubleValue() != 0;
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}

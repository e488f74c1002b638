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

/**
 * One collection of a strategy as the server describes it, with the check whether locks are safe in it.
 *
 * @param wanted the strategy's definition of it
 * @param name its name in the database
 * @param description its entry of {@code listCollections}; empty if it is missing, or the user lacks the right to read
 *     it
 * @param indexes its indexes, none if it is missing; empty if the user lacks the right to read them
 * @param shardKey its shard key; empty if it is not sharded, or the user lacks the right to read it
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

    /**
     * Returns whether the collection is known to be missing.
     *
     * @return false also if the user lacks the right to read it
     */
    public boolean isMissing() {
        return description.isEmpty() && indexes.map(List::isEmpty).orElse(false);
    }

    /**
     * Returns whether the collection is known to exist.
     *
     * @return false also if the user lacks the right to read it
     */
    public boolean exists() {
        return description.isPresent() || indexes.map(found -> !found.isEmpty()).orElse(false);
    }

    /**
     * Returns the field that needs a TTL index and is not known to have the right one.
     *
     * @return empty if the strategy needs none, or it exists
     */
    public Optional<String> ttlFieldToIndex() {
        return wanted.ttlField()
                .filter(field -> indexes.map(
                                found -> new TtlIndex(field).problemAmong(found).isPresent())
                        .orElse(true));
    }

    /**
     * Returns the problems that break locks: they are not exclusive, lock documents are lost, or writes are refused.
     *
     * @return the problems; each of them alone rules this collection out
     */
    public List<Problem> faults() {
        BsonDocument entry = description.orElse(NONE);
        BsonDocument options = entry.getDocument("options", NONE);
        List<Problem> faults = new ArrayList<>();
        kindFault(entry).ifPresent(faults::add);
        collationFault(options).ifPresent(faults::add);
        cappedFault(options).ifPresent(faults::add);
        validatorFault(options).ifPresent(faults::add);
        shardKeyFault().ifPresent(faults::add);
        indexes.stream().flatMap(List::stream).flatMap(this::indexFaults).forEach(faults::add);
        boolean isRecreated = faults.stream().anyMatch(fault -> fault.commands().equals(recreate()));
        return isRecreated ? faults.stream().map(this::withoutCommands).toList() : List.copyOf(faults);
    }

    /**
     * Returns what is missing or different without breaking a lock.
     *
     * @return the problems
     */
    public List<Problem> gaps() {
        List<Problem> gaps = new ArrayList<>();
        if (isMissing()) {
            gaps.add(new Problem(the() + " is missing", List.of(create())));
        }
        indexes.flatMap(this::ttlGap).ifPresent(gaps::add);
        return List.copyOf(gaps);
    }

    private Optional<Problem> ttlGap(List<BsonDocument> found) {
        return wanted.ttlField()
                .map(TtlIndex::new)
                .flatMap(index -> index.problemAmong(found)
                        .map(problem -> new Problem(
                                "the TTL index of " + the() + " on '" + index.field() + "' " + problem,
                                Stream.concat(
                                                index.nameToDrop(found).map(this::drop).stream(),
                                                Stream.of(create(index.field())))
                                        .toList())));
    }

    /** Other commands are not needed if it is recreated: the new one has no indexes and no validator. */
    private Problem withoutCommands(Problem fault) {
        return fault.commands().equals(recreate()) ? fault : new Problem(fault.found(), List.of());
    }

    private Optional<Problem> kindFault(BsonDocument entry) {
        BsonValue type = entry.get("type", PLAIN);
        if (type.equals(PLAIN)) {
            return Optional.empty();
        }
        boolean isView = type.equals(new BsonString("view"));
        return Optional.of(new Problem(
                the() + " is no collection of documents, but of type "
                        + type.asString().getValue() + ", in which locks cannot be written",
                isView ? List.of(shell() + ".drop()", create()) : List.of()));
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
                                + ", by which different names can be one lock",
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
                        the() + " has a validator, which can refuse what a lock writes",
                        List.of("db.runCommand({collMod: " + quoted(name) + ", validator: {}})")));
    }

    /** Only the shard key {@code _id} makes the {@code _id} unique across shards. */
    private Optional<Problem> shardKeyFault() {
        return shardKey.filter(key -> !(key.size() == 1 && key.containsKey("_id")))
                .map(key -> new Problem(
                        the() + " is sharded by " + key.toJson()
                                + ", so that each shard can have the same lock; MongoDB 5.0 and later can change that",
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
        boolean deletes = index.containsKey("expireAfterSeconds")
                && !(key.size() == 1 && wanted.ttlField().map(key::containsKey).orElse(false));
        return Stream.of(
                        problem(isUnique, index, "unique index", "a free lock can be refused because of another lock"),
                        problem(deletes, index, "TTL index", "the server deletes locks, and their tokens begin again"))
                .flatMap(Optional::stream);
    }

    private Optional<Problem> problem(boolean isPresent, BsonDocument index, String kind, String consequence) {
        String indexName = index.getString("name", new BsonString("")).getValue();
        return isPresent
                ? Optional.of(new Problem(
                        the() + " has the " + kind + " '" + indexName + "' on "
                                + index.getDocument("key", NONE).toJson() + ", by which " + consequence,
                        List.of(drop(indexName))))
                : Optional.empty();
    }

    /** Returns the commands that replace the collection by a new one with the same documents, and so the same tokens. */
    private List<String> recreate() {
        String before = name + ".before";
        List<String> commands =
                new ArrayList<>(List.of(shell() + ".renameCollection(" + quoted(before) + ")", create()));
        wanted.ttlField().map(this::create).ifPresent(commands::add);
        commands.add(
                "db.getCollection(" + quoted(before) + ").find().forEach(lock => " + shell() + ".insertOne(lock))");
        return List.copyOf(commands);
    }

    private String the() {
        return "collection '" + name + "'";
    }

    private String create() {
        return "db.createCollection(" + quoted(name) + ")";
    }

    private String create(String ttlField) {
        return shell() + ".createIndex({" + quoted(ttlField) + ": 1}, {expireAfterSeconds: 0})";
    }

    private String drop(String indexName) {
        return shell() + ".dropIndex(" + quoted(indexName) + ")";
    }

    private String shell() {
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

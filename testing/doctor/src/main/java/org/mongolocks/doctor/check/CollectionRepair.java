package org.mongolocks.doctor.check;

import java.util.List;
import java.util.stream.Stream;
import org.bson.BsonString;
import org.mongolocks.internal.schema.ExistingCollection;
import org.mongolocks.internal.schema.ExistingCollection.Aspect;
import org.mongolocks.internal.schema.ExistingCollection.Problem;

/** The commands for MongoDB's shell that repair one collection, in the database of the locks. They keep its documents. */
record CollectionRepair(ExistingCollection collection) {
    private static final List<Aspect> OF_CREATION = List.of(Aspect.COLLATION, Aspect.CAPPED);

    /** Returns the commands, in order, for some problems of the collection; none if only another collection helps. */
    List<String> of(List<Problem> problems) {
        boolean mustBeRecreated = problems.stream().map(Problem::aspect).anyMatch(OF_CREATION::contains);
        return mustBeRecreated
                ? recreate().toList()
                : problems.stream().flatMap(this::of).toList();
    }

    private Stream<String> of(Problem problem) {
        Stream<String> drop = problem.index().stream().map(index -> inShell() + ".dropIndex(" + quoted(index) + ")");
        return switch (problem.aspect()) {
            case MISSING -> Stream.of(create());
            case TYPE -> isView() ? Stream.concat(Stream.of(inShell() + ".drop()", create()), index()) : Stream.of();
            case COLLATION, CAPPED -> recreate();
            case VALIDATOR -> Stream.of("db.runCommand({collMod: " + quoted(collection.name()) + ", validator: {}})");
            case SHARD_KEY ->
                Stream.of("db.adminCommand({reshardCollection: db.getName() + " + quoted("." + collection.name())
                        + ", key: {_id: 1}})");
            case HARMFUL_INDEX -> drop;
            case TTL_INDEX -> Stream.concat(drop, index());
        };
    }

    /** The new collection has no index and no validator of the former one, and the same tokens. */
    private Stream<String> recreate() {
        String before = quoted(collection.name() + ".before");
        return Stream.of(
                        Stream.of(inShell() + ".renameCollection(" + before + ")", create()),
                        index(),
                        Stream.of("db.getCollection(" + before + ").find().forEach(lock => " + inShell()
                                + ".insertOne(lock))"))
                .flatMap(commands -> commands);
    }

    private boolean isView() {
        return collection
                .description()
                .map(entry -> entry.get("type"))
                .filter(new BsonString("view")::equals)
                .isPresent();
    }

    private String create() {
        return "db.createCollection(" + quoted(collection.name()) + ")";
    }

    private Stream<String> index() {
        return collection.wanted().ttl().stream()
                .map(ttl -> inShell() + ".createIndex({" + quoted(ttl.field()) + ": 1}, {expireAfterSeconds: "
                        + ttl.after().toSeconds() + "})");
    }

    private String inShell() {
        return "db.getCollection(" + quoted(collection.name()) + ")";
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}

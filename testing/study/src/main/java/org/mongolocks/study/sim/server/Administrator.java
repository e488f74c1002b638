package org.mongolocks.study.sim.server;

import static org.mongolocks.study.history.Event.Op.DISCARDED;
import static org.mongolocks.study.history.Event.Phase.OK;

import de.bwaldvogel.mongo.bson.Document;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.mongolocks.study.history.Recorder;
import org.mongolocks.study.sim.net.Commands;
import org.mongolocks.study.sim.server.SimulatedServer.Request;

/** The administrator of the database, whose commands reach the server without a network in between. */
public final class Administrator {
    private static final int NOBODY = 0;
    private static final String LOCKS = "locks";

    private final SimulatedServer server;
    private final Recorder recorder;

    public Administrator(SimulatedServer server, Recorder recorder) {
        this.server = server;
        this.recorder = recorder;
    }

    /**
     * The collections of a database at one time.
     *
     * @param collections the collections with their indexes and documents
     */
    public record Backup(List<Saved> collections) {}

    /**
     * A collection at one time.
     *
     * @param name its name in the database
     * @param indexes its indexes except the one on {@code _id}
     */
    public record Saved(String name, List<Document> indexes, List<Document> documents) {}

    /** Makes a backup of the lock documents. */
    public Backup backUp() {
        return backUp(LOCKS::equals);
    }

    /** Reads collections. The server replies at once, because a read waits for nothing. */
    private Backup backUp(Predicate<String> which) {
        List<Saved> collections = new ArrayList<>();
        execute(
                command("listCollections", 1),
                listed -> batch(listed).stream()
                        .map(collection -> (String) collection.get("name"))
                        .filter(which)
                        .forEach(name -> save(name, collections)));
        return new Backup(List.copyOf(collections));
    }

    private void save(String name, List<Saved> to) {
        execute(
                command("find", name),
                found -> execute(command("listIndexes", name), indexes -> {
                    List<Document> secondary = batch(indexes).stream()
                            .filter(index -> !"_id_".equals(index.get("name")))
                            .toList();
                    to.add(new Saved(name, secondary, batch(found)));
                }));
    }

    /**
     * Replaces the stored data by a backup, as {@code mongorestore --drop} does. Open transactions are aborted before.
     *
     * @param then runs when it is restored
     */
    public void restore(Backup backup, Runnable then) {
        execute(
                new Document("killAllSessions", List.of()).append("$db", "admin"),
                ended -> restore(backup.collections(), () -> {
                    discarded("a backup is restored");
                    then.run();
                }));
    }

    private void restore(List<Saved> collections, Runnable then) {
        if (collections.isEmpty()) {
            then.run();
            return;
        }
        Saved first = collections.get(0);
        List<Document> commands =
                new ArrayList<>(List.of(command("drop", first.name()), command("create", first.name())));
        if (!first.indexes().isEmpty()) {
            commands.add(command("createIndexes", first.name()).append("indexes", first.indexes()));
        }
        if (!first.documents().isEmpty()) {
            commands.add(command("insert", first.name()).append("documents", first.documents()));
        }
        executeAll(commands, () -> restore(collections.subList(1, collections.size()), then));
    }

    /** Drops the collection of the lock documents. */
    public void dropLocks() {
        execute(command("drop", LOCKS), dropped -> discarded("the lock collection is dropped"));
    }

    /** Has each TTL index delete documents after a time. */
    public void cleanUpAfter(Duration unused) {
        for (Saved saved : backUp(name -> true).collections()) {
            saved.indexes().stream()
                    .filter(index -> index.containsKey("expireAfterSeconds"))
                    .map(index ->
                            new Document("name", index.get("name")).append("expireAfterSeconds", unused.toSeconds()))
                    .forEach(index -> execute(command("collMod", saved.name()).append("index", index), changed -> {}));
        }
    }

    private void discarded(String what) {
        recorder.line(NOBODY, DISCARDED, OK).note(what).add();
    }

    private static Document command(String name, Object argument) {
        return new Document(name, argument).append("$db", Commands.DATABASE);
    }

    @SuppressWarnings("unchecked")
    private static List<Document> batch(Document reply) {
        Document cursor = (Document) reply.getOrDefault("cursor", new Document());
        return List.copyOf((Collection<Document>) cursor.getOrDefault("firstBatch", List.of()));
    }

    private void executeAll(List<Document> commands, Runnable then) {
        if (commands.isEmpty()) {
            then.run();
        } else {
            execute(commands.get(0), done -> executeAll(commands.subList(1, commands.size()), then));
        }
    }

    private void execute(Document command, Consumer<Document> then) {
        server.execute(new Request(NOBODY, command, false, Optional.empty()), executed -> {
            Document reply = executed.reply().orElseThrow();
            if (((Number) reply.getOrDefault("ok", 0)).doubleValue() != 1) {
                throw new IllegalStateException(command + " failed: " + reply);
            }
            then.accept(reply);
        });
    }
}

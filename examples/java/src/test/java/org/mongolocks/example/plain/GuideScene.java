package org.mongolocks.example.plain;

import com.mongodb.client.MongoCollection;
import java.util.UUID;
import org.bson.Document;
import org.mongolocks.contract.adapter.EmbeddedScene;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;
import org.mongolocks.sync.LockClient;

/** A database of the example of a guide. */
final class GuideScene extends EmbeddedScene {
    private final String database;

    private GuideScene(String database) {
        super(database, new FindAndModifyCounterStrategy());
        this.database = database;
        opened(() -> connection().sync().getDatabase(database).drop());
    }

    static GuideScene open() {
        return new GuideScene("guide-" + UUID.randomUUID());
    }

    /** Returns a client for requests of a name alone. */
    LockClient clientForNames() throws InterruptedException {
        return client(builder(connection()));
    }

    MongoCollection<Document> collection(String name) {
        return connection().sync().getDatabase(database).getCollection(name);
    }

    /** Ends a lease without the knowledge of its holder, as a pause of the process longer than the lease does. */
    void endUnnoticed(LockClient locks, String name) {
        if (!locks.forceRelease(locks.inspect(name).orElseThrow())) {
            throw new IllegalStateException(name + " is not held");
        }
    }
}

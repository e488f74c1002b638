package org.mongolocks.example.plain;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gt;
import static com.mongodb.client.model.Sorts.ascending;
import static com.mongodb.client.model.Updates.set;

import com.mongodb.client.MongoCollection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.bson.Document;
import org.mongolocks.Fence;
import org.mongolocks.leader.Candidate;
import org.mongolocks.leader.Term;
import org.mongolocks.leader.sync.Candidacy;
import org.mongolocks.leader.sync.LeaderElection;
import org.mongolocks.sync.FencedCollection;

/** Publishes the messages of an outbox in order, on the one instance that leads. */
final class OutboxPoller {
    private static final int BATCH = 100;

    private final MongoCollection<Document> outbox;
    private final MongoCollection<Document> progress;
    private final Consumer<Document> publisher;

    OutboxPoller(MongoCollection<Document> outbox, MongoCollection<Document> progress, Consumer<Document> publisher) {
        this.outbox = outbox;
        this.progress = progress;
        this.publisher = publisher;
    }

    /** Starts on each instance: one leads and polls, the others wait to succeed it. */
    Candidacy start(LeaderElection election, String instance) {
        return election.lead(Candidate.of("outbox", Duration.ofSeconds(30)).id(instance), this::poll);
    }

    private void poll(Term term) throws InterruptedException {
        FencedCollection<Document> fenced = FencedCollection.of(progress, Fence.of(term.fencingToken()));
        long last = fenced.touchOrCreate(eq("_id", "outbox"), new Document("last", 0L))
                .getLong("last");
        while (term.isLeading()) {
            List<Document> messages = outbox.find(gt("_id", last))
                    .sort(ascending("_id"))
                    .limit(BATCH)
                    .into(new ArrayList<>());
            for (Document message : messages) {
                publisher.accept(message);
                last = message.getLong("_id");
                fenced.update(eq("_id", "outbox"), set("last", last)); // refused if another instance leads by now
            }
            TimeUnit.MILLISECONDS.sleep(messages.isEmpty() ? 500 : 0);
        }
    }
}

package org.mongolocks.example.plain;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.set;

import com.mongodb.client.MongoCollection;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import org.bson.Document;
import org.mongolocks.sync.FencedCollection;
import org.mongolocks.sync.LockClient;

/** A job that runs once in each hour, whatever the number of instances that try. */
final class HourlyJob {
    private final LockClient locks;
    private final MongoCollection<Document> jobs;
    private final InstantSource clock;

    HourlyJob(LockClient locks, MongoCollection<Document> jobs, InstantSource clock) {
        this.locks = locks;
        this.jobs = jobs;
        this.clock = clock;
    }

    /** Runs the job, unless it has run in this hour or another instance runs it. Call it every minute on each instance. */
    boolean runIfDue(String name, Runnable work) throws InterruptedException {
        String hour = clock.instant().truncatedTo(ChronoUnit.HOURS).toString(); // as 2026-01-31T08:00:00Z
        return locks.tryCallWithLock(name, lock -> {
                    FencedCollection<Document> fenced = FencedCollection.of(jobs, lock);
                    Document job = fenced.touchOrCreate(eq("_id", name), new Document("lastRun", ""));
                    if (job.getString("lastRun").compareTo(hour) >= 0) {
                        return false;
                    }
                    work.run();
                    return fenced.update(eq("_id", name), set("lastRun", hour));
                })
                .orElse(false);
    }
}

package org.mongolocks.example.plain;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.set;

import com.mongodb.client.MongoCollection;
import java.time.LocalDate;
import org.bson.Document;
import org.mongolocks.sync.FencedCollection;
import org.mongolocks.sync.LockClient;

/** A job that runs once for each day, on one of the instances whose cron expressions fire. */
final class NightlyJob {
    private final LockClient locks;
    private final MongoCollection<Document> jobs;

    NightlyJob(LockClient locks, MongoCollection<Document> jobs) {
        this.locks = locks;
        this.jobs = jobs;
    }

    /** Returns whether the job was run: not if it has run for this day, or another instance runs it. */
    boolean run(String name, LocalDate day, Runnable work) throws InterruptedException {
        return locks.tryCallWithLock(name, lock -> {
                    FencedCollection<Document> fenced = FencedCollection.of(jobs, lock);
                    Document job = fenced.touchOrCreate(eq("_id", name), new Document("lastDay", ""));
                    if (job.getString("lastDay").compareTo(day.toString()) >= 0) {
                        return false;
                    }
                    work.run();
                    return fenced.update(eq("_id", name), set("lastDay", day.toString()));
                })
                .orElse(false);
    }
}

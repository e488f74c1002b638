package org.mongolocks.example.migrations.published;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.set;

import com.mongodb.client.MongoCollection;
import org.bson.Document;

/** A field of the guarded document. */
final class LockedFlag implements OldLock {
    private final MongoCollection<Document> invoices;

    LockedFlag(MongoCollection<Document> invoices) {
        this.invoices = invoices;
    }

    // begin
    @Override
    public boolean acquire(String invoice) {
        return invoices.findOneAndUpdate(and(eq("_id", invoice), eq("isLocked", false)), set("isLocked", true)) != null;
    }

    @Override
    public void release(String invoice) {
        invoices.updateOne(eq("_id", invoice), set("isLocked", false));
    }
    // end
}

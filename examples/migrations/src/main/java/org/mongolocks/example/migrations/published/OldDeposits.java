package org.mongolocks.example.migrations.published;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.set;

import com.mongodb.client.MongoCollection;
import java.util.Objects;
import org.bson.Document;

final class OldDeposits {
    private final MongoCollection<Document> accounts;

    OldDeposits(MongoCollection<Document> accounts) {
        this.accounts = accounts;
    }

    // begin
    boolean deposit(int number, int amount) {
        Document account =
                Objects.requireNonNull(accounts.find(eq("_id", number)).first());
        int balance = account.getInteger("balance") + amount;
        return accounts.updateOne(
                                and(eq("_id", number), eq("version", account.get("version"))),
                                combine(set("balance", balance), inc("version", 1)))
                        .getModifiedCount()
                == 1;
    }
    // end
}

package org.mongolocks.server;

import static com.mongodb.client.model.Filters.eq;

import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.ReplaceOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.bson.Document;
import org.mongolocks.LockName;

/** The data of the rules about guarded transactions: the documents written in transactions guarded by a lock. */
public final class GuardedDocument {
    static final String COLLECTION = "guarded";

    private static final String LOCK = "lock";
    private static final String WHAT = "what";

    private GuardedDocument() {}

    /** Returns writes of the documents of a lock. */
    public static TransactionBody.Writes of(LockName name, BiConsumer<String, Document> insert) {
        return what -> insert.accept(COLLECTION, new Document(LOCK, name.value()).append(WHAT, what));
    }

    public static void prepare(MongoDatabase database) {
        Document any = new Document("_id", "any");
        database.getCollection(COLLECTION)
                .withWriteConcern(WriteConcern.MAJORITY)
                .replaceOne(any, any, new ReplaceOptions().upsert(true));
    }

    public static List<String> written(MongoDatabase database, LockName name) {
        MongoCollection<Document> data = database.getCollection(COLLECTION)
                .withReadConcern(ReadConcern.LOCAL)
                .withReadPreference(ReadPreference.primary());
        return data.find(eq(LOCK, name.value()))
                .map(document -> document.getString(WHAT))
                .into(new ArrayList<>());
    }

    /** The work of a guarded transaction, for either client. */
    @FunctionalInterface
    public interface TransactionBody {
        /**
         * Does the work.
         *
         * @param writes writes in the transaction
         * @throws Exception if the work fails
         */
        void run(Writes writes) throws Exception;

        /** Writes that are part of the transaction. */
        @FunctionalInterface
        interface Writes {
            /**
             * Writes a document for the lock.
             *
             * @param what the value to write
             */
            void write(String what);
        }
    }
}

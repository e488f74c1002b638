package org.mongolocks.strategy.optimisticversion;

import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.UpdateSpec;

/** The document of an update, with the operations on it. */
record VersionedDocument(String collection, BsonValue id, VersionFields fields) {
    private static final String LABEL = "optimistic-update/";
    private static final String ID = "_id";

    VersionedDocument {
        if (collection.isEmpty()) {
            throw new IllegalArgumentException("collection name must not be empty");
        }
    }

    VersionedDocument with(VersionFields others) {
        return new VersionedDocument(collection, id, others);
    }

    MongoOp look(String label) {
        return new MongoOp.FindOne(LABEL + label, collection, byId(), Optional.empty());
    }

    /** Returns the write of the fields that differ, and of no others, if the version is still that of the document. */
    MongoOp compareAndSet(BsonDocument read, BsonDocument operators, BsonString mark) {
        BsonDocument unchanged = byId();
        unchanged.putAll(fields.unchanged(read));
        BsonDocument counted = fields.counted(operators, fields.of(read) + 1, mark);
        return new MongoOp.FindOneAndUpdate(
                LABEL + "compare-and-set", collection, unchanged, UpdateSpec.operators(counted), false);
    }

    private BsonDocument byId() {
        return new BsonDocument(ID, new BsonDocument("$eq", id));
    }
}

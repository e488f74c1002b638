package org.mongolocks.server;

import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.mongolocks.LockName;

/** Raw access to a collection, bypassing all lock clients. */
public final class RawCollection {
    private final MongoDatabase database;
    private final MongoCollection<BsonDocument> collection;

    public RawCollection(MongoDatabase database, String collection) {
        this.database = database;
        this.collection = database.getCollection(collection, BsonDocument.class)
                .withWriteConcern(WriteConcern.MAJORITY)
                .withReadPreference(ReadPreference.primary());
    }

    /** Stores a document under the name of a lock. */
    public BsonDocument insert(LockName name, String fields) {
        BsonDocument document = new BsonDocument("_id", new BsonString(name.value()));
        document.putAll(BsonDocument.parse(fields));
        collection.insertOne(document);
        return document;
    }

    /** Changes the format mark of a lock document. */
    public BsonDocument remark(LockName name, String format) {
        BsonDocument id = new BsonDocument("_id", new BsonString(name.value()));
        collection.updateOne(id, new BsonDocument("$set", new BsonDocument("format", new BsonString(format))));
        return find(name).orElseThrow();
    }

    /** Changes the owner of a lock, but neither token nor revision. */
    public BsonDocument giveTo(LockName name, String owner) {
        BsonDocument id = new BsonDocument("_id", new BsonString(name.value()));
        collection.updateOne(id, new BsonDocument("$set", new BsonDocument("owner", new BsonString(owner))));
        return find(name).orElseThrow();
    }

    public Optional<BsonDocument> find(LockName name) {
        return Optional.ofNullable(collection
                .find(new BsonDocument("_id", new BsonString(name.value())))
                .first());
    }

    /** Creates the collection with options. */
    public void create(CreateCollectionOptions options) {
        database.createCollection(collection.getNamespace().getCollectionName(), options);
    }

    /** Creates the collection as a view of another. */
    public void createView(String on) {
        database.createView(collection.getNamespace().getCollectionName(), on, List.of());
    }

    public void index(String field, IndexOptions options) {
        collection.createIndex(Indexes.ascending(field), options);
    }

    public boolean exists() {
        String name = collection.getNamespace().getCollectionName();
        return database.listCollectionNames().into(new ArrayList<>()).contains(name);
    }

    public List<BsonDocument> indexes() {
        return collection.listIndexes(BsonDocument.class).into(new ArrayList<>());
    }
}

package org.mongolocks.study.process.parent;

import com.mongodb.client.MongoDatabase;
import java.time.InstantSource;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.mongolocks.study.technique.RealTechniques;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Textbook;

/**
 * Creates the indexes and documents that an article expects; strategies of the library create their own.
 *
 * @param database the database
 * @param collection the name of the collection
 */
record CollectionSetup(MongoDatabase database, String collection) {
    void prepare(Technique technique) {
        if (technique.strategies().apply(InstantSource.system()) instanceof Textbook textbook) {
            textbook.indexes().forEach(this::index);
            textbook.documents(RealTechniques.LOCK)
                    .forEach(document -> database.getCollection(collection, BsonDocument.class)
                            .insertOne(document));
        }
    }

    private void index(BsonDocument index) {
        database.runCommand(new BsonDocument("createIndexes", new BsonString(collection))
                .append("indexes", new BsonArray(List.of(index))));
    }
}

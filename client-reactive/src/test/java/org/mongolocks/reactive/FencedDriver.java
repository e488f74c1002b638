package org.mongolocks.reactive;

import com.mongodb.MongoClientSettings;
import java.util.List;
import java.util.Optional;
import org.bson.Document;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;
import org.mongolocks.Fence;
import org.mongolocks.contract.setup.ContractServer;
import org.mongolocks.contract.setup.DriverClients;
import org.mongolocks.sync.FencedCollection;

/** A fenced collection of either driver, with blocking methods. */
enum FencedDriver {
    SYNC {
        @Override
        Fenced open(DriverClients connection, String name, CodecRegistry codecs, Fence fence) {
            return new OnSync(FencedCollection.of(
                    connection
                            .sync()
                            .getDatabase(ContractServer.DATABASE)
                            .getCollection(name)
                            .withCodecRegistry(codecs),
                    fence));
        }
    },
    REACTIVE {
        @Override
        Fenced open(DriverClients connection, String name, CodecRegistry codecs, Fence fence) {
            return new OnReactive(ReactiveFencedCollection.of(
                    connection
                            .reactive()
                            .getDatabase(ContractServer.DATABASE)
                            .getCollection(name)
                            .withCodecRegistry(codecs),
                    fence));
        }
    };

    abstract Fenced open(DriverClients connection, String name, CodecRegistry codecs, Fence fence);

    Fenced open(DriverClients connection, String name, Fence fence) {
        return open(connection, name, MongoClientSettings.getDefaultCodecRegistry(), fence);
    }

    interface Fenced {
        Optional<Document> touch(Bson filter);

        Document touchOrCreate(Bson filter, Bson initial);

        boolean update(Bson filter, Bson update);

        boolean update(Bson filter, List<? extends Bson> stages);
    }

    private record OnSync(FencedCollection<Document> documents) implements Fenced {
        @Override
        public Optional<Document> touch(Bson filter) {
            return documents.touch(filter);
        }

        @Override
        public Document touchOrCreate(Bson filter, Bson initial) {
            return documents.touchOrCreate(filter, initial);
        }

        @Override
        public boolean update(Bson filter, Bson update) {
            return documents.update(filter, update);
        }

        @Override
        public boolean update(Bson filter, List<? extends Bson> stages) {
            return documents.update(filter, stages);
        }
    }

    private record OnReactive(ReactiveFencedCollection<Document> documents) implements Fenced {
        @Override
        public Optional<Document> touch(Bson filter) {
            return documents.touch(filter).blockOptional();
        }

        @Override
        public Document touchOrCreate(Bson filter, Bson initial) {
            return documents.touchOrCreate(filter, initial).blockOptional().orElseThrow();
        }

        @Override
        public boolean update(Bson filter, Bson update) {
            return documents.update(filter, update).blockOptional().orElseThrow();
        }

        @Override
        public boolean update(Bson filter, List<? extends Bson> stages) {
            return documents.update(filter, stages).blockOptional().orElseThrow();
        }
    }
}

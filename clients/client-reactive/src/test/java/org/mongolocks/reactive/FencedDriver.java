package org.mongolocks.reactive;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.DeleteOptions;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.WriteModel;
import com.mongodb.reactivestreams.client.ClientSession;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.bson.Document;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;
import org.mongolocks.Fence;
import org.mongolocks.server.ContractServer;
import org.mongolocks.server.DriverClients;
import org.mongolocks.sync.FencedCollection;
import reactor.core.publisher.Mono;

/** A fenced collection of either driver, with blocking methods. */
enum FencedDriver {
    SYNC {
        @Override
        <T> Fenced<T> open(DriverClients connection, String name, Class<T> type, CodecRegistry codecs, Fence fence) {
            return new OnSync<>(
                    connection,
                    FencedCollection.of(
                            connection
                                    .sync()
                                    .getDatabase(ContractServer.DATABASE)
                                    .getCollection(name, type)
                                    .withCodecRegistry(codecs),
                            fence));
        }
    },
    REACTIVE {
        @Override
        <T> Fenced<T> open(DriverClients connection, String name, Class<T> type, CodecRegistry codecs, Fence fence) {
            return new OnReactive<>(
                    connection,
                    ReactiveFencedCollection.of(
                            connection
                                    .reactive()
                                    .getDatabase(ContractServer.DATABASE)
                                    .getCollection(name, type)
                                    .withCodecRegistry(codecs),
                            fence));
        }
    };

    abstract <T> Fenced<T> open(
            DriverClients connection, String name, Class<T> type, CodecRegistry codecs, Fence fence);

    Fenced<Document> open(DriverClients connection, String name, CodecRegistry codecs, Fence fence) {
        return open(connection, name, Document.class, codecs, fence);
    }

    Fenced<Document> open(DriverClients connection, String name, Fence fence) {
        return open(connection, name, MongoClientSettings.getDefaultCodecRegistry(), fence);
    }

    interface Fenced<T> {
        Optional<T> touch(Bson filter);

        T touchOrCreate(Bson filter, Bson initial);

        long touchAll(Bson filter);

        boolean update(Bson filter, Bson update);

        boolean update(Bson filter, Bson update, UpdateOptions options);

        boolean update(Bson filter, List<? extends Bson> stages);

        boolean update(Bson filter, List<? extends Bson> stages, UpdateOptions options);

        boolean replace(Bson filter, T replacement);

        boolean replace(Bson filter, T replacement, ReplaceOptions options);

        boolean delete(Bson filter);

        boolean delete(Bson filter, DeleteOptions options);

        long bulkWrite(List<? extends WriteModel<? extends T>> writes);

        long bulkWrite(List<? extends WriteModel<? extends T>> writes, BulkWriteOptions options);

        /** Runs work in a transaction, which is aborted if the work throws. */
        void inTransaction(Consumer<Fenced<T>> work);
    }

    private record OnSync<T>(DriverClients connection, FencedCollection<T> documents) implements Fenced<T> {
        @Override
        public Optional<T> touch(Bson filter) {
            return documents.touch(filter);
        }

        @Override
        public T touchOrCreate(Bson filter, Bson initial) {
            return documents.touchOrCreate(filter, initial);
        }

        @Override
        public long touchAll(Bson filter) {
            return documents.touchAll(filter);
        }

        @Override
        public boolean update(Bson filter, Bson update) {
            return documents.update(filter, update);
        }

        @Override
        public boolean update(Bson filter, Bson update, UpdateOptions options) {
            return documents.update(filter, update, options);
        }

        @Override
        public boolean update(Bson filter, List<? extends Bson> stages) {
            return documents.update(filter, stages);
        }

        @Override
        public boolean update(Bson filter, List<? extends Bson> stages, UpdateOptions options) {
            return documents.update(filter, stages, options);
        }

        @Override
        public boolean replace(Bson filter, T replacement) {
            return documents.replace(filter, replacement);
        }

        @Override
        public boolean replace(Bson filter, T replacement, ReplaceOptions options) {
            return documents.replace(filter, replacement, options);
        }

        @Override
        public boolean delete(Bson filter) {
            return documents.delete(filter);
        }

        @Override
        public boolean delete(Bson filter, DeleteOptions options) {
            return documents.delete(filter, options);
        }

        @Override
        public long bulkWrite(List<? extends WriteModel<? extends T>> writes) {
            return documents.bulkWrite(writes);
        }

        @Override
        public long bulkWrite(List<? extends WriteModel<? extends T>> writes, BulkWriteOptions options) {
            return documents.bulkWrite(writes, options);
        }

        @Override
        public void inTransaction(Consumer<Fenced<T>> work) {
            try (com.mongodb.client.ClientSession session = connection.sync().startSession()) {
                session.startTransaction();
                work.accept(new OnSync<>(connection, documents.in(session)));
                session.commitTransaction();
            }
        }
    }

    private record OnReactive<T>(DriverClients connection, ReactiveFencedCollection<T> documents) implements Fenced<T> {
        @Override
        public Optional<T> touch(Bson filter) {
            return documents.touch(filter).blockOptional();
        }

        @Override
        public T touchOrCreate(Bson filter, Bson initial) {
            return result(documents.touchOrCreate(filter, initial));
        }

        @Override
        public long touchAll(Bson filter) {
            return result(documents.touchAll(filter));
        }

        @Override
        public boolean update(Bson filter, Bson update) {
            return result(documents.update(filter, update));
        }

        @Override
        public boolean update(Bson filter, Bson update, UpdateOptions options) {
            return result(documents.update(filter, update, options));
        }

        @Override
        public boolean update(Bson filter, List<? extends Bson> stages) {
            return result(documents.update(filter, stages));
        }

        @Override
        public boolean update(Bson filter, List<? extends Bson> stages, UpdateOptions options) {
            return result(documents.update(filter, stages, options));
        }

        @Override
        public boolean replace(Bson filter, T replacement) {
            return result(documents.replace(filter, replacement));
        }

        @Override
        public boolean replace(Bson filter, T replacement, ReplaceOptions options) {
            return result(documents.replace(filter, replacement, options));
        }

        @Override
        public boolean delete(Bson filter) {
            return result(documents.delete(filter));
        }

        @Override
        public boolean delete(Bson filter, DeleteOptions options) {
            return result(documents.delete(filter, options));
        }

        @Override
        public long bulkWrite(List<? extends WriteModel<? extends T>> writes) {
            return result(documents.bulkWrite(writes));
        }

        @Override
        public long bulkWrite(List<? extends WriteModel<? extends T>> writes, BulkWriteOptions options) {
            return result(documents.bulkWrite(writes, options));
        }

        @Override
        public void inTransaction(Consumer<Fenced<T>> work) {
            try (ClientSession session = result(Mono.from(connection.reactive().startSession()))) {
                session.startTransaction();
                work.accept(new OnReactive<>(connection, documents.in(session)));
                Mono.from(session.commitTransaction()).block();
            }
        }

        private static <R> R result(Mono<R> result) {
            return result.blockOptional().orElseThrow();
        }
    }
}

package org.mongolocks.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.mongolocks.internal.settings.ClientOptions;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.internal.wait.ReleaseEvents.ChangeFeed;
import org.mongolocks.spi.LockStrategy;

/** Tests of a stream that never reaches a server. */
class SyncChangeFeedTest {
    private final List<MongoException> failures = new ArrayList<>();

    /** Its waiters would wait for events that never come. */
    @Test
    void streamWhoseThreadCannotStartFails() {
        try (MongoClient mongo = MongoClients.create("mongodb://127.0.0.1:1")) {
            MongoDatabase database = mongo.getDatabase("test");
            ClientSettings settings = new ClientOptions<ClientSettings>(ClientOptions::settings)
                    .strategy(unused())
                    .collection("locks")
                    .build();
            ChangeFeed feed = new SyncChangeFeed(() -> database, settings, (name, work) -> new Unstartable());

            assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> feed.open(List.of(), new Failures()));

            assertThat(failures).hasSize(1);
        }
    }

    private static final class Unstartable extends Thread {
        @Override
        public synchronized void start() {
            throw new OutOfMemoryError("unable to create native thread, for a test");
        }
    }

    private final class Failures implements ChangeFeed.Listener {
        @Override
        public void opened() {
            throw new AssertionError("There is no server");
        }

        @Override
        public void changed(BsonDocument change) {
            throw new AssertionError("There is no server");
        }

        @Override
        public void quiet() {
            throw new AssertionError("There is no server");
        }

        @Override
        public void failed(MongoException cause) {
            failures.add(cause);
        }
    }

    private static LockStrategy unused() {
        return (LockStrategy) Proxy.newProxyInstance(
                LockStrategy.class.getClassLoader(), new Class<?>[] {LockStrategy.class}, (proxy, method, args) -> {
                    throw new UnsupportedOperationException(method.getName());
                });
    }
}

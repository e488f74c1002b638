package org.mongolocks.benchmarks.server;

import java.time.Duration;
import org.mongolocks.embedded.EmbeddedMongo;

/** An embedded server. No other type here depends on its implementation. */
final class EmbeddedTarget implements AutoCloseable {
    private final EmbeddedMongo mongo;

    EmbeddedTarget(Duration majorityLag) {
        this.mongo = EmbeddedMongo.builder().majorityLag(majorityLag).start();
    }

    String uri() {
        return mongo.connectionString();
    }

    @Override
    public void close() {
        mongo.close();
    }
}

package org.mongolocks.benchmarks.server;

import org.mongolocks.embedded.EmbeddedMongo;

/** Is an embedded server; nothing else here knows it. */
final class EmbeddedServer implements AutoCloseable {
    private final EmbeddedMongo mongo = EmbeddedMongo.start();

    String uri() {
        return mongo.connectionString();
    }

    @Override
    public void close() {
        mongo.close();
    }
}

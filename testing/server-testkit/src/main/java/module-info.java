/**
 * The server that tests run on, its clock, and the faults on the way to it.
 *
 * <p>Testcontainers is used from the class path: two of its jars share a package, so that no module can require both.
 */
@org.jspecify.annotations.NullMarked
module org.mongolocks.server {
    requires transitive org.mongolocks;
    requires transitive org.junit.jupiter.api;
    requires org.mongodb.driver.sync.client;
    requires org.mongodb.driver.reactivestreams;
    requires reactor.core;
    requires java.logging;
    requires org.mongolocks.embedded;
    requires org.mongolocks.proxy;
    requires org.assertj.core;

    exports org.mongolocks.server;
}

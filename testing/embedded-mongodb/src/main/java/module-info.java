/** An in-JVM MongoDB for tests, demos and simulation. */
@org.jspecify.annotations.NullMarked
module org.mongolocks.embedded {
    requires transitive mongo.java.server.core;
    requires io.netty.buffer;
    requires io.netty.codec;
    requires io.netty.common;
    requires io.netty.transport;
    // mongo-java-server logs with it, and a jar without a descriptor requires nothing.
    requires org.slf4j;
    requires static org.jspecify;

    exports org.mongolocks.embedded;
}

/** An in-JVM MongoDB for tests, demos and simulation. */
@org.jspecify.annotations.NullMarked
module org.mongolocks.embedded {
    requires transitive mongo.java.server.core;
    requires io.netty.buffer;
    requires io.netty.codec;
    requires io.netty.common;
    requires io.netty.transport;
    requires static org.jspecify;

    exports org.mongolocks.embedded;
}

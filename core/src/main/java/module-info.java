/** The lock API, the strategy SPI and the engine between them, with the threads that the clients start: no I/O. */
@org.jspecify.annotations.NullMarked
module org.mongolocks {
    requires transitive org.mongodb.bson;
    requires transitive org.mongodb.driver.core;
    requires io.github.resilience4j.core;
    requires io.github.resilience4j.retry;
    requires static transitive org.jspecify;

    exports org.mongolocks;
    exports org.mongolocks.spi;
    exports org.mongolocks.spi.lease;
    exports org.mongolocks.internal.acquire to
            org.mongolocks.sync,
            org.mongolocks.reactive,
            org.mongolocks.study;
    exports org.mongolocks.internal.base to
            org.mongolocks.leader,
            org.mongolocks.sync,
            org.mongolocks.reactive;
    exports org.mongolocks.internal.engine to
            org.mongolocks.sync,
            org.mongolocks.reactive,
            org.mongolocks.study;
    exports org.mongolocks.internal.fence to
            org.mongolocks.sync,
            org.mongolocks.reactive,
            org.mongolocks.study;
    exports org.mongolocks.internal.hold to
            org.mongolocks.sync,
            org.mongolocks.reactive,
            org.mongolocks.study;
    exports org.mongolocks.internal.optimistic to
            org.mongolocks.sync,
            org.mongolocks.reactive;
    exports org.mongolocks.internal.reentrant to
            org.mongolocks.sync,
            org.mongolocks.reactive,
            org.mongolocks.study;
    exports org.mongolocks.internal.run to
            org.mongolocks.leader,
            org.mongolocks.protocol,
            org.mongolocks.sync,
            org.mongolocks.reactive,
            org.mongolocks.contract,
            org.mongolocks.server,
            org.mongolocks.study;
    exports org.mongolocks.internal.schema to
            org.mongolocks.sync,
            org.mongolocks.reactive,
            org.mongolocks.study;
    exports org.mongolocks.internal.settings to
            org.mongolocks.sync,
            org.mongolocks.reactive,
            org.mongolocks.leader,
            org.mongolocks.contract,
            org.mongolocks.server,
            org.mongolocks.study;
    exports org.mongolocks.time to
            org.mongolocks.sync,
            org.mongolocks.reactive,
            org.mongolocks.leader,
            org.mongolocks.contract,
            org.mongolocks.server,
            org.mongolocks.study;
    exports org.mongolocks.internal.wait to
            org.mongolocks.sync,
            org.mongolocks.reactive,
            org.mongolocks.study;

    uses org.mongolocks.spi.LockStrategy;
}

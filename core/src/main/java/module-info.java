/** The lock API, the strategy SPI and the engine between them: no I/O, no thread. */
@org.jspecify.annotations.NullMarked
module org.mongolocks {
    requires transitive org.mongodb.bson;
    requires transitive org.mongodb.driver.core;
    requires transitive io.github.resilience4j.core;
    requires transitive io.github.resilience4j.retry;
    requires static transitive org.jspecify;

    exports org.mongolocks;
    exports org.mongolocks.spi;
    exports org.mongolocks.internal to
            org.mongolocks.sync,
            org.mongolocks.reactive,
            org.mongolocks.study;

    uses org.mongolocks.spi.LockStrategy;
}

/** The contract that every lock strategy keeps, as tests. */
@org.jspecify.annotations.NullMarked
module org.mongolocks.contract {
    requires transitive org.mongolocks;
    requires transitive org.junit.jupiter;
    requires org.mongolocks.sync;
    requires org.mongolocks.reactive;
    requires org.mongolocks.embedded;
    requires org.assertj.core;
    requires org.testcontainers;
    requires org.testcontainers.mongodb;

    exports org.mongolocks.contract;
}

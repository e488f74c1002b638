/**
 * The contracts that every lock strategy, and every integration, keeps, as tests.
 *
 * <p>Testcontainers is used from the class path: two of its jars share a package, so that no module can require both.
 */
@org.jspecify.annotations.NullMarked
module org.mongolocks.contract {
    requires transitive org.mongolocks;
    requires transitive org.junit.jupiter.api;
    requires transitive org.junit.jupiter.params;
    requires java.compiler;
    requires org.mongolocks.sync;
    requires org.mongolocks.reactive;
    requires org.mongolocks.embedded;
    requires org.mongolocks.proxy;
    requires org.assertj.core;

    exports org.mongolocks.contract;
    exports org.mongolocks.contract.adapter;
    exports org.mongolocks.contract.integration;
    exports org.mongolocks.contract.rules;
    exports org.mongolocks.contract.setup;
}

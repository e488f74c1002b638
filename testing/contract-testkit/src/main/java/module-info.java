/** The contracts that every lock strategy, and every integration, keeps, as tests. */
@org.jspecify.annotations.NullMarked
module org.mongolocks.contract {
    requires transitive org.mongolocks.blocking;
    requires transitive org.mongolocks.server;
    requires transitive org.junit.jupiter.api;
    requires transitive org.junit.jupiter.params;
    requires java.compiler;
    requires java.logging;
    requires org.mongolocks.proxy;
    requires org.assertj.core;

    exports org.mongolocks.contract;
    exports org.mongolocks.contract.adapter;
    exports org.mongolocks.contract.integration;
    exports org.mongolocks.contract.rules;
}

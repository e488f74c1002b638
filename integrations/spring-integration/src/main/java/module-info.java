/** A lock registry, and events of leader election, for Spring Integration. */
@org.jspecify.annotations.NullMarked
module org.mongolocks.spring.integration {
    requires transitive org.mongolocks.sync;
    requires static org.mongolocks.leader;
    requires transitive spring.integration.core;
    requires transitive spring.context;
    requires spring.tx;
    requires static org.jspecify;

    exports org.mongolocks.spring.integration;
}

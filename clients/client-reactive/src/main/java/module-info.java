/** Locks on the reactive-streams MongoDB driver. */
@org.jspecify.annotations.NullMarked
module org.mongolocks.reactive {
    requires transitive org.mongolocks;
    requires transitive org.mongodb.driver.reactivestreams;
    requires transitive org.reactivestreams;
    requires transitive reactor.core;

    exports org.mongolocks.reactive;
}

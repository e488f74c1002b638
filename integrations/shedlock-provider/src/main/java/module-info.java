/** Lock providers of ShedLock on MongoDB, for either client. */
@org.jspecify.annotations.NullMarked
module org.mongolocks.shedlock {
    requires transitive org.mongolocks;
    requires static org.mongolocks.sync;
    requires static org.mongolocks.reactive;
    requires transitive net.javacrumbs.shedlock.core;
    requires static org.jspecify;

    exports org.mongolocks.shedlock;
}

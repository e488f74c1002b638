/** Lock providers of ShedLock on MongoDB, for either client. */
@org.jspecify.annotations.NullMarked
module org.mongolocks.shedlock {
    requires transitive org.mongolocks;
    requires static transitive org.mongolocks.sync;
    requires static transitive org.mongolocks.reactive;
    requires transitive net.javacrumbs.shedlock.core;
    requires static org.jspecify;

    exports org.mongolocks.shedlock;
}

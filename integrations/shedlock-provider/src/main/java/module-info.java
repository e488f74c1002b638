/** A lock provider of ShedLock on MongoDB. */
@org.jspecify.annotations.NullMarked
module org.mongolocks.shedlock {
    requires transitive org.mongolocks.sync;
    requires transitive net.javacrumbs.shedlock.core;
    requires static org.jspecify;

    exports org.mongolocks.shedlock;
}

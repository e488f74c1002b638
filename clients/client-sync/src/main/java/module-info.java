/** Locks on the synchronous MongoDB driver. */
@org.jspecify.annotations.NullMarked
module org.mongolocks.sync {
    requires transitive org.mongolocks;
    requires transitive org.mongodb.driver.sync.client;

    exports org.mongolocks.sync;
}

/** Jobs of Spring Batch under a lock. */
@org.jspecify.annotations.NullMarked
module org.mongolocks.spring.batch {
    requires transitive org.mongolocks.sync;
    requires transitive spring.batch.core;
    requires transitive spring.core;
    requires spring.batch.infrastructure;
    requires static org.jspecify;

    exports org.mongolocks.spring.batch;
}

/** Leader election on the locks of mongo-locks, for either client. */
@org.jspecify.annotations.NullMarked
module org.mongolocks.leader {
    requires transitive org.mongolocks;
    requires static org.mongolocks.sync;
    requires static org.mongolocks.reactive;
    requires static org.jspecify;

    exports org.mongolocks.leader;
    exports org.mongolocks.leader.sync;
    exports org.mongolocks.leader.reactive;
    exports org.mongolocks.leader.internal to
            org.mongolocks.study;
}

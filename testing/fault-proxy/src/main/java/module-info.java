/**
 * A proxy between a driver and a MongoDB that injects faults into messages, and child processes that can be suspended and
 * killed. For the tests, the study and the benchmarks of this project.
 */
@org.jspecify.annotations.NullMarked
module org.mongolocks.proxy {
    requires transitive org.mongodb.bson;
    requires static org.jspecify;

    exports org.mongolocks.process to
            org.mongolocks.study;
    exports org.mongolocks.proxy to
            org.mongolocks.contract,
            org.mongolocks.server,
            org.mongolocks.study;
}

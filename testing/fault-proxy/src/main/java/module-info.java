/**
 * A proxy between a driver and a MongoDB that injects faults into messages. For the tests and the study of this
 * project.
 */
@org.jspecify.annotations.NullMarked
module org.mongolocks.proxy {
    requires transitive org.mongodb.bson;
    requires static org.jspecify;

    exports org.mongolocks.proxy to
            org.mongolocks.contract,
            org.mongolocks.contract.setup,
            org.mongolocks.study;
}

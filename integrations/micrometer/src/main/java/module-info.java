/** Meters and observations of locks, for Micrometer. */
@org.jspecify.annotations.NullMarked
module org.mongolocks.micrometer {
    requires transitive org.mongolocks;
    requires transitive micrometer.commons;
    requires transitive micrometer.core;
    requires transitive micrometer.observation;
    requires static org.mongolocks.sync;
    requires static org.mongolocks.reactive;
    requires static org.jspecify;

    exports org.mongolocks.micrometer;
}

/** The clients of both drivers behind one interface with blocking methods, for the contract, the study and the benchmarks. */
@org.jspecify.annotations.NullMarked
module org.mongolocks.blocking {
    requires transitive org.mongolocks.sync;
    requires transitive org.mongolocks.reactive;

    exports org.mongolocks.blocking;
}

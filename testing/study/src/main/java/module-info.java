/** The correctness study: the guarantees of each technique, and the faults that break them. A program; nothing is exported. */
@org.jspecify.annotations.NullMarked
module org.mongolocks.study {
    requires org.mongolocks;
    requires org.mongolocks.blocking;
    requires org.mongolocks.embedded;
    requires org.mongolocks.leader;
    requires org.mongolocks.peers;
    requires org.mongolocks.proxy;
    requires org.mongolocks.reporting;
    requires info.picocli;
    requires java.logging;
    requires java.sql;
    requires static org.jspecify;

    opens org.mongolocks.study to
            info.picocli,
            org.mongolocks.reporting;

    // The driver writes and reads their records as JSON.
    opens org.mongolocks.study.process;
    opens org.mongolocks.study.process.message;

    // Templates are resources of this package, and read its objects.
    opens org.mongolocks.study.report;

    uses org.mongolocks.spi.LockStrategy;
}

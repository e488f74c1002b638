/** The correctness study: the guarantees of each technique, and the faults that break them. A program; nothing is exported. */
@org.jspecify.annotations.NullMarked
module org.mongolocks.study {
    requires org.mongolocks;
    requires org.mongolocks.embedded;
    requires org.mongolocks.html;
    requires org.mongolocks.leader;
    requires org.mongolocks.proxy;
    requires org.mongolocks.reactive;
    requires org.mongolocks.sync;
    requires info.picocli;
    requires java.logging;
    requires static org.jspecify;

    opens org.mongolocks.study to
            info.picocli;

    uses org.mongolocks.spi.LockStrategy;
}

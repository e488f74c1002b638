/** Tests for the protocol of a lock strategy, without a server. */
@org.jspecify.annotations.NullMarked
module org.mongolocks.protocol {
    requires transitive org.mongolocks;
    requires transitive org.junit.jupiter.api;
    requires org.assertj.core;

    exports org.mongolocks.protocol;
}

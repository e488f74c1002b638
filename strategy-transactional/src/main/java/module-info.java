/** The strategy {@code transactional}: it locks by a transaction. */
@org.jspecify.annotations.NullMarked
module org.mongolocks.strategy.transactional {
    requires transitive org.mongolocks;

    exports org.mongolocks.strategy.transactional;

    provides org.mongolocks.spi.LockStrategy with
            org.mongolocks.strategy.transactional.TransactionalStrategy;
}

/** The strategy {@code insert-unique}: it locks by the unique {@code _id}. */
@org.jspecify.annotations.NullMarked
module org.mongolocks.strategy.insertunique {
    requires transitive org.mongolocks;

    exports org.mongolocks.strategy.insertunique;

    provides org.mongolocks.spi.LockStrategy with
            org.mongolocks.strategy.insertunique.InsertUniqueStrategy;
}

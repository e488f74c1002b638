/** The strategies {@code optimistic-version} and {@code optimistic-version-clock-free}: locks by compare-and-set. */
@org.jspecify.annotations.NullMarked
module org.mongolocks.strategy.optimisticversion {
    requires transitive org.mongolocks;

    exports org.mongolocks.strategy.optimisticversion;

    provides org.mongolocks.spi.LockStrategy with
            org.mongolocks.strategy.optimisticversion.OptimisticVersionStrategy,
            org.mongolocks.strategy.optimisticversion.ClockFreeVersionStrategy;
}

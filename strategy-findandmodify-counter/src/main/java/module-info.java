/** The strategy {@code findandmodify-counter}: it locks by one {@code findAndModify}. */
@org.jspecify.annotations.NullMarked
module org.mongolocks.strategy.findandmodifycounter {
    requires transitive org.mongolocks;

    exports org.mongolocks.strategy.findandmodifycounter;

    provides org.mongolocks.spi.LockStrategy with
            org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;
}

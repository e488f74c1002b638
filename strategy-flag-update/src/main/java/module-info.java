/** The strategy {@code flag-update}: it locks by setting a flag. */
@org.jspecify.annotations.NullMarked
module org.mongolocks.strategy.flagupdate {
    requires transitive org.mongolocks;

    exports org.mongolocks.strategy.flagupdate;

    provides org.mongolocks.spi.LockStrategy with
            org.mongolocks.strategy.flagupdate.FlagUpdateStrategy;
}

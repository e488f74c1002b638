package org.mongolocks.study.process;

import java.time.InstantSource;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.Trait;
import org.mongolocks.study.technique.Technique;

/** Says what cannot be run here, and why. */
final class Obstacles {
    /** Its insert is in a transaction too; an article declares no traits. */
    private static final Set<String> TRANSACTIONS = Set.of("textbook-transaction-insert");

    /** What there is here. */
    private final Set<Asset> assets;

    /** Is something that a row or a column needs. */
    enum Asset {
        /** The program that makes wall clocks wrong. */
        FAKETIME,
        /** Processes can be stopped and continued. */
        SIGNALS,
        /** The server has transactions. */
        TRANSACTIONS,
        /** What is said to the server can be read on its way. */
        PLAIN_TEXT
    }

    Obstacles(Set<Asset> assets) {
        this.assets = assets;
    }

    static Obstacles at(Site site) {
        boolean isWindows =
                System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("windows");
        Set<Asset> assets = EnumSet.allOf(Asset.class);
        removeUnless(Faketime.find().isPresent(), Asset.FAKETIME, assets);
        removeUnless(!isWindows, Asset.SIGNALS, assets);
        removeUnless(!site.isStandalone(), Asset.TRANSACTIONS, assets);
        removeUnless(!site.isEncrypted(), Asset.PLAIN_TEXT, assets);
        return new Obstacles(assets);
    }

    private static void removeUnless(boolean isThere, Asset asset, Set<Asset> assets) {
        if (!isThere) {
            assets.remove(asset);
        }
    }

    /** Says why a row cannot be run; empty if it can. */
    Optional<String> to(ProcessScenario scenario) {
        if (scenario.clock().isPresent() && lacks(Asset.FAKETIME)) {
            return Optional.of("needs the library of faketime (libfaketimeMT.so.1; Debian: apt-get install faketime)");
        }
        if (scenario.mishap().isPresent() && lacks(Asset.SIGNALS)) {
            return Optional.of("needs signals, which Windows does not have");
        }
        return scenario.interference().isPresent() && lacks(Asset.PLAIN_TEXT)
                ? Optional.of("needs a proxy, which cannot see into TLS")
                : Optional.empty();
    }

    /** Says why a column cannot be run; empty if it can. */
    Optional<String> to(Technique technique) {
        LockStrategy strategy = technique.strategies().apply(InstantSource.system());
        boolean needsTransactions =
                strategy.traits().contains(Trait.NEEDS_TRANSACTIONS) || TRANSACTIONS.contains(technique.name());
        return needsTransactions && lacks(Asset.TRANSACTIONS)
                ? Optional.of(
                        "needs transactions, and so a replica set or a sharded cluster; the server is a standalone")
                : Optional.empty();
    }

    private boolean lacks(Asset asset) {
        return !assets.contains(asset);
    }
}

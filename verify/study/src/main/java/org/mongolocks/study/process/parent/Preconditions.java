package org.mongolocks.study.process.parent;

import java.time.InstantSource;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.Trait;
import org.mongolocks.study.process.fault.Faketime;
import org.mongolocks.study.technique.Technique;

/** Returns which scenarios and techniques cannot be run here, and why. */
final class Preconditions {
    /** A technique of an article that needs transactions; it declares no traits. */
    private static final Set<String> TRANSACTIONS = Set.of("textbook-transaction-insert");

    /** The available facilities. */
    private final Set<Asset> assets;

    /** A precondition of a row or a column. */
    enum Asset {
        /** The program that sets wall clocks wrong. */
        FAKETIME,
        /** Processes can be stopped and continued by signals. */
        SIGNALS,
        /** The server has transactions. */
        TRANSACTIONS,
        /** The connection to the server is not encrypted, so that a proxy can read it. */
        PLAIN_TEXT
    }

    Preconditions(Set<Asset> assets) {
        this.assets = assets;
    }

    static Preconditions at(TestDatabase database) {
        boolean isWindows =
                System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("windows");
        Set<Asset> assets = EnumSet.allOf(Asset.class);
        removeUnless(Faketime.find().isPresent(), Asset.FAKETIME, assets);
        removeUnless(!isWindows, Asset.SIGNALS, assets);
        removeUnless(!database.isStandalone(), Asset.TRANSACTIONS, assets);
        removeUnless(!database.isEncrypted(), Asset.PLAIN_TEXT, assets);
        return new Preconditions(assets);
    }

    private static void removeUnless(boolean isThere, Asset asset, Set<Asset> assets) {
        if (!isThere) {
            assets.remove(asset);
        }
    }

    /** Returns why a row cannot be run; empty if it can. */
    Optional<String> to(ProcessScenario scenario) {
        if (scenario.clock().isPresent() && lacks(Asset.FAKETIME)) {
            return Optional.of("needs the library of faketime (libfaketimeMT.so.1; Debian: apt-get install faketime)");
        }
        if (scenario.processFault().isPresent() && lacks(Asset.SIGNALS)) {
            return Optional.of("needs signals, which Windows does not have");
        }
        return scenario.interference().isPresent() && lacks(Asset.PLAIN_TEXT)
                ? Optional.of("needs a proxy, which cannot see into TLS")
                : Optional.empty();
    }

    /** Returns why a column cannot be run; empty if it can. */
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

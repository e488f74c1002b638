package org.mongolocks.study.process;

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

    private final boolean isWindows =
            System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("windows");
    private final boolean hasFaketime = Faketime.find().isPresent();
    private final boolean isStandalone;
    private final boolean isEncrypted;

    Obstacles(Site site) {
        this.isStandalone = site.isStandalone();
        this.isEncrypted = site.isEncrypted();
    }

    /** Says why a row cannot be run; empty if it can. */
    Optional<String> to(ProcessScenario scenario) {
        if (scenario.clock().isPresent() && !hasFaketime) {
            return Optional.of("needs the library of faketime (libfaketimeMT.so.1; Debian: apt-get install faketime)");
        }
        if (scenario.mishap().isPresent() && isWindows) {
            return Optional.of("needs signals, which Windows does not have");
        }
        return scenario.interference().isPresent() && isEncrypted
                ? Optional.of("needs a proxy, which cannot see into TLS")
                : Optional.empty();
    }

    /** Says why a column cannot be run; empty if it can. */
    Optional<String> to(Technique technique) {
        LockStrategy strategy = technique.strategies().apply(java.time.InstantSource.system());
        boolean needsTransactions =
                strategy.traits().contains(Trait.NEEDS_TRANSACTIONS) || TRANSACTIONS.contains(technique.name());
        return needsTransactions && isStandalone
                ? Optional.of(
                        "needs transactions, and so a replica set or a sharded cluster; the server is a standalone")
                : Optional.empty();
    }
}

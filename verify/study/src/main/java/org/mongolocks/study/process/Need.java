package org.mongolocks.study.process;

import java.time.InstantSource;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.mongolocks.spi.LockStrategy.Trait;
import org.mongolocks.study.process.fault.WrongClock;
import org.mongolocks.study.technique.Technique;

/** What a scenario or a technique needs in order to run. */
enum Need {
    FAKETIME("needs the library of faketime (libfaketimeMT.so.1; Debian: apt-get install faketime)"),
    SIGNALS("needs signals, which Windows does not have"),
    PLAIN_TEXT("needs a proxy, which cannot see into TLS"),
    TRANSACTIONS("needs transactions, and so a replica set or a sharded cluster; the server is a standalone");

    /** A technique of an article that needs transactions; it declares no traits. */
    private static final String TRANSACTION_INSERT = "textbook-transaction-insert";

    private final String sentence;

    Need(String sentence) {
        this.sentence = sentence;
    }

    /** Returns the needs of a technique. */
    static Set<Need> of(Technique technique) {
        return technique.name().equals(TRANSACTION_INSERT) || isTransactional(technique)
                ? EnumSet.of(TRANSACTIONS)
                : EnumSet.noneOf(Need.class);
    }

    /** Returns whether an orphaned transaction may block its locks, until the server ends the transaction. */
    static boolean isTransactional(Technique technique) {
        return technique.strategies().apply(InstantSource.system()).traits().contains(Trait.NEEDS_TRANSACTIONS);
    }

    /** Returns what is not here. */
    static Set<Need> missing(TestDatabase database) {
        boolean isWindows =
                System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("windows");
        Set<Need> missing = EnumSet.noneOf(Need.class);
        for (Need need : values()) {
            boolean isMet =
                    switch (need) {
                        case FAKETIME -> WrongClock.library().isPresent();
                        case SIGNALS -> !isWindows;
                        case PLAIN_TEXT -> !database.isEncrypted();
                        case TRANSACTIONS -> !database.isStandalone();
                    };
            if (!isMet) {
                missing.add(need);
            }
        }
        return missing;
    }

    @Override
    public String toString() {
        return sentence;
    }
}

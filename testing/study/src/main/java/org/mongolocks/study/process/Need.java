package org.mongolocks.study.process;

import java.time.InstantSource;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Predicate;
import org.mongolocks.peers.PeerLibrary.Server;
import org.mongolocks.spi.LockStrategy.Trait;
import org.mongolocks.study.process.fault.WrongClock;
import org.mongolocks.study.technique.Column;
import org.mongolocks.study.technique.Library;
import org.mongolocks.study.technique.Technique;

/** A precondition of a scenario or a technique. */
@SuppressWarnings("ImmutableEnumChecker") // The conditions keep no state.
enum Need {
    FAKETIME(
            "needs the library of faketime (libfaketimeMT.so.1; Debian: apt-get install faketime)",
            database -> WrongClock.library().isPresent()),
    SIGNALS(
            "needs signals, which Windows does not have",
            database -> !System.getProperty("os.name").startsWith("Windows")),
    PLAIN_TEXT("needs a proxy, which cannot see into TLS", database -> !database.isEncrypted()),
    /** A fault that only MongoDB can have. */
    MONGODB(
            "needs a replica set or a sharded cluster, whose primary can step down",
            database -> !database.isStandalone()),
    REDIS("needs --redis", database -> database.hasServer(Server.REDIS)),
    POSTGRESQL("needs --postgresql", database -> database.hasServer(Server.POSTGRESQL)),
    TRANSACTIONS(
            "needs transactions, and so a replica set or a sharded cluster; the server is a standalone",
            database -> !database.isStandalone());

    /** A technique of an article that needs transactions; it declares no traits. */
    private static final String TRANSACTION_INSERT = "textbook-transaction-insert";

    private final String sentence;
    private final Predicate<TestDatabase> isMet;

    Need(String sentence, Predicate<TestDatabase> isMet) {
        this.sentence = sentence;
        this.isMet = isMet;
    }

    boolean isMetBy(TestDatabase database) {
        return isMet.test(database);
    }

    /** Returns the needs of a column. */
    static Set<Need> of(Column column) {
        return column instanceof Library library ? of(library.peer().server()) : ofTechnique((Technique) column);
    }

    private static Set<Need> of(Server server) {
        return switch (server) {
            case REDIS -> EnumSet.of(REDIS);
            case POSTGRESQL -> EnumSet.of(POSTGRESQL);
            case MONGODB, OTHER -> EnumSet.noneOf(Need.class);
        };
    }

    private static Set<Need> ofTechnique(Technique technique) {
        return technique.name().equals(TRANSACTION_INSERT) || isTransactional(technique)
                ? EnumSet.of(TRANSACTIONS)
                : EnumSet.noneOf(Need.class);
    }

    /** Returns whether an orphaned transaction may block its locks, until the server ends the transaction. Builds a strategy. */
    static boolean isTransactional(Column column) {
        return column instanceof Technique technique
                && technique.strategies().apply(InstantSource.system()).traits().contains(Trait.NEEDS_TRANSACTIONS);
    }

    @Override
    public String toString() {
        return sentence;
    }
}

package org.mongolocks.study.technique;

import java.util.List;
import java.util.Optional;

/**
 * What an article promises about its technique, why that does not hold, and the solution of this library: the text of
 * the study's page and of {@code docs/guarantees.md}.
 *
 * @param name the name of the technique in the study
 * @param article the article, with its name for the technique
 * @param claim the promise of the article
 * @param rows the rows of the study that show it, the clearest first
 */
public record PublishedTechnique(
        String name, String article, String claim, String flaw, List<String> rows, String instead) {
    private static final String GUIDE = "MongoDB lock guide, ";
    private static final List<String> CRASH = List.of("holder-crash", "acquire-lost");
    private static final List<String> HEALTHY = List.of("healthy");
    private static final String FLAG_FLAW = "A flag has neither owner nor expiry. After a crash of the holder, or a"
            + " lost reply, the lock is never available again, and any client can reset the flag.";
    private static final String FLAG_INSTEAD =
            "flag-update keeps the protocol of one update, and stores the owner, the lease by the server's"
                    + " clock and a fencing token; a release compares owner and token.";
    private static final String VERSION_FLAW = "The version protects only the document that has it. Any number of"
            + " clients work at the same time, and other resources that they use are not protected; all but the first"
            + " to write have worked for nothing.";
    private static final String VERSION_INSTEAD =
            "optimistic-version uses the version as the fencing token of a real lease;"
                    + " OptimisticCollection protects one document without a lock.";

    private static final List<PublishedTechnique> ALL = List.of(
            new PublishedTechnique(
                    TransactionWrappedInsert.NAME,
                    "Node driver article, transaction-wrapped insert",
                    "An insert under a unique index, in a transaction, succeeds for one client; a TTL index deletes the"
                            + " lock of a crashed client.",
                    "The transaction has ended before the work begins. Expiry is left to the TTL monitor, which"
                            + " compares its clock with the client's. The release deletes by resource alone, so that a"
                            + " late holder releases its successor's lock.",
                    List.of("client-behind", "long-work"),
                    "transactional and insert-unique store owner, lease and token, check expiry by the server's"
                            + " clock on each attempt, and release by owner."),
            new PublishedTechnique(
                    CounterWithExpiry.NAME,
                    "MongoTemplate article, increment counter with expiry",
                    "The client that increments the counter to one holds the lock, until its expiry.",
                    "Without a unique index two clients create two counters. The expiry is written by one client's"
                            + " clock and compared with another's; the release deletes the lock of any holder.",
                    List.of("upsert-race", "client-ahead"),
                    "findandmodify-counter decides in one command on _id by the server's $$NOW, has a fencing token"
                            + " that never decreases, and releases by owner."),
            new PublishedTechnique(
                    FlagTextbook.FlagByUpdate.NAME,
                    GUIDE + "isLocked flag by update, or by findAndModify",
                    "One update from false to true is atomic, as is one findAndModify, so one client holds the lock.",
                    FLAG_FLAW,
                    CRASH,
                    FLAG_INSTEAD),
            new PublishedTechnique(
                    VersionTextbook.VersionByUpdate.NAME,
                    GUIDE + "version number by update",
                    "A version that is compared before the work and in the write excludes other clients.",
                    VERSION_FLAW,
                    HEALTHY,
                    VERSION_INSTEAD),
            new PublishedTechnique(
                    VersionTextbook.VersionByFindAndModify.NAME,
                    GUIDE + "version number by findAndModify",
                    "A version that is incremented first is a ticket for the work.",
                    VERSION_FLAW + " Each new ticket invalidates the work of all earlier ones.",
                    HEALTHY,
                    VERSION_INSTEAD),
            new PublishedTechnique(
                    VersionTextbook.UpdateWithOptimisticLock.NAME,
                    GUIDE + "updateWithOptimisticLock",
                    "A loop repeats the update until no other client has written in between.",
                    VERSION_FLAW + " The version is read outside of the loop, so that the next round always fails.",
                    HEALTHY,
                    VERSION_INSTEAD),
            new PublishedTechnique(
                    UniqueInsertWithTtl.NAME,
                    "Mongoose article, unique _id insert with TTL",
                    "An insert with the lock's name as _id, renewed during the work, and a TTL index for crashed"
                            + " clients.",
                    "Only the TTL monitor decides about expiry: once a minute, by its own clock. The result of the"
                            + " renewal is ignored, so that a holder that has lost the lock continues. An insert whose"
                            + " reply was lost blocks all clients.",
                    List.of("client-behind", "ttl-late"),
                    "insert-unique takes over an ended lease at once, by the server's clock; a refused renewal is"
                            + " reported as a loss, and an insert without a reply is compensated."));

    /** Copies the rows. */
    public PublishedTechnique {
        rows = List.copyOf(rows);
    }

    /** Returns all published techniques, in the order of {@link Techniques#textbook()}. */
    public static List<PublishedTechnique> all() {
        return ALL;
    }

    /** Returns a technique by its name; empty if it is not a published one. */
    public static Optional<PublishedTechnique> named(String name) {
        return ALL.stream().filter(one -> one.name().equals(name)).findFirst();
    }
}

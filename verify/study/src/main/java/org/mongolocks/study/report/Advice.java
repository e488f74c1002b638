package org.mongolocks.study.report;

import java.util.Map;
import org.mongolocks.study.matrix.Cell;

/**
 * The promise of an article, why it does not hold, and the solution of the library's strategies.
 *
 * @param claim the promise of the article
 * @param flaw why it does not hold
 * @param instead the solution of the library
 */
record Advice(String claim, String flaw, String instead) {
    private static final String FLAG_FLAW = "A flag has neither owner nor expiry. After a crash of the holder, or a"
            + " lost reply, the lock is never available again, and any client can reset the flag.";
    private static final String FLAG_INSTEAD =
            "flag-update keeps the protocol of one update, and stores the owner, the end of the lease by the server's"
                    + " clock and a fencing token; a release compares all three.";
    private static final String VERSION_FLAW = "The version protects only the document that has it. Any number of"
            + " clients work at the same time, and other resources that they use are not protected; all but the first"
            + " to write have worked for nothing.";
    private static final String VERSION_INSTEAD =
            "optimistic-version uses the version as the fencing token of a real lease;"
                    + " OptimisticUpdate protects one document without a lock, as documented.";

    private static final Map<String, Advice> ARTICLES = Map.of(
            "textbook-transaction-insert",
            new Advice(
                    "An insert under a unique index, in a transaction, succeeds for one client; a TTL index deletes the"
                            + " lock of a crashed client.",
                    "The release deletes by resource alone, so that a late holder releases its successor's lock. Expiry"
                            + " is left to the TTL monitor, which compares its clock with the client's. The transaction"
                            + " has ended before the work begins.",
                    "transactional and insert-unique store owner, lease end and token, check expiry by the server's"
                            + " clock on each attempt, and release by owner."),
            "textbook-counter-expiry",
            new Advice(
                    "The client that increments the counter to one holds the lock, until its expiry.",
                    "The expiry is written by one client's clock and compared with another's; the release deletes the"
                            + " lock of any holder; a loser's increment extends the winner's expiry.",
                    "findandmodify-counter decides in one command by the server's $$NOW, has a fencing token that never"
                            + " decreases, and releases by owner."),
            "textbook-flag-findandmodify",
            new Advice(
                    "One findAndModify from false to true is atomic, so one client holds the lock.",
                    FLAG_FLAW,
                    FLAG_INSTEAD),
            "textbook-flag-update",
            new Advice(
                    "One update from false to true is atomic, so one client holds the lock.", FLAG_FLAW, FLAG_INSTEAD),
            "textbook-version-update",
            new Advice(
                    "A version that is compared before the work and in the write excludes other clients.",
                    VERSION_FLAW,
                    VERSION_INSTEAD),
            "textbook-version-findandmodify",
            new Advice(
                    "A version that is incremented first is a ticket for the work.",
                    VERSION_FLAW + " Each new ticket invalidates the work of all earlier ones.",
                    VERSION_INSTEAD),
            "textbook-optimistic-update",
            new Advice(
                    "A loop repeats the update until no other client has written in between.",
                    VERSION_FLAW + " The version is read outside of the loop, so that the next round always fails.",
                    VERSION_INSTEAD),
            "textbook-unique-insert-ttl",
            new Advice(
                    "An insert with the lock's name as _id, renewed during the work, and a TTL index for crashed"
                            + " clients.",
                    "Only the TTL monitor decides about expiry: once a minute, by its own clock. The result of the"
                            + " renewal is ignored, so that a holder that has lost the lock continues. An insert whose"
                            + " reply was lost blocks all clients.",
                    "insert-unique takes over an ended lease at once, by the server's clock; a refused renewal is"
                            + " reported as a loss, and an insert without a reply is compensated."));

    /**
     * Returns advice by technique for articles, and by scenario for the library's strategies, which have limits rather
     * than flaws.
     */
    static Advice of(Cell cell) {
        return ARTICLES.getOrDefault(cell.technique(), KnownLimits.of(cell.scenario()));
    }

    static boolean isArticle(String technique) {
        return ARTICLES.containsKey(technique);
    }
}

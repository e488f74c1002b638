package org.mongolocks.study.report;

import java.util.Map;
import org.mongolocks.study.matrix.Cell;

/**
 * The promise of an article, why it does not hold, and what the library's strategies do instead.
 *
 * @param claim the promise of the article
 * @param flaw why it does not hold
 * @param instead what the library does
 */
record Advice(String claim, String flaw, String instead) {
    private static final String FLAG_FLAW = "A flag has no owner and no end. A holder that crashes, or whose answer is"
            + " lost, locks everybody out for ever, and anybody may take the flag down.";
    private static final String FLAG_INSTEAD =
            "flag-update keeps the one-update protocol, and stores the owner, the end of the lease by the server's clock"
                    + " and a fencing token; a release names all three.";
    private static final String VERSION_FLAW = "The version protects the one document that carries it. Any number of"
            + " clients work at the same time, and whatever else they touch, they touch together; whoever writes last has"
            + " worked for nothing.";
    private static final String VERSION_INSTEAD =
            "optimistic-version makes the version the fencing token of a real lease;"
                    + " OptimisticUpdate guards one document without any lock, and says so.";

    private static final Map<String, Advice> ARTICLES = Map.of(
            "textbook-transaction-insert",
            new Advice(
                    "An insert under a unique index, wrapped in a transaction, lets one client in; a TTL index frees the"
                            + " lock of a client that crashed.",
                    "The release deletes by resource alone, so a late holder frees its successor's lock. Expiry is left to"
                            + " the TTL monitor, which compares its clock with the client's. The transaction is over before"
                            + " the work begins.",
                    "transactional and insert-unique store owner, lease end and token, judge expiry by the server's clock"
                            + " when somebody asks, and release by owner."),
            "textbook-counter-expiry",
            new Advice(
                    "Whoever counts from nothing to one has the lock, until its expiry.",
                    "The expiry is written by one client's clock and judged by another's; the release deletes whoever's"
                            + " lock it is; a loser's count pushes the winner's expiry out.",
                    "findandmodify-counter decides in one command by the server's $$NOW, counts a fence that never goes"
                            + " back, and releases by owner."),
            "textbook-flag-findandmodify",
            new Advice(
                    "One findAndModify from false to true is atomic, so one client has the lock.",
                    FLAG_FLAW,
                    FLAG_INSTEAD),
            "textbook-flag-update",
            new Advice("One update from false to true is atomic, so one client has the lock.", FLAG_FLAW, FLAG_INSTEAD),
            "textbook-version-update",
            new Advice(
                    "A version that is compared before the work and in the write keeps two clients apart.",
                    VERSION_FLAW,
                    VERSION_INSTEAD),
            "textbook-version-findandmodify",
            new Advice(
                    "A version that is counted up first is a ticket for the work.",
                    VERSION_FLAW + " Whoever draws a ticket spoils the work of all who have one.",
                    VERSION_INSTEAD),
            "textbook-optimistic-update",
            new Advice(
                    "A loop repeats the update until nobody came between.",
                    VERSION_FLAW + " The version is read outside of the loop, so that the next round always fails.",
                    VERSION_INSTEAD),
            "textbook-unique-insert-ttl",
            new Advice(
                    "An insert with the lock's name as _id, renewed while one works, and a TTL index for those who crashed.",
                    "The TTL monitor alone judges expiry: it comes once a minute, by its own clock. The renewal is not"
                            + " looked at, so a holder that lost the lock goes on. An insert whose answer was lost locks"
                            + " everybody out.",
                    "insert-unique takes an ended lease over at once, by the server's clock; a renewal that is refused"
                            + " ends the hold, and an unanswered insert is taken back."));

    /**
     * Returns advice by technique for articles, and by scenario for the library's strategies, which have limits rather
     * than flaws.
     */
    static Advice of(Cell cell) {
        return ARTICLES.getOrDefault(cell.technique(), Limits.of(cell.scenario()));
    }

    static boolean isArticle(String technique) {
        return ARTICLES.containsKey(technique);
    }
}

package org.mongolocks.study.report;

import java.util.Map;

/** The limits of the library's strategies, by the scenario that shows them. */
final class KnownLimits {
    private static final String SHIPPED = "A strategy of this library, with the library's engine.";
    private static final Advice OTHER = new Advice(
            SHIPPED,
            "A lease is a promise about time; if a process or a clock breaks that promise, the lock alone cannot"
                    + " prevent writes of two holders.",
            "Fence on first touch, or write in a guarded transaction: docs/data-safety.md. docs/guarantees.md lists the"
                    + " guarantees with their assumptions.");
    private static final Map<String, Advice> BY_SCENARIO = Map.ofEntries(
            limit(
                    "holder-pause",
                    "The holder checked its lease, paused until the lease had ended and another client held the lock,"
                            + " and then wrote. Checking a lock and writing elsewhere cannot be one step, so no lock"
                            + " can prevent this: a pause without a fence is not safe.",
                    "Have the resource check the fencing token on the first touch, or write in a guarded transaction:"
                            + " docs/data-safety.md. A resource with that fence has no findings in this row."),
            limit(
                    "late-write",
                    "The write was delayed until after another client had acquired the lock. A fence that checks writes"
                            + " only accepts it as long as the next holder has read and not yet written.",
                    "Present the token on the first touch, reads included: a resource with that fence has no findings"
                            + " in this row. Or write in a guarded transaction: docs/data-safety.md."),
            limit(
                    "server-ahead",
                    "Leases end by the clock of the server. It was set ahead by more than the remaining lease, so that"
                            + " the lease ended at once, and its holder notices only at its next renewal.",
                    "Have NTP slew the clock and not step it, or use optimistic-version in its clock-free mode, which"
                            + " compares no clocks. A fence on the first touch protects the data nevertheless."),
            limit(
                    "duplicates",
                    "A statement that arrives after its transaction was abandoned can begin that transaction again,"
                            + " and no client ends it. Until the server does (transactionLifetimeLimitSeconds, by"
                            + " default a minute), the lock cannot be acquired. There are never two holders.",
                    "Strategies that decide in one command are not affected. With transactional, wait, or lower"
                            + " transactionLifetimeLimitSeconds."),
            limit(
                    "several-crash",
                    "A client that crashes while it acquires several locks leaves live leases, or an open transaction."
                            + " A clock-free strategy observes each of these locks for a whole lease, one after"
                            + " another; and a transaction keeps all of its locks until the server aborts it. No client"
                            + " works meanwhile, and there are never two holders of a lock.",
                    "Strategies that use the server's clock and no transaction are late by at most one lease."),
            limit(
                    "in-order-crash",
                    "Clients died in the list of waiters. A free lock is granted past each of them after a quarter of"
                            + " a second; past more than eight after two seconds, and then to whichever waiter attempts"
                            + " first.",
                    "Nothing: the lock has one holder, and nobody waits for longer. Waiters that live are served in"
                            + " order, and the row \"in-order\" has no findings."),
            limit(
                    "pool-of-one",
                    "A client has one connection. Each command of a transaction waits for it while other"
                            + " commands of the same client use it.",
                    "Give the driver's pool at least two connections."),
            limit(
                    "leader-forced",
                    "An operator force-released the lock of a leader that was cut off from the server, so that it"
                            + " noticed only at the end of its lease, by its own clock. The lock had two holders, but"
                            + " the new leader settled first.",
                    "There were never two leaders. Let candidates settle for the ttl where operators force-release"
                            + " the role: integrations/leader-election/README.md."),
            limit(
                    "restored-backup",
                    "The server was unreachable, and came back with an older backup. No lock was held meanwhile, but"
                            + " tokens continued from those of the backup, and the protected data had seen larger"
                            + " ones.",
                    "Follow the recipe of docs/operations.md: raise the tokens above all that the protected data has"
                            + " seen before any client works, and check that no write from before the restore is in"
                            + " flight."),
            limit(
                    "dropped-collection",
                    "The server no longer had a document of the lock, so that the next request was granted at once, while the"
                            + " holder believed that it held the lock until its next renewal.",
                    "Stop all clients before the lock collection is dropped or renamed."));

    private KnownLimits() {}

    private static Map.Entry<String, Advice> limit(String scenario, String flaw, String instead) {
        return Map.entry(scenario, new Advice(SHIPPED, flaw, instead));
    }

    static Advice of(String scenario) {
        return BY_SCENARIO.getOrDefault(scenario, OTHER);
    }

    static boolean isKnown(String scenario) {
        return BY_SCENARIO.containsKey(scenario);
    }
}

package org.mongolocks.study.report;

import java.util.Map;
import java.util.Optional;

/** What the library's strategies do not guarantee, by the scenario that shows it. */
final class Limits {
    private static final String SHIPPED = "A strategy of this library, run by the engine that ships.";
    private static final Advice OTHER = new Advice(
            SHIPPED,
            "A lease is a promise about time; where a process or a clock breaks that promise, the lock alone cannot keep"
                    + " two holders' writes apart.",
            "Fence on first touch, or write in a guarded transaction: docs/data-safety.md. docs/guarantees.md names what"
                    + " holds under which assumption.");
    private static final String TWICE =
            "In this control a majority is forced away: writes are answered before other members have them. ";
    private static final String MAJORITY =
            "Leave w: majority alone. The library asks for it with every write, whatever the client is set to; see that no"
                    + " server, proxy or driver option overrules it. No fence helps where tokens come twice.";
    private static final String ORPHAN =
            "A statement that arrives after its transaction was given up can begin that transaction again, and nobody ends"
                    + " it. Until the server does (transactionLifetimeLimitSeconds, a minute unless set otherwise), nobody"
                    + " can have the lock. No two ever hold it.";
    private static final String NO_TRANSACTION = "The strategies that decide in one command know no such thing. With"
            + " transactional, wait it out, or set transactionLifetimeLimitSeconds lower.";

    private static final Map<String, Advice> BY_SCENARIO = Map.of(
            "holder-pause",
            new Advice(
                    SHIPPED,
                    "The holder looked at its lease, stood still until that was over and another held the lock, and then"
                            + " wrote. Nobody can look at a lock and write elsewhere in one step, so no lock can prevent"
                            + " this: a pause without a fence is not safe.",
                    "Have the resource check the fencing token on the first touch, or write in a guarded transaction:"
                            + " docs/data-safety.md. A resource so fenced shows nothing in this row."),
            "late-write",
            new Advice(
                    SHIPPED,
                    "The write was on its way for so long that it arrived after the lock had gone to another. A fence that"
                            + " looks at writes only lets it through as long as the next holder has read and not yet"
                            + " written.",
                    "Present the token on the first touch, reads included: a resource so fenced shows nothing in this row."
                            + " Or write in a guarded transaction: docs/data-safety.md."),
            "server-ahead",
            new Advice(
                    SHIPPED,
                    "Leases end by the clock of the server. That was set ahead by more than what was left of the lease, so"
                            + " the lease was over at once, and its holder learns of it only at its next renewal.",
                    "Have NTP slew the clock and not step it, or use optimistic-version in its clock-free mode, which"
                            + " compares no clocks. A fence on the first touch keeps the data safe all the same."),
            "holder-cut-off-slow-clock",
            new Advice(
                    SHIPPED,
                    "The holder cannot reach the server, and its monotonic clock runs at half rate: it believes in its"
                            + " lease for twice as long as the server does. The margin for skew is much smaller than that.",
                    "A monotonic clock that is so wrong is a broken machine. A fence on the first touch refuses its"
                            + " writes: docs/data-safety.md."),
            "duplicates",
            new Advice(SHIPPED, ORPHAN, NO_TRANSACTION),
            "duplicates-no-retry",
            new Advice(SHIPPED, ORPHAN, NO_TRANSACTION),
            "several-crash",
            new Advice(
                    SHIPPED,
                    "Who crashes while it acquires several locks leaves each to its lease, or a transaction open. Without a"
                            + " clock each of these locks is watched for a whole lease, one after another; and a"
                            + " transaction keeps all of its locks until the server ends it. Nobody works meanwhile, and no"
                            + " two ever hold a lock.",
                    "The strategies that go by the server's clock and need no transaction are late by one lease at most."),
            "one-by-one-control",
            new Advice(
                    SHIPPED,
                    "In this control everybody takes several locks one by one, each in an order of its own, so that two wait"
                            + " for what the other has.",
                    "Ask for all of them at once, by acquireAll or withLocks: docs/several-locks.md. The row called several"
                            + " shows nothing."),
            "failover-weak",
            new Advice(
                    SHIPPED,
                    TWICE + "The primary went, and the grant was rolled back with it; the next got it anew.",
                    MAJORITY),
            "divided-weak",
            new Advice(SHIPPED, TWICE + "Two primaries both granted the lock, each to its own clients.", MAJORITY));

    private static final String TOKENS =
            "The server was out of reach, and came back with an older backup. No lock was held meanwhile, but tokens went on"
                    + " from those of the backup, and what the locks protect had seen larger ones.";
    private static final String RAISE =
            "Follow the recipe of docs/operations.md: raise the tokens above all that the protected data has seen before any"
                    + " client works, and see that no write of before the restore is on its way.";
    private static final String GONE =
            "The server had no longer any document of the lock, so that the next request was granted at once, while the"
                    + " holder believed in its lease until its next renewal.";
    private static final String KEEP = "Stop all clients before the lock collection is dropped or renamed.";

    private static final Map<String, Advice> BY_DEPLOYMENT = Map.ofEntries(
            Map.entry(
                    "pool-of-one",
                    new Advice(
                            SHIPPED,
                            "A client has one connection. Each command of a transaction waits for it while others of the"
                                    + " same client use it.",
                            "Give the driver's pool two connections at least.")),
            Map.entry("restored-backup", new Advice(SHIPPED, TOKENS, RAISE)),
            Map.entry("restored-database", new Advice(SHIPPED, TOKENS, RAISE)),
            Map.entry("restored-control", new Advice(SHIPPED, TOKENS, RAISE)),
            Map.entry("dropped-collection", new Advice(SHIPPED, GONE, KEEP)),
            Map.entry("renamed-collection", new Advice(SHIPPED, GONE, KEEP)),
            Map.entry(
                    "router-clocks-apart",
                    new Advice(
                            SHIPPED,
                            "A lease that one router made was judged by the clock of another, which was ahead by more than"
                                    + " the skew margin.",
                            "Set a skew margin that is larger than the difference of the routers' clocks, or use"
                                    + " optimistic-version in its clock-free mode.")));

    private Limits() {}

    static Advice of(String scenario) {
        return Optional.ofNullable(BY_SCENARIO.get(scenario))
                .or(() -> Optional.ofNullable(BY_DEPLOYMENT.get(scenario)))
                .orElse(OTHER);
    }

    static boolean isKnown(String scenario) {
        return BY_SCENARIO.containsKey(scenario) || BY_DEPLOYMENT.containsKey(scenario);
    }
}

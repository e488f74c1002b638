package org.mongolocks.contract.setup;

/**
 * Lets two leases pass quickly, and then slowly enough that a lease granted in between does not end before its holder
 * can use it.
 */
public final class LeaseElapser {
    private static final int QUICK_STEPS = 8;
    private static final int QUICK_STEPS_PER_LEASE = 4;
    private static final int SLOW_STEPS_PER_LEASE = 64;

    private final ContractServer server;
    private int steps;

    public LeaseElapser(ContractServer server) {
        this.server = server;
    }

    public void step() {
        steps++;
        int perLease = steps <= QUICK_STEPS ? QUICK_STEPS_PER_LEASE : SLOW_STEPS_PER_LEASE;
        server.elapse(server.ttl().dividedBy(perLease));
    }
}

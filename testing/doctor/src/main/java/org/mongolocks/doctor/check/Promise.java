package org.mongolocks.doctor.check;

/** A promise of docs/guarantees.md that depends on the deployment. */
public enum Promise {
    /** A strategy works at all: the replies to its commands are as expected. */
    OPERATION("a lock can be acquired, renewed, taken over after its lease and released", true),
    /** No two holders. */
    EXCLUSION("one holder at a time", true),
    /** Fencing tokens. */
    TOKENS("tokens grow with each grant", true),
    /** Majority writes. */
    ELECTIONS("an election loses no grant", true),
    /** Commands that are executed late or twice. */
    LATE_REQUESTS("a request that comes late or twice acquires nothing", false),
    /** {@code inTransaction}. */
    GUARDED_TRANSACTIONS("a guarded transaction commits only while the lock is held", false),
    /** Waiters. */
    PROMPT_GRANTS("a waiter gets a released lock promptly", false),
    /** Unused documents. */
    CLEAN_UP("unused documents are deleted", false);

    private final String sentence;
    private final boolean isEssential;

    Promise(String sentence, boolean isEssential) {
        this.sentence = sentence;
        this.isEssential = isEssential;
    }

    /** Returns the promise in words. */
    public String sentence() {
        return sentence;
    }

    /** Returns whether a strategy is unusable where this does not hold. */
    public boolean isEssential() {
        return isEssential;
    }
}

package org.mongolocks.contract.integration;

import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.mongolocks.LockLostException;
import org.mongolocks.internal.run.FaultClassifier;

/** A way to run work under a lock, as the rules of {@link IntegrationContract} use it. */
public interface LockIntegration {
    /**
     * Returns what the integration offers. A rule that needs more is skipped with that reason.
     *
     * @return the capabilities, always the same
     */
    Set<Capability> capabilities();

    /**
     * Opens an application that uses the integration.
     *
     * @param clients the lock clients of this application alone
     * @return the application; the rule closes it
     * @throws Exception if it cannot be opened
     */
    Application open(ApplicationClients clients) throws Exception;

    /** What some integrations cannot offer by their nature; all else is required. */
    enum Capability {
        /** The work sees the fencing token of its grant. */
        TOKEN("shows no fencing token"),
        /** A loss interrupts or cancels the work. */
        STOPS_WORK("does not stop work whose lock was lost"),
        /** A caller whose work went on after a loss gets an error, also if the work did not notice. */
        REPORTS_LOSS("does not report a loss that the work did not notice"),
        /** The lock is renewed as long as the work runs. */
        KEEP_ALIVE("does not renew the lock of work that runs"),
        /** A failure of the work is thrown to its caller. */
        PASSES_FAILURES("does not throw failures of the work to a caller"),
        /** Work under a lock can run more work under the same lock. */
        REENTRY("is not re-entrant"),
        /** Work that is asked for after the shutdown fails; without this it may also be skipped as contended. */
        TELLS_THAT_IT_IS_CLOSED("reports a closed application as contention");

        private final String absence;

        Capability(String absence) {
            this.absence = absence;
        }

        /**
         * Returns why rules about it are skipped for an integration that does not offer it.
         *
         * @return a sentence
         */
        public String absence() {
            return "The integration " + absence;
        }
    }

    /** An application that uses the integration; the others in a rule compete with it as other processes do. */
    interface Application extends AutoCloseable {
        /**
         * Makes one attempt to run work under a lock, with a lease of {@link ApplicationClients#TTL}, kept alive if the
         * integration does that. It returns when the work has ended, or when the caller of the integration may assume
         * that. Any number of threads call it at a time.
         *
         * @param lock the name of the lock
         * @param work the work
         * @return what the integration reports to its caller
         * @throws Exception the failure of the work, or of the integration
         */
        Outcome run(String lock, Work work) throws Exception;

        /**
         * Shuts the application down, in the order that the integration recommends, and closes the client it uses.
         * Further calls have no effect.
         */
        @Override
        void close();
    }

    /** What an integration reports of an attempt to run work. */
    enum Outcome {
        /** The work was done under the lock. */
        RAN,
        /** Another owner held the lock, and the work was not called. */
        REFUSED,
        /** The work was called, and the lock was lost before its end. */
        LOST
    }

    /** Work under a lock. It blocks its thread. */
    @FunctionalInterface
    interface Work {
        /**
         * Does the work.
         *
         * @param grant what the integration shows of the lock
         * @throws Exception if it fails
         */
        void run(Grant grant) throws Exception;
    }

    /**
     * What an integration shows to the work under a lock.
     *
     * @param token the fencing token; empty without {@link Capability#TOKEN}
     * @param isHeld returns whether the lock is still held, on the thread of the work; after a false it is not called
     *     again
     */
    record Grant(OptionalLong token, BooleanSupplier isHeld) {
        /**
         * Creates what an integration shows that has a fencing token.
         *
         * @param token the fencing token
         * @param isHeld returns whether the lock is still held
         */
        public Grant(long token, BooleanSupplier isHeld) {
            this(OptionalLong.of(token), isHeld);
        }
    }

    /**
     * Returns whether an exception reports the loss of a lock.
     *
     * @param failure what was thrown
     * @return true if it, a cause or a suppressed exception of it is a {@link LockLostException}
     */
    static boolean isLoss(@Nullable Throwable failure) {
        return FaultClassifier.causes(failure)
                .flatMap(e -> Stream.concat(Stream.of(e), Stream.of(e.getSuppressed())))
                .anyMatch(LockLostException.class::isInstance);
    }
}

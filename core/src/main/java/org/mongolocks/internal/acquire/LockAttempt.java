package org.mongolocks.internal.acquire;

import java.util.List;
import java.util.function.Function;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockOutcome;
import org.mongolocks.LockRequest;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.Step;

/** One attempt of an acquisition: for one lock, or for several in one step. */
interface LockAttempt {
    /** Returns the request, for the first of the locks. */
    LockRequest request();

    /** Returns the names of all locks that may be granted to the owner. */
    List<LockName> names();

    /** Makes one attempt. */
    Step<LockOutcome> ask(AcquireContext context);

    /** Returns all grants, given the one in the outcome. */
    List<Lease> granted(Lease told);

    /** Returns the attempt for one lock. */
    static LockAttempt forOne(LockStrategy strategy, LockRequest request) {
        return new ForOne(request, strategy::acquire);
    }

    /**
     * The attempt for one lock.
     *
     * @param request the request
     * @param attempt returns the program of one attempt
     */
    record ForOne(LockRequest request, Function<AcquireContext, Step<LockOutcome>> attempt) implements LockAttempt {
        @Override
        public List<LockName> names() {
            return List.of(request.name());
        }

        @Override
        public Step<LockOutcome> ask(AcquireContext context) {
            return attempt.apply(context);
        }

        @Override
        public List<Lease> granted(Lease told) {
            return List.of(told);
        }
    }
}

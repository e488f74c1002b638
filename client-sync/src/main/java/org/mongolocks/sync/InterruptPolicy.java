package org.mongolocks.sync;

import com.mongodb.MongoInterruptedException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.mongolocks.internal.run.RunnerSettings.PauseWait;

/** The effect of an interrupt of the thread on the program that it runs. */
sealed interface InterruptPolicy {

    /** Starts the run. */
    void begin() throws InterruptedException;

    /** Waits. */
    void pause(PauseWait wait) throws InterruptedException;

    /** Ends the run, or continues it, after an interrupted operation: the server may have executed it. */
    void onInterrupted(MongoInterruptedException e) throws InterruptedException;

    /** Ends the run. */
    void end();

    private static void await(PauseWait wait) throws InterruptedException {
        if (wait.signal().isEmpty()) {
            TimeUnit.NANOSECONDS.sleep(wait.atMost().toNanos());
            return;
        }
        try {
            wait.signal().get().get(wait.atMost().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return;
        } catch (ExecutionException e) {
            throw new IllegalStateException("A wake-up completes without a result", e);
        }
    }

    /** An interrupt ends the run with an {@link InterruptedException}, which clears the flag. */
    final class Interruptible implements InterruptPolicy {
        @Override
        public void begin() throws InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }

        @Override
        public void pause(PauseWait wait) throws InterruptedException {
            InterruptPolicy.await(wait);
        }

        @Override
        public void onInterrupted(MongoInterruptedException e) throws InterruptedException {
            Thread.interrupted();
            InterruptedException interrupted = new InterruptedException();
            interrupted.initCause(e);
            throw interrupted;
        }

        @Override
        public void end() {}
    }

    /** The run continues to its end, and the flag is set again then. */
    final class Uninterruptible implements InterruptPolicy {
        private boolean interrupted;

        @Override
        public void begin() {
            interrupted |= Thread.interrupted();
        }

        @Override
        public void pause(PauseWait wait) {
            try {
                InterruptPolicy.await(wait);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }

        @Override
        public void onInterrupted(MongoInterruptedException e) {
            begin();
        }

        @Override
        public void end() {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

package org.mongolocks.sync;

import com.mongodb.MongoInterruptedException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Says what an interrupt of the thread does to a program that runs on it. */
sealed interface Patience {

    /** Begins to run. */
    void begin() throws InterruptedException;

    /** Waits. */
    void pause(Duration delay) throws InterruptedException;

    /** Ends the run, or goes on, after an operation that was cut short: the server may have executed it. */
    void cutShort(MongoInterruptedException e) throws InterruptedException;

    /** Ends the run. */
    void end();

    /** An interrupt ends the run with an {@link InterruptedException}; the flag is clear then, as is usual. */
    final class Interruptible implements Patience {
        @Override
        public void begin() throws InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }

        @Override
        public void pause(Duration delay) throws InterruptedException {
            TimeUnit.NANOSECONDS.sleep(delay.toNanos());
        }

        @Override
        public void cutShort(MongoInterruptedException e) throws InterruptedException {
            Thread.interrupted();
            InterruptedException interrupted = new InterruptedException();
            interrupted.initCause(e);
            throw interrupted;
        }

        @Override
        public void end() {}
    }

    /** The run goes on to its end, and the flag is set again then. */
    final class Uninterruptible implements Patience {
        private boolean interrupted;

        @Override
        public void begin() {
            interrupted |= Thread.interrupted();
        }

        @Override
        public void pause(Duration delay) {
            try {
                TimeUnit.NANOSECONDS.sleep(delay.toNanos());
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }

        @Override
        public void cutShort(MongoInterruptedException e) {
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

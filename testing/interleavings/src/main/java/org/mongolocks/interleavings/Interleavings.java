package org.mongolocks.interleavings;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.LincheckSettings;

/** The interleavings of a few threads, explored by the model checker of Lincheck. */
public final class Interleavings {
    private static final int EXPLORED = Integer.getInteger("mongolocks.interleavings", 20);
    /** A loop over a hash table has 16 iterations: by default the tenth of any loop is taken for one that waits for another thread. */
    private static final LincheckSettings SETTINGS = new LincheckSettings(false, 100, 1_000, 100);

    private static final Logger LOCKS = Logger.getLogger("org.mongolocks");

    private Interleavings() {}

    /**
     * Runs a test again and again, each time with another interleaving of its threads. Nothing is logged meanwhile: the
     * thread of the log would be one more. Its checks are JUnit's: those of AssertJ cannot run in the model checker.
     *
     * @param test creates its objects, runs its threads {@linkplain #together together}, and checks what must be true then
     */
    public static void explore(Runnable test) {
        Level before = LOCKS.getLevel();
        LOCKS.setLevel(Level.OFF);
        try {
            Lincheck.runConcurrentTestInternal$lincheck(EXPLORED, SETTINGS, test);
        } finally {
            LOCKS.setLevel(before);
        }
    }

    /**
     * Runs tasks at the same time; ends when all have ended.
     *
     * @param first the task of this thread
     * @param others tasks with a thread of their own
     */
    public static void together(Runnable first, Runnable... others) {
        List<Thread> threads = new ArrayList<>();
        for (Runnable other : others) {
            Thread thread = new Thread(other);
            threads.add(thread);
            thread.start();
        }
        first.run();
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}

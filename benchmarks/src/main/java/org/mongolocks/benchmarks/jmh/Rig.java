package org.mongolocks.benchmarks.jmh;

import org.mongolocks.benchmarks.measure.Workbench;
import org.mongolocks.spi.LockStrategy;

/** Is what the benchmarks of one driver stand on. */
interface Rig extends AutoCloseable {
    /** Gives what does not depend on the driver. */
    Workbench bench();

    Locker locker(LockStrategy strategy) throws InterruptedException;

    /** Gives two raw {@code findAndModify}; see {@link org.mongolocks.benchmarks.measure.Floor}. */
    Runnable floor();

    /** Ends everything, also a server that was started for it. */
    @Override
    void close();
}

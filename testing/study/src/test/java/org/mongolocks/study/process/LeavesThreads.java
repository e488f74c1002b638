package org.mongolocks.study.process;

import java.util.concurrent.CountDownLatch;
import org.mongolocks.protocol.ForwardingStrategy;
import org.mongolocks.spi.LockStrategies;

/** A strategy that starts a thread that never ends. Clients create it by the name of this class. */
public final class LeavesThreads extends ForwardingStrategy {
    public LeavesThreads() {
        super(LockStrategies.named("findandmodify-counter"));
        Thread left = new Thread(LeavesThreads::waitForever, "mongo-locks-left");
        left.setDaemon(true);
        left.start();
    }

    private static void waitForever() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

package org.mongolocks.study.process.fault;

import java.util.concurrent.atomic.AtomicInteger;
import org.mongolocks.study.sim.config.FaultPoint;

/** A fault that hits one holder at a fault point: the one that reaches it after a number of others. */
public final class TargetedFault implements ProcessFault {
    private final FaultPoint moment;
    private final AtomicInteger spared;
    private final Deed deed;
    private volatile boolean isOver;

    /** The fault itself. */
    @FunctionalInterface
    public interface Deed {
        void befall(Scene scene, int child) throws InterruptedException;
    }

    public TargetedFault(FaultPoint moment, int spared, Deed deed) {
        this.moment = moment;
        this.spared = new AtomicInteger(spared);
        this.deed = deed;
    }

    @Override
    public void reached(Scene scene, int child, FaultPoint reached) throws InterruptedException {
        if (reached == moment && spared.getAndDecrement() == 0) {
            deed.befall(scene, child);
            isOver = true;
        }
    }

    @Override
    public boolean isOver() {
        return isOver;
    }
}

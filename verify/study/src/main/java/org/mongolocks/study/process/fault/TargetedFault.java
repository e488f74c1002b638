package org.mongolocks.study.process.fault;

import java.util.concurrent.atomic.AtomicInteger;
import org.mongolocks.study.sim.config.FaultPoint;

/** A fault that hits one holder at a fault point: the one that reaches it after a number of others. */
public final class TargetedFault implements ProcessFault {
    private final FaultPoint moment;
    private final AtomicInteger spared;
    private final Action action;
    private volatile boolean isOver;

    /** The fault itself. */
    @FunctionalInterface
    public interface Action {
        void hit(Scene scene, int child) throws InterruptedException;
    }

    public TargetedFault(FaultPoint moment, int spared, Action action) {
        this.moment = moment;
        this.spared = new AtomicInteger(spared);
        this.action = action;
    }

    @Override
    public void reached(Scene scene, int child, FaultPoint reached) throws InterruptedException {
        if (reached == moment && spared.getAndDecrement() == 0) {
            action.hit(scene, child);
            isOver = true;
        }
    }

    @Override
    public boolean isOver() {
        return isOver;
    }
}

package org.mongolocks.study.sim.time;

import java.util.Optional;

/** A task that runs the first time only. */
public final class RunOnce implements Runnable {
    private Optional<Runnable> task;

    public RunOnce(Runnable task) {
        this.task = Optional.of(task);
    }

    @Override
    public void run() {
        Optional<Runnable> first = task;
        task = Optional.empty();
        first.ifPresent(Runnable::run);
    }
}

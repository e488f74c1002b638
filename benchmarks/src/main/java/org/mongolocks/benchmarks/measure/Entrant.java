package org.mongolocks.benchmarks.measure;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;
import org.mongolocks.LockException;
import org.mongolocks.UnsupportedServerException;
import org.mongolocks.benchmarks.measure.StrategyResult.Unmeasured;
import org.mongolocks.benchmarks.measure.StrategyResult.Why;
import org.mongolocks.benchmarks.server.Complaints;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.Trait;

/** Is a strategy in a comparison. When it fails it drops out, with the reason, and the others go on. */
final class Entrant {
    /** Is what every entrant has to go through. */
    @FunctionalInterface
    interface Part {
        void measure(Trial trial) throws InterruptedException;
    }

    private final LockStrategy strategy;
    private final Workbench bench;
    private @Nullable Trial trial;
    private @Nullable Unmeasured out;

    Entrant(LockStrategy strategy, Workbench bench) {
        this.strategy = strategy;
        this.bench = bench;
    }

    String name() {
        return strategy.name();
    }

    /** Goes through a part, unless it has dropped out. A strategy is foreign code: it may fail with anything. */
    void go(Part part) throws InterruptedException {
        if (out != null) {
            return;
        }
        try {
            part.measure(trial());
        } catch (UnsupportedServerException e) {
            out = new Unmeasured(strategy, lacking(), Complaints.gist(e));
        } catch (LockException e) {
            out = failed(e);
        } catch (RuntimeException e) {
            out = failed(new LockException(e.toString(), e));
        }
    }

    StrategyResult result() {
        return out == null ? requireNonNull(trial).measured() : out;
    }

    private Trial trial() throws InterruptedException {
        if (trial == null) {
            trial = new Trial(strategy, bench);
        }
        return trial;
    }

    private Unmeasured failed(LockException e) {
        bench.requireServer();
        return new Unmeasured(strategy, Why.FAILED, Complaints.gist(e));
    }

    private Why lacking() {
        boolean needsTransactions = strategy.traits().contains(Trait.NEEDS_TRANSACTIONS);
        return needsTransactions && bench.isStandalone() ? Why.NEEDS_REPLICA_SET : Why.UNSUPPORTED;
    }
}

package org.mongolocks.benchmarks.jmh;

import java.time.Duration;
import java.util.function.LongConsumer;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.measure.ProtectedData;
import org.mongolocks.benchmarks.measure.Violations;
import org.mongolocks.benchmarks.measure.Workbench;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Has a lock of one strategy and one driver, and data that it protects. Violations make the benchmark fail. */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls the set-up before anything else.
public class LockState {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Param
    public Driver client;

    @Param({"insert-unique", "findandmodify-counter", "flag-update", "optimistic-version", "transactional"})
    public String strategy;

    private Rig rig;
    private Locker locker;
    private ProtectedData data;

    @Setup(Level.Trial)
    public void open() throws InterruptedException {
        rig = client.open();
        LockStrategy chosen = LockStrategies.named(strategy);
        locker = rig.locker(chosen);
        data = rig.bench().protectedData(chosen);
    }

    @TearDown(Level.Trial)
    public void close() {
        Violations violations = data.violations();
        rig.close();
        if (violations.total() > 0) {
            throw new IllegalStateException("Strategy '" + strategy + "' does not exclude: " + violations);
        }
    }

    static LockRequest request(String name) {
        return new LockRequest(LockName.of(name), Workbench.TTL, PATIENCE);
    }

    void underLock(LockRequest request, LongConsumer section) throws InterruptedException {
        locker.underLock(request, section);
    }

    void visitUnderLock(LockRequest request) throws InterruptedException {
        locker.underLock(request, data::visit);
    }
}

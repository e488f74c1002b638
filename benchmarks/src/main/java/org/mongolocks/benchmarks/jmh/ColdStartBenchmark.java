package org.mongolocks.benchmarks.jmh;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.mongolocks.benchmarks.sampling.Repetition.Operation;
import org.mongolocks.benchmarks.sampling.UncontendedLock;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The benchmark of the cold start: the first acquisitions of a process with their releases, and the raw commands that are
 * their baseline. Each fork is a JVM of its own that takes one sample, after its client was built.
 *
 * <p>{@code cpuMillis} is the processor time of all threads of the process, the compiler and the garbage collector
 * included, in steps of ten milliseconds: run it on a server in a process of its own.
 *
 * <pre>{@code
 * MONGO_LOCKS_URI=mongodb://localhost ./jmh ColdStart -p strategy=findandmodify-counter -p baseline=TWO_FIND_AND_MODIFY
 * }</pre>
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(6)
@Warmup(iterations = 0)
@Measurement(iterations = 1)
@State(Scope.Thread)
public class ColdStartBenchmark {
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    @Param({"1", "100"})
    public int acquisitions;

    /** The processor time of a sample. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Processor {
        public long cpuMillis;
    }

    @Benchmark
    public void acquireAndRelease(LockState state, Processor processor) throws InterruptedException {
        UncontendedLock lock = state.ownLock();
        repeat(lock::acquireAndRelease, processor);
    }

    @Benchmark
    public void rawCommands(BaselineState.OwnCommands commands, Processor processor) throws InterruptedException {
        repeat(commands::send, processor);
    }

    private void repeat(Operation operation, Processor processor) throws InterruptedException {
        long startedNanos = SYSTEM.getProcessCpuTime();
        for (int done = 0; done < acquisitions; done++) {
            operation.run();
        }
        processor.cpuMillis += TimeUnit.NANOSECONDS.toMillis(SYSTEM.getProcessCpuTime() - startedNanos);
    }
}

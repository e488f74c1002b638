package org.mongolocks.benchmarks.jmh;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.Owner;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.hold.HoldRegistry;
import org.mongolocks.internal.run.ClientRuns.BackgroundRunner;
import org.mongolocks.internal.run.RenewalTime;
import org.mongolocks.internal.settings.ClientOptions;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;
import org.mongolocks.time.TimeSource;
import org.mongolocks.time.Timer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The benchmark of many idle locks: the processor time of the library, without driver and server, for keeping locks
 * alive for ten seconds.
 *
 * <p>Time is virtual: a sample is ten seconds, in which each lock, with a ttl of 30 seconds, is renewed once. The
 * grants are spread evenly. Commands are built, and answered at once.
 *
 * <pre>{@code
 * ./jmh KeepAliveBenchmark
 * }</pre>
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(3)
public class KeepAliveBenchmark {
    private static final Duration TTL = Duration.ofSeconds(30);
    private static final Duration PERIOD = Duration.ofSeconds(10);

    /** The locks of one client. */
    @State(Scope.Thread)
    @SuppressWarnings("NullAway.Init") // JMH sets the parameter first.
    public static class KeptAliveLocks {
        /** The number of locks. */
        @Param({"10000", "100000"})
        public int locks;

        private final VirtualTime time = new VirtualTime();
        private final List<Hold> held = new ArrayList<>();

        @Setup(Level.Trial)
        public void acquire() {
            ClientSettings settings = settings(time);
            HoldRegistry holds = new HoldRegistry(
                    settings, time, Runnable::run, new AnsweredAtOnce(), (name, release) -> release, Optional.empty());
            Owner owner = settings.newOwner();
            for (int lock = 0; lock < locks; lock++) {
                LockName name = LockName.of("kept-" + lock);
                Lease lease = new Lease(name, owner, 1, TTL, time.nanoTime() + TTL.toNanos());
                held.add(holds.add(LockRequest.of(name, TTL), lease, time.nanoTime(), time.nanoTime())
                        .orElseThrow());
                time.advance(PERIOD.dividedBy(locks));
            }
        }
    }

    @Benchmark
    public boolean tenSeconds(KeptAliveLocks kept) {
        kept.time.advance(PERIOD);
        return kept.held.get(0).isHeld();
    }

    private static ClientSettings settings(VirtualTime time) {
        return new ClientOptions<ClientSettings>(ClientOptions::settings)
                .strategy(new FindAndModifyCounterStrategy())
                .time(time)
                .build();
    }

    /** A time that only the benchmark moves, and a timer on it. */
    private static final class VirtualTime implements TimeSource, Timer {
        private final PriorityQueue<Task> tasks = new PriorityQueue<>();
        private long nanos;
        private long scheduled;

        private record Task(long atNanos, long number, Runnable work) implements Comparable<Task> {
            @Override
            public int compareTo(Task other) {
                int first = Long.compare(atNanos, other.atNanos);
                return first != 0 ? first : Long.compare(number, other.number);
            }
        }

        @Override
        public long nanoTime() {
            return nanos;
        }

        @Override
        public Timeout schedule(Duration delay, Runnable work) {
            Task task = new Task(nanos + delay.toNanos(), ++scheduled, work);
            tasks.add(task);
            return () -> tasks.remove(task);
        }

        void advance(Duration duration) {
            long end = nanos + duration.toNanos();
            while (!tasks.isEmpty() && tasks.peek().atNanos() <= end) {
                Task next = tasks.remove();
                nanos = Math.max(nanos, next.atNanos());
                next.work().run();
            }
            nanos = end;
        }
    }

    /** A runner whose server renews every lease at once, and whose programs run one after another. */
    private static final class AnsweredAtOnce implements BackgroundRunner {
        private final Deque<Runnable> programs = new ArrayDeque<>();
        private boolean running;

        @Override
        public <R> CompletableFuture<R> run(String verb, LockName name, Supplier<Step<R>> program) {
            CompletableFuture<R> result = new CompletableFuture<>();
            programs.add(() -> result.complete(result(program.get())));
            if (!running) {
                running = true;
                while (!programs.isEmpty()) {
                    programs.remove().run();
                }
                running = false;
            }
            return result;
        }

        @Override
        public <R> CompletableFuture<R> renew(LockName name, Supplier<RenewalTime> time, Supplier<Step<R>> program) {
            return run("Renewing", name, program);
        }

        private static <R> R result(Step<R> first) {
            Step<R> step = first;
            while (step instanceof Step.Call<R> call) {
                step = call.then()
                        .apply(
                                call.op() instanceof MongoOp.BulkUpdate bulk
                                        ? new Reply.Counted(bulk.updates().size(), false)
                                        : Reply.Found.of(new BsonDocument()));
            }
            return ((Step.Done<R>) step).result();
        }
    }
}

package org.mongolocks.benchmarks.race;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;
import org.mongolocks.LockException;
import org.mongolocks.benchmarks.measure.Block;
import org.mongolocks.benchmarks.measure.Block.Operation;

/** Has each operation repeated by a thread of its own, all at the same time; a single one by the calling thread. */
final class Crew implements AutoCloseable {
    private final List<Operation> operations;
    private final ExecutorService threads;

    Crew(List<Operation> operations) {
        this.operations = List.copyOf(operations);
        this.threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "crew");
            thread.setDaemon(true);
            return thread;
        });
    }

    List<Operation> operations() {
        return operations;
    }

    /** Repeats them for some time, each at least once, and gives how long each repetition took. */
    Histogram run(Duration time) throws InterruptedException {
        if (operations.size() == 1) {
            return Block.of(time, operations.get(0)).nanos();
        }
        List<Future<Block>> blocks = new ArrayList<>();
        for (Operation operation : operations) {
            blocks.add(threads.submit(() -> Block.of(time, operation)));
        }
        return together(blocks);
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    /** All are awaited, also after one has failed: the next turn is not to be disturbed. */
    private static Histogram together(List<Future<Block>> blocks) throws InterruptedException {
        Histogram all = new Histogram(Block.SIGNIFICANT_DIGITS);
        List<Throwable> failures = new ArrayList<>();
        for (Future<Block> block : blocks) {
            try {
                all.add(block.get().nanos());
            } catch (ExecutionException e) {
                failures.add(e.getCause());
            }
        }
        failures.forEach(Crew::raise);
        return all;
    }

    private static void raise(Throwable failure) {
        if (failure instanceof RuntimeException fault) {
            throw fault;
        }
        throw new LockException("A thread of a benchmark ended", failure);
    }
}

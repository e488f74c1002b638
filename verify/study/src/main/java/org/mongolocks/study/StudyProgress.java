package org.mongolocks.study;

import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.mongolocks.study.matrix.Cell;

/** Prints the progress of a run, a line for each tenth of it; nothing if the run is short. Thread-safe. */
final class StudyProgress implements Consumer<Cell> {
    private static final int PARTS = 10;

    private final AtomicInteger done = new AtomicInteger();
    private final int cells;
    private final PrintStream err;

    StudyProgress(int cells, PrintStream err) {
        this.cells = cells;
        this.err = err;
    }

    @Override
    public void accept(Cell cell) {
        int now = done.incrementAndGet();
        if (cells >= PARTS && now * PARTS / cells > (now - 1) * PARTS / cells) {
            err.println("study: " + now + " of " + cells + " cells");
        }
    }
}

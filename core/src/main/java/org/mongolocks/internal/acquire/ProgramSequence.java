package org.mongolocks.internal.acquire;

import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

/** Programs that run one after another, each to its end, even if an earlier one failed. One object serves one run. */
final class ProgramSequence {
    private final Iterator<Supplier<Step<Boolean>>> programs;
    private boolean allTrue = true;
    private Optional<Reply.Failed> firstFailure = Optional.empty();

    private ProgramSequence(List<Supplier<Step<Boolean>>> programs) {
        this.programs = programs.iterator();
    }

    /** Returns a program that ends with true if each one did, or fails, at the end, with the first fault. */
    static Step<Boolean> run(List<Supplier<Step<Boolean>>> programs) {
        return new ProgramSequence(programs).next();
    }

    private Step<Boolean> next() {
        if (programs.hasNext()) {
            return programs.next().get().then(this::done, this::failed);
        }
        return firstFailure.<Step<Boolean>>map(Step.Fail::new).orElseGet(() -> Step.done(allTrue));
    }

    private Step<Boolean> done(boolean result) {
        allTrue &= result;
        return next();
    }

    private Step<Boolean> failed(Reply.Failed failure) {
        firstFailure = Optional.of(firstFailure.orElse(failure));
        return next();
    }
}

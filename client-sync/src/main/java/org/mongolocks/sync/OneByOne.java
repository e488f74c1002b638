package org.mongolocks.sync;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Does the same with several locks, with each of them whatever became of those before it. */
final class OneByOne {
    private OneByOne() {}

    /** Throws at the end what was thrown first, with the others suppressed. */
    static void run(List<HeldLock> locks, Consumer<HeldLock> each) {
        Optional<RuntimeException> first = Optional.empty();
        for (HeldLock lock : locks) {
            try {
                each.accept(lock);
            } catch (RuntimeException e) {
                first.ifPresent(earlier -> earlier.addSuppressed(e));
                first = Optional.of(first.orElse(e));
            }
        }
        first.ifPresent(thrown -> {
            throw thrown;
        });
    }
}

package org.mongolocks.sync;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** An action on several locks, which runs for each of them even if an earlier one failed. */
final class OneByOne {
    private OneByOne() {}

    /** Throws the first exception at the end, with the others suppressed. */
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

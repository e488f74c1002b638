package org.mongolocks.internal.wait;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.mongolocks.LockName;
import org.mongolocks.LockSnapshot;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.Step;

/**
 * One read of several awaited locks, by the head of one of their queues instead of an attempt of each. The locks were last
 * seen held, and nothing but the time is a reason for the attempts. The head of a lock that is held waits on; that of any
 * other lock makes its attempt. If the read fails or is abandoned, the others make their attempts a little later.
 */
final class SharedRead {
    /** The most locks of one read. */
    static final int MAX_LOCKS = 100;

    private final WaiterQueues queues;
    private final List<WaiterQueue> read;

    /** Creates a read of the locks of some queues, which are readable. */
    SharedRead(WaiterQueues queues, List<WaiterQueue> read) {
        this.queues = queues;
        this.read = List.copyOf(read);
    }

    List<WaiterQueue> queues() {
        return read;
    }

    /** Returns the program; empty if the strategy reads locks only one by one. */
    Optional<Step<Boolean>> program(LockStrategy strategy) {
        List<LockName> names =
                read.stream().map(queue -> LockName.of(queue.name())).toList();
        return strategy.inspectAll(names).map(inspecting -> inspecting.andThen(this::answered));
    }

    private Step<Boolean> answered(List<LockSnapshot> locks) {
        Map<String, LockSnapshot> byName =
                locks.stream().collect(Collectors.toMap(lock -> lock.name().value(), Function.identity()));
        queues.locksRead(this, queue -> Optional.ofNullable(byName.get(queue.name())));
        return Step.done(true);
    }
}

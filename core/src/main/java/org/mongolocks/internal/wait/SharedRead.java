package org.mongolocks.internal.wait;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.Sight;
import org.mongolocks.spi.LockStrategy.WaiterOf;
import org.mongolocks.spi.Step;

/**
 * One read of the locks of several queues, by the head of one of them instead of a read by each. The locks were last
 * seen held, and only the time is a reason to read them. If the read shows that the lock may be granted to a queue, or
 * that its entry is missing in the list, its head makes an attempt next; otherwise it waits on. If the read fails or is
 * abandoned, the heads of the other queues read their locks themselves a little later.
 */
final class SharedRead {
    /** The most queues of one read. */
    static final int MAX_QUEUES = 100;

    private final WaiterQueues queues;
    private final List<WaiterQueue> read;

    /** Creates a read for some queues, which are readable. */
    SharedRead(WaiterQueues queues, List<WaiterQueue> read) {
        this.queues = queues;
        this.read = List.copyOf(read);
    }

    List<WaiterQueue> queues() {
        return read;
    }

    /** Returns the program; empty if the strategy reads locks only one by one. */
    Optional<Step<Boolean>> program(LockStrategy strategy) {
        return strategy.inspectAll(read.stream().map(WaiterQueue::waiter).toList())
                .map(inspecting -> inspecting.andThen(this::answered));
    }

    private Step<Boolean> answered(List<Sight> sights) {
        Map<WaiterOf, Sight> byWaiter = sights.stream().collect(Collectors.toMap(Sight::waiter, Function.identity()));
        queues.locksRead(
                this, queue -> Optional.ofNullable(byWaiter.get(queue.waiter())).map(Sight::seen));
        return Step.done(true);
    }
}

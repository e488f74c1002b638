package org.mongolocks.study.process.fault;

import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.mongolocks.proxy.CommandMatcher;
import org.mongolocks.proxy.FaultProxy;
import org.mongolocks.proxy.WireFault;

/** A fault of the connections through one proxy, which lasts until the proxy is healed or gets another. */
@SuppressWarnings("ImmutableEnumChecker") // The faults keep no state.
public enum ConnectionFault {
    REQUESTS_LOST(WireFault::loseRequest),
    REPLIES_LOST(WireFault::loseReply),
    RESETS(WireFault::reset),
    LATE_REQUESTS(WireFault::delay),
    SLOW_REQUESTS(WireFault::holdRequest),
    SLOW_REPLIES(() -> WireFault.holdReply(WireFault.none())),
    NOT_PRIMARY(() -> WireFault.refuse(10107)),
    STEP_DOWN(() -> WireFault.failAfterwards(11602)),
    WRITE_CONCERN_FAILED(() -> WireFault.failWriteConcern(64)),
    WRITE_CONFLICTS(() -> WireFault.refuse(112)),
    UNREACHABLE(FaultProxy::refuse),
    FROZEN(FaultProxy::freeze),
    CUT(FaultProxy::cut);

    private final Consumer<FaultProxy> injection;

    ConnectionFault(Supplier<WireFault> fault) {
        this(proxy -> proxy.arm(someCommands(), fault.get()));
    }

    ConnectionFault(Consumer<FaultProxy> injection) {
        this.injection = injection;
    }

    /** Ends the previous fault of a proxy, and begins this one. */
    public void begin(FaultProxy proxy) {
        proxy.heal();
        injection.accept(proxy);
    }

    /** More in a row than a driver retries. */
    private static CommandMatcher someCommands() {
        return new CommandMatcher(
                Set.of("findAndModify", "update", "insert", "delete", "find", "commitTransaction", "getMore"), 0, 3);
    }
}

package org.mongolocks.study.process.fault;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.mongolocks.proxy.CommandMatcher;
import org.mongolocks.proxy.FaultProxy;
import org.mongolocks.proxy.InterceptedCommand;
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

    private static final Set<String> OF_LOCKS =
            Set.of("findAndModify", "update", "insert", "delete", "find", "commitTransaction");

    private final Injection injection;

    private interface Injection {
        void into(FaultProxy proxy, Fault.Commands commands, Consumer<String> hit);
    }

    ConnectionFault(Supplier<WireFault> fault) {
        this.injection = (proxy, commands, hit) ->
                proxy.arm(next(commands), new Noted(fault.get(), command -> hit.accept(this + " of " + command)));
    }

    ConnectionFault(Consumer<FaultProxy> fault) {
        this.injection = (proxy, commands, hit) -> {
            hit.accept(name());
            fault.accept(proxy);
        };
    }

    /**
     * Ends the previous fault of a proxy, and begins this one.
     *
     * @param commands the commands that it hits, if it hits single commands
     * @param hit called on any thread with a description of each fault, before it takes effect
     */
    public void begin(FaultProxy proxy, Fault.Commands commands, Consumer<String> hit) {
        proxy.heal();
        injection.into(proxy, commands, hit);
    }

    private static CommandMatcher next(Fault.Commands commands) {
        Set<String> names = new HashSet<>(OF_LOCKS);
        if (commands.areOfStreams()) {
            names.add("getMore");
        }
        return new CommandMatcher(Set.copyOf(names), 0, commands.inARow());
    }

    /** A fault of commands that calls back with their names. */
    private record Noted(WireFault fault, Consumer<String> hit) implements WireFault {
        @Override
        public void onRequest(InterceptedCommand exchange) throws IOException {
            hit.accept(exchange.request().getFirstKey());
            fault.onRequest(exchange);
        }

        @Override
        public void onReply(InterceptedCommand exchange) throws IOException {
            fault.onReply(exchange);
        }
    }
}

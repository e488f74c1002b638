package org.mongolocks.contract.soak;

import java.util.List;
import java.util.Set;
import org.mongolocks.proxy.CommandMatcher;
import org.mongolocks.proxy.FaultProxy;
import org.mongolocks.proxy.WireFault;

/** The faults of one party until its next change. */
@SuppressWarnings("ImmutableEnumChecker") // The faults keep no state.
enum Weather {
    CALM {
        @Override
        void over(FaultProxy proxy) {
            // No faults.
        }
    },
    REQUESTS_ARE_LOST(WireFault.loseRequest()),
    REPLIES_ARE_LOST(WireFault.loseReply()),
    RESETS(WireFault.reset()),
    REQUESTS_COME_LATE(WireFault.delay()),
    REQUESTS_ARE_SLOW(WireFault.holdRequest()),
    REPLIES_ARE_SLOW(WireFault.holdReply(WireFault.none())),
    NOT_PRIMARY(WireFault.refuse(10107)),
    STEPS_DOWN(WireFault.failAfterwards(11602)),
    WRITE_CONCERN_FAILED(WireFault.failWriteConcern(64)),
    CONFLICTS(WireFault.refuse(112)),
    OUT_OF_REACH {
        @Override
        void over(FaultProxy proxy) {
            proxy.refuse();
        }
    },
    FROZEN {
        @Override
        void over(FaultProxy proxy) {
            proxy.freeze();
        }
    },
    CUT {
        @Override
        void over(FaultProxy proxy) {
            proxy.cut();
        }
    };

    private static final List<String> COMMANDS =
            List.of("findAndModify", "update", "insert", "delete", "find", "commitTransaction", "getMore");
    private static final int MOST = 3;

    private final WireFault fault;

    Weather() {
        this(WireFault.none());
    }

    Weather(WireFault fault) {
        this.fault = fault;
    }

    /** Replaces the previous faults. */
    final void comesOver(FaultProxy proxy) {
        proxy.heal();
        over(proxy);
    }

    void over(FaultProxy proxy) {
        proxy.arm(new CommandMatcher(Set.copyOf(COMMANDS), 0, MOST), fault);
    }
}

package org.mongolocks.contract.adapter;

import org.mongolocks.proxy.WireFault;

/** A fault that hits one command, after which the client does not know whether the command was executed. */
@SuppressWarnings("ImmutableEnumChecker") // The faults keep no state.
public enum InjectedFault {
    /** The connection was closed before the command got to the server. */
    LOST_REQUEST(WireFault.loseRequest(), false),
    /** The connection was closed after the command had been executed. */
    LOST_REPLY(WireFault.loseReply(), true),
    /** The connection was reset while the command was being executed. */
    RESET(WireFault.reset(), false),
    /** The write was done, but not replicated to a majority in time. */
    WRITE_CONCERN_TIMEOUT(WireFault.failWriteConcern(64), true),
    /** The write was done, and the server began to shut down before it was replicated to a majority. */
    SHUTDOWN_AFTER_WRITE(WireFault.failWriteConcern(91), true),
    /** The server was no longer primary. */
    NOT_PRIMARY(WireFault.refuse(10107), false),
    /** The primary stepped down after the command had been executed. */
    STEPPED_DOWN_AFTER_WRITE(WireFault.failAfterwards(189), true),
    /** The same, reported by the command itself. */
    INTERRUPTED_AFTER_WRITE(WireFault.failAfterwards(11602), true);

    private final WireFault fault;
    private final boolean isSeen;

    InjectedFault(WireFault fault, boolean isSeen) {
        this.fault = fault;
        this.isSeen = isSeen;
    }

    /** Returns the fault; it lets a test read what the server has stored before the client learns of the fault. */
    public WireFault fault() {
        return isSeen ? WireFault.holdReply(fault) : fault;
    }

    /** Returns whether the server is certain to have executed the command before the client learns of the fault. */
    public boolean isSeen() {
        return isSeen;
    }
}

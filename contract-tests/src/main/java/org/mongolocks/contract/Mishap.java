package org.mongolocks.contract;

import org.mongolocks.proxy.WireFault;

/** Is what happens to one command on its way, after which its sender does not know whether it was executed. */
@SuppressWarnings("ImmutableEnumChecker") // The faults keep no state.
public enum Mishap {
    /** The connection was closed before the command got to the server. */
    LOST_REQUEST(WireFault.loseRequest(), false),
    /** The connection was closed when the command had been executed. */
    LOST_REPLY(WireFault.loseReply(), true),
    /** The connection was reset while the command was executed. */
    RESET(WireFault.reset(), false),
    /** The write was done, but no majority had it in time. */
    WRITE_CONCERN_TIMEOUT(WireFault.doubtDurability(64), true),
    /** The write was done, and the server began to shut down before a majority had it. */
    SHUTDOWN_AFTER_WRITE(WireFault.doubtDurability(91), true),
    /** The server was no primary any more. */
    NOT_PRIMARY(WireFault.refuse(10107), false),
    /** The primary stepped down when the command had been executed. */
    STEPPED_DOWN_AFTER_WRITE(WireFault.failAfterwards(189), true),
    /** The same, as the command itself finds out. */
    INTERRUPTED_AFTER_WRITE(WireFault.failAfterwards(11602), true);

    private final WireFault fault;
    private final boolean isSeen;

    Mishap(WireFault fault, boolean isSeen) {
        this.fault = fault;
        this.isSeen = isSeen;
    }

    /** Gives the fault; what the server has done by then can be looked at before the sender learns anything. */
    WireFault fault() {
        return isSeen ? WireFault.holdReply(fault) : fault;
    }

    /** Tells whether the server has executed the command, for certain, before the sender learns of the fault. */
    boolean isSeen() {
        return isSeen;
    }
}

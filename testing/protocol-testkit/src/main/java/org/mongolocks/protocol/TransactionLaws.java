package org.mongolocks.protocol;

import static org.mongolocks.spi.MongoOp.Transaction.Boundary.ABORT;
import static org.mongolocks.spi.MongoOp.Transaction.Boundary.COMMIT;
import static org.mongolocks.spi.MongoOp.Transaction.Boundary.START;

/** The law for the transactions of one program: the order of start, operations, commit and abort. */
final class TransactionLaws {
    private enum State {
        NONE,
        OPEN,
        /** An operation has failed: only an abort may follow. */
        FAILED,
        /** The outcome of the commit is unknown: another commit is allowed. */
        COMMIT_UNKNOWN,
        /** An operation was sent that the state does not allow. */
        BROKEN
    }

    private TransactionLaws() {}

    static boolean isKept(ProgramTrace trace) {
        State state = State.NONE;
        for (RequestReply exchange : trace.exchanges()) {
            state = after(state, exchange);
        }
        return state == State.NONE || state == State.COMMIT_UNKNOWN;
    }

    private static State after(State state, RequestReply exchange) {
        return switch (state) {
            case NONE -> outside(exchange);
            case OPEN -> inside(exchange);
            case FAILED -> exchange.is(ABORT) ? State.NONE : State.BROKEN;
            case COMMIT_UNKNOWN -> exchange.is(COMMIT) ? committed(exchange) : outside(exchange);
            case BROKEN -> State.BROKEN;
        };
    }

    private static State outside(RequestReply exchange) {
        if (exchange.is(START)) {
            return exchange.failed() ? State.NONE : State.OPEN;
        }
        return exchange.is(COMMIT) || exchange.is(ABORT) ? State.BROKEN : State.NONE;
    }

    private static State inside(RequestReply exchange) {
        if (exchange.is(START)) {
            return State.BROKEN;
        }
        if (exchange.is(COMMIT)) {
            return committed(exchange);
        }
        if (exchange.is(ABORT)) {
            return State.NONE;
        }
        return exchange.failed() ? State.FAILED : State.OPEN;
    }

    private static State committed(RequestReply exchange) {
        return exchange.isUnknownCommit() ? State.COMMIT_UNKNOWN : State.NONE;
    }
}

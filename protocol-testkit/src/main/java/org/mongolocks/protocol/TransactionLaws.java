package org.mongolocks.protocol;

import static org.mongolocks.spi.MongoOp.Transaction.Boundary.ABORT;
import static org.mongolocks.spi.MongoOp.Transaction.Boundary.COMMIT;
import static org.mongolocks.spi.MongoOp.Transaction.Boundary.START;

/** The state of the transactions of one program. */
final class TransactionLaws {
    private enum State {
        NONE,
        OPEN,
        /** An operation has failed: only an abort may follow. */
        FAILED,
        /** The outcome of the commit is unknown: another commit is allowed. */
        IN_DOUBT,
        /** The program did what no transaction allows. */
        BROKEN
    }

    private TransactionLaws() {}

    static boolean isKept(ProgramTrace trace) {
        State state = State.NONE;
        for (RequestReply exchange : trace.exchanges()) {
            state = after(state, exchange);
        }
        return state == State.NONE || state == State.IN_DOUBT;
    }

    private static State after(State state, RequestReply exchange) {
        return switch (state) {
            case NONE -> outside(exchange);
            case OPEN -> inside(exchange);
            case FAILED -> exchange.is(ABORT) ? State.NONE : State.BROKEN;
            case IN_DOUBT -> exchange.is(COMMIT) ? committed(exchange) : outside(exchange);
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
        return exchange.isCommitInDoubt() ? State.IN_DOUBT : State.NONE;
    }
}

package org.mongolocks.protocol;

import static org.mongolocks.spi.LockSchema.LOCKS;
import static org.mongolocks.spi.MongoOp.Transaction.Boundary.ABORT;
import static org.mongolocks.spi.Reply.Fault.DUPLICATE_KEY;
import static org.mongolocks.spi.Reply.Fault.FOREIGN_FORMAT;
import static org.mongolocks.spi.Reply.Fault.WRITE_CONFLICT;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.mongolocks.Lease;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.LockStrategy.MultiLockOutcome;
import org.mongolocks.spi.LockStrategy.Renewal;
import org.mongolocks.spi.Reply;

/** The laws for one path through a program: whether it may end as it does, after its replies. */
final class PathLaws {
    private PathLaws() {}

    static boolean grantIsConfirmed(ProgramTrace trace) {
        Optional<LockOutcome.Acquired> granted = trace.result(LockOutcome.Acquired.class);
        if (granted.isEmpty()) {
            return true;
        }
        int confirmed = last(trace, RequestReply::grants);
        return confirmed >= 0
                && granted.get()
                        .equals(ProtocolFixture.acquired(
                                trace.exchanges().get(confirmed).token()))
                && isNotRevoked(trace.after(confirmed));
    }

    /** Each of several grants is in a document of its own, with its token, and no later reply revokes it. */
    static boolean everyGrantIsConfirmed(ProgramTrace trace) {
        Optional<MultiLockOutcome.Acquired> granted = trace.result(MultiLockOutcome.Acquired.class);
        if (granted.isEmpty()) {
            return true;
        }
        List<RequestReply> confirmed =
                trace.exchanges().stream().filter(RequestReply::grants).toList();
        int last = last(trace, RequestReply::grants);
        return tokens(granted.get().leases(), Lease::fencingToken).equals(tokens(confirmed, RequestReply::token))
                && isNotRevoked(trace.after(last));
    }

    static boolean successIsConfirmed(ProgramTrace trace) {
        boolean isSuccess = trace.result(Boolean.class).orElse(false)
                || trace.result(Renewal.Renewed.class).isPresent();
        int confirmed = last(trace, RequestReply::matched);
        return !isSuccess || (confirmed >= 0 && isNotRevoked(trace.after(confirmed)));
    }

    static boolean faultEndsTheProgramOrIsAnswered(ProgramTrace trace) {
        int failed = last(trace, RequestReply::failed);
        if (trace.failure().isPresent()) {
            Reply.Failed failure = trace.failure().get();
            return failure.fault() == FOREIGN_FORMAT
                    || (failed >= 0 && trace.exchanges().get(failed).reply() == failure);
        }
        boolean isLastAnswer = failed >= 0 && trace.after(failed).stream().allMatch(exchange -> exchange.is(ABORT));
        return !isLastAnswer || isExplained(trace, trace.exchanges().get(failed));
    }

    /** No reply after a confirmation revokes it: nothing failed, except a commit that was answered later. */
    private static boolean isNotRevoked(List<RequestReply> after) {
        boolean answered = after.isEmpty() || !after.get(after.size() - 1).failed();
        return answered
                && after.stream().noneMatch(exchange -> exchange.is(ABORT))
                && after.stream().filter(RequestReply::failed).allMatch(RequestReply::isUnknownCommit);
    }

    /** The race was lost; or a renewal has found the lock lost already, and only the read of the reason failed. */
    private static boolean isExplained(ProgramTrace trace, RequestReply failed) {
        boolean isRaceLost =
                failed.reply().failedWith(DUPLICATE_KEY) || failed.reply().failedWith(WRITE_CONFLICT);
        boolean contended = trace.result(LockOutcome.Contended.class).isPresent()
                || trace.result(MultiLockOutcome.Contended.class).isPresent();
        return (isRaceLost && contended)
                || (trace.result(Renewal.Lost.class).isPresent() && last(trace, RequestReply::matchedNothing) >= 0);
    }

    /** Only a document that was read as foreign is refused, and every one is. */
    static boolean isForeignRefused(ProgramTrace trace, String format) {
        int seen = first(trace, exchange -> isForeign(exchange, format));
        boolean isRefused = trace.failure()
                .filter(failure -> failure.failedWith(FOREIGN_FORMAT))
                .isPresent();
        if (seen < 0) {
            return !isRefused;
        }
        boolean isLastOperation = trace.after(seen).stream().allMatch(exchange -> exchange.is(ABORT));
        return isLastOperation && (isRefused || trace.result(Renewal.Lost.class).isPresent());
    }

    private static boolean isForeign(RequestReply exchange, String format) {
        return exchange.reply() instanceof Reply.Found found
                && found.document()
                        .filter(stored -> !OperationLaws.isMarked(stored, format))
                        .isPresent()
                && OperationLaws.collection(exchange.op()).equals(Optional.of(LOCKS));
    }

    private static <T> List<Long> tokens(List<T> of, ToLongFunction<T> token) {
        return of.stream().mapToLong(token).boxed().toList();
    }

    private static int first(ProgramTrace trace, Predicate<RequestReply> condition) {
        return IntStream.range(0, trace.exchanges().size())
                .filter(index -> condition.test(trace.exchanges().get(index)))
                .findFirst()
                .orElse(-1);
    }

    private static int last(ProgramTrace trace, Predicate<RequestReply> condition) {
        int index = trace.exchanges().size() - 1;
        while (index >= 0 && !condition.test(trace.exchanges().get(index))) {
            index--;
        }
        return index;
    }
}

package org.mongolocks.internal.wait;

import static java.lang.System.Logger.Level.DEBUG;

import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.Owner;
import org.mongolocks.internal.run.BackgroundLog;
import org.mongolocks.internal.run.TimeBudget.FaultRetry;
import org.mongolocks.spi.ForeignFormatException;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

/**
 * The ticket of one fair acquisition in the server queue of its lock: added before the first attempt, renewed and read
 * while the acquisition waits, and removed at its end. One object serves one run.
 */
public final class FairQueueTicket {
    /** Two clients that create a queue at once can collide; once it exists they do not. */
    private static final int MAX_REPEATS = 3;

    private final WaiterQueues queues;
    private final LockName name;
    private final FairQueueDocument.Ticket ticket;
    private final Waiter waiter;
    private final FairWaiterQueue queue;
    private boolean mayBeQueued;

    /** Joins the local queue of the fair waiters; nothing is sent yet. */
    public FairQueueTicket(WaiterQueues queues, LockRequest request, Owner owner) {
        this.queues = queues;
        this.name = request.name();
        this.ticket = FairQueueDocument.Ticket.of(owner, request.ttl(), queues.skipsTickets(name.value()));
        this.waiter = new Waiter(queues, name, Optional.of(ticket));
        this.queue = queues.joinFair(waiter);
    }

    /** Reads whether the server queue of a lock has no ticket but skipped ones; adds no ticket. */
    public static Step<Boolean> isEmpty(LockName name) {
        return Step.call(FairQueueDocument.read(name), reply -> read(reply, 0))
                .andThen(read -> Step.done(!read.hasWaiters()));
    }

    /** Returns the waiter in the local queue. */
    public Waiter waiter() {
        return waiter;
    }

    /** Returns whether the ticket may be in the server queue. */
    public boolean mayBeQueued() {
        return mayBeQueued;
    }

    /** Adds the ticket, or finds the existing one: it keeps its first position. */
    public Step<Boolean> add() {
        mayBeQueued = true;
        return enqueue(
                List.of(), (read, started) -> queue.ticketAdded(ticket, started, queues.nanoTime()), MAX_REPEATS);
    }

    /** Runs an action of the head other than an attempt to acquire the lock. */
    public Step<Boolean> run(WaiterQueue.HeadAction action) {
        return switch (action) {
            case RENEW_TICKETS -> renewAll();
            case INSPECT_LOCK -> queues.inspect(queue);
            default -> readTicketsBefore();
        };
    }

    /** Removes the ticket. If that fails the ticket stays until it expires, which only delays the others. */
    public Step<Boolean> remove(boolean mayBeFree, FaultRetry faults) {
        if (!mayBeQueued) {
            return Step.done(true);
        }
        boolean isOnly = isOnly();
        waiter.markTicketRemoved();
        return faults.retrying(() -> isOnly ? deleteQueue(mayBeFree) : dequeue(mayBeFree), Step::done)
                .then(this::removed, this::notRemoved);
    }

    private Step<Boolean> renewAll() {
        List<FairQueueDocument.Ticket> all = tickets();
        return enqueue(all, (read, started) -> queue.ticketsRenewed(all, read, started), MAX_REPEATS);
    }

    private Step<Boolean> readTicketsBefore() {
        long started = queues.nanoTime();
        waiter.beginAttempt(started);
        return Step.call(
                        FairQueueDocument.readUpTo(name, ticket.owner()),
                        reply -> read(reply, stored -> FairQueueDocument.readAhead(stored, started)))
                .andThen(read -> queueRead(read, true));
    }

    private Step<Boolean> enqueue(
            List<FairQueueDocument.Ticket> others, BiConsumer<FairQueueSnapshot, Long> record, int repeats) {
        long started = queues.nanoTime();
        return Step.call(FairQueueDocument.enqueue(name, ticket, others), reply -> {
            if (reply instanceof Reply.Failed failed && failed.fault() == Fault.DUPLICATE_KEY) {
                return repeats > 0 ? enqueue(others, record, repeats - 1) : foreign(failed);
            }
            return read(reply, started).andThen(read -> {
                synchronized (queues) {
                    record.accept(read, started);
                }
                return queueRead(read, true);
            });
        });
    }

    /** A document that is no queue has the name of the lock, unless others create the queue again and again. */
    private Step<Boolean> foreign(Reply.Failed duplicate) {
        return Step.call(FairQueueDocument.readAny(name), reply -> {
            Optional<Reply.Failed> foreign = reply instanceof Reply.Found found
                    ? found.document()
                            .flatMap(stored ->
                                    ForeignFormatException.in(stored, FairQueueDocument.FORMAT, LockSchema.QUEUE))
                    : Optional.empty();
            return new Step.Fail<>(foreign.orElse(duplicate));
        });
    }

    private Step<Boolean> deleteQueue(boolean mayBeFree) {
        MongoOp delete = FairQueueDocument.deleteIfOnly(name, ticket.owner());
        return Step.call(delete, reply -> {
            if (reply instanceof Reply.Counted counted) {
                return counted.matched() > 0 ? Step.done(true) : dequeue(mayBeFree);
            }
            return Step.fail(reply);
        });
    }

    private Step<Boolean> dequeue(boolean mayBeFree) {
        long started = queues.nanoTime();
        return Step.call(
                mayBeFree
                        ? FairQueueDocument.dequeue(name, ticket.owner())
                        : FairQueueDocument.dequeueGranted(name, ticket.owner(), skipped()),
                reply -> read(reply, started).andThen(read -> {
                    boolean existed = reply instanceof Reply.Found found
                            && found.document().isPresent();
                    return existed && read.isEmpty() ? deleteEmptyQueue() : queueRead(read, mayBeFree);
                }));
    }

    private Step<Boolean> deleteEmptyQueue() {
        return Step.call(
                FairQueueDocument.deleteIfEmpty(name),
                reply -> reply instanceof Reply.Failed ? Step.fail(reply) : Step.done(true));
    }

    private Step<Boolean> removed(boolean done) {
        mayBeQueued = false;
        return Step.done(done);
    }

    private Step<Boolean> notRemoved(Reply.Failed failure) {
        BackgroundLog.log(
                DEBUG, "A ticket for lock '" + name + "' stays in the queue for " + ticket.ttl(), failure.cause());
        return removed(false);
    }

    private Step<Boolean> queueRead(FairQueueSnapshot read, boolean mayBeFree) {
        queues.onQueueRead(queue, waiter, read, mayBeFree);
        return Step.done(true);
    }

    private boolean isOnly() {
        synchronized (queues) {
            return queue.isOnly(waiter);
        }
    }

    private List<String> skipped() {
        synchronized (queues) {
            return queue.skippedBy(ticket);
        }
    }

    private List<FairQueueDocument.Ticket> tickets() {
        synchronized (queues) {
            return queue.tickets();
        }
    }

    private static Step<FairQueueSnapshot> read(Reply reply, long startedNanos) {
        return read(reply, stored -> FairQueueDocument.read(stored, startedNanos));
    }

    private static Step<FairQueueSnapshot> read(
            Reply reply, Function<Optional<BsonDocument>, FairQueueSnapshot> parser) {
        return reply instanceof Reply.Found found ? Step.done(parser.apply(found.document())) : Step.fail(reply);
    }
}

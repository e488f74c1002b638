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
import org.mongolocks.internal.run.FaultRetry;
import org.mongolocks.spi.Fault;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

/** The membership of one fair acquisition in the queue of its lock. One object serves one run. */
public final class FairQueueTicket {
    private static final System.Logger LOG = System.getLogger("org.mongolocks");
    /** Two clients that create a queue at once can collide; once it exists they do not. */
    private static final int MAX_REPEATS = 3;

    private final WaiterQueues room;
    private final LockName name;
    private final QueueTicket ticket;
    private final Waiter place;
    private final FairWaiterQueue line;
    private boolean mayStand;

    private FairQueueTicket(WaiterQueues room, LockName name, QueueTicket ticket, Waiter place) {
        this.room = room;
        this.name = name;
        this.ticket = ticket;
        this.place = place;
        this.line = (FairWaiterQueue) place.line();
    }

    /** Joins the local queue; nothing is sent yet. */
    public static FairQueueTicket enter(WaiterQueues room, LockRequest request, Owner owner) {
        QueueTicket ticket = new QueueTicket(owner, request.ttl());
        return new FairQueueTicket(room, request.name(), ticket, room.enter(request.name(), ticket));
    }

    /** Reads whether a queue is empty; adds no ticket. */
    public static Step<Boolean> isEmpty(LockName name) {
        return Step.call(FairQueueDocument.read(name), FairQueueTicket::read)
                .andThen(queue -> Step.done(queue.isEmpty()));
    }

    public Waiter place() {
        return place;
    }

    /** Returns whether a ticket may be in the queue. */
    public boolean mayStand() {
        return mayStand;
    }

    /** Adds a ticket, or finds the existing one: it keeps its first position. */
    public Step<Boolean> take() {
        mayStand = true;
        return stand(List.of(), (queue, started) -> line.taken(ticket, started), MAX_REPEATS);
    }

    /** Runs the action of the head, except an attempt to acquire the lock. */
    public Step<Boolean> attend(WaiterQueue.HeadAction duty) {
        return duty == WaiterQueue.HeadAction.RENEW ? renew() : look();
    }

    /** Removes the ticket. If that fails the ticket stays until it expires, which only delays the others. */
    public Step<Boolean> leave(boolean mayBeFree, FaultRetry faults) {
        if (!mayStand) {
            return Step.done(true);
        }
        boolean isOnly = isOnly();
        place.leaving();
        return faults.retrying(() -> isOnly ? leaveAsLast(mayBeFree) : remove(mayBeFree), Step::done)
                .then(this::left, this::stays);
    }

    private Step<Boolean> renew() {
        List<QueueTicket> all = tickets();
        return stand(all, (queue, started) -> line.renewed(all, queue, started), MAX_REPEATS);
    }

    private Step<Boolean> look() {
        place.asks();
        return Step.call(
                        FairQueueDocument.readUpTo(name, ticket.owner()),
                        reply -> read(reply, FairQueueDocument::readAhead))
                .andThen(queue -> showed(queue, true));
    }

    private Step<Boolean> stand(List<QueueTicket> others, BiConsumer<FairQueueSnapshot, Long> note, int repeats) {
        long started = room.nanoTime();
        return Step.call(FairQueueDocument.enqueue(name, ticket, others), reply -> {
            if (repeats > 0 && reply.failedWith(Fault.DUPLICATE_KEY)) {
                return stand(others, note, repeats - 1);
            }
            return read(reply).andThen(queue -> {
                synchronized (room) {
                    note.accept(queue, started);
                }
                return showed(queue, true);
            });
        });
    }

    private Step<Boolean> leaveAsLast(boolean mayBeFree) {
        MongoOp delete = FairQueueDocument.deleteIfOnly(name, ticket.owner());
        return Step.call(delete, reply -> {
            if (reply instanceof Reply.Counted counted) {
                return counted.matched() > 0 ? Step.done(true) : remove(mayBeFree);
            }
            return Step.fail(reply);
        });
    }

    private Step<Boolean> remove(boolean mayBeFree) {
        return Step.call(
                FairQueueDocument.dequeue(name, ticket.owner()),
                reply -> read(reply).andThen(queue -> {
                    boolean existed = reply instanceof Reply.Found found
                            && found.document().isPresent();
                    return existed && queue.isEmpty() ? sweep() : showed(queue, mayBeFree);
                }));
    }

    private Step<Boolean> sweep() {
        return Step.call(
                FairQueueDocument.deleteIfEmpty(name),
                reply -> reply instanceof Reply.Failed ? Step.fail(reply) : Step.done(true));
    }

    private Step<Boolean> left(boolean done) {
        mayStand = false;
        return Step.done(done);
    }

    private Step<Boolean> stays(Reply.Failed failure) {
        LOG.log(DEBUG, "A ticket for lock '" + name + "' stays in the queue for " + ticket.ttl(), failure.cause());
        return left(false);
    }

    private Step<Boolean> showed(FairQueueSnapshot queue, boolean mayBeFree) {
        room.onQueueRead(place, queue, mayBeFree);
        return Step.done(true);
    }

    private boolean isOnly() {
        synchronized (room) {
            return line.isOnly(place);
        }
    }

    private List<QueueTicket> tickets() {
        synchronized (room) {
            return line.tickets();
        }
    }

    private static Step<FairQueueSnapshot> read(Reply reply) {
        return read(reply, FairQueueDocument::read);
    }

    private static Step<FairQueueSnapshot> read(
            Reply reply, Function<Optional<BsonDocument>, FairQueueSnapshot> reading) {
        return reply instanceof Reply.Found found ? Step.done(reading.apply(found.document())) : Step.fail(reply);
    }
}

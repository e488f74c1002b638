package org.mongolocks.internal.wait;

import static java.lang.System.Logger.Level.DEBUG;

import org.mongolocks.internal.run.FaultRetry;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.Owner;
import org.mongolocks.spi.Fault;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

/** The membership of one fair acquisition in the queue of its lock. One object serves one run. */
public final class Queueing {
    private static final System.Logger LOG = System.getLogger("org.mongolocks");
    /** Two clients that create a queue at once can collide; once it exists they do not. */
    private static final int MOST_REPEATS = 3;

    private final WaitingRoom room;
    private final LockName name;
    private final Ticket ticket;
    private final Place place;
    private final QueueLine line;
    private boolean mayStand;

    private Queueing(WaitingRoom room, LockName name, Ticket ticket, Place place) {
        this.room = room;
        this.name = name;
        this.ticket = ticket;
        this.place = place;
        this.line = (QueueLine) place.line();
    }

    /** Joins the local queue; nothing is sent yet. */
    public static Queueing enter(WaitingRoom room, LockRequest request, Owner owner) {
        Ticket ticket = new Ticket(owner, request.ttl());
        return new Queueing(room, request.name(), ticket, room.enter(request.name(), ticket));
    }

    /** Reads whether a queue is empty; adds no ticket. */
    public static Step<Boolean> isEmpty(LockName name) {
        return Step.call(QueueDocument.look(name), Queueing::read).andThen(queue -> Step.done(queue.isEmpty()));
    }

    public Place place() {
        return place;
    }

    /** Returns whether a ticket may be in the queue. */
    public boolean mayStand() {
        return mayStand;
    }

    /** Adds a ticket, or finds the existing one: it keeps its first position. */
    public Step<Boolean> take() {
        mayStand = true;
        return stand(List.of(), (queue, started) -> line.taken(ticket, started), MOST_REPEATS);
    }

    /** Runs the action of the head, except an attempt to acquire the lock. */
    public Step<Boolean> attend(WaitingLine.Duty duty) {
        return duty == WaitingLine.Duty.RENEW ? renew() : look();
    }

    /** Removes the ticket. If that fails the ticket stays until it expires, which only delays the others. */
    public Step<Boolean> leave(boolean mayBeFree, FaultRetry faults) {
        if (!mayStand) {
            return Step.done(true);
        }
        boolean isOnly = isOnly();
        place.leaving();
        return faults.insist(() -> isOnly ? leaveAsLast(mayBeFree) : remove(mayBeFree), Step::done)
                .fold(this::left, this::stays);
    }

    private Step<Boolean> renew() {
        List<Ticket> all = tickets();
        return stand(all, (queue, started) -> line.renewed(all, queue, started), MOST_REPEATS);
    }

    private Step<Boolean> look() {
        place.asks();
        return Step.call(QueueDocument.lookAhead(name, ticket.owner()), reply -> read(reply, QueueDocument::readAhead))
                .andThen(queue -> showed(queue, true));
    }

    private Step<Boolean> stand(List<Ticket> others, BiConsumer<Queue, Long> note, int repeats) {
        long started = room.nanoTime();
        return Step.call(QueueDocument.stand(name, ticket, others), reply -> {
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
        MongoOp delete = QueueDocument.leaveAsLast(name, ticket.owner());
        return Step.call(delete, reply -> {
            if (reply instanceof Reply.Counted counted) {
                return counted.matched() > 0 ? Step.done(true) : remove(mayBeFree);
            }
            return Step.fail(reply);
        });
    }

    private Step<Boolean> remove(boolean mayBeFree) {
        return Step.call(
                QueueDocument.leave(name, ticket.owner()),
                reply -> read(reply).andThen(queue -> {
                    boolean existed = reply instanceof Reply.Found found
                            && found.document().isPresent();
                    return existed && queue.isEmpty() ? sweep() : showed(queue, mayBeFree);
                }));
    }

    private Step<Boolean> sweep() {
        return Step.call(
                QueueDocument.sweep(name), reply -> reply instanceof Reply.Failed ? Step.fail(reply) : Step.done(true));
    }

    private Step<Boolean> left(boolean done) {
        mayStand = false;
        return Step.done(done);
    }

    private Step<Boolean> stays(Reply.Failed failure) {
        LOG.log(DEBUG, "A ticket for lock '" + name + "' stays in the queue for " + ticket.ttl(), failure.cause());
        return left(false);
    }

    private Step<Boolean> showed(Queue queue, boolean mayBeFree) {
        room.showed(place, queue, mayBeFree);
        return Step.done(true);
    }

    private boolean isOnly() {
        synchronized (room) {
            return line.isOnly(place);
        }
    }

    private List<Ticket> tickets() {
        synchronized (room) {
            return line.tickets();
        }
    }

    private static Step<Queue> read(Reply reply) {
        return read(reply, QueueDocument::read);
    }

    private static Step<Queue> read(Reply reply, Function<Optional<BsonDocument>, Queue> reading) {
        return reply instanceof Reply.Found found ? Step.done(reading.apply(found.document())) : Step.fail(reply);
    }
}

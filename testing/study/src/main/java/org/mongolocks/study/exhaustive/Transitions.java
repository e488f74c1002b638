package org.mongolocks.study.exhaustive;

import de.bwaldvogel.mongo.bson.Document;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockSchema.LockFields;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.study.exhaustive.ClientState.Delivery;
import org.mongolocks.study.exhaustive.SmallServer.Executed;
import org.mongolocks.study.exhaustive.SmallServer.Expiry;
import org.mongolocks.study.exhaustive.SmallWorld.Action;
import org.mongolocks.study.exhaustive.SmallWorld.Fault;
import org.mongolocks.study.exhaustive.Twin.Slip;
import org.mongolocks.study.exhaustive.WorldState.Move;
import org.mongolocks.study.exhaustive.WorldState.Stray;
import org.mongolocks.study.sim.config.Workload.Locks;
import org.mongolocks.study.sim.net.Commands;
import org.mongolocks.study.sim.time.VirtualTime;
import org.mongolocks.study.technique.Technique.TechniqueConfig;
import org.mongolocks.study.technique.Techniques;
import org.mongolocks.study.technique.Textbook;

/**
 * What can happen next in a small world.
 *
 * <p>The server executes one command at a time, so the order in which requests arrive is all that clients see of each other. A
 * reply that arrives, and a client that goes on, change nothing for others until the next request arrives: they commute with
 * everything but the passing of time, and with the end of their client, which equals its end just before. So they happen at
 * once, or not before time has passed.
 */
final class Transitions {
    private static final long TTL = Techniques.TTL.toMillis();
    private static final String LOCKS = "locks";
    /** Longer than a lease that begins when the server's clock is set back, and than a transaction. */
    private static final Duration LATER = Techniques.TTL.multipliedBy(2).plusMinutes(1);

    private static final int MAX_COMMANDS = 100;
    private static final String NEVER_AGAIN = "the lock is granted to nobody after the end of all leases";

    private final SmallWorld world;
    private final SmallServer server = new SmallServer();
    private final LockStrategy strategy;
    private final List<Expiry> expiries;
    private final TechniqueConfig config;
    private final long laterMillis;
    private final ClientPrograms programs;
    private final Set<ServerState> probed = new HashSet<>();

    Transitions(SmallWorld world) {
        this.world = world;
        this.programs = new ClientPrograms(world);
        this.strategy = world.technique().strategies().apply(() -> VirtualTime.EPOCH);
        this.config = world.technique().config();
        this.expiries = expiriesOf(strategy);
        // The lease of an article ends by the clocks of its clients.
        Duration wrongBy = config.isShipped() ? Duration.ZERO : SmallWorld.WRONG_BY.multipliedBy(world.clients());
        this.laterMillis = LATER.plus(wrongBy).toMillis();
    }

    /** Returns the states in which the world may begin. */
    List<WorldState> begin() {
        List<ClientState> clients = IntStream.range(0, world.clients())
                .mapToObj(id -> new ClientState(programs.begin(id), Delivery.NONE, null, 0, 0))
                .toList();
        WorldState first = new WorldState(
                server.begin(strategy),
                0,
                0,
                clients,
                List.of(),
                0,
                world.maxFaults(),
                null,
                new Chain<>(null, new Move(0, Move.SERVER, "begin", world.maxFaults(), List.of())));
        return settled(first);
    }

    /** Returns all states that may be next. The state itself has no reply or turn that is due. */
    List<WorldState> next(WorldState state) {
        List<WorldState> next = new ArrayList<>();
        for (int id = 0; id < world.clients(); id++) {
            if (state.client(id).isLive()) {
                ofClient(state, id, next);
            }
        }
        for (int i = 0; i < state.strays().size(); i++) {
            stray(state, i).ifPresent(next::add);
        }
        ofServer(state, next);
        ofTime(state, next);
        return next.stream().flatMap(each -> settled(each).stream()).toList();
    }

    /**
     * Looks for a state in which no client could acquire the lock any more: when all clients are over, or have no lock and wait
     * for time to pass, one that comes after all leases, and waits, must be granted the lock. Before that there is always a move
     * without a fault that brings the clients nearer to their ends, so it is enough to look there.
     *
     * @return the state with a complaint, or nothing
     */
    Optional<WorldState> deadEnd(WorldState state) {
        if (state.clients().stream()
                        .anyMatch(client -> client.isLive()
                                && (!client.view().isIdle() || client.view().believesAt(state.millis())))
                || !probed.add(state.server().replicated())) {
            return Optional.empty();
        }
        SearchedClient late = programs.late();
        ServerState server = state.server().replicated();
        long millis = state.millis();
        ClientView view = late.view();
        int commands = 0;
        while (!view.isOver() && millis < state.millis() + laterMillis + SearchedClient.MAX_WAIT.toMillis()) {
            millis += millis == state.millis() ? laterMillis : TTL / 2;
            server = afterTtlPasses(server, millis);
            late.take(new ClientInput.Proceed(millis));
            for (view = late.view(); view.request() != null; view = late.view()) {
                Optional<Executed> executed = this.server.execute(server, millis, view.request());
                // A client that asks again and again is not granted the lock either.
                if (executed.isEmpty() || ++commands > MAX_COMMANDS) {
                    return Optional.of(state.wrong(NEVER_AGAIN));
                }
                server = executed.get().state();
                late.take(new ClientInput.Answer(millis, executed.get().reply()));
            }
        }
        return view.granted() > 0 ? Optional.empty() : Optional.of(state.wrong(NEVER_AGAIN));
    }

    /**
     * Looks for a lock that is held although all clients are over and its owner was never granted it. A copy of an attempt that was
     * refused may be granted the lock much later, so it is not looked for where copies arrive.
     *
     * @return the state with a complaint, or nothing
     */
    Optional<WorldState> leftBehind(WorldState state) {
        if (!config.isShipped()
                || may(Fault.DUPLICATE)
                || leaseEnd(state.server()).orElse(0) <= state.millis()) {
            return Optional.empty();
        }
        boolean isOver =
                state.clients().stream().allMatch(client -> client.view().isOver());
        boolean isGranted = IntStream.range(0, world.clients())
                .filter(id -> owner(state.server()).startsWith(ownerPrefix(id)))
                .mapToObj(id -> state.client(id).view())
                .allMatch(view -> view.granted() == view.begun());
        return isOver && !isGranted
                ? Optional.of(state.wrong("the lock is held by an owner that was not granted it"))
                : Optional.empty();
    }

    private ServerState afterTtlPasses(ServerState before, long millis) {
        ServerState after = before;
        for (Expiry index : expiries) {
            after = server.ttlPass(after, millis, index);
        }
        return after;
    }

    private static List<Expiry> expiriesOf(LockStrategy strategy) {
        if (strategy instanceof Textbook textbook) {
            return textbook.indexes().stream()
                    .filter(index -> index.containsKey("expireAfterSeconds"))
                    .map(index -> new Expiry(
                            LOCKS,
                            index.getDocument("key").getFirstKey(),
                            index.getInt32("expireAfterSeconds").getValue() * 1_000L))
                    .toList();
        }
        LockSchema schema = strategy.schema();
        return schema.collections().stream()
                .flatMap(collection -> collection.ttl().stream()
                        .map(ttl -> new Expiry(
                                schema.resolve(collection.name(), LOCKS),
                                ttl.field(),
                                ttl.after().toMillis())))
                .toList();
    }

    /** What was granted before the first command of an acquisition arrives, or is given up, was granted before it. */
    private void ofClient(WorldState before, int id, List<WorldState> next) {
        boolean isBeginning = before.client(id).view().isBeginning();
        WorldState state = isBeginning ? before.with(id, before.client(id).beginning(before.newestToken())) : before;
        ClientState client = state.client(id);
        boolean isSent = client.delivery() == Delivery.SENT;
        if (isSent) {
            Optional<Executed> executed = server.execute(state.server(), state.millis(), request(client));
            executed.ifPresent(done -> executed(state, id, client, done, next));
            // It waits for a transaction that nobody ends.
            if (executed.isEmpty() && !mayOthersGoOn(state, id)) {
                next.add(timeout(state, id, client));
            }
        }
        if (state.faultsLeft() > 0) {
            WorldState faulty = state.afterFault();
            if (may(Fault.TIMEOUT) && client.delivery() != Delivery.NONE) {
                next.add(timeout(faulty, id, client));
            }
            if (may(Fault.RESET) && (isSent || client.delivery() == Delivery.LAGGING)) {
                WorldState left = isSent ? withStray(faulty, id, client) : faulty;
                next.add(
                        named(input(left, id, new ClientInput.Reset(state.millis())), id, "connection breaks", client));
            }
            if (may(Fault.CRASH)) {
                WorldState left = isSent ? withStray(faulty, id, client) : faulty;
                next.add(named(left.with(id, client.with(Delivery.CRASHED, null, 0)), id, "crashes", client));
            }
        }
    }

    private boolean mayOthersGoOn(WorldState state, int id) {
        return IntStream.range(0, world.clients())
                .filter(other -> other != id)
                .mapToObj(state::client)
                .anyMatch(other -> switch (other.delivery()) {
                    case SENT ->
                        server.execute(state.server(), state.millis(), request(other))
                                .isPresent();
                    case LAGGING -> true;
                    default -> false;
                });
    }

    private void executed(WorldState state, int id, ClientState client, Executed done, List<WorldState> next) {
        boolean hasWritten = !done.state().equals(state.server());
        WorldState after = checkForeign(state, id, client.view().label(), request(client), done)
                .with(done.state());
        boolean lags = state.server().isLagging() && client.view().awaitsMajority();
        Delivery early = world.has(Slip.AWAITS_NO_MAJORITY) ? Delivery.ANSWERED : Delivery.LAGGING;
        ClientState lagging = client.with(early, done.reply(), state.moment());
        ClientState replied = lags ? lagging : client.with(Delivery.ANSWERED, done.reply(), state.moment());
        next.add(named(after.with(id, replied), id, "is executed", client));
        if (state.faultsLeft() == 0) {
            return;
        }
        if (may(client.view().isResent() ? Fault.DUPLICATE : Fault.DUPLICATE_STATEMENT)) {
            WorldState copied = withStray(after.afterFault(), id, client);
            next.add(named(copied.with(id, replied), id, "is executed, a copy is on its way", client));
        }
        if (may(Fault.LAG) && !lags && hasWritten && client.view().awaitsMajority()) {
            ServerState ahead = new ServerState(
                    done.state().newest(), state.server().newest(), done.state().aheadMillis());
            WorldState seen = after.afterFault().with(ahead).with(id, lagging);
            next.add(named(seen, id, "is executed, but not by a majority", client));
        }
    }

    private WorldState timeout(WorldState state, int id, ClientState client) {
        WorldState left = client.delivery() == Delivery.SENT ? withStray(state, id, client) : state;
        return named(input(left, id, new ClientInput.Timeout(state.millis())), id, "times out", client);
    }

    /** Nothing follows from a request that changes nothing but what follows while it is still on its way. */
    private Optional<WorldState> stray(WorldState state, int index) {
        Stray stray = state.strays().get(index);
        Optional<Executed> executed = server.execute(state.server(), state.millis(), stray.request());
        return executed.filter(done -> !done.state().equals(state.server())).map(done -> {
            List<Stray> others = new ArrayList<>(state.strays());
            others.remove(index);
            return checkForeign(state, stray.client(), stray.label(), stray.request(), done)
                    .with(done.state())
                    .withStrays(List.copyOf(others))
                    .reachedFrom(
                            state,
                            stray.client(),
                            "late " + stray.label() + " of client " + stray.client() + " is executed");
        });
    }

    private void ofServer(WorldState state, List<WorldState> next) {
        if (state.server().isLagging()) {
            lagEnds(state, next);
        }
        if (state.faultsLeft() > 0) {
            faultsOfServer(state, next);
        }
        ttlPass(state, next);
    }

    private void lagEnds(WorldState state, List<WorldState> next) {
        WorldState replicated = state.with(state.server().replicated());
        for (int id = 0; id < world.clients(); id++) {
            ClientState client = state.client(id);
            if (client.delivery() == Delivery.LAGGING) {
                replicated = replicated.with(id, client.with(Delivery.ANSWERED, client.reply(), state.moment()));
            }
        }
        next.add(replicated.reachedFrom(state, "a majority has all writes"));
        WorldState undone = state.with(server.elect(
                state.server(), Objects.requireNonNull(state.server().majority()), state.millis()));
        for (int id = 0; id < world.clients(); id++) {
            if (state.client(id).delivery() == Delivery.LAGGING) {
                undone = input(undone, id, new ClientInput.Reset(state.millis()));
            }
        }
        next.add(undone.reachedFrom(state, "an election undoes writes without a majority"));
    }

    private void faultsOfServer(WorldState state, List<WorldState> next) {
        WorldState faulty = state.afterFault();
        if (may(Fault.ELECTION) && !state.server().isLagging()) {
            next.add(faulty.with(server.elect(state.server(), state.server().newest(), state.millis()))
                    .reachedFrom(state, "another member becomes primary"));
        }
        if (may(Fault.CLOCK_BACK)) {
            next.add(faulty.with(state.server().withClockAhead(-TTL))
                    .reachedFrom(state, "the server's clock is set back by a ttl"));
        }
        if (may(Fault.CLOCK_AHEAD)) {
            next.add(faulty.with(state.server().withClockAhead(TTL))
                    .reachedFrom(state, "the server's clock is set ahead by a ttl"));
        }
    }

    private void ttlPass(WorldState state, List<WorldState> next) {
        ServerState after = afterTtlPasses(state.server(), state.millis());
        if (!after.equals(state.server())) {
            next.add(state.with(after).reachedFrom(state, "the TTL monitor deletes the lock"));
        }
    }

    /**
     * Time passes to the end of a belief, to the end of a lease on the server, or, if there are renewals, half way to that. It
     * does not matter while there is no lease.
     */
    private void ofTime(WorldState state, List<WorldState> next) {
        if (state.moment() == world.maxMoments()) {
            return;
        }
        LongStream beliefs = state.clients().stream()
                .filter(ClientState::isLive)
                .mapToLong(client -> client.view().heldUntilMillis())
                .filter(end -> end != Long.MAX_VALUE && end > state.millis());
        LongStream lease = leaseEnd(state.server()).stream();
        long[] ends = LongStream.concat(beliefs, lease)
                .filter(time -> time > state.millis())
                .sorted()
                .distinct()
                .toArray();
        LongStream half = ends.length > 0 && world.script().contains(Action.RENEW)
                ? LongStream.of((state.millis() + ends[0]) / 2)
                : LongStream.empty();
        boolean isWithoutLease = ends.length == 0 && !config.isShipped();
        LongStream others = isWithoutLease ? LongStream.of(state.millis() + TTL) : LongStream.of(ends);
        LongStream deletions = may(Fault.CLEAN_UP) ? deletions(state) : LongStream.empty();
        LongStream.concat(LongStream.concat(half, others), deletions)
                .mapToObj(time -> state.at(time).reachedFrom(state, "time passes to " + time + " ms"))
                .forEach(next::add);
    }

    /** Returns when documents may be deleted that are not used any more, in the time of the world. */
    private LongStream deletions(WorldState state) {
        return expiries.stream()
                .flatMap(index -> stored(state.server(), index.collection()).stream()
                        .flatMap(document -> after(state.server(), document.get(index.field()), index.millis()).stream()
                                .boxed()))
                .mapToLong(Long::longValue)
                .filter(time -> time > state.millis())
                .distinct();
    }

    /** Returns when the lease in the lock document ends, in the time of the world. */
    private static OptionalLong leaseEnd(ServerState server) {
        Document lock = lock(server).orElseGet(Document::new);
        return lock.get(LockFields.LEASE_MILLIS) instanceof Number lease
                ? after(server, lock.get(LockFields.RENEWED_AT), lease.longValue())
                : OptionalLong.empty();
    }

    /** Returns when a time has passed since a stored date, in the time of the world. */
    private static OptionalLong after(ServerState server, @Nullable Object date, long millis) {
        return date instanceof Instant since
                ? OptionalLong.of(Duration.between(VirtualTime.EPOCH, since).toMillis() + millis - server.aheadMillis())
                : OptionalLong.empty();
    }

    /** Lets replies arrive and clients go on; or go on when time has passed, if it can. Where something is wrong, it ends. */
    private List<WorldState> settled(WorldState state) {
        for (int id = 0; id < world.clients() && state.complaint() == null; id++) {
            ClientState client = state.client(id);
            if (client.isLive() && client.since() <= state.moment() && isDue(client)) {
                Stream<WorldState> now = settled(goesOn(state, id, client)).stream();
                Stream<WorldState> later = later(state, id, client).stream().flatMap(each -> settled(each).stream());
                return Stream.concat(now, later).toList();
            }
        }
        return List.of(state);
    }

    /**
     * Returns the state in which a client rests until time has passed, or its reply is slow, which is a fault. At the last moment
     * only a holder rests: the request of another one may as well be sent and not arrive.
     */
    private Optional<WorldState> later(WorldState state, int id, ClientState client) {
        ClientState resting = client.with(client.delivery(), client.reply(), state.moment() + 1);
        boolean isLast = state.moment() == world.maxMoments();
        if (client.view().isIdle()) {
            boolean makesDifference = !isLast || client.view().believesAt(state.millis());
            return makesDifference ? Optional.of(state.with(id, resting)) : Optional.empty();
        }
        return may(Fault.SLOW) && state.faultsLeft() > 0 && !isLast
                ? Optional.of(state.afterFault()
                        .with(id, resting)
                        .reachedFrom(
                                state, id, "client " + id + ": " + client.view().label() + " has a slow reply"))
                : Optional.empty();
    }

    private static boolean isDue(ClientState client) {
        return client.delivery() == Delivery.ANSWERED || client.view().isIdle();
    }

    private WorldState goesOn(WorldState state, int id, ClientState client) {
        return client.delivery() == Delivery.ANSWERED
                ? input(state, id, new ClientInput.Answer(state.millis(), Objects.requireNonNull(client.reply())))
                : input(state, id, new ClientInput.Proceed(state.millis()));
    }

    private WorldState input(WorldState state, int id, ClientInput input) {
        ClientState client = state.client(id);
        ProgramPoint point = programs.after(id, client.point(), input);
        ClientView view = point.view();
        ClientState after = new ClientState(
                point,
                view.request() == null ? Delivery.NONE : Delivery.SENT,
                null,
                view.isPaused() ? state.moment() + 1 : state.moment(),
                client.floor());
        WorldState next = state.with(id, after);
        if (view.granted() > client.view().granted()) {
            next = checkGrant(next, id, view, client.floor());
        }
        return checkBeliefs(view.refusal() == null ? next : next.wrong("client " + id + ": " + view.refusal()));
    }

    private WorldState checkGrant(WorldState state, int id, ClientView view, long floor) {
        boolean grows = !config.isShipped() || view.token() > floor;
        WorldState next = state.granted(view.token());
        return grows
                ? next
                : next.wrong("client " + id + " is granted token " + view.token() + " after token " + floor);
    }

    private static WorldState checkBeliefs(WorldState state) {
        List<Integer> holders = state.holders();
        return holders.size() < 2 ? state : state.wrong("clients " + holders + " hold the lock");
    }

    /** A release or a renewal must not change the lock of another owner, which is another client or an acquisition that it does not name. */
    private WorldState checkForeign(WorldState state, int id, String label, Digested<Document> request, Executed done) {
        boolean isOwn = label.endsWith("/release") || label.endsWith("/renew");
        if (!isOwn || !config.isShipped() || lock(state.server()).equals(lock(done.state()))) {
            return state;
        }
        String owner = owner(state.server());
        boolean isOther = owner.startsWith("client-") && !owner.startsWith(ownerPrefix(id));
        String text = request.value().toString();
        boolean isOfAnother = text.contains(ownerPrefix(id)) && !text.contains(owner);
        return isOther || isOfAnother
                ? state.wrong(label + " of client " + id + " changes the lock of " + owner)
                : state;
    }

    private static String ownerPrefix(int client) {
        return "client-" + client + "/";
    }

    private static String owner(ServerState server) {
        return lock(server)
                .map(lock -> String.valueOf(lock.get(LockFields.OWNER)))
                .orElse("");
    }

    private static Optional<Document> lock(ServerState server) {
        return stored(server, LOCKS);
    }

    private static Optional<Document> stored(ServerState server, String collection) {
        return server.newest()
                .value()
                .document(Commands.DATABASE, collection, Locks.one().value());
    }

    private boolean may(Fault fault) {
        return world.faults().contains(fault);
    }

    private static Digested<Document> request(ClientState client) {
        return Objects.requireNonNull(client.view().request());
    }

    private static WorldState withStray(WorldState state, int id, ClientState client) {
        List<Stray> strays = new ArrayList<>(state.strays());
        strays.add(new Stray(id, client.view().label(), request(client)));
        strays.sort(Comparator.comparing(stray -> stray.request().digest()));
        return state.withStrays(List.copyOf(strays));
    }

    private static WorldState named(WorldState state, int id, String what, ClientState client) {
        String label = client.view().label();
        return state.reachedFrom(state, id, "client " + id + ": " + (label.isEmpty() ? "" : label + " ") + what);
    }
}

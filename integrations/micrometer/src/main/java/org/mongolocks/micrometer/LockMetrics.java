package org.mongolocks.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.mongolocks.Lease;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockEvent;
import org.mongolocks.LockEvent.Kind;
import org.mongolocks.LockName;
import org.mongolocks.LockObserver;
import org.mongolocks.LossReason;
import org.mongolocks.TokenListener;

/**
 * The meters of all locks of one lock client, synchronous or reactive.
 *
 * <pre>{@code
 * LockMetrics metrics = LockMetrics.of(registry, "orders"); // one for each lock client; the name is the tag "client"
 * LockClient locks = metrics.observe(LockClient.builder(mongo, "app").strategy("findandmodify-counter")).build();
 * }</pre>
 *
 * <table>
 * <caption>Meters; each has the tag {@code client}, and all but the last two the tag {@code strategy}</caption>
 * <tr><th>name</th><th>type, tags</th><th>meaning</th></tr>
 * <tr><td>{@code mongo.locks.wait}</td><td>timer, {@code outcome}: acquired, contended, failed</td>
 *     <td>acquisitions that have ended, from the call; failed includes interrupted and cancelled ones, and those with
 *         an indeterminate outcome</td></tr>
 * <tr><td>{@code mongo.locks.wait.started}</td><td>counter</td>
 *     <td>acquisitions that began to wait for another owner</td></tr>
 * <tr><td>{@code mongo.locks.hold}</td><td>timer, {@code outcome}: released, lost</td>
 *     <td>holds that have ended, from the grant</td></tr>
 * <tr><td>{@code mongo.locks.lost}</td><td>counter, {@code reason}: a {@link LossReason} in lower case</td>
 *     <td>locks lost while they were held</td></tr>
 * <tr><td>{@code mongo.locks.renewals}</td><td>counter</td><td>renewed leases</td></tr>
 * <tr><td>{@code mongo.locks.endangered}</td><td>counter</td>
 *     <td>leases that came down to a third of their ttl</td></tr>
 * <tr><td>{@code mongo.locks.compensations}</td><td>counter</td>
 *     <td>grants released because the caller did not get them</td></tr>
 * <tr><td>{@code mongo.locks.release.failures}</td><td>counter</td>
 *     <td>releases without a reply, or refused</td></tr>
 * <tr><td>{@code mongo.locks.held}</td><td>gauge</td><td>locks that the client holds now</td></tr>
 * <tr><td>{@code mongo.locks.tokens.went.back}</td><td>counter</td>
 *     <td>grants whose token was not larger than an earlier one</td></tr>
 * </table>
 *
 * <p>The meters of a strategy are registered, with the value zero, at its first event, the last two in the table by
 * {@link #of}. Events that a client drops because too many wait are not counted ({@link LockObserver}), so {@code held}
 * can be wrong for a name until this client acquires that name again. An acquisition of several locks counts each of
 * its grants, and the one lock that was contended or failed. A reentrant request for a held lock counts nothing.
 * Commands are not metered here: Micrometer's {@code MongoMetricsCommandListener}, added to the settings of the
 * driver's client, does that.
 *
 * <p>Thread-safe. The events of a client come on a thread of its own, so that recording delays no lock.
 */
public final class LockMetrics implements LockObserver, TokenListener, AutoCloseable {
    private static final String HELD = "mongo.locks.held";

    private final MeterRegistry registry;
    private final Tags tags;
    private final Function<LockName, Tags> nameTags;
    private final Map<Tags, Series> series = new ConcurrentHashMap<>();
    private final Map<LockName, OptionalLong> held = new ConcurrentHashMap<>();
    private final Gauge heldGauge;
    private final Counter tokensWentBack;

    private LockMetrics(MeterRegistry registry, String client, Function<LockName, Tags> nameTags) {
        this.registry = Objects.requireNonNull(registry, "The registry is null");
        this.tags = Tags.of("client", Objects.requireNonNull(client, "The name of the client is null"));
        this.nameTags = nameTags;
        if (registry.find(HELD).tags(tags).gauge() != null) {
            throw new IllegalStateException("The registry has meters of a lock client '" + client
                    + "'; name each lock client differently, and close the meters of a client that is closed");
        }
        this.heldGauge = Gauge.builder(HELD, held, Map::size)
                .description("Locks that the client holds now")
                .tags(tags)
                .register(registry);
        this.tokensWentBack =
                counter("mongo.locks.tokens.went.back", "Grants whose token was not larger than an earlier one", tags);
    }

    /**
     * Creates the meters of one lock client, without the names of locks. No round trip.
     *
     * @param registry the registry; a composite one is fine
     * @param client the name of the lock client in the tag {@code client}: one of a few names chosen by you, the same
     *     in each process, for example {@code "orders"}
     * @return the meters, for {@link #observe}
     * @throws IllegalStateException if the registry has a gauge of a client of that name already
     */
    public static LockMetrics of(MeterRegistry registry, String client) {
        return new LockMetrics(registry, client, name -> Tags.empty());
    }

    /**
     * Creates the meters of one lock client, most of them with a tag {@code lock.name}. Each value of that tag has
     * 15 meters, which stay until the process ends: map the names to a few values. All meters of one Prometheus
     * registry must agree on whether they have this tag.
     *
     * <pre>{@code
     * LockMetrics.of(registry, "orders", name -> name.value().startsWith("invoice/") ? "invoice" : name.value())
     * }</pre>
     *
     * @param registry the registry; a composite one is fine
     * @param client the name of the lock client in the tag {@code client}
     * @param nameTag returns the value of the tag for a name, not null; called for each event. If it throws, only the
     *     gauge counts the event, and the client logs the exception.
     * @return the meters, for {@link #observe}
     * @throws IllegalStateException if the registry has a gauge of a client of that name already
     */
    public static LockMetrics of(MeterRegistry registry, String client, Function<LockName, String> nameTag) {
        Objects.requireNonNull(nameTag, "The function for names is null");
        return new LockMetrics(registry, client, name -> Tags.of("lock.name", nameTag.apply(name)));
    }

    /**
     * Sets these meters as the observer and the listener for tokens of a client. A builder keeps one of each: to have
     * listeners of your own too, set yours, and call the methods of this class in them.
     *
     * @param builder the builder of a lock client
     * @param <C> what is built
     * @return the builder
     */
    public <C> LockClientBuilder<C> observe(LockClientBuilder<C> builder) {
        return builder.observer(this).onTokenWentBack(this);
    }

    @Override
    public void onEvent(LockEvent event) {
        countHeld(event);
        Tags found = Tags.of("strategy", event.strategy()).and(nameTags.apply(event.name()));
        series.computeIfAbsent(found, own -> new Series(tags.and(own))).record(event);
    }

    @Override
    public void onTokenWentBack(Lease granted, long newest) {
        tokensWentBack.increment();
    }

    /**
     * Removes the gauge; timers and counters stay, since the registry may export their last values later. Close
     * this after the lock client. Further calls have no effect.
     */
    @Override
    public void close() {
        registry.remove(heldGauge);
    }

    /** A name has one holder: a hold whose end was dropped, or comes after the next grant, is replaced. */
    private void countHeld(LockEvent event) {
        switch (event.kind()) {
            case ACQUIRED -> held.put(event.name(), event.fencingToken());
            case RELEASED, LOST, RELEASE_FAILED -> held.remove(event.name(), event.fencingToken());
            default -> {}
        }
    }

    private Counter counter(String name, String description, Tags of) {
        return Counter.builder(name).description(description).tags(of).register(registry);
    }

    /** The meters of one strategy, or of one name of it. */
    private final class Series {
        private final Map<Kind, Timer> timers = new EnumMap<>(Kind.class);
        private final Map<Kind, Counter> counters = new EnumMap<>(Kind.class);
        private final Map<LossReason, Counter> losses = new EnumMap<>(LossReason.class);

        /** Registers all at once: a rate in Prometheus misses the first increment of a counter that starts at one. */
        Series(Tags own) {
            time("mongo.locks.wait", "Acquisitions, from the call", own, Kind.ACQUIRED, Kind.CONTENDED, Kind.FAILED);
            time("mongo.locks.hold", "Holds, from the grant", own, Kind.RELEASED, Kind.LOST);
            count("mongo.locks.wait.started", "Acquisitions that began to wait", own, Kind.WAITING);
            count("mongo.locks.renewals", "Renewed leases", own, Kind.RENEWED);
            count("mongo.locks.endangered", "Leases that came down to a third of the ttl", own, Kind.ENDANGERED);
            count("mongo.locks.compensations", "Released grants that no caller got", own, Kind.COMPENSATED);
            count("mongo.locks.release.failures", "Failed releases", own, Kind.RELEASE_FAILED);
            for (LossReason reason : LossReason.values()) {
                losses.put(
                        reason,
                        counter("mongo.locks.lost", "Locks lost while held", own.and("reason", lowerCase(reason))));
            }
        }

        void record(LockEvent event) {
            Optional<Timer> timer = Optional.ofNullable(timers.get(event.kind()));
            timer.ifPresent(of -> event.waited().or(event::held).ifPresent(of::record));
            Optional.ofNullable(counters.get(event.kind())).ifPresent(Counter::increment);
            event.lossReason().map(losses::get).ifPresent(Counter::increment);
        }

        private void time(String name, String description, Tags own, Kind... kinds) {
            for (Kind kind : kinds) {
                Timer timer = Timer.builder(name)
                        .description(description)
                        .tags(own.and("outcome", lowerCase(kind)))
                        .register(registry);
                timers.put(kind, timer);
            }
        }

        private void count(String name, String description, Tags own, Kind kind) {
            counters.put(kind, counter(name, description, own));
        }

        private static String lowerCase(Enum<?> constant) {
            return constant.name().toLowerCase(Locale.ROOT);
        }
    }
}

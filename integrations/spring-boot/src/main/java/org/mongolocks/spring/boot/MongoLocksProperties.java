package org.mongolocks.spring.boot;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.mongolocks.SchemaMode;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The keys {@code mongo-locks.*}. Durations are written as in {@code 30s} or {@code 500ms}; a bare number is in
 * milliseconds. The bounds are those of {@link org.mongolocks.LockClientBuilder}. Immutable.
 *
 * @param enabled Whether lock clients are auto-configured.
 * @param strategy Name of the strategy, for example 'findandmodify-counter'. Without it, the only strategy bean or the
 *     only strategy on the class path is used; 'findandmodify-counter', if there are several.
 * @param database Database of the lock documents. Without it, the database of the application's connection is used.
 * @param collection Collection of the lock documents, 'locks.' and the name of the strategy by default.
 * @param defaultTtl Length of the lease of locks that are requested by name alone. They are renewed until their
 *     release.
 * @param defaultWait How long a lock that is requested by name alone is waited for while another owner holds it.
 * @param commandTimeout Time limit of one command, including the retries of the driver.
 * @param skewMargin How much earlier the holder's end of a lease is than the server's end. By default a thousandth of
 *     the ttl and 10 milliseconds.
 * @param schema Action on missing collections and indexes when a client is built.
 * @param instance Name of this client instance in the owner of each lock. By default the name of the application and a
 *     random part.
 * @param holderInfo Whether host, process and thread of the holder are stored in the lock document, for operators.
 * @param lazy Whether a client is built when it is first used instead of at start-up, which then needs no server.
 * @param drainTimeout How long shutdown waits for work under held locks, before it interrupts the work.
 * @param closeTimeout How long closing a client may take after the drain, even if the server does not reply.
 * @param polling Polling of a waiting client while no change stream reports releases.
 * @param sync Synchronous client.
 * @param reactive Reactive client.
 * @param leaderElection Leader election.
 */
@ConfigurationProperties("mongo-locks")
public record MongoLocksProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String strategy,
        @Nullable String database,
        @Nullable String collection,
        @DefaultValue("30s") Duration defaultTtl,
        @DefaultValue("0s") Duration defaultWait,
        @DefaultValue("5s") Duration commandTimeout,
        @Nullable Duration skewMargin,
        @DefaultValue("create") SchemaMode schema,
        @Nullable String instance,
        @DefaultValue("true") boolean holderInfo,
        @DefaultValue("false") boolean lazy,
        @DefaultValue("5s") Duration drainTimeout,
        @DefaultValue("10s") Duration closeTimeout,
        @DefaultValue Polling polling,
        @DefaultValue Sync sync,
        @DefaultValue Reactive reactive,
        @DefaultValue LeaderElection leaderElection) {

    /**
     * Polling of a waiting client while no change stream reports releases.
     *
     * @param first First wait; each following one is twice as long.
     * @param cap Longest wait.
     */
    public record Polling(
            @DefaultValue("10ms") Duration first,
            @DefaultValue("1s") Duration cap) {}

    /**
     * The synchronous client.
     *
     * @param enabled Whether the synchronous client is auto-configured.
     * @param mongoClient Name of the MongoClient bean. Without it, the only or the primary one is used.
     */
    public record Sync(
            @DefaultValue("true") boolean enabled, @Nullable String mongoClient) {}

    /**
     * The reactive client.
     *
     * @param enabled Whether the reactive client is auto-configured.
     * @param mongoClient Name of the MongoClient bean of the reactive driver. Without it, the only or the primary one
     *     is used.
     */
    public record Reactive(
            @DefaultValue("true") boolean enabled, @Nullable String mongoClient) {}

    /**
     * Leader election.
     *
     * @param enabled Whether a leader election is auto-configured, and closed at shutdown.
     * @param closeTimeout How long shutdown waits for the work of leaders before their roles pass on.
     */
    public record LeaderElection(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("10s") Duration closeTimeout) {}
}

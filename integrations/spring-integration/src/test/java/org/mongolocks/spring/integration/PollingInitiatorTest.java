package org.mongolocks.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.contract.adapter.EmbeddedScene.STEP;
import static org.mongolocks.contract.adapter.EmbeddedScene.TTL;
import static org.mongolocks.contract.adapter.EmbeddedScene.soon;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockRequest;
import org.mongolocks.server.ProxyRoute;
import org.springframework.context.ApplicationEvent;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.leader.event.OnGrantedEvent;
import org.springframework.integration.leader.event.OnRevokedEvent;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

/** Spring Integration's own leader initiator on this registry. */
class PollingInitiatorTest {
    /** Long enough that all threads are found asleep in between. */
    private static final Duration BEAT = Duration.ofMillis(100);

    private final RegistryScene scene = new RegistryScene();
    /** The events of all initiators, in the order in which they were published. */
    private final List<ApplicationEvent> events = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() throws Exception {
        scene.close();
    }

    @Test
    void secondInitiatorLeadsWhenTheFirstStops() throws Exception {
        LockRegistryLeaderInitiator one = started(scene.registry());
        soon("the first leads", () -> isLeader(one));
        LockRegistryLeaderInitiator other = started(scene.registry());
        scene.server.elapse(STEP);
        assertThat(isLeader(other)).isFalse();

        one.stop();

        soon("the second leads", () -> isLeader(other));
        assertThat(isLeader(one)).isFalse();
    }

    @Test
    void beatsOfTheLeaderRenewItsLease() throws Exception {
        LockRegistryLeaderInitiator one = started(scene.registry());
        soon("it leads", () -> isLeader(one));
        LockRegistryLeaderInitiator other = started(scene.registry());
        long token = scene.stored(scene.key).orElseThrow().fencingToken();

        for (int i = 0; i < 6; i++) {
            scene.server.elapse(TTL.dividedBy(4));
            soon("it renews", () -> scene.left().compareTo(TTL.minus(STEP.dividedBy(2))) > 0);
            assertThat(isLeader(one)).isTrue();
            assertThat(isLeader(other)).isFalse();
        }

        assertThat(scene.stored(scene.key).orElseThrow().fencingToken()).isEqualTo(token);
        assertThat(events).hasSize(1);
    }

    @Test
    void leaderIsRevokedAtTheBeatAfterALapse() throws Exception {
        LockRegistryLeaderInitiator one = started(scene.registry());
        soon("it leads", () -> isLeader(one));

        scene.lapse();

        soon("it is revoked and leads again", () -> count(one, OnGrantedEvent.class) == 2);
        assertThat(events).hasSize(3).element(1).isInstanceOf(OnRevokedEvent.class);
        assertThat(scene.isHeld()).isTrue();
    }

    @Test
    void interruptOfALossRevokesTheLeaderBetweenItsBeats() throws Exception {
        LockRegistryLeaderInitiator one = initiator(scene.registry().interruptingOnLoss());
        one.setHeartBeatMillis(Duration.ofDays(1).toMillis());
        one.start();
        soon("it leads", () -> isLeader(one));

        scene.lapse();

        soon("it is revoked and leads again", () -> count(one, OnGrantedEvent.class) == 2);
        assertThat(events).hasSize(3).element(1).isInstanceOf(OnRevokedEvent.class);
    }

    /** With a lock whose re-entry sends nothing, the former leader went on beside the new one. */
    @Test
    void formerLeaderDoesNotGoOnBesideTheNextOneAfterAForcedRelease() throws Exception {
        LockRegistryLeaderInitiator one = started(scene.registry());
        soon("the first leads", () -> isLeader(one));
        LockRegistryLeaderInitiator other = started(scene.registry());

        for (int round = 0; round < 3; round++) {
            long revoked = count(OnRevokedEvent.class);
            scene.forceRelease();
            soon("the leader is revoked", () -> count(OnRevokedEvent.class) == revoked + 1);
            soon("one leads", () -> isLeader(one) || isLeader(other));
            for (int i = 0; i < 4; i++) {
                scene.server.elapse(STEP);
                assertThat(isLeader(one) && isLeader(other)).isFalse();
                soon("it renews", () -> scene.left().compareTo(TTL.minus(STEP.dividedBy(2))) > 0);
            }
        }

        assertThat(count(OnRevokedEvent.class)).isEqualTo(3);
        assertThat(count(OnGrantedEvent.class)).isEqualTo(4);
    }

    /** In real time: the margin by which the leader is revoked earlier is longer than threads wait for a processor. */
    @Test
    void leaderWithoutAServerIsRevokedBeforeAnotherLeads() throws Exception {
        Duration ttl = Duration.ofSeconds(5);
        ProxyRoute route = scene.route();
        LockRegistryLeaderInitiator one = started(new MongoLockRegistry(
                scene.client(route, Duration.ofSeconds(2)),
                key -> LockRequest.of(key, ttl).fixedLease()));
        soon("the first leads", () -> isLeader(one));
        LockRegistryLeaderInitiator other = started(new MongoLockRegistry(
                scene.client(), key -> LockRequest.of(key, ttl).fixedLease()));

        route.proxy().refuse();

        soon("the second leads", () -> {
            boolean leads = isLeader(other);
            assertThat(leads && isLeader(one)).isFalse();
            return leads;
        });
        soon("its grant is published", () -> count(other, OnGrantedEvent.class) > 0);
        assertThat(events.stream().takeWhile(event -> event.getSource() != other))
                .as("what was published of the first before")
                .hasAtLeastOneElementOfType(OnRevokedEvent.class);
        route.proxy().heal();
    }

    private LockRegistryLeaderInitiator started(MongoLockRegistry registry) {
        LockRegistryLeaderInitiator initiator = initiator(registry);
        initiator.start();
        return initiator;
    }

    private LockRegistryLeaderInitiator initiator(MongoLockRegistry registry) {
        return initiator(registry, event -> {});
    }

    private LockRegistryLeaderInitiator initiator(MongoLockRegistry registry, Consumer<Object> listener) {
        LockRegistryLeaderInitiator initiator =
                new LockRegistryLeaderInitiator(registry, new DefaultCandidate("a candidate", scene.key));
        initiator.setHeartBeatMillis(BEAT.toMillis());
        initiator.setBusyWaitMillis(BEAT.toMillis());
        initiator.setApplicationEventPublisher(event -> {
            events.add((ApplicationEvent) event);
            listener.accept(event);
        });
        scene.opened(initiator::destroy);
        return initiator;
    }

    private static boolean isLeader(LockRegistryLeaderInitiator initiator) {
        return initiator.getContext().isLeader();
    }

    private long count(Class<? extends ApplicationEvent> kind) {
        return events.stream().filter(kind::isInstance).count();
    }

    private long count(Object source, Class<? extends ApplicationEvent> kind) {
        return events.stream()
                .filter(event -> event.getSource() == source)
                .filter(kind::isInstance)
                .count();
    }
}

package org.mongolocks.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.contract.adapter.EmbeddedScene.TTL;
import static org.mongolocks.contract.adapter.EmbeddedScene.soon;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mongolocks.leader.Candidate;
import org.mongolocks.leader.internal.ElectionTimer;
import org.mongolocks.leader.sync.LeaderElection;
import org.mongolocks.server.BackgroundTask.Eventually;
import org.mongolocks.server.ProxyRoute;
import org.mongolocks.spring.integration.LeaderElectionInitiator.TermContext;
import org.mongolocks.sync.LockClient;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.integration.leader.event.AbstractLeaderEvent;
import org.springframework.integration.leader.event.DefaultLeaderEventPublisher;
import org.springframework.integration.leader.event.OnFailedToAcquireMutexEvent;
import org.springframework.integration.leader.event.OnGrantedEvent;
import org.springframework.integration.leader.event.OnRevokedEvent;
import org.springframework.integration.support.SmartLifecycleRoleController;

/** The initiator that publishes the events of a leader election. */
class LeaderElectionInitiatorTest {
    private final RegistryScene scene = new RegistryScene();
    private final Candidate candidate = Candidate.of(scene.key, TTL);
    private final List<AbstractLeaderEvent> events = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() throws Exception {
        scene.close();
    }

    @Test
    void termHasOneGrantedAndOneRevokedEvent() throws Exception {
        LeaderElectionInitiator initiator = initiator(scene.client());
        assertThat(initiator.isRunning()).isFalse();

        initiator.start();
        soon("it leads", () -> events.size() == 1);
        AbstractLeaderEvent granted = events.get(0);
        assertThat(granted).isInstanceOf(OnGrantedEvent.class);
        assertThat(granted.getRole()).isEqualTo(scene.key);
        assertThat(granted.getSource()).isSameAs(initiator);
        assertThat(granted.getContext().isLeader()).isTrue();
        assertThat(granted.getContext().getRole()).isEqualTo(scene.key);
        assertThat(initiator.getContext()).isEqualTo(granted.getContext());
        assertThat(((TermContext) granted.getContext()).term().fencingToken())
                .isEqualTo(scene.stored(scene.key).orElseThrow().fencingToken());

        initiator.stop();
        assertThat(events).hasSize(2);
        assertThat(events.get(1)).isInstanceOf(OnRevokedEvent.class);
        assertThat(events.get(1).getContext()).isEqualTo(granted.getContext());
        assertThat(granted.getContext().isLeader()).isFalse();
        assertThat(initiator.isRunning()).isFalse();
        assertThat(initiator.getContext().isLeader()).isFalse();
        assertThat(initiator.getContext().getRole()).isEqualTo(scene.key);
        assertThat(scene.isHeld()).isFalse();
    }

    @Test
    void stoppedInitiatorStartsAgain() throws Exception {
        LeaderElectionInitiator initiator = initiator(scene.client());
        initiator.start();
        initiator.start();
        soon("it leads", () -> events.size() == 1);
        initiator.stop();
        initiator.stop();

        initiator.start();

        soon("it leads again", () -> events.size() == 3);
        assertThat(initiator.isRunning()).isTrue();
        assertThat(initiator).hasToString("the initiator of the role '" + scene.key + "'");
    }

    @Test
    void secondInitiatorLeadsAfterTheRevokedEventOfTheFirst() throws Exception {
        LeaderElectionInitiator first = initiator(scene.client());
        first.start();
        soon("the first leads", () -> events.size() == 1);
        LeaderElectionInitiator second = initiator(scene.client());
        second.start();
        scene.server.elapse(TTL.dividedBy(3));
        assertThat(second.getContext().isLeader()).isFalse();

        first.stop();

        Eventually.isTrueWhile(
                "the second leads", () -> events.size() == 3, () -> scene.server.elapse(TTL.dividedBy(12)));
        assertThat(events).extracting(AbstractLeaderEvent::getSource).containsExactly(first, first, second);
        assertThat(second.getContext().isLeader()).isTrue();
    }

    @Test
    void rolePassesOnWhenTheRevokedEventWasHandled() throws Exception {
        CountDownLatch handled = new CountDownLatch(1);
        LeaderElectionInitiator first = initiator(scene.client(), event -> {
            if (event instanceof OnRevokedEvent) {
                await(handled);
            }
        });
        first.start();
        soon("it leads", () -> events.size() == 1);

        first.getContext().yield();
        soon("it is revoked", () -> events.size() == 2);
        assertThat(first.getContext().isLeader()).isFalse();
        scene.server.elapse(TTL.dividedBy(3));
        assertThat(scene.isHeld()).isTrue();
        handled.countDown();

        soon("the role is released", () -> !scene.isHeld() || events.size() == 3);
    }

    @Test
    void forcedReleaseRevokes() throws Exception {
        LeaderElectionInitiator initiator = initiator(scene.client());
        initiator.start();
        soon("it leads", () -> events.size() == 1);

        scene.forceRelease();
        Eventually.isTrueWhile(
                "it leads again", () -> events.size() == 3, () -> scene.server.elapse(TTL.dividedBy(12)));

        assertThat(events.get(1)).isInstanceOf(OnRevokedEvent.class);
        assertThat(events.get(1).getContext().isLeader()).isFalse();
        assertThat(events.get(2)).isInstanceOf(OnGrantedEvent.class);
        assertThat(events.get(2).getContext().isLeader()).isTrue();
    }

    @Test
    void failedRequestIsAnEvent() throws Exception {
        ProxyRoute route = scene.route();
        LeaderElectionInitiator initiator = initiator(scene.client(route));
        route.proxy().refuse();

        initiator.start();

        soon("it fails", () -> !events.isEmpty());
        assertThat(events.get(0)).isInstanceOf(OnFailedToAcquireMutexEvent.class);
        assertThat(events.get(0).getRole()).isEqualTo(scene.key);
        assertThat(events.get(0).getContext().isLeader()).isFalse();
    }

    @Test
    void listenerMayStopTheInitiator() throws Exception {
        LeaderElectionInitiator[] initiators = new LeaderElectionInitiator[1];
        initiators[0] = initiator(scene.client(), event -> {
            if (event instanceof OnGrantedEvent) {
                initiators[0].stop();
            }
        });

        initiators[0].start();

        soon("it is revoked", () -> events.size() == 2);
        soon("the role is released", () -> !scene.isHeld());
        assertThat(initiators[0].isRunning()).isFalse();
    }

    @Test
    void endpointsOfTheRoleRunWhileItLeads() throws Exception {
        Endpoint endpoint = new Endpoint();
        SmartLifecycleRoleController roles =
                new SmartLifecycleRoleController(List.of(scene.key), List.<SmartLifecycle>of(endpoint));
        LeaderElection election = election(scene.client());
        GenericApplicationContext context = new GenericApplicationContext();
        context.registerBean("roles", SmartLifecycleRoleController.class, () -> roles);
        context.registerBean(
                "initiator",
                LeaderElectionInitiator.class,
                () -> new LeaderElectionInitiator(election, candidate, new DefaultLeaderEventPublisher(context)));

        context.refresh();
        soon("the endpoint runs", endpoint::isRunning);
        assertThat(scene.isHeld()).isTrue();
        context.close();

        assertThat(endpoint.isRunning()).isFalse();
        assertThat(scene.isHeld()).isFalse();
    }

    /** An endpoint that only a role starts. */
    private static final class Endpoint implements SmartLifecycle {
        private volatile boolean running;

        @Override
        public void start() {
            running = true;
        }

        @Override
        public void stop() {
            running = false;
        }

        @Override
        public boolean isRunning() {
            return running;
        }

        @Override
        public boolean isAutoStartup() {
            return false;
        }
    }

    private LeaderElectionInitiator initiator(LockClient client) {
        return initiator(client, event -> {});
    }

    private LeaderElectionInitiator initiator(LockClient client, Consumer<Object> listener) {
        return new LeaderElectionInitiator(election(client), candidate, new DefaultLeaderEventPublisher(event -> {
            events.add((AbstractLeaderEvent) event);
            listener.accept(event);
        }));
    }

    private LeaderElection election(LockClient client) {
        return scene.opened(ElectionTimer.with(scene.server.timer().orElseThrow(), () -> LeaderElection.with(client)));
    }

    private static void await(CountDownLatch point) {
        try {
            point.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

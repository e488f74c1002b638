package org.mongolocks.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mongolocks.contract.adapter.EmbeddedScene.TTL;
import static org.mongolocks.contract.adapter.EmbeddedScene.soon;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.apache.camel.CamelContext;
import org.apache.camel.ServiceStatus;
import org.apache.camel.StartupListener;
import org.apache.camel.cluster.CamelClusterEventListener;
import org.apache.camel.cluster.CamelClusterMember;
import org.apache.camel.cluster.CamelClusterView;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mongolocks.camel.CamelScene.Instance;
import org.mongolocks.leader.Candidate;
import org.mongolocks.leader.Term;
import org.mongolocks.leader.sync.LeaderElection;
import org.mongolocks.server.ProxyRoute;
import org.mongolocks.sync.LockClient;

/** Routes that run on one of several contexts. */
class MongoLockClusterServiceTest {
    private final CamelScene scene = new CamelScene();

    @AfterEach
    void close() throws Exception {
        scene.close();
    }

    @Test
    void masterRouteRunsOnOneContextAndPassesOnWhenThatStops() throws Exception {
        Instance first = scene.startMaster("first");
        soon("the first leads", () -> first.service().isLeader(scene.namespace));
        Instance second = scene.startMaster("second");
        first.send();
        second.send();
        soon("the first processes its message", () -> scene.processed.size() == 1);

        first.context().stop();

        soon("the second processes its message", () -> scene.processed.size() == 2);
        assertThat(scene.processed).containsExactly("first", "second");
    }

    @Test
    void stoppedContextReleasesTheRoleAtOnce() throws Exception {
        Instance instance = scene.startPolicy("only");
        soon("the route runs", instance::isRouteStarted);

        instance.context().stop();

        assertThat(scene.isFree()).isTrue();
        assertThat(instance.service().isLeader(scene.namespace)).isFalse();
    }

    @Test
    @Tag("finds:camel-elected-before-the-start")
    void viewThatIsUsedWhileItsContextStartsLeavesTheRoleToAStartedOne() throws Exception {
        Instance starting = scene.instance("starting", scene.client());
        starting.context().addStartupListener(new StartupListener() {
            @Override
            public void onCamelContextStarting(CamelContext context, boolean alreadyStarted) throws Exception {
                starting.service().start();
                starting.service().getView(scene.namespace);
                Instance started = scene.startPolicy("started");
                soon("the started one leads", started::isRouteStarted);
                started.close();
            }

            @Override
            public void onCamelContextStarted(CamelContext context, boolean alreadyStarted) {
                // The view has its own listener.
            }
        });

        scene.startPolicy(starting);

        scene.eventually("the route runs", starting::isRouteStarted);
    }

    @Test
    void contextThatStopsKeepsTheRoleUntilItsMessagesAreProcessed() throws Exception {
        Instance instance = scene.startPolicy("only");
        soon("the route runs", instance::isRouteStarted);
        CountDownLatch processing = new CountDownLatch(1);
        CountDownLatch processed = new CountDownLatch(1);
        scene.work = () -> {
            processing.countDown();
            await(processed);
        };
        instance.send();
        processing.await();

        Thread stopping = new Thread(instance.context()::stop, "stopping");
        stopping.start();
        soon("the context stops", instance.context()::isStopping);
        assertThat(scene.isFree()).isFalse();
        processed.countDown();
        stopping.join();

        assertThat(scene.processed).containsExactly("only");
        assertThat(scene.isFree()).isTrue();
    }

    @Test
    void routeThatIsStoppedByHandStaysTheLeader() throws Exception {
        Instance instance = scene.startPolicy("only");
        soon("the route runs", instance::isRouteStarted);

        instance.context().getRouteController().stopRoute(CamelScene.ROUTE);
        assertThat(instance.service().isLeader(scene.namespace)).isTrue();

        instance.context().removeRoute(CamelScene.ROUTE);
        assertThat(scene.isFree()).isTrue();
    }

    @Test
    void forcedReleaseStopsTheRoute() throws Exception {
        Instance first = scene.startPolicy("first");
        soon("the first leads", first::isRouteStarted);
        Instance second = scene.startPolicy("second");
        assertThat(second.status()).isEqualTo(ServiceStatus.Stopped);

        scene.forceRelease();

        scene.eventually("the second leads", second::isRouteStarted);
        scene.eventually("the first has stopped", () -> first.status() == ServiceStatus.Stopped);
        assertThat(first.service().isLeader(scene.namespace)).isFalse();
    }

    @Test
    void pauseBeyondTheLeaseStopsTheRouteUntilTheNextTerm() throws Exception {
        Instance instance = scene.startPolicy("only");
        soon("the route runs", instance::isRouteStarted);
        List<Boolean> isLeader = leadership(instance);
        Term term = instance.service().term(scene.namespace).orElseThrow();

        scene.server.elapse(TTL.multipliedBy(2));

        assertThat(term.isLeading()).isFalse();
        scene.eventually("it leads again", () -> isLeader.size() == 3);
        assertThat(isLeader).containsExactly(true, false, true);
        soon("the route runs again", instance::isRouteStarted);
        assertThat(instance.service().term(scene.namespace).orElseThrow().fencingToken())
                .isGreaterThan(term.fencingToken());
    }

    @Test
    void rolePassesOnWhenTheListenersHaveReturned() throws Exception {
        Instance instance = scene.startPolicy("only");
        soon("the route runs", instance::isRouteStarted);
        CountDownLatch stopping = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        view(instance).addEventListener((CamelClusterEventListener.Leadership) (view, leader) -> {
            if (leader == null) {
                stopping.countDown();
                await(stopped);
            }
        });

        instance.service().term(scene.namespace).orElseThrow().resign();
        stopping.await();
        assertThat(instance.service().isLeader(scene.namespace)).isFalse();
        scene.server.elapse(TTL.dividedBy(3)); // the lease is renewed
        assertThat(scene.isFree()).isFalse();
        stopped.countDown();

        soon("the role is released", scene::isFree);
    }

    @Test
    void closedLockClientStopsTheRouteForGood() throws Exception {
        LockClient client = scene.client();
        Instance instance = scene.startPolicy(scene.instance("only", client));
        soon("the route runs", instance::isRouteStarted);

        client.close();

        soon("the route stops", () -> instance.status() == ServiceStatus.Stopped);
        assertThat(instance.service().term(scene.namespace)).isEmpty();
        assertThat(view(instance).getLeader()).isEmpty();
    }

    @Test
    void membersAreTheLocalOneAndTheLeader() throws Exception {
        Instance first = scene.startPolicy("first");
        soon("the first leads", first::isRouteStarted);
        Instance second = scene.startPolicy("second");

        CamelClusterView leading = view(first);
        assertThat(leading.getLeader()).containsSame(leading.getLocalMember());
        assertThat(leading.getMembers()).containsExactly(leading.getLocalMember());
        assertThat(leading.getLocalMember().getId()).isEqualTo("first");
        assertThat(leading.getLocalMember().isLocal()).isTrue();
        assertThat(leading.getLocalMember().isLeader()).isTrue();

        CamelClusterView waiting = view(second);
        CamelClusterMember leader = waiting.getLeader().orElseThrow();
        assertThat(leader.getId()).isEqualTo("first");
        assertThat(leader.isLocal()).isFalse();
        assertThat(leader.isLeader()).isTrue();
        assertThat(waiting.getMembers()).extracting(CamelClusterMember::getId).containsExactly("second", "first");
        assertThat(waiting.getLocalMember().isLeader()).isFalse();
    }

    @Test
    void noLeaderIsKnownWithoutAServer() throws Exception {
        ProxyRoute route = scene.route();
        Instance instance = scene.startPolicy(scene.instance("only", scene.client(route)));
        soon("the route runs", instance::isRouteStarted);
        route.proxy().refuse();

        scene.eventually("the route stops", () -> instance.status() == ServiceStatus.Stopped);
        assertThat(view(instance).getLeader()).isEmpty();
        route.proxy().heal();

        scene.eventually("the route runs again", instance::isRouteStarted);
    }

    @Test
    void suspendedContextStaysTheLeader() throws Exception {
        Instance instance = scene.startPolicy("only");
        soon("the route runs", instance::isRouteStarted);
        Term term = instance.service().term(scene.namespace).orElseThrow();

        instance.context().suspend();
        scene.server.elapse(TTL.dividedBy(3));
        assertThat(term.isLeading()).isTrue();
        instance.context().resume();

        assertThat(instance.service().term(scene.namespace)).containsSame(term);
    }

    @Test
    void stoppedViewIsACandidateAgainWhenItStarts() throws Exception {
        Instance instance = scene.startPolicy("only");
        soon("the route runs", instance::isRouteStarted);

        instance.service().stopView(scene.namespace);
        assertThat(instance.status()).isEqualTo(ServiceStatus.Stopped);
        assertThat(scene.isFree()).isTrue();
        instance.service().startView(scene.namespace);

        soon("the route runs again", instance::isRouteStarted);
    }

    @Test
    void tokenOfTheTermIsThatOfTheLock() throws Exception {
        Instance instance = scene.startPolicy("only");
        soon("the route runs", instance::isRouteStarted);

        assertThat(instance.service().term(scene.namespace).orElseThrow().fencingToken())
                .isEqualTo(scene.stored(scene.namespace).orElseThrow().fencingToken());
        assertThat(instance.service().term("another")).isEmpty();
    }

    @Test
    void candidateOutOfBoundsIsRefusedWhenItsRouteStarts() throws Exception {
        Instance instance = scene.instance("only", scene.client());
        instance.context().start();

        assertThatIllegalArgumentException().isThrownBy(() -> instance.service().getView("n".repeat(600)));
        assertThat(instance.service().getNamespaces()).isEmpty();
    }

    @Test
    void missingPartsAreRefused() throws Exception {
        LeaderElection election = scene.opened(LeaderElection.with(scene.client()));

        assertThatNullPointerException()
                .isThrownBy(() -> new MongoLockClusterService(null, name -> Candidate.of(name, TTL)));
        assertThatNullPointerException().isThrownBy(() -> new MongoLockClusterService(election, null));
        assertThatNullPointerException()
                .isThrownBy(() -> new MongoLockClusterService(election, name -> null).getView("orders"))
                .withMessageContaining("'orders'");
    }

    @Test
    void closedElectionIsRefusedWhenTheViewStarts() throws Exception {
        LeaderElection election = LeaderElection.with(scene.client());
        election.close();
        MongoLockClusterService service = new MongoLockClusterService(election, name -> Candidate.of(name, TTL));
        service.start();

        assertThatThrownBy(() -> service.getView("orders")).hasRootCauseInstanceOf(IllegalStateException.class);
    }

    /** Returns the leadership of an instance now and after each change. */
    private List<Boolean> leadership(Instance instance) throws Exception {
        List<Boolean> isLeader = new CopyOnWriteArrayList<>();
        view(instance).addEventListener((CamelClusterEventListener.Leadership)
                (view, leader) -> isLeader.add(view.getLocalMember().isLeader()));
        return isLeader;
    }

    private CamelClusterView view(Instance instance) throws Exception {
        return instance.service().getView(scene.namespace);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

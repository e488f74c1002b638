package org.mongolocks.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.contract.adapter.EmbeddedScene.TTL;
import static org.mongolocks.contract.adapter.EmbeddedScene.soon;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.apache.camel.cluster.CamelClusterEventListener.Leadership;
import org.apache.camel.spi.CamelEvent;
import org.apache.camel.support.SimpleEventNotifierSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.camel.CamelScene.Instance;
import org.mongolocks.sync.LockClient;

/** Each order of events of a context, its route and its role: at the end no lock is held, and no thread is left. */
class CamelLifeCycleTest {
    private static final long ENDS_MILLIS = 5_000;

    private final Set<Thread> before = Thread.getAllStackTraces().keySet();
    private final CamelScene scene = new CamelScene();
    private final PrintStream console = System.err;
    /** What Camel and the library log. */
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();

    private final CountDownLatch released = new CountDownLatch(1);

    /** A row of the table of the page. */
    private record Row(String text, Course course) {
        @Override
        public String toString() {
            return text;
        }
    }

    /** Lets the events happen, and returns when the role must be free. */
    @FunctionalInterface
    private interface Course {
        void run(CamelLifeCycleTest test) throws Exception;
    }

    private static Stream<Row> rows() {
        return Stream.of(
                new Row("the context stops while another instance leads", test -> {
                    Instance other = test.running("other");
                    Instance waiting = test.scene.startPolicy("waiting");
                    waiting.close();
                    assertThat(other.service().isLeader(test.scene.namespace)).isTrue();
                    other.close();
                }),
                new Row(
                        "the context stops while it leads",
                        test -> test.running("only").close()),
                new Row("the context stops while a message is processed", test -> {
                    Instance instance = test.running("only");
                    CountDownLatch processing = new CountDownLatch(1);
                    test.scene.work = () -> {
                        processing.countDown();
                        await(test.released);
                    };
                    instance.send();
                    processing.await();
                    test.whileReleasing(instance::close);
                }),
                new Row("the context is suspended, resumed, suspended and stopped", test -> {
                    Instance instance = test.running("only");
                    instance.context().suspend();
                    instance.context().resume();
                    instance.context().suspend();
                    instance.close();
                }),
                new Row("the route is stopped, then the context", test -> {
                    Instance instance = test.running("only");
                    instance.context().getRouteController().stopRoute(CamelScene.ROUTE);
                    instance.close();
                }),
                new Row("the route is removed", test -> {
                    Instance instance = test.running("only");
                    instance.context().getRouteController().stopRoute(CamelScene.ROUTE);
                    instance.context().removeRoute(CamelScene.ROUTE);
                }),
                new Row("the route fails to start", test -> {
                    Instance instance = test.scene.instance("only", test.scene.client());
                    test.scene.failsToStart = true;
                    test.scene.startPolicy(instance);
                    soon("it leads", () -> instance.service().isLeader(test.scene.namespace));
                    instance.close();
                }),
                new Row("the view stops, starts and stops", test -> {
                    Instance instance = test.running("only");
                    instance.service().stopView(test.scene.namespace);
                    instance.service().startView(test.scene.namespace);
                    soon("the route runs again", instance::isRouteStarted);
                    instance.service().stopView(test.scene.namespace);
                }),
                new Row(
                        "the service stops",
                        test -> test.running("only").service().stop()),
                new Row("the service stops while a listener blocks", test -> {
                    Instance instance = test.running("only");
                    CountDownLatch called = test.blockWhenRevoked(instance);
                    test.whileReleasing(() -> {
                        instance.service().stop();
                        called.await();
                    });
                }),
                new Row("a listener stops the service", test -> {
                    Instance instance = test.scene.instance("only", test.scene.client());
                    test.scene.startPolicy(instance);
                    test.listen(instance, (view, leader) -> {
                        if (leader != null) {
                            instance.service().stop();
                        }
                    });
                    test.scene.eventually("it has stopped", test.scene::isFree);
                    instance.close();
                }),
                new Row("a listener stops the context", test -> {
                    Instance instance = test.running("only");
                    test.listen(instance, (view, leader) -> {
                        if (leader == null) {
                            instance.context().stop();
                        }
                    });
                    instance.service().term(test.scene.namespace).orElseThrow().resign();
                }),
                new Row("a listener fails", test -> {
                    Instance other = test.running("other");
                    Instance instance = test.scene.instance("only", test.scene.client());
                    test.listen(instance, (view, leader) -> {
                        throw new IllegalStateException("A listener that fails, for a test");
                    });
                    test.scene.startPolicy(instance);
                    other.close();
                    test.scene.eventually("the route runs", instance::isRouteStarted);
                    CountDownLatch stopped = stopsOfTheRoute(instance);
                    test.scene.forceRelease();
                    test.scene.eventually("the route stops", () -> stopped.getCount() == 0);
                    instance.close();
                }),
                new Row("the context stops while its listeners are notified", test -> {
                    Instance other = test.running("other");
                    Instance instance = test.scene.instance("only", test.scene.client());
                    CountDownLatch called = test.blockWhenRevoked(instance);
                    test.scene.startPolicy(instance);
                    other.close();
                    test.scene.eventually("the route runs", instance::isRouteStarted);
                    instance.service().term(test.scene.namespace).orElseThrow().resign();
                    called.await();
                    test.whileReleasing(instance::close);
                }),
                new Row("a view is used before the context starts", test -> {
                    Instance instance = test.scene.instance("only", test.scene.client());
                    instance.service().start();
                    instance.service().getView(test.scene.namespace);
                    test.scene.startPolicy(instance);
                    soon("the route runs", instance::isRouteStarted);
                    instance.close();
                }),
                new Row("the lock is released by force, then the context stops", test -> {
                    Instance instance = test.running("only");
                    test.scene.forceRelease();
                    instance.close();
                }),
                new Row("the lease ends in a pause of the process, then the context stops", test -> {
                    Instance instance = test.running("only");
                    test.scene.server.elapse(TTL.multipliedBy(2));
                    instance.close();
                }),
                new Row("the lock client is closed, then the context", test -> {
                    LockClient client = test.scene.client();
                    Instance instance = test.scene.startPolicy(test.scene.instance("only", client));
                    soon("the route runs", instance::isRouteStarted);
                    client.close();
                    soon("the route stops", () -> !instance.isRouteStarted());
                    instance.close();
                }));
    }

    @BeforeEach
    void watchTheLog() {
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void close() throws Exception {
        System.setErr(console);
        console.write(log.toByteArray());
        released.countDown();
        scene.close();
    }

    @ParameterizedTest
    @MethodSource("rows")
    @Tag("finds:camel-listener-stops-others")
    void roleIsFreeAndNoThreadIsLeft(Row row) throws Exception {
        row.course().run(this);

        scene.eventually("the role is free", scene::isFree);
        scene.close();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (isOfTheRow(thread)) {
                thread.join(ENDS_MILLIS);
                assertThat(thread.isAlive()).as(thread.getName()).isFalse();
            }
        }
        assertThat(log.toString(StandardCharsets.UTF_8).lines())
                .noneMatch(line -> line.contains("ERROR") || line.startsWith("SEVERE"));
    }

    private boolean isOfTheRow(Thread thread) {
        return !before.contains(thread)
                && (thread.getName().startsWith("mongo-locks")
                        || thread.getName().startsWith("Camel"));
    }

    @Test
    void pageHasTheRows() throws IOException {
        String page = Files.readString(Path.of("..", "..", "docs", "camel.md"));

        assertThat(rows()).allSatisfy(row -> assertThat(page).contains("\n| " + row.text() + " |"));
    }

    private Instance running(String id) throws Exception {
        Instance instance = scene.startPolicy(id);
        soon("the route runs", instance::isRouteStarted);
        return instance;
    }

    private void listen(Instance instance, Leadership listener) throws Exception {
        instance.service().getView(scene.namespace).addEventListener(listener);
    }

    /** The route may be started again before anybody has seen that it was stopped. */
    private static CountDownLatch stopsOfTheRoute(Instance instance) {
        CountDownLatch stopped = new CountDownLatch(1);
        instance.context().getManagementStrategy().addEventNotifier(new SimpleEventNotifierSupport() {
            @Override
            public void notify(CamelEvent event) {
                if (event instanceof CamelEvent.RouteStoppedEvent) {
                    stopped.countDown();
                }
            }
        });
        return stopped;
    }

    /** Blocks a listener at the end of a term. */
    private CountDownLatch blockWhenRevoked(Instance instance) throws Exception {
        CountDownLatch called = new CountDownLatch(1);
        CountDownLatch leads = new CountDownLatch(1);
        listen(instance, (view, leader) -> {
            if (leader != null) {
                leads.countDown();
            } else if (leads.getCount() == 0) {
                called.countDown();
                await(released);
            }
        });
        return called;
    }

    /** Runs a call that waits for what is blocked, and releases that. */
    private void whileReleasing(Call call) throws Exception {
        Thread calling = new Thread(
                () -> {
                    try {
                        call.run();
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                },
                "calling");
        calling.start();
        soon("the call waits", () -> calling.getState() != Thread.State.RUNNABLE);
        released.countDown();
        soon("the call returns", () -> !calling.isAlive());
    }

    @FunctionalInterface
    private interface Call {
        void run() throws Exception;
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

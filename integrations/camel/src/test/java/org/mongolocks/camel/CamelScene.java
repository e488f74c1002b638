package org.mongolocks.camel;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.camel.CamelContext;
import org.apache.camel.Consumer;
import org.apache.camel.Endpoint;
import org.apache.camel.Processor;
import org.apache.camel.Producer;
import org.apache.camel.ServiceStatus;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.impl.cluster.ClusteredRoutePolicy;
import org.apache.camel.support.DefaultComponent;
import org.apache.camel.support.DefaultConsumer;
import org.apache.camel.support.DefaultEndpoint;
import org.mongolocks.LockSnapshot;
import org.mongolocks.contract.adapter.EmbeddedScene;
import org.mongolocks.leader.Candidate;
import org.mongolocks.leader.internal.ElectionTimer;
import org.mongolocks.leader.sync.LeaderElection;
import org.mongolocks.server.BackgroundTask.Eventually;
import org.mongolocks.server.ProxyRoute;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;
import org.mongolocks.sync.LockClient;

/** A namespace on the embedded server, and instances of an application with a Camel context each. */
final class CamelScene extends EmbeddedScene {
    static final String ROUTE = "orders";

    final String namespace = "namespace-" + UUID.randomUUID();
    /** Runs while a message is processed. */
    volatile Runnable work = () -> {};
    /** Whether the consumers of routes fail to start. */
    volatile boolean failsToStart;
    /** The ids of the instances that have processed a message, in order. */
    final List<String> processed = new CopyOnWriteArrayList<>();

    CamelScene() {
        super("camel", new FindAndModifyCounterStrategy());
    }

    /** An instance of the application: its context, and the cluster service in it. */
    record Instance(CamelContext context, MongoLockClusterService service) implements AutoCloseable {
        boolean isRouteStarted() {
            return status() == ServiceStatus.Started;
        }

        ServiceStatus status() {
            return context.getRouteController().getRouteStatus(ROUTE);
        }

        void send() {
            context.createProducerTemplate().sendBody("seda:inbox", "a message");
        }

        @Override
        public void close() {
            context.stop();
        }
    }

    /** Starts an instance whose route has the component {@code master}. */
    Instance startMaster(String id) throws Exception {
        Instance instance = instance(id, client());
        String from = "master:" + namespace + ":seda:inbox?pollTimeout=10";
        return started(instance, new RouteBuilder() {
            @Override
            public void configure() {
                from(from).routeId(ROUTE).process(processor(id));
            }
        });
    }

    /** Starts an instance whose route has a policy. */
    Instance startPolicy(String id) throws Exception {
        return startPolicy(instance(id, client()));
    }

    Instance startPolicy(Instance instance) throws Exception {
        ClusteredRoutePolicy policy = ClusteredRoutePolicy.forNamespace(instance.context(), namespace);
        return started(instance, new RouteBuilder() {
            @Override
            public void configure() {
                from(failsToStart ? "failing:inbox" : "seda:inbox?pollTimeout=10")
                        .routeId(ROUTE)
                        .routePolicy(policy)
                        .process(processor(instance.service().getId()));
            }
        });
    }

    /** Creates an instance that is not started. */
    Instance instance(String id, LockClient client) throws Exception {
        LeaderElection election =
                opened(ElectionTimer.with(server.timer().orElseThrow(), () -> LeaderElection.with(client)));
        MongoLockClusterService service =
                new MongoLockClusterService(election, name -> Candidate.of(name, EmbeddedScene.TTL));
        service.setId(id);
        CamelContext context = new DefaultCamelContext();
        context.addService(service);
        context.addComponent("failing", new FailingComponent());
        return opened(new Instance(context, service));
    }

    private Processor processor(String id) {
        return exchange -> {
            work.run();
            processed.add(id);
        };
    }

    private static Instance started(Instance instance, RouteBuilder routes) throws Exception {
        instance.context().addRoutes(routes);
        instance.context().start();
        return instance;
    }

    LockClient client(ProxyRoute route) throws InterruptedException {
        return client(builder(route.connection()).commandTimeout(TIMEOUT_BEHIND_A_PROXY));
    }

    boolean isFree() throws InterruptedException {
        return !stored(namespace).map(LockSnapshot::isHeld).orElse(false);
    }

    void forceRelease() throws InterruptedException {
        LockClient operator = client();
        if (!operator.forceRelease(operator.inspect(namespace).orElseThrow())) {
            throw new IllegalStateException("The lock has changed while it was released by force");
        }
    }

    /** Waits for a condition, while time passes step by step. */
    void eventually(String what, Callable<Boolean> condition) throws Exception {
        Eventually.isTrueWhile(what, condition, () -> server.elapse(STEP));
    }

    /** A component whose consumers fail to start. */
    private static final class FailingComponent extends DefaultComponent {
        @Override
        protected Endpoint createEndpoint(String uri, String remaining, Map<String, Object> parameters) {
            return new DefaultEndpoint(uri, this) {
                @Override
                public Producer createProducer() {
                    throw new UnsupportedOperationException();
                }

                @Override
                public Consumer createConsumer(Processor processor) {
                    return new DefaultConsumer(this, processor) {
                        @Override
                        protected void doStart() {
                            throw new IllegalStateException("A consumer that fails to start, for a test");
                        }
                    };
                }
            };
        }
    }
}

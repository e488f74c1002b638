package org.mongolocks.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.contract.adapter.EmbeddedScene.soon;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.impl.cluster.ClusteredRoutePolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mongolocks.leader.Candidate;
import org.mongolocks.leader.sync.LeaderElection;
import org.mongolocks.sync.LockClient;

/** Runs the example of docs/camel.md, and checks that the page shows it. */
class CamelPageTest {
    private final CamelScene scene = new CamelScene();
    private final List<Long> booked = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() throws Exception {
        scene.close();
    }

    @Test
    void exampleBooksOrdersOnTheLeader() throws Exception {
        LockClient locks = scene.client();
        CamelContext camel = scene.opened(new DefaultCamelContext());
        // begin
        LeaderElection election = LeaderElection.with(locks); // one for each lock client
        MongoLockClusterService cluster =
                new MongoLockClusterService(election, name -> Candidate.of(name, Duration.ofSeconds(30)));
        camel.addService(cluster);
        camel.addRoutes(new RouteBuilder() {
            @Override
            public void configure() throws Exception {
                from("seda:inbox")
                        .routePolicy(ClusteredRoutePolicy.forNamespace("orders"))
                        .process(order ->
                                book(order, cluster.term("orders").orElseThrow().fencingToken()));
            }
        });
        // end
        scene.opened(election);
        camel.start();
        camel.createProducerTemplate().sendBody("seda:inbox", "an order");

        soon("the order is booked", () -> !booked.isEmpty());
        assertThat(booked).containsExactly(scene.stored("orders").orElseThrow().fencingToken());
        camel.stop();
    }

    @Test
    void pageShowsTheExampleAndItsImports() throws IOException {
        String source =
                Files.readString(Path.of("src", "test", "java", "org", "mongolocks", "camel", "CamelPageTest.java"));
        String page = Files.readString(Path.of("..", "..", "docs", "camel.md"));
        String example = source.substring(source.indexOf("// begin\n") + 9, source.indexOf("        // end\n"));

        assertThat(withoutSpaces(page)).contains(withoutSpaces(example));
        assertThat(page.lines().filter(line -> line.startsWith("import ") && !line.contains(".camel.Mongo")))
                .hasSize(5)
                .allMatch(source::contains);
    }

    private void book(Exchange order, long token) {
        assertThat(order.getMessage().getBody()).isEqualTo("an order");
        booked.add(token);
    }

    /** Line breaks differ between the formatted code and the document. */
    private static String withoutSpaces(String text) {
        return text.replaceAll("\\s", "");
    }
}

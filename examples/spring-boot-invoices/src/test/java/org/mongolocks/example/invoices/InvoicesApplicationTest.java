package org.mongolocks.example.invoices;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mongolocks.example.invoices.Invoices.Invoice;
import org.mongolocks.server.BackgroundTask.Eventually;
import org.mongolocks.server.ServerFinder;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** Two instances in this JVM. */
class InvoicesApplicationTest {
    private static final int ADDED_AT_A_TIME = 6;

    private final String database = "invoices-" + UUID.randomUUID();
    private final List<ConfigurableApplicationContext> started = new ArrayList<>();
    private ConfigurableApplicationContext north;
    private ConfigurableApplicationContext south;

    @BeforeEach
    void start() {
        north = start("north");
        south = start("south");
    }

    @AfterEach
    void stop() {
        started.forEach(ConfigurableApplicationContext::close);
    }

    @Test
    void eachInvoiceIsBilledOnce() throws Exception {
        page(north).add();
        page(south).add();
        Eventually.isTrue("all invoices are billed", () -> page(north).hasBilled(2 * ADDED_AT_A_TIME));

        assertThat(page(south).status().invoices())
                .allSatisfy(invoice -> assertThat(invoice.charges()).isEqualTo(1))
                .allSatisfy(invoice -> assertThat(invoice.billedBy()).isIn("north", "south"))
                .allSatisfy(invoice -> assertThat(invoice.token()).isPositive())
                .extracting(Invoice::state)
                .containsOnly("billed");
        Eventually.isTrue(
                "all locks are released", () -> page(south).status().locks().isEmpty());
    }

    @Test
    void thePageIsServed() throws Exception {
        assertThat(page(north).html()).contains("<title>Invoices</title>");
        assertThat(page(north).status().instance()).isEqualTo("north");
    }

    @Test
    void anInstanceThatIsShutDownLeavesItsInvoicesToTheOther() throws Exception {
        north.close();

        page(south).add();

        Eventually.isTrue("all invoices are billed", () -> page(south).hasBilled(ADDED_AT_A_TIME));
        assertThat(page(south).status().invoices())
                .extracting(Invoice::billedBy)
                .containsOnly("south");
    }

    private ConfigurableApplicationContext start(String instance) {
        ConfigurableApplicationContext context = SpringApplication.run(
                InvoicesApplication.class,
                "--server.port=0",
                "--invoices.instance=" + instance,
                "--invoices.work=5ms",
                "--mongo-locks.database=" + database,
                "--spring.mongodb.uri=" + ServerFinder.embedded().uri());
        started.add(context);
        return context;
    }

    private static InvoicesPage page(ConfigurableApplicationContext instance) {
        return new InvoicesPage("http://127.0.0.1:" + instance.getEnvironment().getProperty("local.server.port") + "/");
    }
}

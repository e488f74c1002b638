package org.mongolocks.spring.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mongolocks.sync.LockClient;
import org.springframework.batch.core.BatchStatus;
import org.springframework.batch.core.configuration.annotation.EnableBatchProcessing;
import org.springframework.batch.core.configuration.annotation.StepScope;
import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.job.builder.JobBuilder;
import org.springframework.batch.core.job.parameters.JobParameters;
import org.springframework.batch.core.launch.JobOperator;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.batch.core.step.Step;
import org.springframework.batch.core.step.builder.StepBuilder;
import org.springframework.batch.infrastructure.item.ItemWriter;
import org.springframework.batch.infrastructure.item.support.ListItemReader;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Runs the example of docs/spring-batch.md, and checks that the page shows it. */
class BatchPageTest {
    private static final List<String> BILLED = new CopyOnWriteArrayList<>();

    private final BatchScene scene = new BatchScene();

    @AfterEach
    void close() throws Exception {
        scene.close();
    }

    /** The application. */
    @Configuration(proxyBeanMethods = false)
    @EnableBatchProcessing
    static class Application {
        // begin
        @Bean
        Job billing(JobRepository jobs, Step billInvoices, LockClient locks) {
            Job billing = new JobBuilder("billing", jobs).start(billInvoices).build();
            return new LockedJob(billing, jobs, locks, execution -> locks.request("billing"));
        }

        @Bean
        @StepScope
        ItemWriter<String> invoices(@Value("#{jobExecutionContext['mongo-locks.fencingToken']}") long token) {
            return invoices -> bill(invoices.getItems(), token);
        }
        // end

        @Bean
        Step billInvoices(JobRepository jobs, ItemWriter<String> invoices) {
            return new StepBuilder("billInvoices", jobs)
                    .<String, String>chunk(2)
                    .reader(new ListItemReader<>(List.of("41", "42")))
                    .writer(invoices)
                    .build();
        }

        private static void bill(List<? extends String> invoices, long token) {
            invoices.forEach(invoice -> BILLED.add(invoice + " with token " + token));
        }
    }

    @Test
    void exampleBillsWithTheToken() throws Exception {
        BILLED.clear();
        AnnotationConfigApplicationContext context = scene.opened(new AnnotationConfigApplicationContext());
        context.registerBean(LockClient.class, scene::openClient, definition -> definition.setDestroyMethodName(""));
        context.register(Application.class);
        context.refresh();

        BatchStatus status = context.getBean(JobOperator.class)
                .start(context.getBean(Job.class), new JobParameters())
                .getStatus();

        assertThat(status).isEqualTo(BatchStatus.COMPLETED);
        long token = scene.stored("billing").orElseThrow().fencingToken();
        assertThat(BILLED).containsExactly("41 with token " + token, "42 with token " + token);
    }

    @Test
    void pageShowsTheExampleAndItsImports() throws IOException {
        String source = Files.readString(
                Path.of("src", "test", "java", "org", "mongolocks", "spring", "batch", "BatchPageTest.java"));
        String page = Files.readString(Path.of("..", "..", "docs", "spring-batch.md"));
        String example = source.substring(source.indexOf("// begin\n") + 9, source.indexOf("        // end\n"));

        assertThat(withoutSpaces(page)).contains(withoutSpaces(example));
        assertThat(page.lines().filter(line -> line.startsWith("import ") && !line.contains(".LockedJob")))
                .hasSize(9)
                .allMatch(source::contains);
    }

    /** Line breaks differ between the formatted code and the document. */
    private static String withoutSpaces(String text) {
        return text.replaceAll("\\s", "");
    }
}

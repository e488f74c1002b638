package org.mongolocks.spring;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.set;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.sync.FencedCollection;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.scheduling.annotation.Scheduled;

/** Runs the example of the README, and checks that the README shows it. */
class LockedReadmeTest {
    private LockingScene scene;

    @BeforeEach
    void open() throws InterruptedException {
        scene = new LockingScene();
    }

    @AfterEach
    void close() throws Exception {
        scene.close();
    }

    /** The bean of the example. */
    static class Billing {
        final List<String> billed = new ArrayList<>();

        // begin
        @Locked(name = "invoice-#{#id}", ttl = "30s", waitAtMost = "5s")
        public void bill(long id) {
            book(id, CurrentLock.get().fencingToken());
        }
        // end

        private void book(long id, long token) {
            billed.add(id + " with token " + token);
        }

        public List<String> billed() {
            return billed;
        }
    }

    @Test
    void exampleLocksTheInvoice() throws Exception {
        try (HeldLock other = scene.holdElsewhere("invoice-43")) {
            Billing billing = scene.bean(Billing.class);

            billing.bill(42);

            assertThat(billing.billed()).singleElement().asString().matches("42 with token [0-9]+");
            assertThat(scene.isHeld("invoice-42")).isFalse();
            assertThat(other.isHeld()).isTrue();
        }
    }

    /** The bean of the hourly job. */
    static class Reports {
        static final String NAME = "hourly-report";

        final AtomicInteger runs = new AtomicInteger();
        final MongoCollection<Document> jobs;
        final InstantSource clock;

        Reports(MongoCollection<Document> jobs, InstantSource clock) {
            this.jobs = jobs;
            this.clock = clock;
        }

        // begin hourly
        @Scheduled(cron = "0 * * * * *") // each minute, on each instance
        @Locked(name = "hourly-report", ttl = "30s", whenContended = WhenContended.SKIP)
        public void reportOnceAnHour() {
            String hour = clock.instant().truncatedTo(ChronoUnit.HOURS).toString(); // as 2026-01-31T08:00:00Z
            FencedCollection<Document> fenced = FencedCollection.of(jobs, CurrentLock.get());
            Document job = fenced.touchOrCreate(eq("_id", "hourly-report"), new Document("lastRun", ""));
            if (job.getString("lastRun").compareTo(hour) < 0) {
                report();
                fenced.update(eq("_id", "hourly-report"), set("lastRun", hour));
            }
        }
        // end hourly

        private void report() {
            runs.incrementAndGet();
        }

        public int runs() {
            return runs.get();
        }
    }

    @Test
    void hourlyJobRunsOnceInEachHour() throws Exception {
        AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-31T08:00:05Z"));
        AnnotationConfigApplicationContext context = scene.unstarted(LockingScene.Enabled.class);
        context.registerBean("locks", LockClient.class, () -> scene.locks);
        context.registerBean(Reports.class, () -> new Reports(scene.collection("jobs"), now::get));
        context.refresh();
        Reports reports = context.getBean(Reports.class);

        reports.reportOnceAnHour();
        reports.reportOnceAnHour();
        try (HeldLock other = scene.holdElsewhere(Reports.NAME)) {
            now.set(Instant.parse("2026-01-31T09:00:05Z"));
            reports.reportOnceAnHour();
            assertThat(other.isHeld()).isTrue();
        }
        assertThat(reports.runs()).isEqualTo(1);

        reports.reportOnceAnHour();

        assertThat(reports.runs()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " hourly"})
    void readmeShowsTheExample(String which) throws IOException {
        String source = Files.readString(
                Path.of("src", "test", "java", "org", "mongolocks", "spring", "LockedReadmeTest.java"));
        String begin = "// begin" + which + "\n";
        int start = source.indexOf(begin) + begin.length();
        String example = source.substring(start, source.indexOf("        // end" + which + "\n", start));

        assertThat(withoutSpaces(Files.readString(Path.of("README.md")))).contains(withoutSpaces(example));
    }

    /** Line breaks differ between the formatted code and the document. */
    private static String withoutSpaces(String text) {
        return text.replaceAll("\\s", "");
    }
}

package org.mongolocks.contract.soak;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.bson.Document;
import org.mongolocks.LockName;
import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.spi.LockStrategy;

/** A run of all parties under changing faults, with the checks at its end. */
final class SoakRun {
    private static final int LOCKS_OF_A_STRATEGY = 2;
    private static final int WORKERS_OF_A_PARTY = 2;
    private static final Duration UNTIL_WORKERS_END = Duration.ofSeconds(60);
    private static final int READINGS = 60;

    private final SoakPlan plan;
    private final String uri;
    private final PrintStream out;
    private final Findings findings = new Findings();
    private final Gauge gauge = new Gauge();
    private final List<Guarded> guarded = new ArrayList<>();
    private final List<Party> parties = new ArrayList<>();
    private final List<Thread> workers = new ArrayList<>();
    private volatile boolean goesOn = true;

    SoakRun(SoakPlan plan, String uri, PrintStream out) {
        this.plan = plan;
        this.uri = uri;
        this.out = out;
    }

    /** Runs to the end, and closes everything that it has opened. */
    Findings run() throws InterruptedException {
        return runUntil(found -> false);
    }

    /** Runs until the condition holds, or to the end. */
    Findings runUntil(Predicate<Findings> enough) throws InterruptedException {
        Aftermath aftermath = new Aftermath(plan, uri, findings);
        try (MongoClient direct = MongoClients.create(uri)) {
            MongoDatabase database = direct.getDatabase(Party.DATABASE);
            database.drop();
            open(database.getCollection("protected"));
            begin();
            changeWeatherUntil(enough);
            end();
            aftermath.judge(parties, guarded);
            database.drop();
        } finally {
            parties.forEach(party -> party.proxy().close());
        }
        if (plan.isLong()) {
            gauge.judge(findings);
        }
        return findings;
    }

    private void open(MongoCollection<Document> data) throws InterruptedException {
        for (LockStrategy strategy : plan.strategies()) {
            List<Guarded> locks = IntStream.range(0, LOCKS_OF_A_STRATEGY)
                    .mapToObj(i -> guard(strategy.name() + "-" + i, data))
                    .toList();
            guarded.addAll(locks);
            for (Driver driver : Driver.values()) {
                parties.add(new Party(plan, uri, strategy, driver, locks));
            }
        }
    }

    private Guarded guard(String name, MongoCollection<Document> data) {
        return new Guarded(LockName.of(name), new Ledger(name, findings), new ProtectedData(data, name));
    }

    private void begin() {
        SplittableRandom random = new SplittableRandom(~plan.seed());
        for (Party party : parties) {
            for (int i = 0; i < WORKERS_OF_A_PARTY; i++) {
                Worker worker = new Worker(party, findings, random.split(), () -> goesOn);
                Thread thread = new Thread(worker, "soak-worker-" + workers.size());
                thread.setDaemon(true);
                workers.add(thread);
                thread.start();
            }
        }
    }

    private void changeWeatherUntil(Predicate<Findings> enough) throws InterruptedException {
        FaultSchedule schedule = new FaultSchedule(plan.seed(), parties.size());
        long begun = System.nanoTime();
        long end = begun + plan.length().toNanos();
        long reading = plan.length().toNanos() / READINGS;
        long nextReading = begun + reading;
        while (System.nanoTime() - end < 0 && !enough.test(findings)) {
            FaultSchedule.Change change = schedule.next();
            TimeUnit.MILLISECONDS.sleep(change.afterMillis());
            change.weather().comesOver(parties.get(change.party()).proxy());
            findings.count("weather " + change.weather());
            if (plan.isLong() && System.nanoTime() - nextReading > 0) {
                nextReading += reading;
                report(Duration.ofNanos(System.nanoTime() - begun), gauge.read());
            }
        }
    }

    private void end() throws InterruptedException {
        goesOn = false;
        parties.forEach(party -> party.proxy().heal());
        long deadline = System.nanoTime() + UNTIL_WORKERS_END.toNanos();
        for (Thread worker : workers) {
            TimeUnit.NANOSECONDS.timedJoin(worker, Math.max(1, deadline - System.nanoTime()));
            if (worker.isAlive()) {
                findings.violated(worker.getName() + " does not end: " + List.of(worker.getStackTrace()));
            }
        }
    }

    private void report(Duration after, Gauge.Reading reading) {
        out.printf(
                "%4d s  %,d grants, %,d failed commands, %,d violations, %d MB, %d threads%n",
                after.toSeconds(),
                findings.of("grants"),
                findings.of("failed commands"),
                findings.violations(),
                reading.megabytes(),
                reading.threads());
    }
}

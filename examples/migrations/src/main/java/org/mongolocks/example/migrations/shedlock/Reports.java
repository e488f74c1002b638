package org.mongolocks.example.migrations.shedlock;

import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.springframework.scheduling.annotation.Scheduled;

class Reports {
    private final Runnable report;

    Reports(Runnable report) {
        this.report = report;
    }

    // begin
    @Scheduled(cron = "0 0 3 * * *")
    @SchedulerLock(name = "nightly-report", lockAtMostFor = "PT10M")
    public void report() {
        report.run();
    }
    // end
}

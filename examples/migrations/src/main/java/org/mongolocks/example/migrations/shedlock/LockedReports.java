package org.mongolocks.example.migrations.shedlock;

import org.mongolocks.spring.Locked;
import org.mongolocks.spring.WhenContended;
import org.springframework.scheduling.annotation.Scheduled;

class LockedReports {
    private final Runnable report;

    LockedReports(Runnable report) {
        this.report = report;
    }

    // begin
    @Scheduled(cron = "0 0 3 * * *")
    @Locked(name = "nightly-report", ttl = "30s", whenContended = WhenContended.SKIP) // keeps itself alive
    public void report() {
        report.run();
    }
    // end
}

package org.mongolocks.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.contract.adapter.EmbeddedScene.soon;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mongolocks.leader.sync.Candidacy;
import org.mongolocks.leader.sync.LeaderElection;
import org.mongolocks.sync.LockClient;

/** Runs the example of the README, and checks that the README shows it. */
class LeaderReadmeTest {
    private final ElectionScene scene = new ElectionScene();
    private final List<Long> reports = new CopyOnWriteArrayList<>();
    private final CountDownLatch end = new CountDownLatch(1);

    @AfterEach
    void close() throws Exception {
        scene.close();
    }

    @Test
    void exampleLeadsUntilTheElectionIsClosed() throws Exception {
        LockClient locks = scene.client();
        // begin
        LeaderElection election = LeaderElection.with(locks); // one for each lock client
        Candidate candidate = Candidate.of("reports", Duration.ofSeconds(30)).id("billing-3");
        Candidacy candidacy = election.lead(candidate, term -> runReports(term.fencingToken()));
        // end
        soon("it runs the reports", () -> reports.size() == 1);

        election.close();

        assertThat(candidacy.state()).isEqualTo(CandidacyState.CLOSED);
    }

    @Test
    void readmeShowsTheExample() throws IOException {
        String source = Files.readString(
                Path.of("src", "test", "java", "org", "mongolocks", "leader", "LeaderReadmeTest.java"));
        String example = source.substring(source.indexOf("// begin\n") + 9, source.indexOf("        // end\n"));

        assertThat(withoutSpaces(Files.readString(Path.of("README.md")))).contains(withoutSpaces(example));
    }

    private void runReports(long token) throws InterruptedException {
        reports.add(token);
        end.await();
    }

    /** Line breaks differ between the formatted code and the document. */
    private static String withoutSpaces(String text) {
        return text.replaceAll("\\s", "");
    }
}

package org.mongolocks.benchmarks.race;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mongolocks.LockException;
import org.mongolocks.benchmarks.EmbeddedBench;
import org.mongolocks.benchmarks.StubStrategy;
import org.mongolocks.benchmarks.client.RawFloor;
import org.mongolocks.benchmarks.measure.Course;
import org.mongolocks.benchmarks.measure.Session;
import org.mongolocks.benchmarks.measure.Workbench;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Mode;
import org.mongolocks.benchmarks.result.Subject;

class RaceTest {
    private static final Duration FOREVER = Duration.ofDays(1);

    @AutoClose
    private final EmbeddedBench server = new EmbeddedBench();

    private final Workbench bench = server.bench();

    @Test
    void aRaceEndsWithTheLapInWhichNobodyIsLeft() throws InterruptedException {
        Session session = race(
                Duration.ofSeconds(1),
                (field, strategy) -> List.of(Lane.of(field.subject("alpha"), () -> {
                            throw new LockException("Broken");
                        })
                        .over(field.floor(RawFloor.PING))));

        assertThat(session.isIn("alpha")).isFalse();
        assertThat(session.findings().measurements())
                .extracting(measurement -> measurement.value().repetitions())
                .isNotEmpty()
                .containsOnly(2);
    }

    @Test
    @Timeout(60)
    void aRaceOfNobodyEndsAtOnce() throws InterruptedException {
        assertThat(race(FOREVER, (field, strategy) -> List.of()).findings().measurements())
                .isEmpty();
    }

    @Test
    void aRaceWithoutTimeStillGivesFiguresOfAllWithTheirRatios() throws InterruptedException {
        Session session = race(
                Duration.ZERO,
                (field, strategy) ->
                        List.of(Lane.of(field.subject("alpha"), () -> {}).over(field.floor(RawFloor.PING))));

        assertThat(session.findings().measurements())
                .extracting(Measurement::subject)
                .contains(
                        Subject.of("B2", "alpha", Client.SYNC),
                        Subject.of("B2", "alpha", Client.REACTIVE),
                        Subject.of("B2", "floor-ping", Client.SYNC));
        assertThat(session.findings().measurements())
                .filteredOn(measurement -> measurement.metric().name().equals("latency"))
                .filteredOn(measurement -> measurement.subject().contender().equals("alpha"))
                .allSatisfy(measurement ->
                        assertThat(measurement.ratio().orElseThrow().to()).isEqualTo("floor-ping"));
    }

    private Session race(Duration time, Lineup.Maker maker) throws InterruptedException {
        Course course = new Course(List.of(new Duel("B2", "a race", 1, maker)), Mode.QUICK, time);
        return course.run(bench, List.of(new StubStrategy("alpha", Set.of())), (step, steps, what) -> {});
    }
}

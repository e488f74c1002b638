package org.mongolocks.benchmarks.race;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.EmbeddedBench;
import org.mongolocks.benchmarks.measure.Benchmark;
import org.mongolocks.benchmarks.measure.Course;
import org.mongolocks.benchmarks.measure.Session;
import org.mongolocks.benchmarks.measure.Workbench;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Contender;
import org.mongolocks.benchmarks.result.Contender.Kind;
import org.mongolocks.benchmarks.result.Contender.Properties;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Mode;
import org.mongolocks.benchmarks.result.Ratio;
import org.mongolocks.benchmarks.result.Subject;

class ScoreTest {
    private final Lane floor = Lane.of(Subject.of("B1", "floor-a", Client.SYNC), () -> {});
    private final Lane lane =
            Lane.of(Subject.of("B1", "alpha", Client.SYNC), () -> {}).over(floor);

    @AutoClose
    private final EmbeddedBench server = new EmbeddedBench();

    private final Workbench bench = server.bench();

    @Test
    void everyQuantityIsComparedWithThatOfTheFloor() throws InterruptedException {
        List<Measurement> measured = measured(new Turn(100, 1, 10, 50), new Turn(250, 1, 30, 75));

        assertThat(measured)
                .extracting(measurement -> measurement.metric().name())
                .containsExactly("latency", "cpu", "allocation");
        assertThat(measured)
                .extracting(measurement ->
                        measurement.ratio().map(Ratio::times).orElseThrow().value())
                .containsExactly(2.5, 3.0, 1.5);
    }

    @Test
    void nothingIsAMultipleOfWhatTheFloorDoesNotUse() throws InterruptedException {
        List<Measurement> measured = measured(new Turn(100, 1, 10, 0.001), new Turn(250, 1, 30, 75));

        assertThat(measured.get(2).value().value()).isEqualTo(75);
        assertThat(measured.get(2).ratio()).isEmpty();
    }

    @Test
    void whoNeverRanHasNoFigures() throws InterruptedException {
        assertThat(record(new Laps())).isEmpty();
    }

    private List<Measurement> measured(Turn ofFloor, Turn ofLane) throws InterruptedException {
        Laps laps = new Laps();
        laps.add(List.of(new Laps.Entry(floor, ofFloor), new Laps.Entry(lane, ofLane), new Laps.Entry(floor, ofFloor)));
        return record(laps);
    }

    private List<Measurement> record(Laps laps) throws InterruptedException {
        Benchmark recording = new Recording(laps, lane);
        return new Course(List.of(recording), Mode.QUICK, Duration.ZERO)
                .run(bench, List.of(), (step, steps, what) -> {})
                .findings()
                .measurements();
    }

    private record Recording(Laps laps, Lane lane) implements Benchmark {
        @Override
        public String id() {
            return "B1";
        }

        @Override
        public String title() {
            return "recording";
        }

        @Override
        public int weight() {
            return 1;
        }

        @Override
        public void run(Session session, Duration time) {
            session.enter(Contender.of("alpha", Kind.PEER, "alpha", Properties.ofFloor("majority")));
            new Score(session, laps).latency(lane);
        }
    }
}

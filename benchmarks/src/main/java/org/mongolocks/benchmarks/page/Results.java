package org.mongolocks.benchmarks.page;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.result.Contender;
import org.mongolocks.benchmarks.result.Contender.Kind;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Verdict.Status;

/**
 * Is what a page tells of a run: the part of {@code results.json} that is for people.
 *
 * @param circumstances where, when and how
 * @param contenders who was to be measured, in the order of the file
 * @param measurements what was measured
 * @param noise how far a floor drifted, as a fraction, by the benchmarks in which one drifted too far
 * @param remarks what a reader has to know besides
 * @param json all of it as it stands in the file
 */
record Results(
        Circumstances circumstances,
        List<Contender> contenders,
        List<Measurement> measurements,
        Map<String, Double> noise,
        List<String> remarks,
        String json) {
    Results {
        contenders = List.copyOf(contenders);
        measurements = List.copyOf(measurements);
        noise = Map.copyOf(noise);
        remarks = List.copyOf(remarks);
    }

    /** Gives those whose figures mean something: nobody else was let in. */
    Stream<Contender> sound(Kind kind) {
        return contenders.stream()
                .filter(contender -> contender.kind() == kind)
                .filter(contender -> contender.verdict().status() == Status.MEASURED);
    }

    Stream<Contender> with(Status status) {
        return contenders.stream().filter(contender -> contender.verdict().status() == status);
    }

    /** Gives how far the floors of a benchmark drifted, if that was too far. */
    Optional<Double> noise(String benchmark) {
        return Optional.ofNullable(noise.get(benchmark));
    }

    /** Tells whether figures of a benchmark may say more about the machine than about locks; counts never do. */
    boolean isNoisy(Yardstick yardstick) {
        return yardstick.isTimed()
                && (circumstances.noisy() || noise(yardstick.benchmark()).isPresent());
    }
}

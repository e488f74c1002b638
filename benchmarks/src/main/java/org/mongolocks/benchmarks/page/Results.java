package org.mongolocks.benchmarks.page;

import java.util.List;
import java.util.Map;
import java.util.Set;
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
 * @param traits what each strategy gives and needs, by its name
 * @param measurements what was measured
 * @param remarks what a reader has to know besides
 * @param json all of it as it stands in the file
 */
record Results(
        Circumstances circumstances,
        List<Contender> contenders,
        Map<String, Set<String>> traits,
        List<Measurement> measurements,
        List<String> remarks,
        String json) {
    Results {
        contenders = List.copyOf(contenders);
        traits = Map.copyOf(traits);
        measurements = List.copyOf(measurements);
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

    /** Gives what the run says about noise in a benchmark. */
    List<String> noise(String benchmark) {
        return remarks.stream()
                .filter(remark -> remark.startsWith("Noisy:") && remark.contains(" of " + benchmark + " "))
                .toList();
    }

    /** Tells whether figures of a benchmark may say more about the machine than about locks; counts never do. */
    boolean isNoisy(Yardstick yardstick) {
        return yardstick.isTimed()
                && (circumstances.noisy() || !noise(yardstick.benchmark()).isEmpty());
    }

    /** Tells whether a strategy says so; of a run without the figures that come with traits nothing is known. */
    boolean hasTrait(Contender contender, String trait) {
        return traits.getOrDefault(contender.id(), Set.of()).contains(trait);
    }
}

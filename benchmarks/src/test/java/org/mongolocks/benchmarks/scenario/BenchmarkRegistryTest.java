package org.mongolocks.benchmarks.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.lock.OtherLibraries;
import org.mongolocks.benchmarks.run.Benchmark;
import org.mongolocks.benchmarks.run.BenchmarkRun.RunLength;
import org.mongolocks.reporting.server.UnusableInputException;

class BenchmarkRegistryTest {
    private final BenchmarkRegistry all = BenchmarkRegistry.all(new OtherLibraries(Map.of()));

    @Test
    void allRunWhenNoneIsChosen() {
        assertThat(all.only(List.of())).isEqualTo(all);
    }

    @Test
    void chosenBenchmarksRunInTheirUsualOrder() {
        assertThat(all.only(List.of("B9", "B1")).ids()).containsExactly("B1", "B9");
    }

    @Test
    void chosenBenchmarksTakeTheirShareOfTheTimeOfAll() {
        Duration total = Duration.ofMinutes(6);

        Duration handOff = all.only(List.of("B5")).shareOf(total);
        Duration rest = all.only(
                        all.ids().stream().filter(id -> !id.equals("B5")).toList())
                .shareOf(total);

        assertThat(all.shareOf(total)).isEqualTo(total);
        assertThat(handOff).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(60));
        assertThat(handOff.plus(rest)).isCloseTo(total, Duration.ofMillis(1));
    }

    @Test
    void quickRunHasTheBenchmarksThatDecideUnlessOthersAreNamed() {
        assertThat(all.of(RunLength.QUICK, List.of()).ids()).containsExactly("B1", "B5", "B6", "B10");
        assertThat(all.of(RunLength.QUICK, List.of("B15")).ids()).containsExactly("B15");
        assertThat(all.of(RunLength.NORMAL, List.of())).isEqualTo(all);
        assertThat(all.of(RunLength.QUICK, List.of()).shareOf(Duration.ofSeconds(34)))
                .isEqualTo(Duration.ofSeconds(34));
    }

    @Test
    void latencyAndHandOffOfAUsualRunTakeAboutAMinute() {
        assertThat(all.only(List.of("B1", "B5")).shareOf(RunLength.NORMAL.time()))
                .isBetween(Duration.ofSeconds(50), Duration.ofSeconds(70));
    }

    @Test
    void unknownBenchmarkIsNamedWithTheKnownOnes() {
        assertThatThrownBy(() -> all.only(List.of("B1", "B99")))
                .isInstanceOf(UnusableInputException.class)
                .hasMessageStartingWith("no benchmark is named 'B99'; there are: B1, B5")
                .hasMessageEndingWith("(see --help)");
    }

    @Test
    void eachBenchmarkHasAShareAndARowInTheDocumentation() throws IOException {
        String documentation = Files.readString(Path.of("..", "docs", "compare.md"));

        assertThat(all.benchmarks()).extracting(Benchmark::weight).allMatch(weight -> weight > 0);
        assertThat(all.ids()).allSatisfy(id -> assertThat(documentation).contains("| `" + id + "` |"));
    }
}

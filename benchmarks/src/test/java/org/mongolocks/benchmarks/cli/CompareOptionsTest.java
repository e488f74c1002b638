package org.mongolocks.benchmarks.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mongolocks.benchmarks.jmh.LockState;
import org.mongolocks.benchmarks.lock.OtherLibraries.Server;
import org.mongolocks.benchmarks.run.BenchmarkRun.RunLength;
import org.mongolocks.benchmarks.run.StubStrategy;
import org.mongolocks.reporting.ProgramArguments;
import org.mongolocks.reporting.server.UnusableInputException;
import org.mongolocks.spi.LockStrategy;
import org.openjdk.jmh.annotations.Param;
import picocli.CommandLine.Model.CommandSpec;

class CompareOptionsTest {
    @Test
    void withoutArgumentsTheDefaultStrategiesRunInFullOnTheEmbeddedServer() {
        CompareOptions options = CompareOptions.parse();

        assertThat(options.uri()).isEmpty();
        assertThat(options.strategies()).isEmpty();
        assertThat(options.mode()).isEqualTo(RunLength.NORMAL);
        assertThat(options.only()).isEmpty();
        assertThat(options.command()).isEqualTo("./compare");
        assertThat(options.out()).isEqualTo(Path.of("target", "compare"));
        assertThat(options.help()).isFalse();
    }

    @Test
    void everyOptionIsRead() {
        CompareOptions options = CompareOptions.parse(
                "--uri=mongodb://a",
                "--strategies=b,a , b",
                "--quick",
                "--only=B4,B1",
                "--baseline=old",
                "--out=/tmp/x");

        assertThat(options.uri()).contains("mongodb://a");
        assertThat(options.strategies()).containsExactly("b", "a");
        assertThat(options.only()).containsExactly("B4", "B1");
        assertThat(options.baseline()).contains(Path.of("old"));
        assertThat(options.mode()).isEqualTo(RunLength.QUICK);
        assertThat(options.out()).isEqualTo(Path.of("/tmp/x"));
    }

    @Test
    void quickAndFullExcludeEachOther() {
        assertThatThrownBy(() -> CompareOptions.parse("--quick", "--full"))
                .isInstanceOf(UnusableInputException.class)
                .hasMessage("--quick and --full exclude each other (see --help)");
    }

    @Test
    void minutesReplaceTheTimeOfTheMode() {
        assertThat(CompareOptions.parse().time()).isEqualTo(Duration.ofMinutes(4));
        assertThat(CompareOptions.parse("--minutes", "25").time()).isEqualTo(Duration.ofMinutes(25));
        assertThat(CompareOptions.parse("--minutes", "25", "--only", "B5").command())
                .isEqualTo("./compare --minutes 25 --only B5");
    }

    @ParameterizedTest
    @CsvSource({
        "--minutes=5 --quick, '--minutes excludes --quick and --full (see --help)'",
        "--minutes=0, '--minutes is from 1 to 600, not 0 (see --help)'",
        "--minutes=601, '--minutes is from 1 to 600, not 601 (see --help)'"
    })
    void unusableMinutesAreRefused(String arguments, String message) {
        assertThatThrownBy(() -> CompareOptions.parse(arguments.split(" ", -1)))
                .isInstanceOf(UnusableInputException.class)
                .hasMessage(message);
    }

    @Test
    void aMajorityLagsBehindTheEmbeddedServerOnly() {
        assertThat(CompareOptions.parse("--majority-lag", "3").majorityLag()).isEqualTo(Duration.ofMillis(3));
        assertThat(CompareOptions.parse("--majority-lag", "3").command()).isEqualTo("./compare --majority-lag 3");
        assertThatThrownBy(() -> CompareOptions.parse("--majority-lag", "3", "--uri", "mongodb://a"))
                .isInstanceOf(UnusableInputException.class)
                .hasMessage("--majority-lag is for the embedded server, not for one of --uri (see --help)");
    }

    @Test
    void embeddedServerIsTheOneWithoutAUri() {
        CompareOptions options = CompareOptions.parse("--uri", "embedded", "--majority-lag", "3");

        assertThat(options.uri()).isEmpty();
        assertThat(options.command()).isEqualTo("./compare --majority-lag 3");
    }

    @Test
    void theCommandToRepeatARunHasNoSecret() {
        CompareOptions options = CompareOptions.parse(
                "--full", "--only", "B2,B1", "--strategies", "a", "--uri", "mongodb://Ann:S3cret@a/?x=y");

        assertThat(options.command()).isEqualTo("./compare --full --only B2,B1 --strategies a --uri URI");
    }

    @ParameterizedTest
    @CsvSource({
        "--fast, Unknown option",
        "extra, Unmatched argument",
        "--uri, Missing required parameter for option '--uri'",
        "--out, Missing required parameter for option '--out'",
        "--only, Missing required parameter for option '--only'",
        "--baseline, Missing required parameter for option '--baseline'",
        "--strategies, Missing required parameter for option '--strategies'",
        "--quick=maybe, maybe"
    })
    void aWrongArgumentIsNamedInOneLine(String argument, String complaint) {
        assertThatThrownBy(() -> CompareOptions.parse(argument))
                .isInstanceOf(UnusableInputException.class)
                .hasMessageContaining(complaint)
                .hasMessageEndingWith("(see --help)")
                .extracting(Throwable::getMessage)
                .asString()
                .hasLineCount(1);
    }

    @ParameterizedTest
    @CsvSource({
        "REDIS, redis://localhost:6379, --redis URI",
        "REDIS, rediss://user:secret@redis:6379/1, --redis URI",
        "ZOOKEEPER, 'one:2181,two:2181/locks', --zookeeper HOST:PORT",
        "ETCD, one:2379, --etcd HOST:PORT",
        "POSTGRESQL, jdbc:postgresql://localhost/locks, --postgresql URL",
        "POSTGRESQL, 'jdbc:postgresql://one:5433,two:5433/locks?user=me&password=secret', --postgresql URL"
    })
    void addressOfAnotherServerIsAcceptedAndNotRepeated(Server server, String address, String repeated) {
        CompareOptions options = CompareOptions.parse(server.option(), address);

        assertThat(options.peers().addresses()).containsExactly(Map.entry(server, address));
        assertThat(options.command()).isEqualTo("./compare " + repeated);
    }

    @Test
    void commandNamesAllOtherServers() {
        CompareOptions options =
                CompareOptions.parse("--postgresql", "jdbc:postgresql://one/locks", "--redis", "redis://one:6379");

        assertThat(options.command()).isEqualTo("./compare --redis URI --postgresql URL");
    }

    @Test
    void theHelpNamesEveryOptionAndEveryDefaultStrategy() {
        String usage = ProgramArguments.usage(CompareMain.class, "usage.txt");

        assertThat(CommandSpec.forAnnotatedObject(CompareOptions.parse()).options())
                .allSatisfy(option -> assertThat(usage).contains(option.longestName()));
        assertThat(usage).contains(defaults());
        assertThat(usage.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    }

    @Test
    void theSuiteMeasuresTheSameFive() throws NoSuchFieldException {
        Param param = LockState.class.getField("strategy").getAnnotation(Param.class);

        assertThat(param.value()).containsExactlyElementsOf(defaults());
    }

    @Test
    void ownStrategyIsComparedByDefaultAndAVariantIsNot() {
        List<LockStrategy> found = new ArrayList<>(Strategies.found().strategies());
        found.add(new StubStrategy("insert-unique-of-mine", Set.of()));

        assertThat(new Strategies(found).named(List.of()))
                .extracting(LockStrategy::name)
                .containsAll(defaults())
                .contains("insert-unique-of-mine")
                .doesNotContain("optimistic-version-clock-free");
    }

    @Test
    void commandNamesThatThereAreOwnStrategies() {
        System.setProperty(CompareOptions.CLASSPATH, "/secret/mine.jar");
        try {
            assertThat(CompareOptions.parse("--quick").command()).isEqualTo("./compare --quick --classpath JAR");
        } finally {
            System.clearProperty(CompareOptions.CLASSPATH);
        }
    }

    private static List<String> defaults() {
        return Strategies.found().named(List.of()).stream()
                .map(LockStrategy::name)
                .toList();
    }
}

package org.mongolocks.benchmarks.report.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The page recommends what figures and traits support, and nothing else. */
class AnswerTest {
    private static final String ALONE = "One lock that is seldom contended";

    @Test
    void ruleOfComparisonIsAboveTheTable() {
        assertThat(page(SampleRun.full()).texts("//*[@id='answer']/p"))
                .anySatisfy(rule -> assertThat(rule)
                        .contains(
                                "two are compared round by round",
                                "more than 2 % from 1",
                                "Student's with fewer than six",
                                "does not contain 1"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void fullRunAnswersTheUseCase(String rule, String useCase, String answer) {
        assertThat(answer(SampleRun.full(), useCase)).isEqualTo(answer);
    }

    static Stream<Arguments> fullRunAnswersTheUseCase() {
        return Stream.of(
                arguments(
                        "a strategy that is faster beyond the intervals is chosen",
                        ALONE,
                        "insert-unique: 410 µs. Next: findandmodify-counter, 460 µs."),
                arguments(
                        "of grants the most are best, and the largest scenario counts",
                        "One lock that many wait for",
                        "insert-unique: 1089 a second. Next: findandmodify-counter, 1007 a second."),
                arguments(
                        "a trait that all have is no reason to repeat the first line",
                        "Fencing tokens that only grow",
                        "All of them; the first line says which is fastest."),
                arguments(
                        "a trait that one has names that one",
                        "Several locks in one step, all or none",
                        "transactional: 1.25 ms. The only one."),
                arguments(
                        "a trait that no strategy has names the one to add",
                        "No clock is trusted",
                        "None of those measured: add optimistic-version-clock-free with --strategies."));
    }

    @Test
    void strategiesWithOverlappingIntervalsAreNotDistinguished() {
        SampleRun run = SampleRun.full();
        figure(run, "B1", "flag-update").append("low", 405_000.0);

        assertThat(answer(run, ALONE)).startsWith("Not told apart: insert-unique 410 µs, flag-update 510 µs.");
    }

    @Test
    void contendersWithoutIntervalsAreNotDistinguished() {
        SampleRun run = SampleRun.full();
        run.measurements().forEach(one -> {
            one.remove("low");
            one.remove("high");
        });

        assertThat(answer(run, ALONE))
                .startsWith("Not told apart: insert-unique 410 µs, findandmodify-counter 460 µs,")
                .endsWith("There is no interval, which needs three rounds: --only B1 --minutes 6."
                        + " If unsure, findandmodify-counter.");
    }

    @Test
    void noisyRunChoosesByPairs() {
        SampleRun run = SampleRun.full().noisy().noisyIn("B1", 0.41);
        pairs(run, 0.9, 0.02);

        assertThat(answer(run, ALONE)).isEqualTo("insert-unique: 410 µs. Next: findandmodify-counter, 460 µs.");
    }

    @Test
    void pairsCountMoreThanTheIntervalsOfTheFigures() {
        SampleRun run = SampleRun.full();
        pairs(run, 0.9, 0.2);

        assertThat(answer(run, ALONE))
                .startsWith("Not told apart: insert-unique 410 µs, findandmodify-counter 460 µs,")
                .contains(" About 221 rounds would decide, this run had 12: --only B1 --minutes 19. ");
    }

    @Test
    void strategiesWithinTwoPercentAreChosenByGuarantees() {
        SampleRun run = SampleRun.full();
        pairs(run, 1.001, 0.01);

        assertThat(answer(run, ALONE))
                .startsWith("Not told apart: ")
                .contains(" They are the same within 2 %: choose by guarantees. If unsure, findandmodify-counter.");
    }

    @Test
    void countsAreDistinguishedWithoutAnIntervalDespiteNoise() {
        assertThat(answer(SampleRun.full().noisy(), "Little load on network and server"))
                .isEqualTo("insert-unique: 1.43 kB/grant. Next: findandmodify-counter, 1.83 kB/grant.");
    }

    @Test
    void recoveryIsThatFromAKilledHolder() {
        SampleRun run = SampleRun.full();
        run.measurements().stream()
                .filter(one -> "B9".equals(one.get("benchmark")) && "flag-update".equals(one.get("contender")))
                .filter(one ->
                        "killed".equals(one.get("parameters", Document.class).get("end")))
                .forEach(one -> one.append("value", 5e8).append("low", 4e8).append("high", 6e8));

        assertThat(answer(run, "Free again soon after a crash")).startsWith("flag-update: 500 ms.");
    }

    @Test
    void aStandaloneHasNoGuardedTransactions() {
        assertThat(answer(SampleRun.full().standalone(), "Several documents, committed only while the lock is held"))
                .isEqualTo("None of those measured: a standalone server has no transactions.");
    }

    @Test
    void voidContenderIsNeverChosen() {
        SampleRun run = SampleRun.full().verdict("insert-unique", "void", "Two were in");

        assertThat(page(run).one("//*[@class='answers']").getTextContent())
                .doesNotContain("insert-unique")
                .contains("findandmodify-counter: 460 µs");
    }

    @Test
    void fasterPeerIsNotChosenAndShownWithItsMissingGuarantees() {
        SampleRun run = SampleRun.full();
        figure(run, "B1", "shedlock").append("high", 392_000.0);

        Markup page = page(run);

        assertThat(page.one("//*[@class='answers']").getTextContent()).doesNotContain("shedlock");
        assertThat(page.texts("//*[@id='answer']/ul/li"))
                .first()
                .isEqualTo("shedlock: 390 µs, faster than insert-unique; durable: as the driver is set;"
                        + " fencing: none; owner check: none; clock: each client's.");
    }

    @ParameterizedTest
    @CsvSource({"0.9, 0.02, faster than insert-unique;", "1.1, 0.02, slower than insert-unique;"})
    void peerIsComparedRoundByRoundDespiteNoise(double ratio, double reach, String beside) {
        SampleRun run =
                SampleRun.full().noisy().noisyIn("B1", 0.41).different("shedlock", "insert-unique", ratio, reach);

        assertThat(page(run).texts("//*[@id='answer']/ul/li"))
                .first()
                .asString()
                .contains(beside);
    }

    @Test
    void peerThatIsNotToldApartNamesWhatWouldDecide() {
        SampleRun run = SampleRun.full().noisy().different("shedlock", "insert-unique", 0.9, 0.2);

        assertThat(page(run).texts("//*[@id='answer']/ul/li"))
                .first()
                .isEqualTo("shedlock: 390 µs, not told apart from insert-unique."
                        + " About 221 rounds would decide, this run had 12: --only B1 --minutes 19."
                        + " It is durable: as the driver is set; fencing: none; owner check: none;"
                        + " clock: each client's.");
    }

    static List<SampleRun> openRuns() {
        SampleRun without = SampleRun.full();
        without.measurements().forEach(one -> {
            one.remove("low");
            one.remove("high");
        });
        SampleRun paired = SampleRun.full();
        pairs(paired, 0.9, 0.2);
        SampleRun same = SampleRun.full();
        pairs(same, 1.001, 0.01);
        SampleRun failed = SampleRun.full();
        SampleRun.STRATEGIES.forEach(id -> failed.verdict(id, "skipped", "It failed"));
        return List.of(
                without,
                paired,
                same,
                failed,
                SampleRun.full().noisy(),
                SampleRun.full().standalone(),
                SampleRun.full().without(one -> !"B1".equals(one.get("benchmark"))),
                SampleRun.full().without(one -> "B1".equals(one.get("benchmark"))),
                SampleRun.empty());
    }

    @ParameterizedTest
    @MethodSource("openRuns")
    void everyAnswerChoosesOrNamesACommandAReasonOrTheGuarantees(SampleRun run) {
        Markup page = page(run);
        List<String> answers = new ArrayList<>(page.texts("//*[@class='answers']//td"));
        answers.addAll(page.texts("//*[@id='answer']/ul/li"));

        assertThat(answers)
                .hasSizeGreaterThanOrEqualTo(22)
                .allMatch(answer -> answer.matches("(?s).*(--only B\\d+|--strategies|choose by guarantees|says? why"
                        + "|has no transactions|first line says|The only one\\.|Next: |faster than|slower than).*"));
    }

    @Test
    void questionWithoutMeasurementsIsNotAnswered() {
        SampleRun run = SampleRun.full().without(one -> "B5".equals(one.get("benchmark")));

        assertThat(answer(run, "The next in line gets it at once")).isEqualTo("Not measured: --only B5.");
    }

    private static Document figure(SampleRun run, String benchmark, String contender) {
        return run.measurements().stream()
                .filter(one -> benchmark.equals(one.get("benchmark")) && contender.equals(one.get("contender")))
                .findFirst()
                .orElseThrow();
    }

    private static String answer(SampleRun run, String useCase) {
        return page(run)
                .one("//*[@class='answers']//tr[contains(th, '" + useCase + "')]/td[@data-client='sync']")
                .getTextContent();
    }

    private static void pairs(SampleRun run, double ratio, double reach) {
        SampleRun.STRATEGIES.stream()
                .skip(1)
                .forEach(other -> run.different(SampleRun.STRATEGIES.get(0), other, ratio, reach));
    }

    private static Markup page(SampleRun run) {
        return Markup.of(HtmlReport.of(run.json()));
    }
}

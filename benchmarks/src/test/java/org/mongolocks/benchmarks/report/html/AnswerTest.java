package org.mongolocks.benchmarks.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mongolocks.benchmarks.report.choice.Choice;

/** The page begins with the choice, and shows the same that the terminal prints. */
class AnswerTest {
    @Test
    void choiceIsTheFirstSentenceOfThePage() {
        Markup page = page(SampleRun.full());

        assertThat(page.texts("//main/*[2]/p"))
                .first()
                .isEqualTo("Take findandmodify-counter for most uses: one command for each attempt, whether the lock is"
                        + " free or held; the others need two or more for one of these;"
                        + " the server's clock alone ends a lease; fencing tokens grow with each grant.");
    }

    @Test
    void everyNeedIsOneLineThatNamesAStrategyAndAReason() {
        Choice choice = Choice.of(ResultsReader.read(SampleRun.full().json()).run());
        Markup page = page(SampleRun.full());

        assertThat(page.texts("//*[@class='answers']/tbody/tr/th")).hasSameSizeAs(choice.table());
        assertThat(page.texts("//*[@class='answers']/tbody/tr/td[2]"))
                .containsExactlyElementsOf(
                        choice.table().stream().map(answer -> answer.why()).toList());
    }

    @Test
    void clearDifferencesAreAListAndTheOthersOneLine() {
        SampleRun run = SampleRun.full()
                .without(one -> "B10".equals(one.get("benchmark")))
                .different("transactional", "findandmodify-counter", 2.5, 0.1);
        Markup page = page(run);

        assertThat(page.texts("//*[@id='answer']/ul/li"))
                .containsExactly("transactional: 2.5 times the time to acquire and release");
        assertThat(page.texts("//*[@id='answer']/p"))
                .contains("Too few rounds to compare with it in this run: insert-unique, flag-update,"
                        + " optimistic-version.");
    }

    @ParameterizedTest
    @CsvSource({"0.9, 0.02, 0.90", "1.1, 0.02, 1.10", "0.9, 0.2, –"})
    void peerIsComparedRoundByRoundAndShownWithItsMissingGuarantees(double ratio, double reach, String beside) {
        SampleRun run = SampleRun.full().different("shedlock", "findandmodify-counter", ratio, reach);

        assertThat(page(run).texts("//*[@id='promises']//tr[contains(th, 'shedlock')]/td"))
                .containsExactly("390 µs", beside, "–", "–", "none", "each client's", "as the driver is set", "none");
        assertThat(page(run).one("//*[@class='answers']").getTextContent()).doesNotContain("shedlock");
    }

    @Test
    void recoveryIsThatFromAKilledHolder() {
        SampleRun run = SampleRun.full();
        run.measurements().stream()
                .filter(one ->
                        "B9".equals(one.get("benchmark")) && "findandmodify-counter".equals(one.get("contender")))
                .filter(one ->
                        "killed".equals(one.get("parameters", Document.class).get("end")))
                .forEach(one -> one.append("value", 5e8));

        assertThat(answer(run, "Soon free again after a crash")).startsWith("0.500 to ");
    }

    @Test
    void voidContenderIsNeverChosen() {
        SampleRun run = SampleRun.full().verdict("findandmodify-counter", "void", "Two were in");

        assertThat(page(run).one("//*[@class='answers']").getTextContent()).doesNotContain("findandmodify-counter");
        assertThat(page(run).texts("//*[@id='answer']/p"))
                .contains("Do not take findandmodify-counter: it granted one lock to more than one owner.");
    }

    @Test
    void needWithoutMeasurementsNamesTheBenchmark() {
        SampleRun run = SampleRun.full().without(one -> "B5".equals(one.get("benchmark")));

        assertThat(answer(run, "A waiter gets it soon after a release"))
                .isEqualTo("not measured, so the choice: --only B5 measures it");
    }

    @Test
    void stoppedRunSaysWhatIsMissing() {
        assertThat(page(SampleRun.full().missing(List.of("B9", "B15"))).texts("//*[@id='answer']/p"))
                .contains("The run did not end: without B9, B15.");
    }

    @Test
    void ruleOfComparisonIsBelowTheTable() {
        assertThat(page(SampleRun.full()).texts("//*[@id='answer']/p"))
                .last()
                .asString()
                .contains("round by round", "more than 2 % from 1", "twice as wide");
    }

    private static String answer(SampleRun run, String need) {
        return page(run)
                .one("//*[@class='answers']//tr[contains(th, '" + need + "')]/td[2]")
                .getTextContent();
    }

    private static Markup page(SampleRun run) {
        return run.page();
    }
}

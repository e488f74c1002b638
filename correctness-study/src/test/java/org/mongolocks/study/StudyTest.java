package org.mongolocks.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class StudyTest {
    private static final Logger LOCKS = Logger.getLogger("org.mongolocks");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @BeforeAll
    static void simulatedFaultsAreNoNews() {
        LOCKS.setLevel(Level.OFF);
    }

    private int run(String... arguments) {
        return Study.run(
                List.of(arguments),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private String printed() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private void assertRefused(String sentence, String... arguments) {
        assertThat(run(arguments)).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains(sentence).hasLineCount(1);
        assertThat(printed()).isEmpty();
    }

    @Test
    void oneCellIsPrintedWithItsCounts() {
        int status = run("--scenario", "client-ahead", "--technique", "textbook-counter-expiry", "--seeds", "2");

        assertThat(status).isZero();
        assertThat(printed().lines().limit(2))
                .first()
                .asString()
                .startsWith("client-ahead ")
                .contains("held", "leak", "cmds/grant");
        assertThat(printed().lines().skip(1).findFirst().orElseThrow())
                .startsWith("textbook-counter-expiry ")
                .containsPattern(" 2 +2 +2 +2 ");
        assertThat(printed()).contains("2 seeds, 2 runs, ");
    }

    @Test
    void oneRunIsShownWithItsCounterExamplesAndShownAlikeAgain() {
        String[] one = {"--scenario", "client-ahead", "--technique", "textbook-counter-expiry", "--seed", "1"};

        run(one);
        String first = printed();
        out.reset();
        run(one);

        assertThat(printed())
                .isEqualTo(first)
                .contains("{\"seq\":0,")
                .contains("\nHELD_TWICE\n")
                .contains(" <==\n");
    }

    @Test
    void whatIsNotThereIsRefusedWithWhatThereIs() {
        assertRefused("No scenario 'nonsense'. There are: healthy, holder-crash,", "--scenario", "nonsense");
    }

    @Test
    void aTechniqueThatIsNotThereIsRefused() {
        assertRefused("No technique 'x'. There are: textbook-transaction-insert,", "--technique", "x");
    }

    @Test
    void anUnknownOptionIsRefused() {
        assertRefused("No option '--sedes'. Use: study", "--sedes", "1");
    }

    @Test
    void anOptionWithoutAValueIsRefused() {
        assertRefused("'--seeds' has no value. Use: study", "--seeds");
    }

    @Test
    void aNumberThatIsNoneOrTooSmallIsRefused() {
        assertRefused("--seeds takes a number from 1 on, but it was 0", "--seeds", "0");
        err.reset();
        assertRefused("--seeds takes a whole number, but it was 'many'", "--seeds", "many");
    }

    @Test
    void aSeedNeedsOneScenarioAndOneTechnique() {
        assertRefused("--seed shows one run: choose a --scenario and a --technique", "--seed", "3");
    }
}

package org.mongolocks.contract.broken;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.testkit.engine.Events;
import org.mongolocks.contract.broken.Mistake.Row;

/** Tests that the contract can fail: each mistake breaks the rules that should catch it, on both drivers. */
@Tag("slow")
@ExtendWith(Sensitivity.class)
class ContractSensitivityTest {
    @ParameterizedTest(name = "{0}: {2}")
    @MethodSource
    @Tag("finds:served-waiters-stay")
    @Tag("finds:waiters-not-passed-over")
    @Tag("finds:forced-release-of-the-next-holder")
    void aMistakeIsCaught(String name, Mistake mistake, String rule) {
        Sensitivity.assertBreaks(mistake, rule);
    }

    static Stream<Arguments> aMistakeIsCaught() {
        return Stream.of(
                        Mutations.TABLE,
                        ClientMistakes.TABLE,
                        HoldingMistakes.TABLE,
                        OperatorMistakes.TABLE,
                        SeveralLocksMistakes.TABLE)
                .flatMap(ContractSensitivityTest::arguments);
    }

    @ParameterizedTest(name = "{0}: {2}")
    @MethodSource
    void aMistakeWithThreadsIsCaught(String name, Mistake mistake, String rule) {
        Events events = Sensitivity.run(mistake, rule);

        events.assertStatistics(statistics -> statistics.failed(1).aborted(1));
        Sensitivity.assertNoDoubleIsDefective(events.failed());
    }

    static Stream<Arguments> aMistakeWithThreadsIsCaught() {
        return arguments(SeveralLocksMistakes.OF_THREADS);
    }

    @Test
    void doubleThatCannotDoWhatTheRuleNeedsCatchesNothing() {
        Mistake defective = Mistake.acquiring((locks, request) -> {
            throw new UnsupportedOperationException("for a test");
        });

        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> Sensitivity.assertBreaks(defective, "aReleasedLockIsFree"))
                .withMessageContaining("for a test");
    }

    private static Stream<Arguments> arguments(List<Row> table) {
        return table.stream()
                .flatMap(row -> row.rules().stream().map(rule -> Arguments.of(row.name(), row.mistake(), rule)));
    }
}

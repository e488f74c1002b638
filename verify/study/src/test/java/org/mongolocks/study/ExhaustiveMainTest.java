package org.mongolocks.study;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExhaustiveMainTest {
    private final ProgramRun program = new ProgramRun();

    @Test
    void tableShowsTheShortestCounterExample() {
        assertThat(program.of("--exhaustive", "--technique", "textbook-version-update"))
                .isZero();

        assertThat(program.printed())
                .contains("| textbook-version-update | one fault | 2 | 1 | 1 |", "hold the lock", "0 of 0 twins")
                .containsSubsequence("client 0: textbook-version-update/read is executed", "client 1:");
    }

    @Test
    void otherOptionsAreRefused() {
        program.assertRefused("leave out --exhaustive or --seeds", "--exhaustive", "--seeds", "2");
        program.assertRefused("leave out --exhaustive or --uri", "--exhaustive", "--uri", "embedded");
        program.assertRefused("leave out --exhaustive or --waiting", "--exhaustive", "--waiting");
    }
}

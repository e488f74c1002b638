package org.mongolocks.study;

import org.junit.jupiter.api.Test;

/** Tests the arguments that the program that measures waiting refuses. */
class WaitingMainTest {
    private final ProgramRun program = new ProgramRun();

    @Test
    void optionsOfOtherProgramsAreRefused() {
        program.assertRefused("leave out --waiting or --scenario", "--waiting", "--scenario", "healthy");
        program.assertRefused("leave out --waiting or --uri", "--waiting", "--uri", "embedded");
        program.assertRefused("leave out --waiting or --seeds", "--waiting", "--seeds", "1");
        program.assertRefused("leave out --waiting or --seed", "--waiting", "--seed", "1");
        program.assertRefused("leave out --waiting or --table", "--waiting", "--table");
        program.assertRefused("leave out --waiting or --out", "--waiting", "--out", "results");
        program.assertRefused("option '--waiting' should be specified only once", "--waiting", "--waiting");
    }

    @Test
    void techniqueOfAnArticleIsRefusedWithTheStrategies() {
        program.assertRefused(
                "Unknown strategy 'textbook-flag-update'. Known: findandmodify-counter,",
                "--waiting",
                "--technique",
                "textbook-flag-update");
    }
}

package org.mongolocks.study.technique;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.study.technique.Technique.TechniqueConfig;

class TechniquesTest {
    @Test
    void thereAreSevenOfTheArticlesAndSixThatShip() {
        assertThat(Techniques.textbook()).hasSize(7);
        assertThat(Techniques.shipped()).hasSize(6);
        assertThat(Techniques.all()).extracting(Technique::name).doesNotHaveDuplicates();
    }

    @Test
    void textbookTechniquesAreNoServices() {
        List<String> services =
                LockStrategies.all().stream().map(LockStrategy::name).toList();

        assertThat(Techniques.textbook()).extracting(Technique::name).doesNotContainAnyElementsOf(services);
    }

    @Test
    void textbookTechniquesPollWithTheirOwnInterval() {
        assertThat(Techniques.textbook())
                .extracting(Technique::config)
                .allMatch(
                        config -> !config.isShipped() && config.retryInterval().isPresent());
        assertThat(Techniques.shipped()).extracting(Technique::config).containsOnly(TechniqueConfig.shipped());
    }
}

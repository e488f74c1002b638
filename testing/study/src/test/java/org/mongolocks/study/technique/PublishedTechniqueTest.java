package org.mongolocks.study.technique;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.mongolocks.study.scenario.Scenarios;
import org.mongolocks.study.sim.Scenario;

/** Tests that the texts on the published techniques are complete, proved by the study, and those of the page. */
class PublishedTechniqueTest {
    private static final Path PAGE = Path.of("../../docs/guarantees.md");

    @Test
    void everyPublishedTechniqueHasItsText() {
        assertThat(PublishedTechnique.all())
                .extracting(PublishedTechnique::name)
                .containsExactlyElementsOf(
                        Techniques.textbook().stream().map(Technique::name).toList());
    }

    @Test
    void rowsThatShowAFlawExist() {
        assertThat(Scenarios.all())
                .extracting(Scenario::name)
                .containsAll(PublishedTechnique.all().stream()
                        .flatMap(one -> one.rows().stream())
                        .toList());
    }

    /** If this fails, replace the table of the page by the expected lines. */
    @Test
    void pageHasTheTableOfTheTexts() throws IOException {
        List<String> expected = Stream.concat(
                        Stream.of(
                                line("Technique", "The article claims", "What is wrong", "Rows", "Use instead"),
                                "|---|---|---|---|---|"),
                        PublishedTechnique.all().stream().map(PublishedTechniqueTest::line))
                .toList();

        assertThat(Files.readAllLines(PAGE)).containsSequence(expected);
    }

    private static String line(PublishedTechnique one) {
        String rows = one.rows().stream().map(row -> "`" + row + "`").collect(Collectors.joining(", "));
        return line("`" + one.name() + "`: " + one.article(), one.claim(), one.flaw(), rows, one.instead());
    }

    private static String line(String... cells) {
        return "| " + String.join(" | ", cells) + " |";
    }
}

package org.mongolocks.reporting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

class ReportingTest {
    @Command(name = "sample")
    private static final class Options {
        @Option(names = "--number")
        private int number;
    }

    @Test
    void valuesAreEscapedAndCharactersThatXmlForbidsAreReplaced() {
        assertThat(Template.fill(ReportingTest.class, "sample.ftlh", Map.of("text", "a < b & \"c\"\u0000\uD800\n|")))
                .isEqualTo("<p title=\"a &lt; b &amp; &quot;c&quot;\uFFFD\uFFFD\n|\"></p>\n");
    }

    @Test
    void pageHasTheScriptsOfChartsAndEndsNoCdataSectionInThem() {
        String page = Template.fill(ReportingTest.class, "samplePage.ftlh", Map.of());

        assertThat(page)
                .contains("d3js.org", "@observablehq/plot", "function draw(")
                .contains("<p>content</p>");
        assertThat(page.split("]]>", -1)).hasSize(2);
    }

    @Test
    void jsonInAPageEndsNoElement() {
        String json = Json.inline(Map.of("name", "</script>&"));

        assertThat(json).doesNotContain("<", ">", "&");
        assertThat(Document.parse(json)).containsEntry("name", "</script>&");
    }

    @Test
    void invalidArgumentsReferToTheHelpText() {
        Options options = new Options();
        ProgramArguments.parse(new CommandLine(options), "--number", "7");

        assertThat(options.number).isEqualTo(7);
        assertThatThrownBy(() -> ProgramArguments.parse(new CommandLine(options), "--numbers"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Unknown option: '--numbers' (see --help)");
    }
}

package org.mongolocks.html;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HtmlElementTest {
    @Test
    void textAndAttributesAreEscaped() {
        HtmlElement element = HtmlElement.of("p", "a < b & \"c\"", List.of(HtmlElement.of("b", "d")))
                .with("title", "it's");

        assertThat(element).hasToString("<p title=\"it&#39;s\">a &lt; b &amp; &quot;c&quot;<b>d</b></p>");
    }

    @Test
    void charactersThatXmlForbidsAreReplaced() {
        assertThat(HtmlElement.escaped("a\u0000b\uD800\n")).isEqualTo("a\uFFFDb\uFFFD\n");
    }

    @Test
    void positionsHaveAtMostOneDecimal() {
        assertThat(HtmlElement.of("rect").with("x", 1.26).with("y", -0.0).with("width", 3.0))
                .hasToString("<rect x=\"1.3\" y=\"0\" width=\"3\"></rect>");
    }

    @Test
    void placeholdersAreFilled() {
        assertThat(HtmlPage.fill("<i>{{a}}</i>{{b}}", Map.of("a", "1", "b", "<b>2</b>")))
                .isEqualTo("<i>1</i><b>2</b>");
    }
}

package org.mongolocks.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;

/** The page is complete, self-contained, and safe against markup in names. */
class HtmlReportTest {
    private static final String HOSTILE = "</script><script>alert('x')</script>&amp;\"${title}\u0000|]]>";

    private static final int SCRIPTS = 3;
    /** As a browser does: a script ends at the first end tag, and all share their global names. */
    private static final String RUN = """
            const vm = require("vm"), html = require("fs").readFileSync(process.argv[1], "utf8"), main = {};
            const data = /id="results">([^]*?)<[/]script>/.exec(html)[1];
            const page = vm.createContext({
              addEventListener() {},
              document: {querySelector: () => main, getElementById: () => ({textContent: data})},
            });
            page.self = page.window = page;
            for (const [, script] of html.matchAll(/<script>([^]*?)<[/]script>/g)) {
              vm.runInContext(script, page);
            }
            process.stdout.write(main.innerHTML);
            """;

    @TempDir
    private Path directory;

    @Test
    void pageIsAsReviewed() throws Exception {
        String shown = render(SampleReport.full().report());

        Snapshot.assertSame(
                "report.html", shown.replaceAll("(?=<(section|figure|tr|h\\d|details|script|dt|li))", "\n"));
    }

    @Test
    void pageLoadsNothingAndIsWellFormedWhateverTheNamesAre() throws Exception {
        SampleReport sample = SampleReport.full().strategy(HOSTILE);
        sample.alone(HOSTILE, SampleReport.COUNTER, 0.5, 0.01);

        String html = HtmlReport.of(ResultsJson.of(sample.report()));

        assertThat(html.substring(0, html.indexOf("/*<![CDATA[*/")))
                .doesNotContain("<script>alert", "\u0000", "http:", "https:", "@import", "url(", "<#")
                .contains("alert('x')");
        assertThat(html.toLowerCase(Locale.ROOT).split("</script", -1))
                .as("what an HTML parser takes for the end of a script, wherever it is")
                .hasSize(SCRIPTS + 1);
        assertThat(DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(new InputSource(new StringReader(html)))
                        .getElementsByTagName("script")
                        .getLength())
                .isEqualTo(SCRIPTS);
        assertThat(render(sample.report())).doesNotContain("<script>alert").contains("&lt;script&gt;alert");
    }

    /** Runs all scripts of the page, as far as they need no browser, and returns what they show; skips the test without node. */
    private String render(Report report) throws IOException, InterruptedException {
        Path page = Files.writeString(directory.resolve("report.html"), HtmlReport.of(ResultsJson.of(report)));
        Process node;
        try {
            node = new ProcessBuilder("node", "-e", RUN, page.toString())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            assumeTrue(false, "needs node to run report.js: " + e.getMessage());
            throw e;
        }
        String shown = new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(node.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(node.exitValue()).as(shown).isZero();
        return shown;
    }
}

package org.mongolocks.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs the program on a small project. */
class SiteMainTest {
    private static final Path RESULTS = Path.of("docs", "results-mongodb-5.0.json");

    @TempDir
    private Path home;

    @TempDir
    private Path out;

    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

    @BeforeEach
    void writeProject() throws IOException {
        write("build/bom/pom.xml", pom("1.0.0"));
        write("docs/menu.txt", "# The menu.\nStart\n  README*.md\n  docs/*.md\n");
        write("README.md", "# Title\n\nWords.\n\n## Second\n\n[page](docs/page.md#part-two) [code](src/A.java)\n");
        write("docs/page.md", "# A page\n\n## Part two\n\n![picture](a.svg) [up](../README.md#second)\n");
        write("docs/a.svg", "<svg/>");
        write("src/A.java", "class A {}");
        Files.copy(Path.of("..", "..").resolve(RESULTS), home.resolve(RESULTS));
    }

    @Test
    void pagesImagesAndLinksAreWritten() throws IOException {
        assertThat(run("--pages")).isZero();

        assertThat(out.resolve("1.0.0/docs/a.svg")).hasContent("<svg/>");
        assertThat(out.resolve("1.0.0/docs/page.html"))
                .content()
                .contains("src=\"a.svg\"".replace("a.svg", "../docs/a.svg"));
        assertThat(out.resolve("1.0.0/index.html"))
                .content()
                .contains(
                        "href=\"docs/page.html#part-two\"", "href=\"https://example.org/code/blob/v1.0.0/src/A.java\"");
    }

    @ParameterizedTest
    @CsvSource({
        "missing.md, docs/page.md:5: broken link 'missing.md': there is no file docs/missing.md",
        "../README.md#third, docs/page.md:5: broken link '../README.md#third': README.md has no heading with this anchor",
        "#third, docs/page.md:5: broken link '#third': docs/page.md has no heading with this anchor",
        "../../README.md, docs/page.md:5: broken link '../../README.md': there is no file ../README.md",
        "b.svg, docs/page.md:5: broken link 'b.svg': there is no file docs/b.svg"
    })
    void linkToNothingFails(String link, String message) throws IOException {
        write(
                "docs/page.md",
                "# A page\n\n## Part two\n\n" + (link.endsWith("svg") ? "!" : "") + "[words](" + link + ")\n");

        assertThat(run("--pages")).isEqualTo(1);

        assertThat(errors.toString(StandardCharsets.UTF_8)).isEqualTo("site: " + message + "\n");
        assertThat(out).isEmptyDirectory();
    }

    @Test
    void pageWithoutAPlaceInTheMenuFails() throws IOException {
        write("integrations/new/README.md", "# New\n");

        assertThat(run("--pages")).isEqualTo(1);

        assertThat(errors.toString(StandardCharsets.UTF_8))
                .isEqualTo("site: integrations/new/README.md: no line of docs/menu.txt takes this page\n");
    }

    @Test
    void menuThatNamesNoPageFails() throws IOException {
        write("docs/menu.txt", "Start\n  README.md\n  docs/gone.md\n  docs/*.md\n");

        assertThat(run("--pages")).isEqualTo(1);

        assertThat(errors.toString(StandardCharsets.UTF_8))
                .isEqualTo("site: docs/menu.txt: there is no page docs/gone.md\n");
    }

    @ParameterizedTest
    @CsvSource({"No heading", "'# One\n\n# Two'"})
    void pageWithoutOneTitleFails(String text) throws IOException {
        write("docs/page.md", text);

        assertThat(run("--pages")).isEqualTo(1);

        assertThat(errors.toString(StandardCharsets.UTF_8))
                .isEqualTo("site: docs/page.md: a page has one heading of the first level\n");
    }

    @Test
    void versionsStandSideBySideAndTheFirstPageLeadsToTheNewest() throws IOException {
        for (String version : new String[] {"1.9.0", "1.10.0", "1.10.0-SNAPSHOT"}) {
            write("build/bom/pom.xml", pom(version));
            assertThat(run("--pages")).isZero();
        }

        assertThat(out.resolve("versions.js")).content().contains("[\"1.10.0\", \"1.10.0-SNAPSHOT\", \"1.9.0\"]");
        assertThat(out.resolve("index.html")).content().contains("url=1.10.0/index.html");
        assertThat(out.resolve("1.9.0/docs/page.html")).exists();
    }

    @Test
    void reportsArePagesOfTheMenu() throws IOException {
        Path reports = Files.createDirectory(home.resolve("reports"));
        Files.writeString(reports.resolve("study.html"), "<html><body><h1>Study</h1></body></html>");

        assertThat(run("--pages", "--reports", reports.toString())).isZero();

        assertThat(out.resolve("1.0.0/study.html")).content().contains("<a href=\"index.html\">", "<h1>Study</h1>");
        assertThat(out.resolve("1.0.0/docs/page.html"))
                .content()
                .contains("href=\"../study.html\"")
                .doesNotContain("exhaustive.html");
    }

    @Test
    void unknownOptionIsRefused() {
        assertThat(run("--nonsense")).isEqualTo(2);
        assertThat(errors.toString(StandardCharsets.UTF_8)).contains("--nonsense");
    }

    private int run(String... arguments) {
        String[] all = new String[arguments.length + 2];
        System.arraycopy(arguments, 0, all, 0, arguments.length);
        all[arguments.length] = "--out";
        all[arguments.length + 1] = out.toString();
        PrintStream err = new PrintStream(errors, true, StandardCharsets.UTF_8);
        return SiteMain.run(home, new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8), err, all);
    }

    private static String pom(String version) {
        return "<artifactId>mongo-locks-bom</artifactId><version>" + version
                + "</version><address>https://example.org/code</address>";
    }

    private void write(String file, String text) throws IOException {
        Path path = home.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }
}

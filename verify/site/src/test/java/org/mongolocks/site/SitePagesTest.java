package org.mongolocks.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.bson.Document;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.spi.LockStrategy;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Makes the site of this tree without reports and Javadoc, and checks every page. */
class SitePagesTest {
    private static final Path HOME = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Path ROOT = Path.of("target", "site-of-test").toAbsolutePath();
    private static Path directory;
    private static List<String> sources;

    /** A page as it was written; it must be well-formed. */
    private record Written(Path file, org.w3c.dom.Document document) {
        static Written of(String path) throws Exception {
            Path file = directory.resolve(path);
            byte[] bytes = Files.readAllBytes(file);
            return new Written(
                    file,
                    DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new ByteArrayInputStream(bytes)));
        }

        List<Element> all(String name) {
            NodeList found = document.getElementsByTagName(name);
            return IntStream.range(0, found.getLength())
                    .mapToObj(index -> (Element) found.item(index))
                    .toList();
        }

        /** Returns the values of an attribute of all elements that have it. */
        List<String> values(String element, String attribute) {
            return all(element).stream()
                    .filter(each -> each.hasAttribute(attribute))
                    .map(each -> each.getAttribute(attribute))
                    .toList();
        }
    }

    @BeforeAll
    static void makeSite() throws IOException {
        Site site = Site.read(HOME);
        directory = ROOT.resolve(site.version());
        sources = site.pages().stream().map(Page::source).toList();
        site.write(ROOT, null);
    }

    static List<String> pages() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(".html"))
                    .map(file -> directory.relativize(file).toString().replace('\\', '/'))
                    .toList();
        }
    }

    @Test
    void everyDocumentOfTheProjectIsAPage() {
        assertThat(sources)
                .contains(
                        "README.md",
                        "README.zh-CN.md",
                        "CHANGELOG.md",
                        "CONTRIBUTING.md",
                        "SECURITY.md",
                        "VERSIONING.md",
                        "docs/guarantees.md",
                        "docs/adr/001-strategies-are-programs.md",
                        "docs/strategies/flag-update.md",
                        "integrations/kotlin/README.md")
                .noneMatch(source -> source.startsWith("."));
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyLinkAndAnchorResolves(String path) throws Exception {
        Written page = Written.of(path);

        assertThat(links(page)).isNotEmpty().allSatisfy(link -> {
            String[] parts = link.split("#", 2);
            Path target = parts[0].isEmpty()
                    ? page.file()
                    : page.file().resolveSibling(parts[0]).normalize();
            assertThat(target).startsWith(ROOT).isRegularFile();
            if (parts.length == 2) {
                String there = directory.relativize(target).toString();
                assertThat(Written.of(there).values("*", "id")).contains(parts[1]);
            }
        });
    }

    private static List<String> links(Written page) {
        List<String> links = new ArrayList<>(page.values("*", "src"));
        links.addAll(page.values("a", "href"));
        links.addAll(page.values("link", "href"));
        links.removeIf(link -> link.matches("https?:.*|mailto:.*|data:,"));
        return links;
    }

    @ParameterizedTest
    @MethodSource("pages")
    void pageHasTitleDescriptionLanguageAndOneHeading(String path) throws Exception {
        Written page = Written.of(path);

        assertThat(page.document().getDocumentElement().getAttribute("lang"))
                .isEqualTo(path.contains(".zh-CN.") ? "zh-CN" : "en");
        assertThat(page.all("title"))
                .singleElement()
                .extracting(Element::getTextContent)
                .asString()
                .isNotBlank();
        assertThat(page.all("h1"))
                .singleElement()
                .extracting(Element::getTextContent)
                .asString()
                .isNotBlank();
        assertThat(page.all("meta"))
                .filteredOn(meta -> meta.getAttribute("name").equals("description"))
                .singleElement()
                .satisfies(meta -> assertThat(meta.getAttribute("content")).isNotBlank());
    }

    @ParameterizedTest
    @MethodSource("pages")
    void pageLoadsNothingFromOtherPlaces(String path) throws Exception {
        Written page = Written.of(path);

        assertThat(Stream.of(page.values("*", "src"), page.values("link", "href"))
                        .flatMap(List::stream)
                        .toList())
                .isNotEmpty()
                .allMatch(address -> address.startsWith("data:") || !address.matches("[a-z]*:?//.*"));
    }

    @Test
    void styleAndScriptOfTheSiteLoadNothingFromOtherPlaces() throws IOException {
        assertThat(read("assets/site.css")).contains("--paper").doesNotContain("@import", "url(", "//");
        assertThat(read("assets/site.js")).doesNotContain("http:", "https:", "fetch(");
    }

    @ParameterizedTest
    @MethodSource("pages")
    void menuHasEveryPage(String path) throws Exception {
        Written page = Written.of(path);

        assertThat(page.values("a", "href").stream()
                        .filter(link -> !link.contains("#") && !link.contains("://"))
                        .map(link -> directory
                                .relativize(page.file().resolveSibling(link).normalize())
                                .toString()))
                .containsAll(pages());
        assertThat(page.values("a", "aria-current")).containsExactly("page");
    }

    @Test
    void searchHasEverySectionOfEveryPage() throws Exception {
        String script = read("assets/search.js");
        List<String> found = Document.parse(script.substring(script.indexOf('{'), script.lastIndexOf('}') + 1))
                .getList("all", Document.class)
                .stream()
                .filter(section -> !section.getString("heading").isBlank())
                .map(section -> section.getString("path"))
                .toList();

        for (String path : pages()) {
            List<String> ids = Written.of(path).all("*").stream()
                    .filter(element -> element.getTagName().matches("h[1-6]") && element.hasAttribute("id"))
                    .map(element -> path + "#" + element.getAttribute("id"))
                    .filter(id -> !id.matches("index(\\.zh-CN)?\\.html#(choose|guides)"))
                    .toList();
            assertThat(found).containsAll(ids);
        }
        assertThat(script).contains("after touch the invoice refuses smaller tokens");
    }

    @ParameterizedTest
    @MethodSource("landings")
    void firstPageShowsAnExampleThenTheStrategies(String path) throws Exception {
        String page = read(path);

        assertThat(page.indexOf("<h1")).isLessThan(page.indexOf("LockClient.builder"));
        assertThat(page.indexOf("LockClient.builder")).isLessThan(page.indexOf("class=\"choice\""));
        assertThat(page.indexOf("class=\"choice\""))
                .isLessThan(page.indexOf("<artifactId>".replace("<", "&lt;").replace(">", "&gt;")));
        assertThat(page)
                .contains("MongoDB 5.0.0, replica set", "2026-11-26", "./compare --minutes 60 --only B1 --uri URI");
    }

    static List<String> landings() {
        return List.of("index.html", "index.zh-CN.html");
    }

    @Test
    void tableHasTheTraitsAndTheFiguresOfEveryStrategy() throws IOException {
        StrategyTable table = new StrategyTable(Files.readString(HOME.resolve("docs/results-mongodb-5.0.json")));

        assertThat(table.rows())
                .extracting(StrategyTable.Row::name)
                .hasSameElementsAs(ServiceLoader.load(LockStrategy.class).stream()
                        .map(each -> each.get().name())
                        .toList());
        assertThat(table.rows())
                .contains(new StrategyTable.Row(
                        "optimistic-version-clock-free", traits(table, "clock free", "strict fencing"), List.of()))
                .anySatisfy(row -> {
                    assertThat(row.name()).isEqualTo("transactional");
                    assertThat(row.traits())
                            .containsExactlyInAnyOrder(
                                    "server clock", "strict fencing", "needs transactions", "multi lock");
                    assertThat(row.measured()).containsExactly("3", "1", "3.16 ms", "1.47");
                });
    }

    /** Traits are a set: returns them in its order. */
    private static List<String> traits(StrategyTable table, String... expected) {
        List<String> actual = table.rows().stream()
                .filter(row -> row.name().equals("optimistic-version-clock-free"))
                .findFirst()
                .orElseThrow()
                .traits();
        assertThat(actual).containsExactlyInAnyOrder(expected);
        return actual;
    }

    private static String read(String path) throws IOException {
        return Files.readString(directory.resolve(path), StandardCharsets.UTF_8);
    }
}

package org.mongolocks.site;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.mongolocks.reporting.Json;
import org.mongolocks.reporting.Template;

/**
 * The documentation of one version: static pages that load nothing from other places. A directory has the versions side
 * by side, a list of them that all pages read, and a page that leads to the newest.
 */
final class Site {
    private static final Pattern NO_PAGES = Pattern.compile("target|src|\\..*");
    private static final Pattern VERSION =
            Pattern.compile("<artifactId>mongo-locks-bom</artifactId>\\s*<version>([^<]+)</version>");
    private static final Pattern ADDRESS = Pattern.compile("<address>([^<]+)</address>");
    private static final String WEBJARS = "/META-INF/resources/webjars/";
    private static final String MERMAID = WEBJARS + "mermaid/11.14.0/dist/mermaid.min.js";
    private static final List<String> SCRIPTS =
            List.of(WEBJARS + "lunr/2.3.9/lunr.min.js", WEBJARS + "highlightjs/11.11.1/highlight.min.js", "site.js");
    private static final String SEARCH = "assets/search.js";
    private static final String JAVADOC = "api/index.html";
    /** The pages of other programs, and the names that they have in the menu. */
    private static final Map<String, String> REPORTS = new TreeMap<>(Map.of(
            "study.html", "The study: every technique under every fault",
            "exhaustive.html", "Small worlds, searched whole",
            "report.html", "The comparison"));

    private final Path home;
    private final String version;
    private final Map<String, Page> pages;
    private final Set<String> copies;
    private final Map<String, List<Page>> menu;

    private Site(Path home, String version, Map<String, Page> pages, Set<String> copies) throws IOException {
        this.home = home;
        this.version = version;
        this.pages = pages;
        this.copies = copies;
        this.menu = new Menu(Files.readString(home.resolve(Menu.FILE))).of(pages.values());
    }

    /**
     * Reads all pages.
     *
     * @param home the directory of the project
     * @throws BrokenPagesException if a link leads to nothing, or a page has no place in the menu
     */
    static Site read(Path home) throws IOException {
        String bom = Files.readString(home.resolve("build/bom/pom.xml"));
        String version = group(VERSION, bom);
        Map<String, Page> pages = new TreeMap<>();
        try (Stream<Path> files = Files.walk(home)) {
            List<Path> sources =
                    files.map(home::relativize).filter(Site::isPage).toList();
            for (Path source : sources) {
                String name = source.toString().replace('\\', '/');
                pages.put(name, new Page(name, Files.readString(home.resolve(source))));
            }
        }
        String branch = version.endsWith("-SNAPSHOT") ? "main" : "v" + version;
        String repository = group(ADDRESS, bom) + "/blob/" + branch + "/";
        return new Site(home, version, pages, new LinkResolver(home, pages, repository).resolve());
    }

    private static boolean isPage(Path file) {
        return file.toString().endsWith(".md")
                && Stream.iterate(file, Objects::nonNull, Path::getParent)
                        .noneMatch(part ->
                                NO_PAGES.matcher(part.getFileName().toString()).matches());
    }

    private static String group(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.find()) {
            throw new IllegalArgumentException("build/bom/pom.xml has nothing like " + pattern);
        }
        return matcher.group(1);
    }

    String version() {
        return version;
    }

    Collection<Page> pages() {
        return pages.values();
    }

    /**
     * Writes the site. The Javadoc is part of it if it is there already.
     *
     * @param root the directory of all versions
     * @param reports a directory with pages of {@code ./study} and {@code ./compare}; the site has those that are there
     */
    void write(Path root, @Nullable Path reports) throws IOException {
        Path directory = root.resolve(version);
        Map<String, Object> model = new HashMap<>();
        model.put("version", version);
        model.put("menu", menu);
        model.put("table", new StrategyTable(Files.readString(home.resolve("docs/results-mongodb-5.0.json"))));
        model.put("others", others(directory, reports));
        for (Page page : pages.values()) {
            model.put("page", page);
            write(directory.resolve(page.path()), Template.fill(Site.class, "site.ftlh", model));
        }
        for (String file : copies) {
            copy(home.resolve(file), directory.resolve(file));
        }
        assets(directory);
        versions(root);
    }

    /** Copies the reports, and returns the names of all pages that are no Markdown, by their paths. */
    private static Map<String, String> others(Path directory, @Nullable Path reports) throws IOException {
        Map<String, String> others = new TreeMap<>(REPORTS);
        for (String file : REPORTS.keySet()) {
            if (reports != null && Files.exists(reports.resolve(file))) {
                String link = "<body><nav style=\"margin: 1rem\"><a href=\"index.html\">mongo-locks</a></nav>";
                write(
                        directory.resolve(file),
                        Files.readString(reports.resolve(file)).replaceFirst("<body>", link));
            }
        }
        others.put(JAVADOC, "Javadoc");
        others.keySet().removeIf(file -> !Files.exists(directory.resolve(file)));
        return others;
    }

    private void assets(Path directory) throws IOException {
        Path assets = directory.resolve("assets");
        write(assets.resolve("site.css"), Template.fill(Site.class, "style.ftl", Map.of()));
        for (String script : SCRIPTS) {
            script(script, assets);
        }
        if (pages.values().stream().anyMatch(page -> page.html().contains("language-mermaid"))) {
            script(MERMAID, assets);
        }
        // In the order of the menu, by which the search ranks what matches as well.
        List<Document> sections = menu.values().stream()
                .flatMap(List::stream)
                .flatMap(page -> page.sections().stream()
                        .map(section -> new Document("path", page.path() + "#" + section.id())
                                .append("page", page.title())
                                .append("heading", section.heading())
                                .append("text", section.text())))
                .toList();
        write(directory.resolve(SEARCH), "window.sections = " + Json.inline(Map.of("all", sections)) + ".all;\n");
    }

    private static void script(String resource, Path assets) throws IOException {
        try (InputStream in = Objects.requireNonNull(Site.class.getResourceAsStream(resource), resource)) {
            Files.createDirectories(assets);
            Files.copy(
                    in,
                    assets.resolve(resource.substring(resource.lastIndexOf('/') + 1)),
                    StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static void versions(Path root) throws IOException {
        try (Stream<Path> directories = Files.list(root)) {
            List<String> versions = directories
                    .filter(directory -> Files.exists(directory.resolve(SEARCH)))
                    .map(directory -> directory.getFileName().toString())
                    .sorted(Comparator.comparing(ModuleDescriptor.Version::parse)
                            .reversed())
                    .toList();
            write(
                    root.resolve("versions.js"),
                    versions.stream().collect(Collectors.joining("\", \"", "window.versions = [\"", "\"];\n")));
            write(
                    root.resolve("index.html"),
                    Template.fill(Site.class, "newest.ftlh", Map.of("version", versions.get(0))));
        }
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to.getParent());
        Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
}

package org.mongolocks.site;

import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The menu of the site, from the groups in {@code docs/menu.txt}. Each page is where a line names it, or else where the
 * first pattern takes it.
 */
final class Menu {
    static final String FILE = "docs/menu.txt";

    private final List<String> groups = new ArrayList<>();
    private final List<String> entries = new ArrayList<>();

    /** Takes the lines of the file: groups, and below each, indented, paths of pages and patterns of paths. */
    Menu(String lines) {
        String group = "";
        for (String line : lines.lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList()) {
            if (line.startsWith(" ")) {
                groups.add(group);
                entries.add(line.strip());
            } else {
                group = line.strip();
            }
        }
    }

    /**
     * Returns the pages of each group in order.
     *
     * @throws BrokenPagesException if a page has no place, or a line names no page
     */
    Map<String, List<Page>> of(Collection<Page> pages) {
        List<String> sources = pages.stream().map(Page::source).toList();
        List<String> problems = new ArrayList<>();
        entries.stream()
                .filter(entry -> !entry.contains("*") && !sources.contains(entry))
                .forEach(entry -> problems.add(FILE + ": there is no page " + entry));
        sources.stream()
                .filter(source -> place(source) < 0)
                .forEach(source -> problems.add(source + ": no line of " + FILE + " takes this page"));
        if (!problems.isEmpty()) {
            throw new BrokenPagesException(problems);
        }
        Map<String, List<Page>> menu = new LinkedHashMap<>();
        pages.stream()
                .sorted(Comparator.comparingInt((Page page) -> place(page.source()))
                        .thenComparing(Page::source))
                .forEach(page -> menu.computeIfAbsent(groups.get(place(page.source())), name -> new ArrayList<>())
                        .add(page));
        return menu;
    }

    private int place(String source) {
        int exact = entries.indexOf(source);
        return exact >= 0
                ? exact
                : IntStream.range(0, entries.size())
                        .filter(index -> FileSystems.getDefault()
                                .getPathMatcher("glob:" + entries.get(index))
                                .matches(Path.of(source)))
                        .findFirst()
                        .orElse(-1);
    }
}

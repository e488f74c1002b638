package org.mongolocks.study.report;

import java.util.List;
import java.util.Map;
import org.mongolocks.reporting.Template;
import org.mongolocks.study.exhaustive.SearchResult;

/** What the search of small worlds has found, as one self-contained HTML page. Its markup is {@code search.ftlh}. */
public final class SearchPage {
    /** The name of its file. */
    public static final String FILE = "exhaustive.html";

    private SearchPage() {}

    /** Returns the page. */
    public static String of(List<SearchResult> worlds, List<SearchResult> twins) {
        return Template.fill(
                SearchPage.class,
                "search.ftlh",
                Map.of(
                        "columns", SearchResult.columns(),
                        "worlds", worlds.stream().map(SearchResult::cells).toList(),
                        "examples",
                                worlds.stream()
                                        .flatMap(each -> each.example().stream())
                                        .toList(),
                        "twinColumns", SearchResult.twinColumns(),
                        "twins", twins.stream().map(SearchResult::twinCells).toList(),
                        "summary", SearchResult.summaryOfTwins(twins)));
    }
}

package org.mongolocks.benchmarks.report.html;

import java.util.List;
import org.mongolocks.benchmarks.report.CostTable;
import org.mongolocks.benchmarks.report.chart.ContenderStyles;
import org.mongolocks.html.HtmlElement;

/** The section with the cost of each lock beside its guarantees, so that none is judged by speed alone. */
final class ContenderSection {
    private static final String TITLE = "What each costs and promises";

    private final CostTable costs;
    private final ContenderStyles styles;

    ContenderSection(CostTable costs, ContenderStyles styles) {
        this.costs = costs;
        this.styles = styles;
    }

    HtmlElement html() {
        return HtmlElement.of(
                        "section",
                        HtmlElement.of("h2", TITLE),
                        HtmlElement.framed(TITLE, table()),
                        HtmlElement.of("p", CostTable.LEGEND).with("class", "remark"))
                .with("id", "promises");
    }

    private HtmlElement table() {
        List<HtmlElement> head = CostTable.COLUMNS.stream()
                .map(name -> HtmlElement.of("th", name).with("scope", "col"))
                .toList();
        List<HtmlElement> rows = costs.rows().stream().map(this::row).toList();
        return HtmlElement.of(
                "table", HtmlElement.of("thead", HtmlElement.of("tr", head)), HtmlElement.of("tbody", rows));
    }

    private HtmlElement row(CostTable.Row row) {
        String id = row.lock().id();
        HtmlElement name = HtmlElement.of("th", styles.style(id).sample(), styles.title(id))
                .with("scope", "row");
        int missing = CostTable.COLUMNS.size() - row.cells().size();
        List<HtmlElement> cells =
                row.cells().stream().map(cell -> HtmlElement.of("td", cell)).toList();
        return missing > 1
                ? HtmlElement.of("tr", name, cells.get(0).with("colspan", missing))
                : HtmlElement.of("tr", name, cells);
    }
}

package org.mongolocks.benchmarks.page;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Fills the tables of {@code docs/performance.md} from the results of one run, so that no figure in it was typed by hand. A
 * table stands between {@code <!-- figures: B1 latency -->} and {@code <!-- end -->}.
 */
public final class PerformanceDocument {
    private static final Pattern BLOCK =
            Pattern.compile("(<!-- figures: ([^>]+) -->\n).*?(<!-- end -->)", Pattern.DOTALL);
    private static final String CIRCUMSTANCES = "circumstances";
    private static final String NOTHING = "Not measured yet.\n";
    private static final int UNUSABLE = 2;

    private final Optional<Results> results;

    private PerformanceDocument(Optional<Results> results) {
        this.results = results;
    }

    /** Takes the paths of {@code results.json} and of the document, and writes the document anew. */
    public static void main(String[] paths) throws IOException {
        if (paths.length != 2) {
            System.err.println("performance: takes two paths, of results.json and of the document");
            System.exit(UNUSABLE);
        }
        Path document = Path.of(paths[1]);
        Files.writeString(
                document, filled(Files.readString(document), Optional.of(Files.readString(Path.of(paths[0])))));
    }

    /**
     * Gives the document with tables from a run, or with words in their place if there is none.
     *
     * @param document the document, with tables or without
     * @param resultsJson the content of {@code results.json}
     */
    static String filled(String document, Optional<String> resultsJson) {
        PerformanceDocument tables = new PerformanceDocument(resultsJson.map(ResultsReader::read));
        return BLOCK.matcher(document)
                .replaceAll(block -> block.group(1).replace("$", "\\$")
                        + tables.content(block).replace("\\", "\\\\").replace("$", "\\$")
                        + block.group(3));
    }

    private String content(MatchResult block) {
        String name = block.group(2);
        return results.map(run -> name.equals(CIRCUMSTANCES) ? circumstances(run.circumstances()) : table(run, name))
                .orElse(NOTHING);
    }

    private static String circumstances(Circumstances run) {
        return "`" + run.command() + "` on " + run.server().words() + "; "
                + CircumstancesSection.machine(run.machine()) + "; " + CircumstancesSection.when(run) + "."
                + (run.noisy() ? " **Noisy:** the floor drifted." : "") + "\n";
    }

    private static String table(Results run, String name) {
        List<Sheet> sheets = Sheet.of(run.measurements()).stream()
                .filter(sheet ->
                        name.equals(sheet.benchmark() + " " + sheet.metric().name()))
                .toList();
        Cast cast = new Cast(run.contenders());
        return sheets.isEmpty() ? NOTHING : "\n" + new FigureTable(cast, sheets.get(0)).markdown() + "\n";
    }
}

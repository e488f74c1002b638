package org.mongolocks.study.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bson.Document;
import org.mongolocks.reporting.Json;
import org.mongolocks.study.exhaustive.SearchResult;

/** What the search of small worlds has found, as JSON. */
public final class SearchJson {
    /** The name of its file, which the page of the matrix reads. */
    public static final String FILE = "exhaustive.json";

    private SearchJson() {}

    /** Returns an object for each world. */
    public static String of(List<SearchResult> worlds) {
        return Json.indented(
                new Document("worlds", worlds.stream().map(SearchJson::world).toList()));
    }

    private static Document world(SearchResult result) {
        return new Document("technique", result.world().technique().name())
                .append("world", result.world().name())
                .append("clients", result.world().clients())
                .append("faults", result.world().maxFaults())
                .append("attempts", result.world().maxAttempts())
                .append("times", result.world().maxMoments())
                .append("states", result.states())
                .append("moves", result.moves())
                .append("depth", result.depth())
                .append("isWhole", result.isWhole())
                .append("found", result.complaint().orElse(null));
    }

    /** Returns how many states of each technique were searched whole, without finding anything. */
    static Map<String, Integer> statesOf(String json) {
        Map<String, Integer> states = new LinkedHashMap<>();
        Document.parse(json).getList("worlds", Document.class).stream()
                .filter(world -> world.getBoolean("isWhole", false) && world.get("found") == null)
                .forEach(world ->
                        states.merge(world.getString("technique"), world.getInteger("states", 0), Integer::sum));
        return states;
    }
}

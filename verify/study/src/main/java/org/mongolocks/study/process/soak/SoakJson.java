package org.mongolocks.study.process.soak;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.mongolocks.reporting.Json;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.process.message.ChildMessage.Usage;
import org.mongolocks.study.technique.Technique;

/**
 * A run as JSON.
 *
 * @param plan the plan
 * @param server a description of the server
 * @param startedAt when it began
 * @param duration how long it took
 */
public record SoakJson(SoakPlan plan, String server, Instant startedAt, Duration duration) {
    /** Returns the text of the file. */
    public String of(SoakResult result) {
        Usage largest = result.usage().largest();
        return Json.indented(new BsonDocument("format", new BsonInt32(1))
                        .append("server", new BsonString(server))
                        .append("startedAt", new BsonString(startedAt.toString()))
                        .append("durationMillis", new BsonInt64(duration.toMillis()))
                        .append("clients", new BsonInt32(plan.clients()))
                        .append("strategies", texts(plan.techniques().stream().map(Technique::name)))
                        .append("seed", new BsonInt64(plan.seed()))
                        .append("grants", numbers(result.grants()))
                        .append("events", numbers(result.counts()))
                        .append("faults", numbers(result.faults()))
                        .append("faultsNotInjected", texts(result.notInjected()))
                        .append("expectedFindings", numbers(result.expected()))
                        .append("largestClientHeapBytes", new BsonInt64(largest.heapBytes()))
                        .append("mostClientThreads", new BsonInt32(largest.threads()))
                        .append("mostOtherClientThreads", new BsonInt32(largest.otherThreads()))
                        .append("violations", new BsonInt64(result.violations()))
                        .append("firstViolations", new BsonArray(violations(result)))
                        .append("leaks", texts(result.leaks().stream()))
                        .append("notJudged", texts(result.notJudged().stream()))
                        .append("failures", texts(result.failures().stream())))
                + "\n";
    }

    private static List<BsonDocument> violations(SoakResult result) {
        return result.found().stream()
                .map(found -> new BsonDocument(
                                "finding",
                                new BsonString(
                                        found.example().violation().finding().name()))
                        .append("technique", new BsonString(found.technique()))
                        .append("lock", new BsonInt32(found.lock()))
                        .append(
                                "events",
                                new BsonArray(found.example().events().stream()
                                        .map(Event::line)
                                        .map(BsonDocument::parse)
                                        .toList())))
                .toList();
    }

    private static BsonArray texts(Stream<String> all) {
        return all.map(BsonString::new).collect(Collectors.toCollection(BsonArray::new));
    }

    private static BsonDocument texts(Map<String, String> reasons) {
        BsonDocument texts = new BsonDocument();
        reasons.forEach((what, why) -> texts.append(what, new BsonString(why)));
        return texts;
    }

    private static BsonDocument numbers(Map<?, Long> counts) {
        BsonDocument numbers = new BsonDocument();
        counts.forEach((what, count) -> numbers.append(what.toString(), new BsonInt64(count)));
        return numbers;
    }
}

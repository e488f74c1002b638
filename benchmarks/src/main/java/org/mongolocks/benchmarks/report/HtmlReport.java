package org.mongolocks.benchmarks.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import org.mongolocks.reporting.Json;
import org.mongolocks.reporting.Template;

/**
 * The HTML report of a run: one self-contained page, which loads nothing. It has {@code results.json}, and
 * {@code report.js} shows it.
 */
public final class HtmlReport {
    private HtmlReport() {}

    /** Returns the page of a run as {@code results.json} has it. */
    public static String of(String json) {
        try (InputStream script = Objects.requireNonNull(HtmlReport.class.getResourceAsStream("report.js"))) {
            return Template.fill(
                    HtmlReport.class,
                    "report.ftlh",
                    Map.of("results", Json.inline(json), "script", new String(script.readAllBytes(), UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

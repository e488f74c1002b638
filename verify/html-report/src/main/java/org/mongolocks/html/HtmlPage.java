package org.mongolocks.html;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;

/** A page from a template, which is a resource with placeholders such as {@code {{style}}}. */
public final class HtmlPage {
    private HtmlPage() {}

    /** Returns a resource beside a class, such as a template or a style sheet. */
    public static String resource(Class<?> owner, String name) {
        try (InputStream in = Objects.requireNonNull(owner.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Replaces the placeholders of a template. The values are markup. */
    public static String fill(String template, Map<String, String> values) {
        String page = template;
        for (Map.Entry<String, String> value : values.entrySet()) {
            page = page.replace("{{" + value.getKey() + "}}", value.getValue());
        }
        return page;
    }
}

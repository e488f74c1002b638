package org.mongolocks.html;

import java.util.Collection;
import java.util.Locale;
import java.util.Objects;

/**
 * An element of HTML or SVG. Its text is escaped, and elements are always closed, so that the page is also well-formed
 * XML.
 */
public final class HtmlElement {
    private static final int REPLACEMENT = 0xFFFD;

    private final String name;
    private final StringBuilder attributes = new StringBuilder();
    private final StringBuilder content = new StringBuilder();

    private HtmlElement(String name) {
        this.name = name;
    }

    /** Creates an element with its content; see {@link #add}. */
    public static HtmlElement of(String name, Object... parts) {
        return new HtmlElement(name).add(parts);
    }

    /** Wraps a table in a region that scrolls, also by keyboard, if the table is wider than the screen. */
    public static HtmlElement framed(String name, HtmlElement table) {
        return HtmlElement.of("div", table)
                .with("class", "scroll")
                .with("tabindex", "0")
                .with("role", "region")
                .with("aria-label", name);
    }

    /** Sets an attribute. A number is written with one decimal, which is precise enough for a chart. */
    public HtmlElement with(String attribute, Object value) {
        String text = value instanceof Double number ? number(number) : value.toString();
        attributes
                .append(' ')
                .append(attribute)
                .append("=\"")
                .append(escaped(text))
                .append('"');
        return this;
    }

    /** Adds elements, collections of elements, and any other object as text. */
    public HtmlElement add(Object... parts) {
        for (Object part : parts) {
            if (part instanceof Collection<?> many) {
                many.forEach(this::add);
            } else {
                content.append(part instanceof HtmlElement ? part.toString() : escaped(Objects.toString(part)));
            }
        }
        return this;
    }

    /** Formats a position with at most one decimal, which is precise enough for a chart. */
    public static String number(double value) {
        // Adding 0.0 turns negative zero into zero.
        String text = String.format(Locale.ROOT, "%.1f", value + 0.0);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }

    /** Escapes markup, and replaces characters that XML does not allow. */
    public static String escaped(String raw) {
        StringBuilder safe = new StringBuilder(raw.length());
        raw.codePoints().forEach(point -> append(safe, point));
        return safe.toString();
    }

    private static void append(StringBuilder safe, int point) {
        switch (point) {
            case '&' -> safe.append("&amp;");
            case '<' -> safe.append("&lt;");
            case '>' -> safe.append("&gt;");
            case '"' -> safe.append("&quot;");
            case '\'' -> safe.append("&#39;");
            default -> safe.appendCodePoint(isAllowed(point) ? point : REPLACEMENT);
        }
    }

    private static boolean isAllowed(int point) {
        boolean isControl = point < ' ' && point != '\n' && point != '\t';
        boolean isHalf = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
        return !isControl && !isHalf && point != 0xFFFE && point != 0xFFFF;
    }

    @Override
    public String toString() {
        return "<" + name + attributes + ">" + content + "</" + name + ">";
    }
}

package org.mongolocks.reporting;

/** Breaks text into lines that fit a terminal. */
public final class Paragraph {
    private Paragraph() {}

    /**
     * Breaks a text between its words.
     *
     * @param width the longest line, unless a word is longer
     * @param indent what each line begins with
     */
    public static String of(String text, int width, String indent) {
        StringBuilder lines = new StringBuilder(indent);
        int length = indent.length();
        for (String word : text.split(" ", -1)) {
            boolean isFirst = length == indent.length();
            boolean breaks = !isFirst && length + 1 + word.length() > width;
            lines.append(breaks ? "\n" + indent : isFirst ? "" : " ").append(word);
            length = (breaks ? indent.length() : length + (isFirst ? 0 : 1)) + word.length();
        }
        return lines.toString();
    }
}

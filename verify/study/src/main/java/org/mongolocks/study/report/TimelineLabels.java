package org.mongolocks.study.report;

import java.util.ArrayList;
import java.util.List;
import org.mongolocks.html.HtmlElement;

/**
 * Labels along a line: in full where there is space, abbreviated where there is less, first to last where there is none.
 */
final class TimelineLabels {
    private static final double LETTER = 5.2;
    private static final double MIN_WIDTH = 15;

    private final List<Group> groups = new ArrayList<>();

    /** A label, abbreviated and in full. */
    private static final class Group {
        private final double x;
        private final String first;
        private final String whole;
        private String last;

        Group(double x, String label, String whole) {
            this.x = x;
            this.first = label;
            this.last = label;
            this.whole = whole;
        }

        String in(double width) {
            if (!first.equals(last)) {
                return first + "–" + last;
            }
            return whole.length() * LETTER <= width ? whole : first;
        }
    }

    /** Adds a label; they must be added from left to right. */
    void add(double x, String label, String whole) {
        Group before = groups.isEmpty() ? null : groups.get(groups.size() - 1);
        if (before == null || x - before.x > Math.max(MIN_WIDTH, widthOf(before))) {
            groups.add(new Group(x, label, whole));
        } else {
            before.last = label;
        }
    }

    private static double widthOf(Group group) {
        return group.first.equals(group.last) ? MIN_WIDTH : (group.first.length() + group.last.length() + 2) * LETTER;
    }

    /** Renders all labels at a height; the last one extends to the given end. */
    String at(double y, double end, String kind) {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < groups.size(); i++) {
            Group group = groups.get(i);
            double next = i + 1 < groups.size() ? groups.get(i + 1).x : end;
            all.append(HtmlElement.of("text", group.in(next - group.x - 3))
                    .with("class", kind)
                    .with("x", group.x)
                    .with("y", y));
        }
        return all.toString();
    }
}

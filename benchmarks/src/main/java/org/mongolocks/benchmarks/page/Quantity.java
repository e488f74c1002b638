package org.mongolocks.benchmarks.page;

import java.util.List;
import java.util.Locale;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.Estimate.Interval;

/** Writes quantities for people, with three digits that count, the same in every country. */
final class Quantity {
    private static final int DIGITS = 3;
    private static final List<Step> TIME =
            List.of(new Step(1e9, "s"), new Step(1e6, "ms"), new Step(1e3, "µs"), new Step(1, "ns"));
    private static final List<Step> SIZE = List.of(new Step(1e6, "MB"), new Step(1e3, "kB"), new Step(1, "B"));
    private static final List<Step> COUNT = List.of(new Step(1, ""));

    private record Step(double size, String unit) {}

    private Quantity() {}

    /** Writes a value that was measured in a unit, in the unit that suits its size: 1 234 000 ns are 1.23 ms. */
    static String of(double value, String unit) {
        Step step = stepFor(value, unit);
        return (number(value / step.size()) + " " + words(unit, step)).strip();
    }

    static String interval(Estimate estimate, String unit) {
        return estimate.interval().map(ends -> interval(ends, unit)).orElse("–");
    }

    private static String interval(Interval ends, String unit) {
        Step step = stepFor(ends.high(), unit);
        String both = number(ends.low() / step.size()) + " to " + number(ends.high() / step.size());
        return (both + " " + words(unit, step)).strip();
    }

    /** Writes how many times the floor something is. */
    static String times(double factor) {
        return fixed(factor, 2);
    }

    /** Writes a value that stands at a scale, in as few digits as it has, and as few words: no unit but of time or size. */
    static String tick(double value, String unit) {
        Step step = stepFor(value, unit);
        return (plain(value / step.size(), DIGITS) + " " + step.unit()).strip();
    }

    /** Leaves out decimals that say nothing. */
    static String plain(double value, int decimals) {
        String text = fixed(value, decimals);
        return text.contains(".") ? text.replaceAll("\\.?0+$", "") : text;
    }

    /** Adding zero makes zero of minus zero. */
    private static String fixed(double value, int decimals) {
        return String.format(Locale.ROOT, "%." + decimals + "f", value + 0.0);
    }

    /** Writes three digits that count, and thousands apart: 0.0123, 1.23, 12.3, 123, 12 345. */
    static String number(double value) {
        if (value == 0) {
            return "0";
        }
        int magnitude = (int) Math.floor(Math.log10(Math.abs(value)));
        return magnitude > DIGITS ? count(value) : fixed(value, Math.max(0, DIGITS - 1 - magnitude));
    }

    /** Writes a whole number, thousands apart. */
    static String count(double value) {
        return String.format(Locale.ROOT, "%,.0f", value).replace(',', '\u00a0');
    }

    private static Step stepFor(double value, String unit) {
        List<Step> steps = stepsOf(unit);
        return steps.stream()
                .filter(step -> Math.abs(value) >= step.size())
                .findFirst()
                .orElse(steps.get(steps.size() - 1));
    }

    private static List<Step> stepsOf(String unit) {
        return switch (base(unit)) {
            case "ns" -> TIME;
            case "B" -> SIZE;
            default -> COUNT;
        };
    }

    /** Gives the unit without what it is counted for: that of {@code B/op} is {@code B}. */
    private static String base(String unit) {
        return unit.startsWith("ns") || unit.startsWith("B") ? unit.replaceFirst("/.*", "") : unit;
    }

    private static String words(String unit, Step step) {
        return switch (unit) {
            case "ratio" -> "";
            case "1/s" -> "a second";
            default ->
                step.unit().isEmpty()
                        ? unit
                        : step.unit() + unit.substring(base(unit).length());
        };
    }
}

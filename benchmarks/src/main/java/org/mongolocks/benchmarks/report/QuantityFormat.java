package org.mongolocks.benchmarks.report;

import java.util.List;
import java.util.Locale;

/** A format for quantities: three significant digits, independent of the locale. */
final class QuantityFormat {
    private static final int DIGITS = 3;
    private static final List<Step> TIME =
            List.of(new Step(1e9, "s"), new Step(1e6, "ms"), new Step(1e3, "µs"), new Step(1, "ns"));
    private static final List<Step> SIZE = List.of(new Step(1e6, "MB"), new Step(1e3, "kB"), new Step(1, "B"));
    private static final List<Step> COUNT = List.of(new Step(1, ""));

    private record Step(double size, String unit) {}

    private QuantityFormat() {}

    /** Formats a value with the unit that suits its size: 1 234 000 ns becomes 1.23 ms. */
    static String of(double value, String unit) {
        Step step = stepFor(value, unit);
        return (number(value / step.size()) + " " + words(unit, step)).strip();
    }

    /** Formats a value. Adding 0.0 turns negative zero into zero. */
    static String fixed(double value, int decimals) {
        return String.format(Locale.ROOT, "%." + decimals + "f", value + 0.0);
    }

    /** Formats a value with three significant digits and separated thousands: 0.0123, 1.23, 12.3, 123, 12 345. */
    static String number(double value) {
        if (value == 0) {
            return "0";
        }
        int magnitude = (int) Math.floor(Math.log10(Math.abs(value)));
        return magnitude > DIGITS ? count(value) : fixed(value, Math.max(0, DIGITS - 1 - magnitude));
    }

    /** Formats a whole number with separated thousands. */
    private static String count(double value) {
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

    /** Returns the unit without its denominator: {@code B} for {@code B/op}. */
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

package org.mongolocks.contract;

import java.util.Arrays;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.TestWatcher;
import org.mongolocks.contract.rules.ContractContext.ContractRule;

/** The rules that a class could not run on its server, printed by reason when the class has ended. Thread-safe. */
public final class SkippedRules implements TestWatcher {
    private static final Namespace NAMESPACE = Namespace.create(SkippedRules.class);
    private static final String ASSUMPTION = "Assumption failed: ";

    /** Instantiated by JUnit, which is in another module. */
    public SkippedRules() {}

    @Override
    public void testAborted(ExtensionContext context, @Nullable Throwable cause) {
        skipped(context, cause == null || cause.getMessage() == null ? "no reason given" : cause.getMessage());
    }

    @Override
    public void testDisabled(ExtensionContext context, Optional<String> reason) {
        skipped(context, reason.orElse("no reason given"));
    }

    private static void skipped(ExtensionContext context, String reason) {
        ContractRule rule = context.getRequiredTestMethod().getAnnotation(ContractRule.class);
        if (rule == null) {
            return;
        }
        ExtensionContext whole = classOf(context);
        whole.getStore(NAMESPACE)
                .computeIfAbsent(
                        Summary.class,
                        unused -> new Summary(whole.getRequiredTestClass().getSimpleName()),
                        Summary.class)
                .add(reason.startsWith(ASSUMPTION) ? reason.substring(ASSUMPTION.length()) : reason, rule.value());
    }

    /** Returns the context of the class, above those of its runs on each driver. */
    private static ExtensionContext classOf(ExtensionContext context) {
        ExtensionContext above = context.getParent().orElseThrow();
        return above.getParent().isEmpty() ? context : classOf(above);
    }

    /** The reasons of one class, each with the groups of rules and their numbers; JUnit closes it with the class. */
    static final class Summary implements AutoCloseable {
        private final SortedMap<String, SortedMap<String, SortedSet<Integer>>> byReason = new TreeMap<>();
        private final String testClass;

        Summary(String testClass) {
            this.testClass = testClass;
        }

        synchronized void add(String reason, String... rules) {
            SortedMap<String, SortedSet<Integer>> groups = byReason.computeIfAbsent(reason, unused -> new TreeMap<>());
            Arrays.stream(rules)
                    .map(rule -> rule.split("-", 2))
                    .forEach(rule -> groups.computeIfAbsent(rule[0], unused -> new TreeSet<>())
                            .add(Integer.valueOf(rule[1])));
        }

        @Override
        public synchronized void close() {
            System.out.println(this);
        }

        @Override
        public synchronized String toString() {
            return byReason.entrySet().stream()
                    .map(reason -> "\n  " + reason.getKey() + ": " + rules(reason.getValue()))
                    .collect(Collectors.joining("", "mongo-locks contract: rules not run in " + testClass + ":", ""));
        }

        private static String rules(SortedMap<String, SortedSet<Integer>> groups) {
            return groups.entrySet().stream()
                    .map(group -> group.getValue().stream()
                            .map(String::valueOf)
                            .collect(Collectors.joining(", ", group.getKey() + "-", "")))
                    .collect(Collectors.joining("; "));
        }
    }
}

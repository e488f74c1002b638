package org.mongolocks.study;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Command line options that each have a value. */
final class CommandLineArguments {
    private CommandLineArguments() {}

    /**
     * Returns the values by their options.
     *
     * @param usage a short help text for error messages
     * @return the values by their options, in the order given
     * @throws IllegalArgumentException if an option has no value, or is given twice
     */
    static Map<String, String> pairs(List<String> arguments, String usage) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (int i = 0; i < arguments.size(); i += 2) {
            if (i + 1 == arguments.size()) {
                throw new IllegalArgumentException("'" + arguments.get(i) + "' has no value. " + usage);
            }
            if (pairs.put(arguments.get(i), arguments.get(i + 1)) != null) {
                throw new IllegalArgumentException("'" + arguments.get(i) + "' is given twice: leave one out");
            }
        }
        return pairs;
    }
}

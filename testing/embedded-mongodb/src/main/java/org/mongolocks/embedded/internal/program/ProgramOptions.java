package org.mongolocks.embedded.internal.program;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;

/**
 * The options of the program's command line.
 *
 * @param isHelp whether to print the usage only
 */
record ProgramOptions(int port, boolean isStandalone, boolean isRouter, int ttlMonitorSeconds, boolean isHelp) {
    static final int DEFAULT_PORT = 27_017;
    static final int DEFAULT_TTL_SECONDS = 60;

    private static final int MAX_PORT = 65_535;
    private static final int MAX_TTL_SECONDS = 86_400;

    /** A command line that makes no sense; the message says why, in one line. */
    static final class BadArgument extends Exception {
        private static final long serialVersionUID = 1L;

        BadArgument(String message) {
            super(message);
        }
    }

    static ProgramOptions parse(String... arguments) throws BadArgument {
        ProgramOptions options = new ProgramOptions(DEFAULT_PORT, false, false, DEFAULT_TTL_SECONDS, false);
        Set<String> seen = new HashSet<>();
        Iterator<String> rest = Arrays.asList(arguments).iterator();
        while (rest.hasNext()) {
            String option = rest.next();
            if (!seen.add(option)) {
                throw new BadArgument("option " + option + " is given twice");
            }
            options = options.with(option, rest);
        }
        if (options.isRouter && options.isStandalone) {
            throw new BadArgument("options --router and --standalone exclude each other");
        }
        return options;
    }

    private ProgramOptions with(String option, Iterator<String> rest) throws BadArgument {
        return switch (option) {
            case "--port" ->
                new ProgramOptions(
                        number(option, rest, 0, MAX_PORT), isStandalone, isRouter, ttlMonitorSeconds, isHelp);
            case "--ttl-monitor-seconds" ->
                new ProgramOptions(port, isStandalone, isRouter, number(option, rest, 1, MAX_TTL_SECONDS), isHelp);
            case "--standalone" -> new ProgramOptions(port, true, isRouter, ttlMonitorSeconds, isHelp);
            case "--router" -> new ProgramOptions(port, isStandalone, true, ttlMonitorSeconds, isHelp);
            case "--help" -> new ProgramOptions(port, isStandalone, isRouter, ttlMonitorSeconds, true);
            default -> throw new BadArgument("unknown option " + option);
        };
    }

    private static int number(String option, Iterator<String> rest, int least, int most) throws BadArgument {
        if (!rest.hasNext()) {
            throw new BadArgument("option " + option + " needs a value");
        }
        String text = rest.next();
        // Ten digits are more than any of the limits has.
        boolean isNumber = text.matches("-?[0-9]{1,10}");
        if (!isNumber || Long.parseLong(text) < least || Long.parseLong(text) > most) {
            throw new BadArgument(
                    "option " + option + " needs a number between " + least + " and " + most + ", not " + text);
        }
        return Integer.parseInt(text);
    }
}

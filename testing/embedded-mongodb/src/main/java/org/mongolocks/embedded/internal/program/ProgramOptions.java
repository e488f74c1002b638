package org.mongolocks.embedded.internal.program;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.mongolocks.embedded.internal.state.ServerVersion;

/**
 * The options of the program's command line.
 *
 * @param isHelp whether to print the usage only
 */
record ProgramOptions(
        int port,
        boolean isStandalone,
        boolean isRouter,
        int ttlMonitorSeconds,
        ServerVersion version,
        boolean isHelp) {
    static final int DEFAULT_PORT = 27_017;
    static final int DEFAULT_TTL_SECONDS = 60;

    private static final String PORT = "--port";
    private static final String STANDALONE = "--standalone";
    private static final String ROUTER = "--router";
    private static final String TTL_SECONDS = "--ttl-monitor-seconds";
    private static final String VERSION = "--mongodb-version";
    private static final String HELP = "--help";
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
        Map<String, String> given = new HashMap<>();
        Iterator<String> rest = Arrays.asList(arguments).iterator();
        while (rest.hasNext()) {
            String option = rest.next();
            if (given.containsKey(option)) {
                throw new BadArgument("option " + option + " is given twice");
            }
            given.put(option, valueOf(option, rest));
        }
        if (given.containsKey(ROUTER) && given.containsKey(STANDALONE)) {
            throw new BadArgument("options --router and --standalone exclude each other");
        }
        return new ProgramOptions(
                number(given, PORT, 0, MAX_PORT, DEFAULT_PORT),
                given.containsKey(STANDALONE),
                given.containsKey(ROUTER),
                number(given, TTL_SECONDS, 1, MAX_TTL_SECONDS, DEFAULT_TTL_SECONDS),
                version(given),
                given.containsKey(HELP));
    }

    private static String valueOf(String option, Iterator<String> rest) throws BadArgument {
        return switch (option) {
            case STANDALONE, ROUTER, HELP -> "";
            case PORT, TTL_SECONDS, VERSION -> {
                if (!rest.hasNext()) {
                    throw new BadArgument("option " + option + " needs a value");
                }
                yield rest.next();
            }
            default -> throw new BadArgument("unknown option " + option);
        };
    }

    private static ServerVersion version(Map<String, String> given) throws BadArgument {
        String text = given.getOrDefault(VERSION, ServerVersion.V4_4.release());
        try {
            return ServerVersion.of(text);
        } catch (IllegalArgumentException e) {
            throw new BadArgument("option " + VERSION + " needs one of " + ServerVersion.names() + ", not " + text);
        }
    }

    private static int number(Map<String, String> given, String option, int least, int most, int otherwise)
            throws BadArgument {
        String text = given.getOrDefault(option, Integer.toString(otherwise));
        // Ten digits are more than any of the limits has.
        boolean isNumber = text.matches("-?[0-9]{1,10}");
        if (!isNumber || Long.parseLong(text) < least || Long.parseLong(text) > most) {
            throw new BadArgument(
                    "option " + option + " needs a number between " + least + " and " + most + ", not " + text);
        }
        return Integer.parseInt(text);
    }
}

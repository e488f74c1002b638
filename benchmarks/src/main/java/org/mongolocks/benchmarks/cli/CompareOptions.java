package org.mongolocks.benchmarks.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.mongolocks.benchmarks.lock.OtherLibraries;
import org.mongolocks.benchmarks.lock.OtherLibraries.Server;
import org.mongolocks.benchmarks.run.BenchmarkRun.RunLength;
import org.mongolocks.reporting.ProgramArguments;
import org.mongolocks.reporting.server.Target;
import org.mongolocks.reporting.server.UnusableInputException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command-line options. The file {@code usage.txt} explains them. */
@Command(name = "compare")
final class CompareOptions {
    private static final int MAX_LAG_MILLIS = 1_000;
    private static final int MAX_MINUTES = 600;

    /**
     * The system property with the project directory, set by the script, so that output goes there from any working
     * directory.
     */
    static final String HOME = "mongolocks.home";

    /** The system property with the files of {@code --classpath}, which the script handles; empty without any. */
    static final String CLASSPATH = "mongolocks.classpath";

    @Option(names = "--uri", paramLabel = "URI")
    private @Nullable String uri;

    @Option(names = "--majority-lag", paramLabel = "MILLIS")
    private int majorityLag;

    @Option(names = "--redis", paramLabel = "URI")
    private @Nullable String redis;

    @Option(names = "--zookeeper", paramLabel = "HOST:PORT")
    private @Nullable String zookeeper;

    @Option(names = "--etcd", paramLabel = "HOST:PORT")
    private @Nullable String etcd;

    @Option(names = "--postgresql", paramLabel = "URL")
    private @Nullable String postgresql;

    @Option(names = "--strategies", paramLabel = "a,b")
    private List<String> lists = new ArrayList<>();

    @Option(names = "--quick")
    private boolean quick;

    @Option(names = "--full")
    private boolean full;

    @Option(names = "--minutes", paramLabel = "N")
    private @Nullable Integer minutes;

    @Option(names = "--only", paramLabel = "B1,B5")
    private List<String> only = new ArrayList<>();

    @Option(names = "--baseline", paramLabel = "FILE")
    private @Nullable Path baseline;

    @Option(names = "--out", paramLabel = "DIR")
    private Path out = Path.of(System.getProperty(HOME, ""), "target", "compare");

    @Option(
            names = {"-h", "--help"},
            usageHelp = true)
    private boolean help;

    private CompareOptions() {}

    /**
     * Parses the arguments.
     *
     * @throws UnusableInputException if they are invalid
     */
    static CompareOptions parse(String... arguments) {
        CompareOptions options = new CompareOptions();
        try {
            ProgramArguments.parse(new CommandLine(options), arguments);
        } catch (IllegalArgumentException e) {
            throw new UnusableInputException(String.valueOf(e.getMessage()), e);
        }
        if (options.out.toString().isBlank()) {
            throw new UnusableInputException("--out names no directory (see --help)");
        }
        options.peers().requireAddresses();
        options.requireLag();
        options.requireTime();
        return options;
    }

    private void requireTime() {
        if (quick && full) {
            throw new UnusableInputException("--quick and --full exclude each other (see --help)");
        }
        if (minutes != null && (quick || full)) {
            throw new UnusableInputException("--minutes excludes --quick and --full (see --help)");
        }
        if (minutes != null && (minutes < 1 || minutes > MAX_MINUTES)) {
            throw new UnusableInputException(
                    "--minutes is from 1 to " + MAX_MINUTES + ", not " + minutes + " (see --help)");
        }
    }

    private void requireLag() {
        if (majorityLag < 0 || majorityLag > MAX_LAG_MILLIS) {
            throw new UnusableInputException("--majority-lag is from 0 to " + MAX_LAG_MILLIS + " milliseconds, not "
                    + majorityLag + " (see --help)");
        }
        if (majorityLag > 0 && uri().isPresent()) {
            throw new UnusableInputException(
                    "--majority-lag is for the embedded server, not for one of --uri (see --help)");
        }
    }

    /** Returns the connection string of the server; empty for the embedded one. */
    Optional<String> uri() {
        return Optional.ofNullable(uri).filter(named -> !named.equals(Target.EMBEDDED));
    }

    /** Returns the simulated delay of {@code w: majority} acknowledgements on the embedded server. */
    Duration majorityLag() {
        return Duration.ofMillis(majorityLag);
    }

    /** Returns the other libraries to include. */
    OtherLibraries peers() {
        Map<Server, String> addresses = new EnumMap<>(Server.class);
        putIfNamed(addresses, Server.REDIS, redis);
        putIfNamed(addresses, Server.ZOOKEEPER, zookeeper);
        putIfNamed(addresses, Server.ETCD, etcd);
        putIfNamed(addresses, Server.POSTGRESQL, postgresql);
        return new OtherLibraries(addresses);
    }

    private static void putIfNamed(Map<Server, String> addresses, Server server, @Nullable String address) {
        if (address != null) {
            addresses.put(server, address);
        }
    }

    /**
     * Returns the strategy names without duplicates; empty means the default. A list of only commas yields empty names,
     * which are rejected later.
     */
    List<String> strategies() {
        return names(lists);
    }

    /** Returns the benchmark ids; empty means all. */
    List<String> only() {
        return names(only);
    }

    /** Returns the results file of the earlier run to compare with. */
    Optional<Path> baseline() {
        return Optional.ofNullable(baseline);
    }

    RunLength mode() {
        return quick ? RunLength.QUICK : full ? RunLength.FULL : RunLength.NORMAL;
    }

    /** Returns the time of all benchmarks together, of which those of {@link #only} take their share. */
    Duration time() {
        return minutes == null ? mode().time() : Duration.ofMinutes(minutes);
    }

    /** Returns the command that repeats this run. Addresses may contain secrets and are replaced by placeholders. */
    String command() {
        List<String> words = new ArrayList<>(List.of("./compare"));
        if (mode() != RunLength.NORMAL) {
            words.add("--" + mode().id());
        }
        if (minutes != null) {
            words.add("--minutes " + minutes);
        }
        if (!only.isEmpty()) {
            words.add("--only " + String.join(",", only()));
        }
        if (!lists.isEmpty()) {
            words.add("--strategies " + String.join(",", strategies()));
        }
        if (!System.getProperty(CLASSPATH, "").isEmpty()) {
            words.add("--classpath JAR");
        }
        if (uri().isPresent()) {
            words.add("--uri URI");
        }
        if (majorityLag > 0) {
            words.add("--majority-lag " + majorityLag);
        }
        peers().addresses().keySet().stream()
                .sorted()
                .forEach(server -> words.add(server.option() + " " + server.placeholder()));
        return String.join(" ", words);
    }

    private static List<String> names(List<String> lists) {
        return lists.stream()
                .flatMap(list -> Stream.of(list.split(",", -1)))
                .map(String::strip)
                .distinct()
                .toList();
    }

    Path out() {
        return out;
    }

    boolean help() {
        return help;
    }
}

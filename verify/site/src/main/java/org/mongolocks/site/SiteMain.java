package org.mongolocks.site;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mongolocks.reporting.ProgramArguments;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The main program, which {@code ./site} starts. */
public final class SiteMain {
    private static final int BROKEN = 1;
    private static final int UNUSABLE = 2;

    @Option(names = {"-h", "--help"})
    private boolean help;

    @Option(names = "--out", paramLabel = "DIR")
    private @Nullable Path out;

    @Option(names = "--reports", paramLabel = "DIR")
    private @Nullable Path reports;

    @Option(names = "--pages")
    private boolean pages;

    private SiteMain() {}

    /**
     * Runs the program.
     *
     * @param arguments see the file {@code usage.txt}
     */
    public static void main(String[] arguments) {
        System.exit(run(Path.of(System.getProperty("mongolocks.home", ".")), System.out, System.err, arguments));
    }

    static int run(Path home, PrintStream out, PrintStream err, String... arguments) {
        SiteMain options = new SiteMain();
        try {
            ProgramArguments.parse(new CommandLine(options), arguments);
            if (options.help) {
                out.print(ProgramArguments.usage(SiteMain.class, "usage.txt"));
                return 0;
            }
            out.println("Written: " + options.build(home.toAbsolutePath().normalize()));
            return 0;
        } catch (BrokenPagesException e) {
            String.valueOf(e.getMessage()).lines().forEach(problem -> err.println("site: " + problem));
            return BROKEN;
        } catch (IllegalArgumentException e) {
            err.println("site: " + e.getMessage());
        } catch (UncheckedIOException | IOException e) {
            err.println("site: " + e);
        } catch (InterruptedException e) {
            err.println("site: interrupted");
        }
        return UNUSABLE;
    }

    private Path build(Path home) throws IOException, InterruptedException {
        Site site = Site.read(home);
        Path root = out == null ? home.resolve("target/site") : out.toAbsolutePath();
        Path directory = root.resolve(site.version());
        if (!pages) {
            require(
                    "the Javadoc",
                    List.of(
                            home.resolve("build/javadoc.sh").toString(),
                            directory.resolve("api").toString()));
        }
        Path shown = reports;
        if (shown == null && !pages) {
            shown = home.resolve("target/site-reports");
            require("the study", List.of(home.resolve("study").toString(), "--seeds", "1", "--out", shown.toString()));
        }
        site.write(root, shown);
        return directory.resolve("index.html");
    }

    /** Runs another program. Only its errors and its progress are shown. */
    private static void require(String what, List<String> command) throws IOException, InterruptedException {
        System.err.println("site: making " + what);
        int status = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start()
                .waitFor();
        if (status != 0) {
            throw new IllegalArgumentException(what + " could not be made: exit status " + status);
        }
    }
}

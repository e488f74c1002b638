package org.mongolocks.tree;

import static java.util.function.Predicate.not;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * The listings in {@code testing/tree-tests/api}: the public and protected types and members of each published module, as its class
 * files have them, but for annotations. After a build {@code java testing/tree-tests/src/test/java/org/mongolocks/tree/ApiListing.java}
 * writes them.
 */
final class ApiListing {
    static final String PATH = "testing/tree-tests/api";

    private static final Pattern MODULE = Pattern.compile("<module>(.+?)</module>");
    private static final Pattern ARTIFACT =
            Pattern.compile("</parent>.*?<artifactId>(.+?)</artifactId>", Pattern.DOTALL);
    private static final String NOT_PUBLISHED = "<maven.deploy.skip>true</maven.deploy.skip>";
    /** A package that is exported to all modules. */
    private static final Pattern EXPORTED = Pattern.compile("exports ([\\w.]+);");
    /** A type as javap prints it: its header, and its members. */
    private static final Pattern TYPE =
            Pattern.compile("(?ms)^([^\\n]*(?:class|interface) ([\\w.$]+).*?) ?\\{\\n(.*?)^}");
    /** What each object, each record and each enum has, and what Kotlin's compiler adds for itself. */
    private static final Pattern IMPLIED = Pattern.compile(
            ".*\\baccess\\$.*|static \\{};|.* (?:int hashCode\\(\\)|boolean equals\\(Object\\)|String toString\\(\\)|valueOf\\(String\\)|\\S+\\[] values\\(\\));");

    private static final Pattern NESTED = Pattern.compile("\\$");

    private final Path module;

    private ApiListing(Path module) {
        this.module = module;
    }

    public static void main(String[] arguments) throws IOException {
        Path root = Path.of("").toAbsolutePath();
        try (Stream<Path> files = Files.list(root.resolve(PATH))) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        write(root, root.resolve(PATH));
    }

    /** Writes a file for each published module that exports a package. */
    static void write(Path root, Path directory) throws IOException {
        for (Map.Entry<Path, String> published : published(root).entrySet()) {
            String text = new ApiListing(published.getKey()).text();
            if (!text.isEmpty()) {
                Files.writeString(
                        directory.resolve(found(ARTIFACT, published.getValue()).get(0) + ".txt"), text);
            }
        }
    }

    /** Returns the directories of all modules, below the root. */
    static List<String> modules(Path root) throws IOException {
        return found(MODULE, Files.readString(root.resolve("pom.xml")));
    }

    /** Returns the directories of the modules that are published, with their POMs. */
    static Map<Path, String> published(Path root) throws IOException {
        Map<Path, String> published = new TreeMap<>();
        for (String name : modules(root)) {
            String pom = Files.readString(root.resolve(name).resolve("pom.xml"));
            if (!pom.contains(NOT_PUBLISHED)) {
                published.put(root.resolve(name), pom);
            }
        }
        return published;
    }

    private String text() throws IOException {
        Set<String> types = new TreeSet<>();
        for (Path directory : exported()) {
            types.addAll(typesIn(directory));
        }
        return String.join("\n", types);
    }

    private List<Path> exported() throws IOException {
        Path classes = module.resolve("target/classes");
        Path descriptor = module.resolve("src/main/java/module-info.java");
        if (Files.exists(descriptor)) {
            return found(EXPORTED, Files.readString(descriptor)).stream()
                    .map(name -> classes.resolve(name.replace('.', '/')))
                    .toList();
        }
        if (!Files.isDirectory(module.resolve("src/main"))) {
            return List.of();
        }
        try (Stream<Path> directories = Files.walk(classes)) {
            return directories.filter(Files::isDirectory).toList();
        }
    }

    private static List<String> typesIn(Path directory) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("-protected", "-constants"));
        try (Stream<Path> files = Files.list(directory)) {
            files.map(Path::toString)
                    .filter(file -> file.endsWith(".class"))
                    .sorted()
                    .forEach(arguments::add);
        }
        return arguments.size() == 2 ? List.of() : types(javap(arguments));
    }

    private static String javap(List<String> arguments) {
        StringWriter out = new StringWriter();
        PrintWriter writer = new PrintWriter(out);
        int exit = ToolProvider.findFirst("javap").orElseThrow().run(writer, writer, arguments.toArray(String[]::new));
        if (exit != 0) {
            throw new IllegalStateException("javap failed: " + out);
        }
        // JDK 17 prints the exceptions of generic methods with slashes.
        return out.toString()
                .replace("\r", "")
                .replace("java/lang/", "java.lang.")
                .replaceAll("\\bjava\\.lang\\.(?=[A-Z])", "");
    }

    /** Returns the types that are public, and inside public types only. */
    private static List<String> types(String printed) {
        Map<String, String> types = new TreeMap<>();
        TYPE.matcher(printed)
                .results()
                .filter(type -> type.group(1).startsWith("public "))
                .forEach(type -> types.put(type.group(2), type.group(1) + "\n" + members(type.group(3))));
        return types.keySet().stream()
                .filter(name -> NESTED.matcher(name)
                        .results()
                        .allMatch(nested -> types.containsKey(name.substring(0, nested.start()))))
                .map(types::get)
                .toList();
    }

    private static String members(String printed) {
        StringBuilder members = new StringBuilder();
        printed.lines()
                .map(String::strip)
                .filter(not(IMPLIED.asMatchPredicate()))
                .sorted()
                .forEach(member -> members.append("    ").append(member).append('\n'));
        return members.toString();
    }

    private static List<String> found(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(match -> match.group(1)).toList();
    }
}

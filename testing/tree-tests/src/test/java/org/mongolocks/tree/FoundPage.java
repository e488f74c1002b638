package org.mongolocks.tree;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The page {@code docs/found.md}: the defects of {@code testing/tree-tests/found.txt}, the tests that are tagged with them, and what
 * puts them back. It is written by {@code java testing/tree-tests/src/test/java/org/mongolocks/tree/FoundPage.java}.
 */
final class FoundPage {
    static final String PATH = "docs/found.md";

    private static final Pattern SOURCE = Pattern.compile("(?!.*/target/).*/src/.*\\.(?:java|kt)");
    /** A tag, and the method that has it; other annotations may stand between them. */
    private static final Pattern TAGGED = Pattern.compile(
            "@Tag\\(\"finds:([^\"]+)\"\\)\\s+(?=(?:@\\w+(?:\\([^\\n]*\\))?\\s+)*(?:default )?(?:void|fun|Stream<\\w+>) (\\w+))");

    private static final Pattern TEST = Pattern.compile("(.+)/src/test/java/(.+Test)\\.java");
    private static final Pattern MUTATION = Pattern.compile("(\\w+): (.+)");
    private static final String NOT_PUT_BACK = "not: ";

    private static final String HEAD = """
            # Defects that stay found

            Defects that earlier commits had, the tests that find each again, and what shows that they do: a patch that puts
            the defect back, or a mutation that `ContractSensitivityTest` runs. `.ci/found` applies each patch to a copy of
            the tree and expects each of its tests to fail; `.ci/found closing-interrupted` does so for one defect.

            Of %d defects, %d are put back by a patch and %d by a mutation. %d are found by a test, and not put back; %d by none.

            `FoundPage` writes this page from `testing/tree-tests/found.txt` and the tags of the tests.
            """;

    private static final String SECTION = """

            ## %s
            | defect | what was wrong | found by | put back by |
            |---|---|---|---|
            """;

    private static final String NOT_FOUND = """

            ## Not found again
            | what was wrong | why no test finds it |
            |---|---|
            """;

    private final Path root;
    private final Map<String, Path> sources = new TreeMap<>();
    /** The methods that find a defect, by the name of the defect and the file of the test. */
    private final Map<String, Map<Path, List<String>>> tests = new TreeMap<>();

    private final Set<String> patches = new TreeSet<>();
    private final List<Defect> defects = new ArrayList<>();

    /**
     * A defect that the tree once had.
     *
     * @param kind the section of the page
     * @param id the name of its tag and of its patch
     * @param wrong what was wrong
     * @param putBack empty for a patch; or {@code Class: mutation}; or {@code not: reason}
     */
    private record Defect(String kind, String id, String wrong, String putBack) {
        static Defect of(String kind, String line) {
            String[] columns = line.split(" \\| ", 3);
            return new Defect(kind, columns[0], columns[1], columns.length == 3 ? columns[2] : "");
        }

        boolean isPatched() {
            return putBack.isEmpty();
        }

        boolean isPutBack() {
            return !putBack.startsWith(NOT_PUT_BACK);
        }

        String reason() {
            return putBack.substring(NOT_PUT_BACK.length());
        }
    }

    FoundPage(Path root) throws IOException {
        this.root = root;
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(one -> SOURCE.matcher(relative(one)).matches())
                    .sorted()
                    .toList()) {
                collect(file);
            }
        }
        try (Stream<Path> files = Files.list(root.resolve("testing/tree-tests/found"))) {
            files.forEach(patch -> patches.add(simpleName(patch)));
        }
        String kind = "";
        for (String line : Files.readAllLines(root.resolve("testing/tree-tests/found.txt"))) {
            if (!line.isBlank() && !line.startsWith("#")) {
                kind = line.contains(" | ") ? kind : line;
                if (!line.equals(kind)) {
                    defects.add(Defect.of(kind, line));
                }
            }
        }
    }

    /** Writes the page; with {@code --tests} prints instead the tests that surefire runs: defect, module, class, method. */
    public static void main(String[] arguments) throws IOException {
        Path root = Path.of("").toAbsolutePath();
        FoundPage page = new FoundPage(root);
        if (List.of(arguments).equals(List.of("--tests"))) {
            page.printTests();
        } else {
            Files.writeString(root.resolve(PATH), page.text());
        }
    }

    private void printTests() {
        tests.forEach((defect, files) -> files.forEach((file, methods) -> {
            Matcher test = TEST.matcher(relative(file));
            if (test.matches()) {
                String where =
                        defect + " " + test.group(1) + " " + test.group(2).replace('/', '.') + " ";
                methods.forEach(method -> System.out.println(where + method));
            }
        }));
    }

    private void collect(Path source) throws IOException {
        sources.put(simpleName(source), source);
        Matcher tagged = TAGGED.matcher(Files.readString(source));
        while (tagged.find()) {
            tests.computeIfAbsent(tagged.group(1), id -> new TreeMap<>())
                    .computeIfAbsent(source, methods -> new ArrayList<>())
                    .add(tagged.group(2));
        }
    }

    /** Returns the tags and patches of no defect, and the defects without the test or the patch that they should have. */
    Set<String> errors() throws IOException {
        Set<String> errors = new TreeSet<>();
        Set<String> unused = new TreeSet<>(patches);
        unused.addAll(tests.keySet());
        for (Defect defect : defects) {
            unused.remove(defect.id);
            if (defect.isPutBack() && !isFound(defect)) {
                errors.add(defect.id + " has no test");
            }
            if (defect.isPatched() != patches.contains(defect.id)) {
                errors.add(defect.id + " needs a patch, or must not have one");
            }
            if (defect.isPutBack() && !defect.isPatched() && !isMutation(defect.putBack)) {
                errors.add(defect.id + " has an unknown mutation");
            }
        }
        unused.forEach(id -> errors.add(id + " is no defect"));
        return errors;
    }

    private boolean isMutation(String putBack) throws IOException {
        Matcher named = MUTATION.matcher(putBack);
        return named.matches() && Files.readString(sources.get(named.group(1))).contains('"' + named.group(2) + '"');
    }

    String text() {
        StringBuilder text = new StringBuilder(HEAD.formatted(
                defects.size(),
                count(Defect::isPatched),
                count(defect -> defect.isPutBack() && !defect.isPatched()),
                count(defect -> isFound(defect) && !defect.isPutBack()),
                count(defect -> !isFound(defect))));
        String kind = "";
        for (Defect defect : defects) {
            if (isFound(defect)) {
                text.append(defect.kind.equals(kind) ? "" : SECTION.formatted(defect.kind));
                text.append(row(defect.id, defect.wrong, foundBy(defect), putBackBy(defect)));
                kind = defect.kind;
            }
        }
        text.append(NOT_FOUND);
        defects.stream()
                .filter(defect -> !isFound(defect))
                .forEach(defect -> text.append(row(defect.wrong, defect.reason())));
        return text.toString();
    }

    private long count(Predicate<Defect> condition) {
        return defects.stream().filter(condition).count();
    }

    private boolean isFound(Defect defect) {
        return tests.containsKey(defect.id);
    }

    private String foundBy(Defect defect) {
        return tests.get(defect.id).entrySet().stream()
                .map(test -> link(test.getKey()) + " `" + String.join("`, `", test.getValue()) + "`")
                .collect(joining(", "));
    }

    private String putBackBy(Defect defect) {
        if (!defect.isPutBack()) {
            return "not put back: " + defect.reason();
        }
        Matcher mutation = MUTATION.matcher(defect.putBack);
        return mutation.matches()
                ? "\"" + mutation.group(2) + "\" of " + link(sources.get(mutation.group(1)))
                : "[patch](../testing/tree-tests/found/" + defect.id + ".patch)";
    }

    private String link(Path source) {
        return "[" + simpleName(source) + "](../" + relative(source) + ")";
    }

    private static String row(String... columns) {
        return "| " + String.join(" | ", columns) + " |\n";
    }

    private static String simpleName(Path file) {
        return file.getFileName().toString().replaceAll("\\..*", "");
    }

    private String relative(Path file) {
        return root.relativize(file).toString().replace('\\', '/');
    }
}

package org.mongolocks.contract;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes the lists of {@code docs/contract.md}, one for each group of rules, from the Javadoc of the rules. */
final class ContractDocumentWriter {
    private static final Pattern RULE = Pattern.compile(
            "/\\*\\* ([A-Z]{2})-(\\d+)\\. ((?:(?!\\*/).)*?) (?:@param |@throws |\\*/)(?:(?!/\\*\\*).)*? void (\\w+)\\(");
    private static final Pattern LIST = Pattern.compile("(## ([A-Z]{2}):.*\\n\\n(?:[^-\\n].*\\n+)*)(?:- .*\\n)+");

    private final List<Rule> rules = new ArrayList<>();

    private ContractDocumentWriter(Path sources) throws IOException {
        try (Stream<Path> files = Files.walk(sources)) {
            files.filter(file -> file.toString().endsWith("Rules.java"))
                    .flatMap(file -> RULE.matcher(onOneLine(file)).results())
                    .map(Rule::of)
                    .sorted(Comparator.comparing(Rule::group).thenComparing(Rule::number))
                    .forEach(rules::add);
        }
    }

    /** Takes the directory of the rules' sources and the path of the document. */
    public static void main(String[] arguments) throws IOException {
        Path document = Path.of(arguments[1]);
        Files.writeString(document, write(Path.of(arguments[0]), Files.readString(document)));
    }

    /** Returns the document with new lists; headings and notes stay as they are. */
    static String write(Path sources, String document) throws IOException {
        ContractDocumentWriter writer = new ContractDocumentWriter(sources);
        return LIST.matcher(document)
                .replaceAll(list -> Matcher.quoteReplacement(list.group(1) + writer.items(list.group(2))));
    }

    private String items(String group) {
        return rules.stream()
                .filter(rule -> rule.group().equals(group))
                .map(Rule::item)
                .collect(Collectors.joining());
    }

    private static String onOneLine(Path source) {
        try {
            return Files.readString(source).replaceAll("\\s+(\\* )?", " ").replace(" * ", " ");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record Rule(String group, int number, String text, String test) {
        static Rule of(MatchResult match) {
            return new Rule(match.group(1), Integer.parseInt(match.group(2)), match.group(3), match.group(4));
        }

        String item() {
            return "- " + group + "-" + number + " `" + test + "`: " + text + "\n";
        }
    }
}

package org.mongolocks.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** One run of the program: its exit status and output. */
record Run(int status, String out, String err) {
    static Run of(String... arguments) throws InterruptedException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int status = Doctor.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                arguments);
        return new Run(status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /** Checks one strategy and parses the JSON. */
    static Run json(String uri, String strategy, String... more) throws InterruptedException {
        Run run = of(Stream.concat(Stream.of("--uri", uri, "--strategy", strategy, "--json"), Stream.of(more))
                .toArray(String[]::new));
        assertThat(run.err()).isEmpty();
        return run;
    }

    /** Checks all strategies and parses the JSON. */
    static Run jsonOfAll(String uri) throws InterruptedException {
        Run run = of("--uri", uri, "--json");
        assertThat(run.err()).isEmpty();
        return run;
    }

    BsonDocument report() {
        return BsonDocument.parse(out);
    }

    /** Returns the findings of one check, each as its status, a blank and its observation. */
    List<String> found(String check) {
        return report().getArray("checks").stream()
                .map(BsonValue::asDocument)
                .filter(finding -> finding.getString("id").getValue().equals(check))
                .map(finding -> finding.getString("status").getValue() + " "
                        + finding.getString("seen").getValue())
                .toList();
    }

    List<String> usable() {
        return texts("usable");
    }

    List<String> advice() {
        return texts("advice");
    }

    private List<String> texts(String field) {
        return report().getArray(field).stream()
                .map(text -> text.asString().getValue())
                .toList();
    }

    /** Returns the status of a promise of the only strategy. */
    String promise(String promise) {
        return strategy().getArray("promises").stream()
                .map(BsonValue::asDocument)
                .filter(one -> one.getString("promise").getValue().equals(promise))
                .map(one -> one.getString("status").getValue())
                .findFirst()
                .orElseThrow();
    }

    boolean isUsable() {
        return strategy().getBoolean("usable").getValue();
    }

    private BsonDocument strategy() {
        return report().getArray("strategies").get(0).asDocument();
    }
}

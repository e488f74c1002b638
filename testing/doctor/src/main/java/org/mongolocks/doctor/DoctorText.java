package org.mongolocks.doctor;

import java.util.List;
import java.util.stream.Collectors;
import org.mongolocks.doctor.Diagnosis.Verdict;
import org.mongolocks.doctor.check.CheckResult;
import org.mongolocks.doctor.check.CheckResult.Status;
import org.mongolocks.doctor.check.Promise;

/** A diagnosis as text: the checks, then the strategies, then the advice. */
final class DoctorText {
    private static final int STATUS_WIDTH = 15;
    private static final int ID_WIDTH = 23;

    private final StringBuilder text = new StringBuilder();

    private DoctorText() {}

    static String of(Diagnosis diagnosis) {
        DoctorText report = new DoctorText();
        report.line("Checks of " + diagnosis.topology());
        diagnosis.findings().stream().map(DoctorText::row).distinct().forEach(report::line);
        report.line("");
        List<String> usable = diagnosis.usable();
        report.line("Usable strategies: " + (usable.isEmpty() ? "none" : String.join(", ", usable)));
        diagnosis.strategies().forEach(report::add);
        report.line("");
        report.add(diagnosis.advice());
        return report.text.toString();
    }

    private static String row(CheckResult finding) {
        return "  " + padded(finding.status().text(), STATUS_WIDTH) + padded(finding.id(), ID_WIDTH) + finding.seen();
    }

    private void add(Verdict verdict) {
        line("  " + verdict.strategy() + ": " + (verdict.isUsable() ? "usable" : "not usable"));
        verdict.promises().forEach((promise, against) -> add(verdict.of(promise), promise, against));
    }

    private void add(Status status, Promise promise, List<CheckResult> against) {
        String because = against.stream().map(CheckResult::id).distinct().collect(Collectors.joining(", "));
        line("    " + padded(word(status), STATUS_WIDTH) + promise.sentence()
                + (because.isEmpty() ? "" : " (" + because + ")"));
    }

    private static String word(Status status) {
        return switch (status) {
            case OK -> "holds";
            case WARNING -> "with a warning";
            case BROKEN -> "does not hold";
            case UNSEEN -> "not known";
        };
    }

    private void add(List<String> advice) {
        line(advice.isEmpty() ? "Nothing has to be done." : "What to do");
        for (int number = 0; number < advice.size(); number++) {
            line("  " + (number + 1) + ". " + advice.get(number));
        }
    }

    private void line(String line) {
        text.append(line.stripTrailing()).append('\n');
    }

    private static String padded(String word, int width) {
        return word + " ".repeat(Math.max(1, width - word.length()));
    }
}

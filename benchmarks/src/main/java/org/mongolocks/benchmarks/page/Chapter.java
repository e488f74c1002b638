package org.mongolocks.benchmarks.page;

import java.util.Arrays;
import java.util.Locale;

/** Is a part of the page: benchmarks that answer one question. */
enum Chapter {
    ALONE("Alone", "What a lock costs when nobody else wants it.", "B1 B2 B3"),
    CONTENTION("Contention", "What happens when many want one lock.", "B6"),
    HAND_OFF("Hand-off", "How soon a released lock goes to who waits for it.", "B5"),
    RECOVERY("Recovery", "How soon a lock comes free when its holder is gone.", "B9"),
    LOAD("Load", "Many locks, many who wait, and work that comes at its own pace.", "B7 B8 B11"),
    COST("Cost", "What a lock costs the client, the network and the replica set.", "B4 B10"),
    DURABILITY("Durability", "What waiting for the majority and the journal costs.", "B13"),
    MORE("More", "What else was measured.", "");

    private final String title;
    private final String question;
    private final String benchmarks;

    Chapter(String title, String question, String benchmarks) {
        this.title = title;
        this.question = question;
        this.benchmarks = " " + benchmarks + " ";
    }

    static Chapter of(Sheet sheet) {
        return Arrays.stream(values())
                .filter(chapter -> chapter.benchmarks.contains(" " + sheet.benchmark() + " "))
                .findFirst()
                .orElse(MORE);
    }

    String title() {
        return title;
    }

    String question() {
        return question;
    }

    String id() {
        return "chapter-" + title.toLowerCase(Locale.ROOT);
    }
}

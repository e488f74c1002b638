package org.mongolocks.study.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.mongolocks.study.check.Violation;
import org.mongolocks.study.example.EventDescription;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.matrix.Cell;
import org.mongolocks.study.matrix.Cell.Example;
import org.mongolocks.study.report.CellSection.Found;

/**
 * One picture of a cell. Each finding has its own shortest example; if several consist of the same events of the same
 * run, they share one picture.
 *
 * @param found the findings that it shows, the most severe first
 */
public record CellPicture(List<Found> found, List<Example> examples) {
    /** The properties by which examples share a picture. */
    private record Key(long seed, int first, int second, List<Event> events) {
        static Key of(Example example) {
            Violation violation = example.counterExample().violation();
            return new Key(
                    example.seed(),
                    violation.first(),
                    violation.second(),
                    example.counterExample().events());
        }
    }

    /** Returns the pictures of a cell, the most severe first. */
    static List<CellPicture> of(Cell cell) {
        Map<Key, List<Found>> together = Found.of(cell).stream()
                .filter(Found::isShown)
                .collect(Collectors.groupingBy(
                        found -> Key.of(cell.example(found.finding()).orElseThrow()),
                        LinkedHashMap::new,
                        Collectors.toList()));
        return together.values().stream()
                .map(found -> new CellPicture(
                        found,
                        found.stream()
                                .flatMap(one -> cell.example(one.finding()).stream())
                                .toList()))
                .toList();
    }

    /** Returns the seed of the run. */
    public long seed() {
        return examples.get(0).seed();
    }

    /** Returns a line for each event and command. */
    public List<EventDescription> lines() {
        return examples.get(0).counterExample().descriptions();
    }

    /** Returns the conflicts in words. */
    public String description() {
        return timeline().description();
    }

    /** Returns the data of the picture. */
    public String json() {
        return timeline().json();
    }

    Timeline timeline() {
        return new Timeline(
                examples.get(0).counterExample(),
                examples.stream()
                        .map(example -> example.counterExample().violation())
                        .toList());
    }
}

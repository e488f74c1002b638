package org.mongolocks.study.exhaustive;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.Document;
import org.mongolocks.reporting.Json;
import org.mongolocks.study.exhaustive.WorldState.Move;

/** The moves to a state in which something is wrong: as text, and as the picture that the pages of the study draw. */
public final class Example {
    private static final long NANOS = 1_000_000;
    /** The moves of one moment are drawn beside each other. */
    private static final long STEP = NANOS;

    private final SmallWorld world;
    private final String complaint;
    private final List<Move> moves;
    private final List<List<Integer>> holders;
    private final List<String> bands;

    Example(SmallWorld world, WorldState wrong) {
        this.world = world;
        this.complaint = Objects.requireNonNull(wrong.complaint());
        this.moves = Chain.all(wrong.trail());
        this.holders = Stream.concat(moves.stream().skip(1).map(Move::holders), Stream.of(wrong.holders()))
                .toList();
        this.bands = bands(world.clients());
    }

    private static List<String> bands(int clients) {
        List<String> bands =
                IntStream.range(0, clients).mapToObj(Example::nameOf).collect(Collectors.toCollection(ArrayList::new));
        bands.add((clients + 1) / 2, nameOf(Move.SERVER));
        return bands;
    }

    private static String nameOf(int client) {
        return client == Move.SERVER ? "server" : "client " + client;
    }

    /** Returns the world and what is wrong, in one line. */
    public String title() {
        return world.technique().name() + ", " + world.name() + ": " + complaint;
    }

    /** Returns a line for each move. */
    public List<String> lines() {
        return moves.stream()
                .map(each -> String.format(Locale.ROOT, "%7d ms  %s", each.millis(), each.what()))
                .toList();
    }

    String text() {
        return title() + "\n" + String.join("\n", lines());
    }

    /** Returns the data of the picture: a band for each client and for the server, with what each client believes. */
    public String json() {
        return Json.inline(new Document("processes", bands)
                .append(
                        "moments",
                        IntStream.range(0, moves.size()).mapToObj(this::at).toList())
                .append(
                        "bars",
                        IntStream.range(0, world.clients())
                                .boxed()
                                .flatMap(this::holds)
                                .toList())
                .append(
                        "messages",
                        IntStream.range(0, moves.size())
                                .boxed()
                                .flatMap(this::messages)
                                .toList())
                .append("commands", List.of())
                .append(
                        "events",
                        IntStream.range(0, moves.size()).mapToObj(this::event).toList())
                .append("conflicts", List.of(new Document("at", at(moves.size() - 1)).append("words", complaint))));
    }

    private Document band(int client) {
        return new Document("band", bands.indexOf(nameOf(client)));
    }

    private long at(int move) {
        return moves.get(move).millis() * NANOS + move * STEP;
    }

    private Stream<Document> holds(int client) {
        return IntStream.range(0, moves.size())
                .filter(move -> isHolder(client, move) && !isHolder(client, move - 1))
                .mapToObj(move -> {
                    Document bar = band(client)
                            .append("kind", "hold")
                            .append("whose", client == 0 ? "first" : "second")
                            .append("label", "holds")
                            .append("from", at(move));
                    IntStream.range(move, moves.size())
                            .filter(later -> !isHolder(client, later))
                            .findFirst()
                            .ifPresent(end -> bar.append("until", at(end)));
                    return bar;
                });
    }

    private boolean isHolder(int client, int move) {
        return move >= 0 && holders.get(move).contains(client);
    }

    private Stream<Document> messages(int move) {
        Move made = moves.get(move);
        boolean isExecuted = made.what().contains("executed");
        if (made.client() == Move.SERVER || (!isExecuted && !isFault(move))) {
            return Stream.of();
        }
        Document ask = band(made.client())
                .append("kind", "ask")
                .append("title", made.what())
                .append("sent", at(move) - STEP / 2);
        return Stream.of(isExecuted ? ask.append("arrived", at(move)) : ask);
    }

    private Document event(int move) {
        String number = Integer.toString(move);
        return band(moves.get(move).client())
                .append("at", at(move))
                .append("kind", isFault(move) ? "fault" : "answered")
                .append("label", number)
                .append("whole", number);
    }

    private boolean isFault(int move) {
        return move > 0 && moves.get(move).faultsLeft() < moves.get(move - 1).faultsLeft();
    }
}

package org.mongolocks.benchmarks.page;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Measurement;

/** The charts of a data set: one for each client, on the same scales, so that they can be compared. */
final class Panels {
    private final Cast cast;
    private final Sheet sheet;

    /** Creates the charts of measurements that are not void. */
    Panels(Cast cast, Sheet sheet) {
        this.cast = cast;
        this.sheet = sheet;
    }

    /** Returns the charts, with this prefix for their ids. */
    List<Tag> under(String id) {
        return Arrays.stream(Client.values())
                .filter(client -> of(client).findAny().isPresent())
                .map(client -> panel(id + "-" + client.id(), client))
                .toList();
    }

    private Tag panel(String id, Client client) {
        String title = Heading.of(sheet).title() + ", " + client.id() + " client";
        Picture picture = new Picture(id, title, description(client));
        List<Measurement> shown = of(client).toList();
        Tag svg = sheet.axis()
                .map(axis -> new LineSheet(cast, sheet, axis).chart(shown).in(picture))
                .orElseGet(() -> new RowSheet(cast, sheet).chart(shown).in(picture));
        return Tag.of("div", Tag.of("h4", client.id() + " client"), svg).with("class", "panel");
    }

    private Stream<Measurement> of(Client client) {
        return sheet.measurements().stream()
                .filter(one -> one.subject().client() == client)
                .sorted(cast.order());
    }

    private String description(Client client) {
        Comparator<Measurement> byValue =
                Comparator.comparingDouble(one -> one.value().value());
        String least = of(client).min(byValue).map(this::words).orElse("none");
        String most = of(client).max(byValue).map(this::words).orElse("none");
        return "Least: " + least + ". Most: " + most + ". The table beneath has every figure.";
    }

    private String words(Measurement one) {
        return cast.title(one.subject().contender()) + setting(one) + ", "
                + Quantity.of(one.value().value(), one.metric().unit());
    }

    private String setting(Measurement one) {
        String words = Settings.words(Settings.telling(one, sheet.measurements()));
        return words.isEmpty() ? "" : ", " + words;
    }
}

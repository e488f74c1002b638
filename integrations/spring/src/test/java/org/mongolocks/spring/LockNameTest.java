package org.mongolocks.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.text.Collator;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.util.ReflectionUtils;

/** Tests of the names that templates make of arguments: which values have a text, and what a template may say. */
@SuppressWarnings({"JavaUtilDate", "UnnecessaryStringBuilder", "FloatingPointLiteralPrecision"})
class LockNameTest {
    private static final UUID ID = new UUID(1, 2);

    /** The class of the bean. */
    static class Shop {
        private final AtomicInteger calls = new AtomicInteger();

        public String region() {
            return "eu";
        }

        public String join(String one, long other) {
            return one + "/" + other;
        }

        public String fail() {
            throw new UnsupportedOperationException();
        }

        public int count() {
            return calls.incrementAndGet();
        }

        void work(@Nullable Object key) {
            Objects.requireNonNull(key);
        }
    }

    /** An entity without a text of its own. */
    static final class Customer {
        private final String id;

        Customer(String id) {
            this.id = id;
        }

        public String getId() {
            return id;
        }

        public @Nullable Customer getParent() {
            return null;
        }

        public Set<String> getTags() {
            return new HashSet<>(List.of(id));
        }
    }

    /** An entity with a text, which may have anything in it. */
    static final class Described {
        @Override
        public String toString() {
            return "described";
        }
    }

    record Order(int id, @Nullable Customer customer) {}

    record Key(UUID id, List<String> parts) {}

    record Tagged(Set<String> tags) {}

    /** A record whose text is not that of its components. */
    record Overridden(int id) {
        @Override
        public String toString() {
            return "overridden";
        }
    }

    enum Status {
        OPEN {
            @Override
            public String toString() {
                return "is open";
            }
        }
    }

    /** A date whose text depends on the time zone, as that of java.sql. */
    static final class LocalDay extends Date {
        private static final long serialVersionUID = 1L;

        LocalDay(long time) {
            super(time);
        }
    }

    /** A set whose methods the application declares. */
    static final class Orders extends LinkedHashSet<Order> {
        private static final long serialVersionUID = 1L;

        @Override
        public Iterator<Order> iterator() {
            return super.iterator();
        }

        @Override
        public Object[] toArray() {
            return super.toArray();
        }
    }

    private static final Shop SHOP = new Shop();

    private static LockNameTemplate parse(String template) {
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
        beans.registerSingleton("shop", SHOP);
        beans.registerSingleton("my.shop", SHOP);
        return LockNameTemplate.parse(
                template, Objects.requireNonNull(ReflectionUtils.findMethod(Shop.class, "work", Object.class)), beans);
    }

    private static String name(String template, @Nullable Object key) {
        return parse(template).evaluate(SHOP, new Object[] {key}).value();
    }

    private static Order order(int id) {
        return new Order(id, new Customer("c" + id));
    }

    private static NavigableSet<String> sorted(NavigableSet<String> set) {
        set.addAll(List.of("a", "bb"));
        return set;
    }

    static Stream<Arguments> withoutOrder() {
        Set<Order> orders = new HashSet<>(List.of(order(1), order(2)));
        Map<String, Integer> map = Map.of("a", 1, "b", 2);
        Orders own = new Orders();
        own.add(order(1));
        return Stream.of(
                Arguments.of("orders-#{#key.![id]}", orders),
                Arguments.of("#{#key.^[id > 0].id}", orders),
                Arguments.of("#{#key.$[true].id}", orders),
                Arguments.of("#{'x' + #key.![id]}", orders),
                Arguments.of("#{#key[0].id}", orders),
                Arguments.of("#{#key.toString()}", orders),
                Arguments.of("#{#key.iterator().next().id}", orders),
                Arguments.of("#{#key.toArray().![id]}", own),
                Arguments.of("#{#key.stream().toList().![id]}", orders),
                Arguments.of("#{#key.getFirst().id}", own),
                Arguments.of("#{#key.values()}", map),
                Arguments.of("#{#key.entrySet().![key]}", map),
                Arguments.of("#{#key.![key]}", map),
                Arguments.of("#{#key}", map),
                Arguments.of("#{#key}", new LinkedHashMap<>(map)),
                Arguments.of("#{#key}", Set.of("a", "b")),
                Arguments.of("#{#key}", new PriorityQueue<>(List.of("a", "b"))),
                Arguments.of("#{#key}", new TreeMap<>(map).values()),
                Arguments.of("#{#key}", Collections.unmodifiableCollection(List.of("a", "b"))),
                Arguments.of("#{#key}", sorted(new TreeSet<>(Comparator.comparing(System::identityHashCode)))),
                Arguments.of("#{#key.![#this]}", sorted(new TreeSet<>(Collator.getInstance()))),
                Arguments.of("#{#key[0]}", sorted(new TreeSet<>(Comparator.comparing(String::length)))),
                Arguments.of("#{#key}", sorted(new ConcurrentSkipListSet<>(Comparator.comparing(String::length)))),
                Arguments.of(
                        "#{#key}",
                        sorted(new TreeSet<>(Comparator.comparing(String::length)))
                                .descendingSet()),
                Arguments.of("#{#key}", new TreeMap<>(Comparator.comparing(String::length))),
                Arguments.of("#{#key}", new Tagged(Set.of("a", "b"))),
                Arguments.of("#{#key}", List.of(Set.of("a", "b"))),
                Arguments.of("#{#key}", new Object[] {Set.of("a", "b")}),
                Arguments.of("#{#key}", Optional.of(Set.of("a", "b"))),
                Arguments.of("#{#key.tags}", new Customer("a")),
                Arguments.of("#{#key ?: 'none'}", orders),
                Arguments.of("#{'x'.concat(#key)}", orders),
                Arguments.of("#{@shop.join(#key, 1)}", orders),
                Arguments.of("#{join(#key.![id].toString(), 1)}", orders));
    }

    @ParameterizedTest
    @MethodSource("withoutOrder")
    @Tag("finds:lock-name-without-order")
    void valueWithoutADefinedOrderIsRefused(String template, Object key) {
        LockNameTemplate parsed = parse(template);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> parsed.evaluate(SHOP, new Object[] {key}))
                .withMessageContaining("#key");
    }

    @Test
    @Tag("finds:lock-name-without-order")
    void refusalNamesThePartAndSaysWhatToPass() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> name("orders-#{#key.![id]}", Set.of(order(1))))
                .withMessageContaining("Shop.work(java.lang.Object)")
                .withMessageContaining("#{#key.![id]}: #key is of class")
                .withMessageContaining("pass a List in a defined order, or a TreeSet");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> name("#{#key.customer + '_' + #key.id}", order(1)))
                .withMessageContaining(": #key.customer is of class")
                .withMessageContaining("write #key.customer.id");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> name("#{#key}", List.of(new Customer("a"))))
                .withMessageContaining("an element of #key")
                .withMessageContaining("write #key.![id]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> name("#{#key}", null))
                .withMessageContaining("#key is null: write #key ?: 'none'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> name("#{#key.values()}", Map.of()))
                .withMessageContaining("#key is of class")
                .withMessageContaining("whose values may differ between processes; a name may read [containsKey, get,");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> name("#{#key.hours}", new LocalDay(0)))
                .withMessageContaining("whose hours may differ between processes");
    }

    static Stream<Arguments> withoutText() {
        return Stream.<@Nullable Object>of(
                        new Customer("a"),
                        new Described(),
                        new Order(1, new Customer("a")),
                        new Order(1, null),
                        Arrays.asList("a", null),
                        Collections.singletonMap("a", null),
                        Optional.empty(),
                        new StringBuilder("a"),
                        Map.entry("a", 1),
                        Path.of("a", "b"),
                        Thread.currentThread(),
                        Stream.of(1),
                        new LocalDay(0),
                        new AtomicLong(1),
                        Locale.ROOT,
                        Double.NaN,
                        Float.POSITIVE_INFINITY)
                .map(value -> Arguments.of(value));
    }

    @ParameterizedTest
    @MethodSource("withoutText")
    @Tag("finds:lock-name-of-an-operand")
    @Tag("finds:lock-name-of-an-identity")
    @Tag("finds:lock-name-null-part")
    void valueWithoutATextIsRefusedWhereverItEnters(@Nullable Object key) {
        for (String template : List.of(
                "#{#key}",
                "#{#key + '_'}",
                "#{#key + '.' + 1}",
                "#{'x' + #key}",
                "#{('x' + #key).strip()}",
                "#{'x'.concat(#key)}",
                "#{'x'.replace('x', #key)}",
                "#{join(#key, 1)}",
                "#{@shop.join(#key, 1)}",
                "#{#root.join('x' + #key, 1)}",
                "#{#key.toString()}",
                "#{#key == 'a' ? 1 : 2}",
                "#{true ? #key : 1}")) {
            assertThatIllegalArgumentException()
                    .as(template)
                    .isThrownBy(() -> name(template, key))
                    .withMessageContaining("#key");
        }
    }

    static Stream<Arguments> texts() {
        return Stream.of(
                Arguments.of("John.Smith@cafe", "John.Smith@cafe"),
                Arguments.of("null", "null"),
                Arguments.of("#{T(x)}", "#{T(x)}"),
                Arguments.of(7, "7"),
                Arguments.of('c', "c"),
                Arguments.of(true, "true"),
                Arguments.of(new BigInteger("100"), "100"),
                Arguments.of(new BigDecimal("1.50"), "1.5"),
                Arguments.of(new BigDecimal("1E+2"), "100"),
                Arguments.of(new BigDecimal("1E+999999999"), "1E+999999999"),
                Arguments.of(1.0, "1"),
                Arguments.of(-0.0, "0"),
                Arguments.of(0.1, "0.1"),
                // Before JDK 19 Double.toString has other digits.
                Arguments.of(2e23, "200000000000000000000000"),
                Arguments.of(2.0e-3f, "0.002"),
                Arguments.of(Double.MIN_VALUE, "5E-324"),
                Arguments.of(Double.MAX_VALUE, "1.7976931348623157E+308"),
                Arguments.of(16777216f, "16777216"),
                Arguments.of(ID, ID.toString()),
                Arguments.of(Status.OPEN, "OPEN"),
                Arguments.of(Instant.EPOCH, "1970-01-01T00:00:00Z"),
                Arguments.of(new Date(0), "1970-01-01T00:00:00Z"),
                Arguments.of(LocalDate.EPOCH, "1970-01-01"),
                Arguments.of(OffsetDateTime.parse("2026-01-31T08:00+02:00"), "2026-01-31T08:00+02:00"),
                Arguments.of(ZoneId.of("Europe/Berlin"), "Europe/Berlin"),
                Arguments.of(new ObjectId("65b9f0a0c0ffee0123456789"), "65b9f0a0c0ffee0123456789"),
                Arguments.of(List.of("a", 1), "[a, 1]"),
                Arguments.of(new String[] {"a", "b"}, "[a, b]"),
                Arguments.of(new byte[] {1, -1}, "[1, -1]"),
                Arguments.of(new int[][] {{1}, {2, 3}}, "[[1], [2, 3]]"),
                Arguments.of(new TreeSet<>(Set.of("b", "a")), "[a, b]"),
                Arguments.of(sorted(new TreeSet<>(Comparator.<String>naturalOrder())), "[a, bb]"),
                Arguments.of(sorted(new TreeSet<>(Comparator.<String>reverseOrder())), "[bb, a]"),
                Arguments.of(sorted(new TreeSet<>(String.CASE_INSENSITIVE_ORDER)), "[a, bb]"),
                Arguments.of(EnumSet.of(DayOfWeek.TUESDAY, DayOfWeek.MONDAY), "[MONDAY, TUESDAY]"),
                Arguments.of(new TreeMap<>(Map.of("b", 2.0, "a", 1.5)), "{a=1.5, b=2}"),
                Arguments.of(new EnumMap<>(Map.of(Status.OPEN, new Date(0))), "{OPEN=1970-01-01T00:00:00Z}"),
                Arguments.of(new Key(ID, List.of("a", "b")), "Key[id=" + ID + ", parts=[a, b]]"),
                Arguments.of(List.of(new Overridden(1)), "[Overridden[id=1]]"),
                Arguments.of(Optional.of(List.of(Optional.of(1))), "[1]"));
    }

    @ParameterizedTest
    @MethodSource("texts")
    @Tag("finds:lock-name-of-an-operand")
    void valueHasOneTextWhereverItEnters(Object key, String text) {
        assertThat(name("#{#key}", key)).isEqualTo(text);
        assertThat(name("a-#{'b' + #key}-c", key)).isEqualTo("a-b" + text + "-c");
        assertThat(name("#{'b'.concat(#key)}", key)).isEqualTo("b" + text);
        assertThat(name("#{#key.toString()}", key)).isEqualTo(text);
        assertThat(name("#{join(#key, 1)}", key)).isEqualTo(text + "/1");
    }

    @Test
    void textDependsNeitherOnTheLocaleNorOnTheTimeZone() {
        Locale locale = Locale.getDefault();
        TimeZone zone = TimeZone.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("tr-TR"));
            TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));

            texts().forEach(value -> assertThat(name("#{#key}", value.get()[0])).isEqualTo(value.get()[1]));
            assertThat(name("#{#key.toLowerCase()}#{#key.toUpperCase()}", "Ii")).isEqualTo("iiII");
            assertThatIllegalArgumentException().isThrownBy(() -> name("#{'%d'.formatted(#key)}", 1));
            assertThatIllegalArgumentException().isThrownBy(() -> name("#{#key.hours}", new Date(0)));
            assertThatIllegalArgumentException().isThrownBy(() -> name("#{#key.now}", LocalDate.EPOCH));
            assertThatIllegalArgumentException().isThrownBy(() -> name("#{#key.now()}", LocalDate.EPOCH));
            assertThatIllegalArgumentException().isThrownBy(() -> name("#{#key.bytes}", "a"));
        } finally {
            Locale.setDefault(locale);
            TimeZone.setDefault(zone);
        }
    }

    static Stream<Arguments> templates() {
        return Stream.of(
                Arguments.of("order-#{#key.id}-#{#key.customer.id}", order(1), "order-1-c1"),
                Arguments.of("#{#a0['id']}#{#key.id()}#{#p0.customer().getId()}", order(1), null),
                Arguments.of("#{#key.![id]}", List.of(order(2), order(1)), "[2, 1]"),
                Arguments.of("#{#key.?[id > 1].![customer.id]}", List.of(order(2), order(1)), "[c2]"),
                Arguments.of("#{#key.^[true].id}#{#key.$[#this.id != 9]?.id}", List.of(order(2), order(1)), "21"),
                Arguments.of("#{#key?.?[id > 1]?.![id + 1]}", List.of(order(2)), "[3]"),
                Arguments.of("#{#key.![#root.join(customer.id, id)]}", List.of(order(2)), "[c2/2]"),
                Arguments.of("#{#key.![^[true].id]}", List.of(List.of(order(2))), "[2]"),
                Arguments.of("#{#key[1]}#{#key[0].id}", List.of(order(2), 3), "32"),
                Arguments.of("#{#key['a'][0]}#{#key[a].length}", Map.of("a", new int[] {4}), "41"),
                Arguments.of("#{#key['a'][0]}#{#key[a][0]}#{#key.get('a')}", Map.of("a", new int[] {4}), "44[4]"),
                Arguments.of("#{#key.size()}#{#key.isEmpty()}#{#key.contains('a')}", Set.of("a"), "1falsetrue"),
                Arguments.of("#{region()}-#{#root.region}-#{#this.region()}", 1, "eu-eu-eu"),
                Arguments.of("#{@shop.join(#key, #key)}#{@'my.shop'.region}", 1, "1/1eu"),
                Arguments.of("#{#key + 1}#{#key + 'x' + 1}#{1 + #key % 4 * 2 - 1}#{-#key}", 7, "87x16-7"),
                Arguments.of("#{#key?.id}#{#key?.customer?.parent?.id ?: 'none'}", order(1), "1none"),
                Arguments.of("#{#key == null ? 'none' : #key.id}", order(1), "1"),
                Arguments.of("#{#key.customer == null ? 'none' : #key.id}", new Order(1, null), "none"),
                Arguments.of("#{#key ?: 'none'}", null, "none"),
                Arguments.of("#{#key?.id ?: 'none'}", Optional.of(order(3)), "3"),
                Arguments.of("#{#key == 'a' ? (#key != 'b' ? 1 : 2) : 3}", "a", "1"),
                Arguments.of("#{#key.substring(#key.indexOf('-') + 2).trim()}", "a-bc ", "c"),
                Arguments.of("#{#key.toLowerCase}#{#key.toUpperCase()}", "Ab", "abAB"),
                Arguments.of("#{#key.toLowercase()}", "Ab", null),
                Arguments.of("#{#key.toLowerCase('tr')}", "Ab", null),
                Arguments.of("#{#key.CASE_INSENSITIVE_ORDER.toString()}", "Ab", null),
                Arguments.of("#{#key.EPOCH}", Instant.EPOCH, null),
                Arguments.of("#{#key.idd}", order(1), null),
                Arguments.of("#{#key.split('-')[1]}", "a-b", null),
                Arguments.of("#{fail()}", 1, null),
                Arguments.of("#{@none.region()}", 1, null),
                Arguments.of("#{#key.repeat(-1)}", "a", null),
                Arguments.of("#{1 / #key}", 0, null),
                Arguments.of("#{#key + 'x'}", "x".repeat(5000), null),
                Arguments.of("#{#key}", "", null),
                Arguments.of("#{#key}", "\ud800", null),
                Arguments.of("#{#key.name()}#{#key.ordinal()}#{#key.name}", Status.OPEN, "OPEN0OPEN"),
                Arguments.of(
                        "#{#key.year}-#{#key.getMonthValue()}-#{#key.plusDays(1).dayOfWeek}",
                        LocalDate.EPOCH,
                        "1970-1-FRIDAY"),
                Arguments.of("#{'#'}-#{'it''s'}-#{1.5}-#{true}", 1, "#-it's-1.5-true"));
    }

    @ParameterizedTest
    @MethodSource("templates")
    void templateIsEvaluated(String template, @Nullable Object key, @Nullable String expected) {
        if (expected == null) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> name(template, key))
                    .withMessageContaining(
                            "Shop.work(java.lang.Object): " + template.substring(0, template.indexOf('}')));
        } else {
            assertThat(name(template, key)).isEqualTo(expected);
        }
    }

    @Test
    void classesOfArgumentsMayDifferFromCallToCall() {
        LockNameTemplate template = parse("#{#key?.id}-#{join('a', 1)}");

        assertThat(template.evaluate(SHOP, new Object[] {order(1)}).value()).isEqualTo("1-a/1");
        assertThat(template.evaluate(SHOP, new Object[] {new Customer("b")}).value())
                .isEqualTo("b-a/1");
        assertThat(template.evaluate(SHOP, new Object[] {new Key(ID, List.of())})
                        .value())
                .isEqualTo(ID + "-a/1");
        assertThatIllegalArgumentException().isThrownBy(() -> template.evaluate(SHOP, new Object[] {new Object()}));
    }

    @Test
    void nameIsEvaluatedOnce() {
        int before = SHOP.calls.get();

        assertThat(name("#{@shop.count()}#{'x' + count()}", 1)).isEqualTo((before + 1) + "x" + (before + 2));

        assertThat(SHOP.calls).hasValue(before + 2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#{T(String).join(',', #key)}",
                "#{new java.util.ArrayList(#key)}",
                "#{#key = 1}",
                "#{#key.id++}",
                "#{{#key, 1}}",
                "#{{a: #key}}",
                "#{#key matches 'a'}",
                "#{#key instanceof T(String)}",
                "#{#key between {1, 2}}",
                "#{#key ^ 2}",
                "#{#key == 1 or true}",
                "#{#unknown(1)}",
                "#{#key.class.name}",
                "#{#key.hashCode()}",
                "#{#key.![hashCode()]}",
                "#{#key.toString}",
                "#{'a' + #key.?[toString == 'a']}",
                "#{join(#key.class, 1)}",
                "#{true ? 1 : #key.class}"
            })
    void expressionOutsideOfTheLanguageIsRefusedAtTheStart(String template) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse(template))
                .withMessageContaining("name must not have")
                .withMessageContaining("It may have properties");
    }
}

package org.mongolocks.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.contract.adapter.EmbeddedScene.TTL;
import static org.mongolocks.contract.adapter.EmbeddedScene.soon;

import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.leader.reactive.ReactiveLeaderElection;
import org.mongolocks.leader.sync.Candidacy;
import org.mongolocks.leader.sync.LeaderElection;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/** Code of an application runs with the context class loader of its caller, and reactive code in its subscriber's context. */
class CallersContextTest {
    private static final String KEY = "a key";
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final List<Class<?>> API =
            List.of(LeaderElection.class, LeaderElection.Builder.class, ReactiveLeaderElection.class);

    private final ElectionScene scene = new ElectionScene();
    private final ClassLoader callers = new URLClassLoader("the caller's", new URL[0], null);
    private final ClassLoader others = new URLClassLoader("of an executor", new URL[0], null);
    private final ExecutorService executor = Executors.newSingleThreadExecutor(work -> {
        Thread thread = new Thread(work, "application");
        thread.setContextClassLoader(others);
        return thread;
    });
    private final List<ClassLoader> seen = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() throws Exception {
        Thread.currentThread().setContextClassLoader(getClass().getClassLoader());
        scene.close();
        executor.shutdownNow();
    }

    /**
     * A call that takes code of the application.
     *
     * @param calls how often that code is called in one term
     * @param start passes code that sees its class loader, and returns what ends the candidacy
     */
    private record Entry(String method, int calls, Start start) {
        @Override
        public String toString() {
            return method;
        }
    }

    @FunctionalInterface
    private interface Start {
        Runnable with(CallersContextTest test) throws Exception;
    }

    private static Stream<Entry> entries() {
        return Stream.of(
                new Entry("LeaderElection.lead(Candidate, LeaderWork)", 2, test -> {
                    Candidacy candidacy = test.election().lead(test.scene.candidate, term -> {
                        test.see();
                        Thread started = new Thread(test::see, "started by the work");
                        started.start();
                        started.join();
                    });
                    return candidacy::close;
                }),
                new Entry("LeaderElection.lead(Candidate, LeaderWork, Consumer)", 3, test -> {
                    Candidacy candidacy =
                            test.election().lead(test.scene.candidate, term -> test.see(), event -> test.see());
                    return candidacy::close;
                }),
                new Entry("LeaderElection.start(Candidate, Consumer)", 2, test -> {
                    Candidacy candidacy = test.election().start(test.scene.candidate, event -> test.see());
                    return candidacy::close;
                }),
                new Entry("LeaderElection.start(Candidate, Consumer)", 2, test -> {
                    LeaderElection election = test.election(test.builder().listenerExecutor(test.executor));
                    Candidacy candidacy = election.start(test.scene.candidate, event -> test.see());
                    return candidacy::close;
                }),
                new Entry("Builder.listenerExecutor(Executor)", 2, test -> {
                    LeaderElection election = test.election(test.builder().listenerExecutor(task -> {
                        test.see();
                        task.run();
                    }));
                    Candidacy candidacy = election.start(test.scene.candidate, event -> {});
                    return candidacy::close;
                }),
                new Entry("ReactiveLeaderElection.events(Candidate)", 3, test -> {
                    ReactiveLeaderElection election = test.reactiveElection();
                    Disposable candidacy = election.events(test.scene.candidate.once())
                            .doOnComplete(test::see)
                            .subscribe(event -> {
                                test.see();
                                if (event instanceof LeaderEvent.Elected elected) {
                                    elected.term().resign();
                                }
                            });
                    return () -> test.end(election, candidacy);
                }),
                new Entry("ReactiveLeaderElection.lead(Candidate, Function)", 4, test -> {
                    ReactiveLeaderElection election = test.reactiveElection();
                    Disposable candidacy = election.lead(test.scene.candidate.once(), term -> {
                                test.see();
                                return Mono.never()
                                        .doOnSubscribe(subscription -> test.see())
                                        .doOnCancel(test::see)
                                        .doOnRequest(n -> term.resign());
                            })
                            .doOnTerminate(test::see)
                            .subscribe();
                    return () -> test.end(election, candidacy);
                }));
    }

    @ParameterizedTest
    @MethodSource("entries")
    @Tag("finds:leader-class-loader")
    void codeRunsWithTheClassLoaderOfItsCaller(Entry entry) throws Exception {
        Thread.currentThread().setContextClassLoader(callers);
        Runnable end = entry.start().with(this);
        Thread.currentThread().setContextClassLoader(others);
        if (!entry.method().contains("Consumer") && !entry.method().contains("Executor")) {
            soon("the code runs", () -> seen.size() >= entry.calls());
        } else {
            soon("all but the revocation has come", () -> seen.size() >= entry.calls() - 1);
        }
        end.run();
        soon("the code has run", () -> seen.size() >= entry.calls());

        assertThat(seen).allMatch(callers::equals);
        assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(others);
    }

    /** The threads of an executor keep their own. */
    @Test
    void executorsThreadHasItsOwnClassLoaderAfterAListener() throws Exception {
        LeaderElection election = election(builder().listenerExecutor(executor));
        election.start(scene.candidate, event -> {
            see();
            Thread.currentThread().setContextClassLoader(null);
        });
        soon("it leads", () -> !seen.isEmpty());

        assertThat(executor.submit(() -> Thread.currentThread().getContextClassLoader())
                        .get())
                .isSameAs(others);
    }

    /** The caller of lead passes the work; another one may subscribe. */
    @Test
    void reactiveWorkHasTheClassLoaderOfTheCallOfLead() throws Exception {
        ReactiveLeaderElection election = reactiveElection();
        Thread.currentThread().setContextClassLoader(callers);
        Mono<Void> candidacies = election.lead(scene.candidate, term -> {
            see();
            return Mono.never();
        });
        Thread.currentThread().setContextClassLoader(others);

        Disposable candidacy = candidacies.subscribe();
        soon("the work has begun", () -> !seen.isEmpty());

        assertThat(seen).containsExactly(callers);
        end(election, candidacy);
    }

    @Test
    void everyCallThatTakesCodeIsTried() {
        List<String> tried = entries().map(Entry::method).toList();

        List<String> all = API.stream()
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(method -> java.lang.reflect.Modifier.isPublic(method.getModifiers()))
                .filter(method -> Arrays.stream(method.getParameterTypes()).anyMatch(Class::isInterface)
                        || method.getReturnType().equals(Flux.class))
                .map(CallersContextTest::signature)
                .toList();

        assertThat(tried).containsAll(all);
    }

    private static String signature(Method method) {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName()
                + Arrays.stream(method.getParameterTypes())
                        .map(Class::getSimpleName)
                        .collect(Collectors.joining(", ", "(", ")"));
    }

    @Test
    @Tag("finds:leader-reactor-context")
    void reactiveWorkSeesTheContextOfItsSubscriber() throws Exception {
        List<String> values = new CopyOnWriteArrayList<>();
        ReactiveLeaderElection election = reactiveElection();

        election.lead(
                        scene.candidate.once(),
                        term -> Flux.deferContextual(context -> Flux.just(context.getOrDefault(KEY, "missing")))
                                .doOnNext(values::add))
                .contextWrite(Context.of(KEY, "a value"))
                .block(SOON);

        assertThat(values).containsExactly("a value");
    }

    /** A subscriber for each: no value of one is seen by the work of another. */
    @Test
    void eachSubscriptionHasItsOwnContext() throws Exception {
        List<String> values = new CopyOnWriteArrayList<>();
        ReactiveLeaderElection election = reactiveElection();
        Mono<Void> candidacies = election.lead(
                scene.candidate.once(),
                term -> Mono.deferContextual(
                        context -> Mono.fromRunnable(() -> values.add(context.getOrDefault(KEY, "missing")))));

        candidacies.contextWrite(Context.of(KEY, "first")).block(SOON);
        candidacies.contextWrite(Context.of(KEY, "second")).block(SOON);
        candidacies.block(SOON);

        assertThat(values).containsExactly("first", "second", "missing");
    }

    private void see() {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        seen.add(loader == null ? ClassLoader.getPlatformClassLoader() : loader);
    }

    private LeaderElection.Builder builder() throws InterruptedException {
        return LeaderElection.builder(scene.client());
    }

    private LeaderElection election() throws InterruptedException {
        return election(builder());
    }

    private LeaderElection election(LeaderElection.Builder builder) {
        return scene.election(builder);
    }

    private ReactiveLeaderElection reactiveElection() {
        return scene.reactiveElection(scene.reactiveClient());
    }

    private void end(ReactiveLeaderElection election, Disposable candidacy) {
        candidacy.dispose();
        election.closeLater(TTL).block(SOON);
    }
}

package org.mongolocks.example.data;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;
import reactor.core.publisher.Mono;

/** Compiles the first example of each page with the imports that it shows. */
class PageExamplesTest {
    private static final Pattern EXAMPLE = Pattern.compile("^```java\\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern IMPORTS = Pattern.compile("(?:(?:import .*;)?\\n)+");

    @TempDir
    private Path classes;

    /** What the examples expect of the application. */
    @SuppressWarnings("unused")
    abstract static class Application {
        @Nullable
        MongoClient mongo;

        @Nullable
        LockClient locks;

        @Nullable
        HeldLock lock;

        @Nullable
        MongoCollection<Document> collection;

        @Nullable
        MongoCollection<Document> invoices;

        @Nullable
        MeterRegistry registry;

        void book(Object account, long token) {}

        void book(Object account, int amount, long token) {}

        void bill(int number, long token) {}

        void billAll(long token) {}

        void print(long token) {}

        void runReports(long token) {}
    }

    /** The same on the reactive driver. */
    @SuppressWarnings("unused")
    abstract static class ReactiveApplication {
        com.mongodb.reactivestreams.client.@Nullable MongoClient mongo;

        Mono<Void> bill(long token) {
            return Mono.empty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "README.md",
                "docs/data-safety.md",
                "docs/holding-and-waiting.md",
                "docs/operations.md",
                "docs/several-locks.md",
                "integrations/leader-election/README.md",
                "integrations/micrometer/README.md",
                "integrations/shedlock-provider/README.md",
                "integrations/spring/README.md",
                "integrations/spring-boot-starter/README.md",
                "integrations/spring-integration/README.md"
            })
    @Tag("finds:page-imports")
    void firstExampleCompilesWithItsImports(String page) throws IOException {
        assertThat(errorsOf(example(page, 0), Application.class)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource("README.md, 1")
    void laterExampleCompilesWithItsImports(String page, int index) throws IOException {
        assertThat(errorsOf(example(page, index), Application.class)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource("README.md, 2")
    void reactiveExampleCompilesWithItsImports(String page, int index) throws IOException {
        assertThat(errorsOf(example(page, index), ReactiveApplication.class)).isEmpty();
    }

    private static String example(String page, int index) throws IOException {
        return EXAMPLE.matcher(Files.readString(Path.of("..", "..", page)))
                .results()
                .skip(index)
                .findFirst()
                .orElseThrow()
                .group(1);
    }

    /** Statements become the body of a method, and a method the member of a class. */
    private String errorsOf(String example, Class<?> application) {
        Matcher imports = IMPORTS.matcher(example);
        assertThat(imports.lookingAt()).as("begins with imports: " + example).isTrue();
        String code = example.substring(imports.end());
        if (!code.contains("\nclass ")) {
            String member = code.startsWith("@") ? code : "void run() throws Exception {" + code + "}";
            code = "class Example extends " + application.getCanonicalName() + " {" + member + "}";
        }
        return compile("package " + getClass().getPackageName() + ";" + imports.group() + code);
    }

    private String compile(String source) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter errors = new StringWriter();
        JavaFileObject file =
                new SimpleJavaFileObject(URI.create("string:///Example.java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return source;
                    }
                };
        List<String> options = List.of(
                "-proc:none", "-nowarn", "-cp", System.getProperty("java.class.path"), "-d", classes.toString());
        compiler.getTask(errors, null, null, options, null, List.of(file)).call();
        return errors.toString();
    }
}

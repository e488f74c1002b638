package org.mongolocks.spring;

import java.io.InputStream;
import java.io.Reader;
import java.lang.reflect.Method;
import java.nio.channels.Channel;
import java.nio.file.DirectoryStream;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.Spliterator;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.BaseStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.core.io.InputStreamSource;

/** How the work of a method under {@link Locked} ends, by its return type. */
enum MethodKind {
    /** The work ends with the return. */
    BLOCKING("org.mongolocks.sync.LockClient"),
    /** The work ends with the stage. */
    STAGE("org.mongolocks.sync.LockClient"),
    /** The work ends with the publisher of one element. */
    MONO("org.mongolocks.reactive.ReactiveLockClient"),
    /** The work ends with the publisher of any number of elements. */
    FLUX("org.mongolocks.reactive.ReactiveLockClient");

    /** Results that are made, or read, after the return. */
    private static final List<Class<?>> UNFINISHED = List.of(
            Future.class,
            CompletionStage.class,
            BaseStream.class,
            Iterator.class,
            Spliterator.class,
            Enumeration.class,
            Callable.class,
            Supplier.class,
            Runnable.class,
            InputStream.class,
            InputStreamSource.class,
            Reader.class,
            Channel.class,
            DirectoryStream.class,
            Flow.Publisher.class);

    /** Such results of libraries that an application may not have. */
    private static final Set<String> UNFINISHED_OF_LIBRARIES = Set.of(
            "com.mongodb.client.MongoIterable",
            "com.mongodb.client.MongoCursor",
            "java.sql.ResultSet",
            "kotlin.Lazy",
            "kotlin.sequences.Sequence",
            "kotlinx.coroutines.Job",
            "kotlinx.coroutines.channels.ReceiveChannel",
            "kotlinx.coroutines.flow.Flow",
            "org.reactivestreams.Publisher",
            "org.springframework.web.context.request.async.DeferredResult",
            "org.springframework.web.context.request.async.WebAsyncTask",
            "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
            "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

    private final String clientType;

    MethodKind(String clientType) {
        this.clientType = clientType;
    }

    /** Returns the name of the class of the client that such methods need. */
    String clientType() {
        return clientType;
    }

    /**
     * Returns the kind of a method.
     *
     * @throws IllegalArgumentException if its work would go on after the release of the lock
     */
    static MethodKind of(Method method, Class<?> type) {
        ResolvableType result = ResolvableType.forMethodReturnType(method, type);
        MethodKind kind = of(result.toClass());
        Class<?>[] parameters = method.getParameterTypes();
        if (parameters.length > 0
                && parameters[parameters.length - 1].getName().equals("kotlin.coroutines.Continuation")) {
            throw unsupported("suspend functions");
        }
        requireFinished(kind == BLOCKING ? result : result.getGeneric(0));
        return kind;
    }

    private static MethodKind of(Class<?> result) {
        if (result == CompletionStage.class || result == CompletableFuture.class) {
            return STAGE;
        }
        return switch (result.getName()) {
            case "reactor.core.publisher.Mono" -> MONO;
            case "reactor.core.publisher.Flux", "org.reactivestreams.Publisher" -> FLUX;
            default -> BLOCKING;
        };
    }

    /** Looks into containers too, as an {@code Optional<Stream>} or a {@code ResponseEntity} of a streamed body. */
    private static void requireFinished(ResolvableType result) {
        Class<?> type = result.toClass();
        if (type.isArray()) {
            requireFinished(result.getComponentType());
        }
        if (isUnfinished(type)) {
            throw unsupported(type.toString());
        }
        for (ResolvableType generic : result.getGenerics()) {
            requireFinished(generic);
        }
    }

    private static boolean isUnfinished(Class<?> type) {
        return type != Object.class
                && (UNFINISHED.stream().anyMatch(unfinished -> unfinished.isAssignableFrom(type))
                        || isUnfinishedOfLibrary(type)
                        || ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null);
    }

    private static boolean isUnfinishedOfLibrary(@Nullable Class<?> type) {
        return type != null
                && (UNFINISHED_OF_LIBRARIES.contains(type.getName())
                        || isUnfinishedOfLibrary(type.getSuperclass())
                        || Stream.of(type.getInterfaces()).anyMatch(MethodKind::isUnfinishedOfLibrary));
    }

    private static IllegalArgumentException unsupported(String result) {
        return new IllegalArgumentException("work that goes on after the return is supported for CompletionStage,"
                + " CompletableFuture, Mono, Flux and Publisher, not for " + result
                + ": it would outlast the lock. Return what it yields, for example a List");
    }
}

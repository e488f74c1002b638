package org.mongolocks.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * Runs a method of a Spring bean under a lock. {@link EnableLocked} switches it on.
 *
 * <pre>{@code
 * @Locked(name = "invoice-#{#id}", ttl = "30s")
 * public void bill(long id) {
 *     long token = CurrentLock.get().fencingToken();
 *     ...
 * }
 * }</pre>
 *
 * <p>The method's return type decides how long the lock is held, and which client acquires it:
 *
 * <ul>
 *   <li><b>{@code CompletionStage}, {@code CompletableFuture}</b>: a {@code LockClient}, until the stage has completed.
 *       The caller's thread acquires the lock before the method is called; whatever fails before the call is reported
 *       by the stage, never thrown. After a loss the returned stage fails with
 *       {@link org.mongolocks.LockLostException}, and the method's stage is cancelled. It is also cancelled when the
 *       returned stage ends before it, by {@code cancel}, {@code orTimeout}, {@code complete} or otherwise; the lock is
 *       released when the method's stage has completed.
 *   <li><b>{@code Mono}, {@code Flux}, {@code Publisher}</b>: a {@code ReactiveLockClient}, for each subscription,
 *       until the publisher has ended or was cancelled. Nothing happens before a subscription; each subscription
 *       acquires the lock and calls the method again, on a thread where nothing may block. Whatever fails before the
 *       call is an error of the publisher. A loss cancels it, and it fails with {@link org.mongolocks.LockLostException}.
 *   <li><b>anything else</b>: a {@code LockClient}, until the method returns. A loss interrupts the thread, and the
 *       call fails with {@link org.mongolocks.LockLostException}, even if the method did not notice. A transaction of
 *       the method that would commit after the loss is rolled back. Other results that are made or read later are
 *       refused when the bean is created, also as type arguments: {@code Future}, {@code Stream}, {@code Iterator},
 *       {@code Callable}, {@code Supplier}, {@code InputStream}, {@code Resource}, cursors and queries of the driver as
 *       {@code FindIterable}, asynchronous results of Spring MVC, Kotlin {@code suspend} functions and sequences.
 * </ul>
 *
 * <p>The lock is released in every case. An exception of the method is thrown as it is, with a loss as a suppressed
 * exception. A release that fails after work that was done in time is logged; the lock stays held until its ttl has
 * passed. A failed acquisition throws {@link org.mongolocks.LockException}, and the method is not called. An interrupt
 * during the acquisition throws {@link InterruptedException} if the method declares it; otherwise it throws
 * {@link org.mongolocks.LockInterruptedException}. Nothing was done.
 *
 * <p>While the application context is being closed, schedulers may go on to start work. A call that cannot acquire then,
 * because the client is closed or the thread is interrupted, is skipped and logged if {@link #whenContended} is
 * {@link WhenContended#SKIP} or the method is under {@code @Scheduled}. Other callers get the exception.
 *
 * <p>A call inside of work under the same lock of the same client, on its thread or in its Reactor context, enters the
 * lock again without a command: the outer call's lease, keep-alive and token apply. A method that returns a
 * {@code CompletionStage} cannot enter again, because its work could outlast the lock: its stage
 * fails with {@link IllegalStateException}.
 *
 * <p>The annotation is found on the method, on the methods that it overrides or implements, and as a meta-annotation;
 * an annotation of the method itself replaces an inherited one. As for every Spring proxy, calls through {@code this}
 * are not intercepted: guard against them with {@link CurrentLock#get()}. A private, static or final method is refused
 * when the bean is created.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Locked {
    /**
     * The name of the lock; an alias of {@link #name}.
     *
     * @return the name
     */
    @AliasFor("name")
    String value() default "";

    /**
     * The name of the lock: text with property placeholders <code>${...}</code>, replaced once, and SpEL expressions
     * <code>#{...}</code>, evaluated once for each call, also if a publisher is subscribed to several times. Parameters
     * are {@code #id} (compile with {@code -parameters}) or {@code #p0}, beans {@code @bean}, and properties without a
     * prefix are those of the called bean. Required.
     *
     * <p>An expression is made of values that have one text in every JVM: texts, numbers (equal amounts have one text),
     * booleans, enums (their names), UUIDs, dates and times in ISO 8601, {@code ObjectId}s, and lists, arrays, sorted sets
     * and maps, and records of them. It may have properties and methods of the application's classes, elements by index
     * or key, projections and selections of what has an order, {@code +}, arithmetic, comparisons, {@code ?:}, and methods
     * of {@code String}, with {@code toLowerCase} and {@code toUpperCase} for every locale. An {@code Optional} stands for
     * its value.
     *
     * <p>Anything else is refused at the start: {@code T(...)}, {@code new}, assignments, {@code hashCode},
     * {@code getClass}, an unknown variable, and text with {@code #}, a brace or something in quotes, because it looks
     * like an expression outside of <code>#{...}</code>; write <code>#{'#'}</code> for the character itself. A call
     * throws {@link IllegalArgumentException} if an expression fails, or if any value that is in the name, an argument, an
     * operand or the source of a projection is null or no such value, as a {@code HashSet} or an entity. The message names
     * it, and says what to write.
     *
     * @return the name, see {@link org.mongolocks.LockName}
     */
    @AliasFor("value")
    String name() default "";

    /**
     * The length of the lease, as {@code "30s"} or {@code "PT30S"}; placeholders are replaced. The client
     * renews the lease while the method runs, so the ttl bounds how soon another owner gets the lock after a crash.
     *
     * @return the ttl; empty for the client's default
     */
    String ttl() default "";

    /**
     * How long to wait while another owner holds the lock, in the form of {@link #ttl}.
     *
     * @return the wait; empty for one attempt without waiting
     */
    String waitAtMost() default "";

    /**
     * Whether the lease is not renewed: the lock ends after one ttl, even if the method still runs; see
     * {@link org.mongolocks.LockRequest#fixedLease()}.
     *
     * @return true for a lease of one ttl
     */
    boolean fixedLease() default false;

    /**
     * When the client stops renewing, counted from the grant, in the form of {@link #ttl}: a call that hangs then loses
     * the lock. Not with {@link #fixedLease}.
     *
     * @return the limit, at least the ttl; empty for no limit
     */
    String keepAliveAtMost() default "";

    /**
     * How long no other owner acquires the lock after the grant, in the form of {@link #ttl}, even if the method returns
     * earlier or the process ends; see {@link org.mongolocks.LockRequest#holdAtLeast}. For a scheduled method that must
     * not run again on an instance whose clock is behind.
     *
     * @return the minimum, at most the ttl; empty for none
     */
    String holdAtLeast() default "";

    /**
     * Whether to wait behind earlier fair requests of all clients; see {@link org.mongolocks.LockRequest#fair()}.
     *
     * @return true for fair waiting
     */
    boolean fair() default false;

    /**
     * What to do if another owner held the lock all the time. Only contention of this lock counts: a
     * {@link org.mongolocks.LockContendedException} of the method itself is always thrown.
     *
     * @return what to do, unless there is a {@link #fallback}
     */
    WhenContended whenContended() default WhenContended.THROW;

    /**
     * The name of a method that is called instead if another owner held the lock all the time: a method of the same
     * class, of any visibility, with the same parameter types and a matching return type. It is called on the bean
     * itself, without a lock and without its own annotations.
     *
     * @return the name of the method; empty for none
     */
    String fallback() default "";

    /**
     * The name of the client's bean: a {@code LockClient}, or for a method that returns a publisher a
     * {@code ReactiveLockClient}.
     *
     * @return the name; empty for the only or primary bean of that type
     */
    String client() default "";
}

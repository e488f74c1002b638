package org.mongolocks;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method whose result must be used: {@code request.fair();} as a statement has no effect, and after
 * {@code locks.tryWithLock(request, work);} nobody knows whether the work was done. Error Prone, SpotBugs and IntelliJ
 * recognize the annotation by its simple name.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.METHOD)
public @interface CheckReturnValue {}

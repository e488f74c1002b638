package org.mongolocks.contract.rules;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The rule of {@code docs/contract.md} that a test checks. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface ContractRule {
    /**
     * Returns the number of the rule.
     *
     * @return for example {@code MX-1}
     */
    String value();
}

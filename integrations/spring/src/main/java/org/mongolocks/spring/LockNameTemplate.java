package org.mongolocks.spring;

import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;
import org.springframework.expression.ExpressionParser;
import org.springframework.expression.ParseException;
import org.springframework.expression.common.CompositeStringExpression;
import org.springframework.expression.common.LiteralExpression;
import org.springframework.expression.common.TemplateParserContext;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.util.ObjectUtils;

/** The name of a lock with SpEL expressions in {@code #{...}}, parsed. Immutable. */
final class LockNameTemplate {
    private static final ExpressionParser PARSER = new SpelExpressionParser();
    private static final ParameterNameDiscoverer PARAMETERS = new DefaultParameterNameDiscoverer();

    private final Method method;
    private final BeanFactory beans;
    private final List<Expression> parts;

    private LockNameTemplate(Method method, BeanFactory beans, List<Expression> parts) {
        this.method = method;
        this.beans = beans;
        this.parts = parts;
    }

    /**
     * Parses a template.
     *
     * @throws IllegalArgumentException if it is empty, has an unresolved placeholder, or cannot be parsed
     */
    static LockNameTemplate parse(String template, Method method, BeanFactory beans) {
        if (template.isEmpty()) {
            throw new IllegalArgumentException("name must not be empty");
        }
        if (template.contains("${")) {
            throw new IllegalArgumentException("name has a placeholder that is not resolved: " + template);
        }
        if (isBareExpression(template)) {
            throw new IllegalArgumentException(
                    "name must have its expressions in #{...}, was '" + template + "': write #{" + template + "}");
        }
        try {
            Expression parsed = PARSER.parseExpression(template, new TemplateParserContext());
            return new LockNameTemplate(method, beans, parts(parsed));
        } catch (ParseException e) {
            throw new IllegalArgumentException("name '" + template + "' cannot be parsed: " + e.getMessage(), e);
        }
    }

    /** Such a name would be the same for all arguments. */
    private static boolean isBareExpression(String template) {
        return template.length() > 1
                && template.charAt(0) == '#'
                && Character.isJavaIdentifierStart(template.charAt(1));
    }

    private static List<Expression> parts(Expression parsed) {
        return parsed instanceof CompositeStringExpression several
                ? List.of(several.getExpressions())
                : List.of(parsed);
    }

    /**
     * Evaluates the template for a call.
     *
     * @throws IllegalArgumentException if an expression fails, or yields null or an object without a text of its own
     */
    String evaluate(Object target, @Nullable Object[] arguments) {
        StandardEvaluationContext context = new MethodBasedEvaluationContext(target, method, arguments, PARAMETERS);
        context.setBeanResolver(new BeanFactoryResolver(beans));
        return parts.stream().map(part -> text(part, context)).collect(Collectors.joining());
    }

    private String text(Expression part, EvaluationContext context) {
        if (part instanceof LiteralExpression literal) {
            return literal.getExpressionString();
        }
        Object value = ObjectUtils.unwrapOptional(value(part, context));
        if (value == null) {
            throw refused(part, "is null; #name of a parameter needs a class compiled with -parameters", null);
        }
        String text = value.toString();
        if (text.equals(value.getClass().getName() + "@" + Integer.toHexString(value.hashCode()))) {
            throw refused(part, "is of " + value.getClass() + ", which has no toString method of its own", null);
        }
        return text;
    }

    private @Nullable Object value(Expression part, EvaluationContext context) {
        try {
            return part.getValue(context);
        } catch (EvaluationException e) {
            throw refused(part, "cannot be evaluated: " + e.getMessage(), e);
        }
    }

    private IllegalArgumentException refused(Expression part, String problem, @Nullable Exception cause) {
        return new IllegalArgumentException(
                "Name of the lock of " + method + ": #{" + part.getExpressionString() + "} " + problem, cause);
    }
}

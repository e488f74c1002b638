package org.mongolocks.spring;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.mongolocks.LockName;
import org.mongolocks.spring.NameExpression.Scope;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.Expression;
import org.springframework.expression.ExpressionParser;
import org.springframework.expression.ParseException;
import org.springframework.expression.common.CompositeStringExpression;
import org.springframework.expression.common.TemplateParserContext;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/**
 * The name of a lock with SpEL expressions in {@code #{...}}, parsed. Immutable.
 *
 * <p>Equal arguments must give the same name in every process. So a name is refused if its text looks like an expression
 * outside of {@code #{...}}, or an expression has what {@link NameExpression} does not read; and at a call if a value
 * that enters it has no text by {@link NameText}.
 */
final class LockNameTemplate {
    private static final ExpressionParser PARSER = new SpelExpressionParser();
    private static final ParameterNameDiscoverer PARAMETERS = new DefaultParameterNameDiscoverer();
    /** What an expression, or a template of another kind, has and the text of a name has not. */
    private static final Pattern EXPRESSION_IN_TEXT = Pattern.compile("[#{}]|'[^']*'|\"[^\"]*\"");

    private final Method method;
    private final String template;
    private final List<Part> parts;

    /** A text, or an expression with what evaluates it. */
    private record Part(String text, NameExpression.@Nullable Part value) {}

    private LockNameTemplate(Method method, String template, List<Part> parts) {
        this.method = method;
        this.template = template;
        this.parts = parts;
    }

    /**
     * Parses a template.
     *
     * @throws IllegalArgumentException if it is empty, has an unresolved placeholder, an expression outside of
     *     {@code #{...}}, an unknown variable or an expression that names must not have, or cannot be parsed
     */
    static LockNameTemplate parse(String template, Method method, BeanFactory beans) {
        if (template.isEmpty()) {
            throw new IllegalArgumentException(
                    "name must not be empty: write one, such as \"nightly-report\" or \"invoice-#{#id}\"");
        }
        if (template.contains("${")) {
            throw new IllegalArgumentException("name has a placeholder that is not resolved: " + template);
        }
        StandardEvaluationContext context = new StandardEvaluationContext();
        context.setBeanResolver(new BeanFactoryResolver(beans));
        NameExpression expressions = new NameExpression(variables(method), context);
        try {
            Expression parsed = PARSER.parseExpression(template, new TemplateParserContext());
            Stream<Expression> all = parsed instanceof CompositeStringExpression several
                    ? Stream.of(several.getExpressions())
                    : Stream.of(parsed);
            return new LockNameTemplate(
                    method,
                    template,
                    all.map(part -> part(part, expressions, template)).toList());
        } catch (ParseException e) {
            throw new IllegalArgumentException("name '" + template + "' cannot be parsed: " + e.getMessage(), e);
        }
    }

    private static Part part(Expression part, NameExpression expressions, String template) {
        if (part instanceof SpelExpression expression) {
            SpelNode node = expression.getAST();
            return new Part(part.getExpressionString(), expressions.text(node));
        }
        if (EXPRESSION_IN_TEXT.matcher(part.getExpressionString()).find()) {
            throw new IllegalArgumentException(
                    "name must have its expressions in #{...}, was '" + template
                            + "': write #{#id} for the parameter id, and #{'#'} for the character # itself, or a brace or quote");
        }
        return new Part(part.getExpressionString(), null);
    }

    /** The names of the parameters are unknown if their class was compiled without them. */
    private static Map<String, Integer> variables(Method method) {
        Map<String, Integer> positions = new LinkedHashMap<>();
        @Nullable String @Nullable [] names = PARAMETERS.getParameterNames(method);
        for (int i = 0; i < method.getParameterCount(); i++) {
            positions.put("p" + i, i);
            positions.put("a" + i, i);
        }
        for (int i = 0; names != null && i < names.length; i++) {
            positions.put(names[i], i);
        }
        return positions;
    }

    /**
     * Evaluates the template for a call.
     *
     * @throws IllegalArgumentException if an expression fails, a value in it has no text, or the name is not valid
     */
    LockName evaluate(Object target, @Nullable Object[] arguments) {
        Scope call = new Scope(target, target, Arrays.asList(arguments));
        String name = parts.stream().map(part -> text(part, call)).collect(Collectors.joining());
        try {
            return LockName.of(name);
        } catch (IllegalArgumentException e) {
            throw refused(template + ": " + e.getMessage(), e);
        }
    }

    private String text(Part part, Scope call) {
        try {
            return part.value() == null
                    ? part.text()
                    : String.valueOf(part.value().in(call));
        } catch (NameText.Refused e) {
            throw refused("#{" + part.text() + "}: " + e.getMessage(), e);
        } catch (RuntimeException e) {
            throw refused("#{" + part.text() + "}: cannot be evaluated: " + e, e);
        }
    }

    private IllegalArgumentException refused(String problem, RuntimeException cause) {
        return new IllegalArgumentException("Name of the lock of " + method + ": " + problem, cause);
    }
}

package org.mongolocks.spring;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;
import org.springframework.expression.ExpressionParser;
import org.springframework.expression.ParseException;
import org.springframework.expression.common.CompositeStringExpression;
import org.springframework.expression.common.LiteralExpression;
import org.springframework.expression.common.TemplateParserContext;
import org.springframework.expression.spel.ExpressionState;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.ast.Elvis;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.Ternary;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.util.ObjectUtils;

/**
 * The name of a lock with SpEL expressions in {@code #{...}}, parsed. Immutable.
 *
 * <p>Equal arguments must give the same name in every process, and different ones different names. So a name is refused
 * if its text looks like an expression outside of {@code #{...}}, or a variable is unknown; and at a call if a part is
 * null, or its text depends on the identity of an object or has no defined order.
 */
final class LockNameTemplate {
    private static final ExpressionParser PARSER = new SpelExpressionParser();
    private static final ParameterNameDiscoverer PARAMETERS = new DefaultParameterNameDiscoverer();
    /** What an expression, or a template of another kind, has and the text of a name has not. */
    private static final Pattern EXPRESSION_IN_TEXT = Pattern.compile("[#{}]|'[^']*'|\"[^\"]*\"");
    /** The text that {@code Object.toString} makes: of an array, or of a class in a package. */
    private static final Pattern IDENTITY = Pattern.compile(
            "(?:\\[+(?:[BCDFIJSZ]|L[\\w.$]+;)|(?:[a-z_]\\w*\\.)+[\\w$]*[\\p{Lu}$][\\w$./]*)@[0-9a-f]{1,8}(?![\\w.])");
    /** The text of an absent value. */
    private static final Pattern ABSENT = Pattern.compile("null|Optional(?:Int|Long|Double)?\\.empty");

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
     * @throws IllegalArgumentException if it is empty, has an unresolved placeholder, an expression outside of
     *     {@code #{...}} or an unknown variable, or cannot be parsed
     */
    static LockNameTemplate parse(String template, Method method, BeanFactory beans) {
        if (template.isEmpty()) {
            throw new IllegalArgumentException("name must not be empty");
        }
        if (template.contains("${")) {
            throw new IllegalArgumentException("name has a placeholder that is not resolved: " + template);
        }
        try {
            List<Expression> parts = parts(PARSER.parseExpression(template, new TemplateParserContext()));
            parts.forEach(part -> requireValid(part, method, template));
            return new LockNameTemplate(method, beans, parts);
        } catch (ParseException e) {
            throw new IllegalArgumentException("name '" + template + "' cannot be parsed: " + e.getMessage(), e);
        }
    }

    private static List<Expression> parts(Expression parsed) {
        return parsed instanceof CompositeStringExpression several
                ? List.of(several.getExpressions())
                : List.of(parsed);
    }

    private static void requireValid(Expression part, Method method, String template) {
        if (part instanceof SpelExpression expression) {
            requireVariables(expression.getAST(), variables(method));
        } else if (EXPRESSION_IN_TEXT.matcher(part.getExpressionString()).find()) {
            throw new IllegalArgumentException(
                    "name must have its expressions in #{...}, was '" + template
                            + "': write #{#id} for the parameter id, and #{'#'} for the character # itself, or a brace or quote");
        }
    }

    /** The names of the parameters are unknown if their class was compiled without them. */
    private static Set<String> variables(Method method) {
        String[] names = PARAMETERS.getParameterNames(method);
        Stream<String> positions =
                IntStream.range(0, method.getParameterCount()).boxed().flatMap(i -> Stream.of("p" + i, "a" + i));
        return Stream.of(
                        Stream.of("root", "this"),
                        positions,
                        names == null ? Stream.<String>of() : Arrays.stream(names))
                .flatMap(several -> several)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static void requireVariables(SpelNode node, Set<String> known) {
        boolean isUnknown = node instanceof FunctionReference
                || (node instanceof VariableReference
                        && !known.contains(node.toStringAST().substring(1)));
        if (isUnknown) {
            throw new IllegalArgumentException("name has the unknown variable " + node.toStringAST() + "; known are "
                    + known + ". The name of a parameter is known if the class is compiled with -parameters");
        }
        children(node).forEach(child -> requireVariables(child, known));
    }

    /**
     * Evaluates the template for a call.
     *
     * @throws IllegalArgumentException if an expression fails, or its value has no text that names it
     */
    String evaluate(Object target, @Nullable Object[] arguments) {
        StandardEvaluationContext context = new MethodBasedEvaluationContext(target, method, arguments, PARAMETERS);
        context.setBeanResolver(new BeanFactoryResolver(beans));
        return parts.stream().map(part -> text(part, context)).collect(Collectors.joining());
    }

    private String text(Expression part, StandardEvaluationContext context) {
        if (part instanceof LiteralExpression literal) {
            return literal.getExpressionString();
        }
        try {
            Object value = ObjectUtils.unwrapOptional(part.getValue(context));
            problem(value).ifPresent(problem -> refuse(part, problem));
            String text = String.valueOf(value);
            if (IDENTITY.matcher(text).find()) {
                refuse(part, "is '" + text + "', which has the identity of an object and not its value");
            }
            if (part instanceof SpelExpression expression) {
                ExpressionState state =
                        new ExpressionState(context, context.getRootObject(), new SpelParserConfiguration());
                boolean mayHaveNull = ABSENT.matcher(text).find();
                operands(expression.getAST(), state, mayHaveNull)
                        .forEach(operand -> problem(ObjectUtils.unwrapOptional(operand.getValue(state)))
                                .ifPresent(problem ->
                                        refuse(part, "has the part " + operand.toStringAST() + " that " + problem)));
            }
            return text;
        } catch (EvaluationException e) {
            throw refused(part, "cannot be evaluated: " + e.getMessage(), e);
        }
    }

    /** Returns why the text of a value does not name it. */
    private static Optional<String> problem(@Nullable Object value) {
        if (value == null) {
            return Optional.of("is null");
        }
        if (value.getClass().isArray()) {
            return Optional.of("is an array, which has no text of its own");
        }
        if (value instanceof Collection<?> elements) {
            return isUnordered(elements)
                    ? Optional.of("is a set without a defined order of its elements")
                    : firstProblem(elements.stream());
        }
        if (value instanceof Map<?, ?> map) {
            return isUnordered(map)
                    ? Optional.of("is a map without a defined order of its keys")
                    : firstProblem(Stream.concat(map.keySet().stream(), map.values().stream()));
        }
        String identity = value.getClass().getName() + "@" + Integer.toHexString(value.hashCode());
        return identity.equals(value.toString())
                ? Optional.of("is of " + value.getClass() + ", which has no toString method of its own")
                : Optional.empty();
    }

    private static boolean isUnordered(Collection<?> elements) {
        return elements instanceof Set
                && elements.size() > 1
                && !(elements instanceof SortedSet || elements instanceof EnumSet || elements instanceof LinkedHashSet);
    }

    private static boolean isUnordered(Map<?, ?> map) {
        return map.size() > 1 && !(map instanceof SortedMap || map instanceof EnumMap || map instanceof LinkedHashMap);
    }

    private static Optional<String> firstProblem(Stream<?> elements) {
        return elements.map(element -> problem(ObjectUtils.unwrapOptional(element)))
                .flatMap(Optional::stream)
                .findFirst()
                .map(problem -> "has an element that " + problem);
    }

    /**
     * Returns the operands of + that are variables; if a null may be in the text, all operands of + and the arguments of
     * methods, whose values are then read a second time. The branch that was not taken does not count.
     */
    private static Stream<SpelNode> operands(SpelNode node, ExpressionState state, boolean mayHaveNull) {
        if (node instanceof Elvis || node instanceof Projection || node instanceof Selection) {
            return Stream.of();
        }
        Stream<SpelNode> own = children(node)
                .filter(child -> node instanceof OpPlus
                        ? mayHaveNull || child instanceof VariableReference
                        : mayHaveNull && node instanceof MethodReference && isNull(child, state));
        return Stream.concat(own, taken(node, state).flatMap(child -> operands(child, state, mayHaveNull)));
    }

    private static boolean isNull(SpelNode node, ExpressionState state) {
        return ObjectUtils.unwrapOptional(node.getValue(state)) == null;
    }

    private static Stream<SpelNode> taken(SpelNode node, ExpressionState state) {
        if (node instanceof Ternary) {
            int taken = Boolean.TRUE.equals(node.getChild(0).getValue(state)) ? 1 : 2;
            return Stream.of(node.getChild(0), node.getChild(taken));
        }
        return children(node);
    }

    private static Stream<SpelNode> children(SpelNode node) {
        return IntStream.range(0, node.getChildCount()).mapToObj(node::getChild);
    }

    private void refuse(Expression part, String problem) {
        throw refused(part, problem, null);
    }

    private IllegalArgumentException refused(Expression part, String problem, @Nullable Exception cause) {
        return new IllegalArgumentException(
                "Name of the lock of " + method + ": #{" + part.getExpressionString() + "} " + problem, cause);
    }
}

package org.mongolocks.spring;

import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.mongolocks.spring.NameText.Refused;
import org.springframework.core.convert.support.GenericConversionService;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.expression.spel.ExpressionState;
import org.springframework.expression.spel.SpelCompilerMode;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.Elvis;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.Literal;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.NullLiteral;
import org.springframework.expression.spel.ast.Operator;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.SpelNodeImpl;
import org.springframework.expression.spel.ast.Ternary;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.DataBindingMethodResolver;
import org.springframework.expression.spel.support.DataBindingPropertyAccessor;
import org.springframework.expression.spel.support.SimpleEvaluationContext;
import org.springframework.util.ObjectUtils;

/**
 * The SpEL expressions that a name of a lock may have, and what evaluates them. Only what an application writes, or what
 * is known to depend on nothing but its values, is read: properties and methods of the application's classes, the pure
 * methods of the JDK's in {@link #PURE}, elements by index or key, and projections and selections of what has an order.
 * Every argument and operand is checked to have a text. All else is refused when the expression is translated.
 */
final class NameExpression {
    /**
     * The methods of the JDK that are read; those of collections are the ones that do not depend on their order. None has
     * a regular expression, whose meaning depends on the version of the JDK.
     */
    private static final Map<Class<?>, Set<String>> PURE = Map.of(
            String.class,
            words("charAt concat contains endsWith indexOf isBlank isEmpty lastIndexOf length repeat replace startsWith"
                    + " strip substring toLowerCase toUpperCase trim"),
            Enum.class,
            words("name ordinal"),
            Collection.class,
            words("contains isEmpty size"),
            List.class,
            words("get"),
            Map.class,
            words("containsKey get isEmpty size"));

    private static final Set<String> OPERATORS = words("+ - * / % == != < <= > >=");

    /** What all objects have: it may be another one in each process, or have anything in it. */
    private static final Set<String> OF_OBJECT = words("class Class getClass hashCode toString");

    private static final SpelExpressionParser PARSER =
            new SpelExpressionParser(new SpelParserConfiguration(SpelCompilerMode.OFF, null));
    /** Reads one property, calls one method or applies one operator, on objects that have been checked. */
    private static final EvaluationContext STEPS = SimpleEvaluationContext.forPropertyAccessors(
                    DataBindingPropertyAccessor.forReadOnlyAccess())
            .withMethodResolvers(DataBindingMethodResolver.forInstanceMethodInvocation())
            .withConversionService(conversions())
            .build();

    /** The positions of the arguments, by the names of their variables. */
    private final Map<String, Integer> variables;

    private final EvaluationContext beans;

    NameExpression(Map<String, Integer> variables, EvaluationContext beans) {
        this.variables = variables;
        this.beans = beans;
    }

    /** What an expression is evaluated for: a call, and the element of a projection or selection. */
    record Scope(Object root, @Nullable Object current, List<@Nullable Object> arguments) {
        Scope of(@Nullable Object element) {
            return new Scope(root, ObjectUtils.unwrapOptional(element), arguments);
        }
    }

    /** A part of an expression. */
    interface Part {
        @Nullable
        Object in(Scope scope);
    }

    /**
     * Translates an expression to its text in a name.
     *
     * @throws IllegalArgumentException if it has a part that names must not have
     */
    Part text(SpelNode node) {
        Part part = translate(node);
        String text = node.toStringAST();
        return scope -> NameText.of(part.in(scope), text);
    }

    private Part translate(SpelNode node) {
        if (node instanceof Literal literal) {
            Object value = literal.getLiteralValue().getValue();
            return scope -> value;
        }
        if (node instanceof VariableReference) {
            return variable(node.toStringAST());
        }
        if (node instanceof BeanReference) {
            return scope -> node.getValue(new ExpressionState(beans));
        }
        if (node instanceof CompoundExpression) {
            return path(node);
        }
        if (node instanceof Elvis) {
            Part value = translate(node.getChild(0));
            Part other = translate(node.getChild(1));
            return scope -> {
                Object found = value.in(scope);
                return found == null || found.equals("") ? other.in(scope) : found;
            };
        }
        if (node instanceof Ternary) {
            Part[] parts = {translate(node.getChild(0)), translate(node.getChild(1)), translate(node.getChild(2))};
            return scope -> parts[isTrue(parts[0], scope) ? 1 : 2].in(scope);
        }
        return node instanceof Operator operator ? operator(operator) : then(Scope::current, "#this", node);
    }

    private Part variable(String text) {
        String name = text.substring(1);
        if (name.equals("root")) {
            return Scope::root;
        }
        if (name.equals("this")) {
            return Scope::current;
        }
        Integer position = variables.get(name);
        if (position == null) {
            throw new IllegalArgumentException("name has the unknown variable " + text + "; known are root, this, "
                    + String.join(", ", variables.keySet())
                    + ". The name of a parameter is known if the class is compiled with -parameters");
        }
        return scope -> ObjectUtils.unwrapOptional(scope.arguments().get(position));
    }

    /** Translates an argument, key or operand, which must have a text. */
    private Part value(SpelNode node) {
        Part part = translate(node);
        String text = node.toStringAST();
        return scope -> {
            Object value = part.in(scope);
            String unused = NameText.of(value, text);
            return value;
        };
    }

    private Part operator(Operator node) {
        String name = node.getOperatorName();
        if (!OPERATORS.contains(name)) {
            throw unsupported(node.toStringAST());
        }
        boolean isWithNull = children(node).anyMatch(NullLiteral.class::isInstance);
        List<Part> operands = children(node)
                .map(child -> isWithNull ? translate(child) : value(child))
                .toList();
        String text = node.toStringAST();
        Expression operation =
                PARSER.parseExpression(operands.size() == 1 ? name + " #root[0]" : "#root[0] " + name + " #root[1]");
        return scope -> {
            Object[] values = operands.stream().map(part -> part.in(scope)).toArray();
            return name.equals("+") && !Stream.of(values).allMatch(Number.class::isInstance)
                    ? Stream.of(values).map(value -> NameText.of(value, text)).collect(Collectors.joining())
                    : operation.getValue(STEPS, values);
        };
    }

    private static boolean isTrue(Part condition, Scope scope) {
        if (condition.in(scope) instanceof Boolean isTrue) {
            return isTrue;
        }
        throw new Refused("a condition must be true or false");
    }

    private Part path(SpelNode node) {
        Part path = translate(node.getChild(0));
        StringBuilder text = new StringBuilder(node.getChild(0).toStringAST());
        for (SpelNode next : children(node).skip(1).toList()) {
            path = then(path, text.toString(), next);
            text.append(next instanceof Indexer ? "" : ".").append(next.toStringAST());
        }
        return path;
    }

    private Part then(Part path, String text, SpelNode next) {
        BiFunction<Object, Scope, @Nullable Object> step = step(next, text);
        boolean isNullSafe = ((SpelNodeImpl) next).isNullSafe();
        return scope -> {
            Object target = path.in(scope);
            if (target == null && !isNullSafe) {
                throw new Refused(text + " is null, and has no " + next.toStringAST());
            }
            return target == null ? null : ObjectUtils.unwrapOptional(step.apply(target, scope));
        };
    }

    private BiFunction<Object, Scope, @Nullable Object> step(SpelNode node, String target) {
        if (node instanceof PropertyOrFieldReference property) {
            return member(property.getName(), "", List.of(), target);
        }
        if (node instanceof MethodReference method) {
            List<Part> arguments = children(method).map(this::value).toList();
            return method.getName().equals("toString") && arguments.isEmpty()
                    ? (value, scope) -> NameText.of(value, target)
                    : member(
                            method.getName(),
                            IntStream.rangeClosed(1, arguments.size())
                                    .mapToObj(position -> "#root[" + position + "]")
                                    .collect(Collectors.joining(",", "(", ")")),
                            arguments,
                            target);
        }
        if (node instanceof Indexer) {
            return index(node.getChild(0), target);
        }
        if (node instanceof Projection) {
            Part each = translate(node.getChild(0));
            return (source, scope) -> elements(source, target)
                    .map(element -> each.in(scope.of(element)))
                    .toList();
        }
        if (node instanceof Selection) {
            Part criterion = translate(node.getChild(0));
            char which = node.toStringAST().charAt(0);
            return (source, scope) -> {
                List<?> found = elements(source, target)
                        .filter(element -> isTrue(criterion, scope.of(element)))
                        .toList();
                return which == '?' ? found : found.isEmpty() ? null : found.get(which == '^' ? 0 : found.size() - 1);
            };
        }
        throw unsupported(node.toStringAST());
    }

    private static Stream<?> elements(Object source, String target) {
        return NameText.ordered(source).orElseThrow(() -> NameText.refusal(source, "", target)).stream();
    }

    /** Reads a property, or calls a method if there are parameters. */
    private static BiFunction<Object, Scope, @Nullable Object> member(
            String name, String parameters, List<Part> arguments, String target) {
        if (OF_OBJECT.contains(name)) {
            throw unsupported(name);
        }
        Expression read = PARSER.parseExpression("#root[0]." + name + parameters);
        Set<Class<?>> known = ConcurrentHashMap.newKeySet();
        return (object, scope) -> {
            if (!known.contains(object.getClass())) {
                requireReadable(object, name, parameters.isEmpty(), target);
                known.add(object.getClass());
            }
            if (object instanceof String text && arguments.isEmpty() && name.matches("to(Low|Upp)erCase")) {
                return name.equals("toLowerCase") ? text.toLowerCase(Locale.ROOT) : text.toUpperCase(Locale.ROOT);
            }
            Stream<?> values = arguments.stream().map(argument -> argument.in(scope));
            return read.getValue(STEPS, Stream.concat(Stream.of(object), values).toArray());
        };
    }

    /** Refuses what the JDK declares, unless it is known to be pure; for collections also what a library overrides. */
    private static void requireReadable(Object object, String name, boolean isProperty, String target) {
        Set<String> pure = PURE.entrySet().stream()
                .filter(entry -> entry.getKey().isInstance(object))
                .flatMap(entry -> entry.getValue().stream())
                .collect(Collectors.toCollection(TreeSet::new));
        boolean isCollection = object instanceof Collection || object instanceof Map;
        Class<?> type = object.getClass();
        List<Member> found = Stream.<Member>concat(
                        Stream.of(type.getMethods()), isProperty ? Stream.of(type.getFields()) : Stream.of())
                .filter(member -> member.getName().equals(name)
                        || (isProperty && member.getName().matches("(?i)(get|is)\\Q" + name + "\\E")))
                .toList();
        if (found.isEmpty() && !(isProperty && type.isArray() && name.equals("length"))) {
            throw new Refused(target + " is of " + type + ", which has no " + name
                    + (target.startsWith("#this") ? "; a parameter of the method is written #" + name : ""));
        }
        boolean isReadable = found.stream()
                .allMatch(member -> pure.contains(member.getName())
                        || !(isCollection || isOfJdk(member.getDeclaringClass()))
                        || (NameText.isTime(object) && !Modifier.isStatic(member.getModifiers())));
        if (!isReadable) {
            throw new Refused(target + " is of " + type + ", whose " + name
                    + " may differ between processes; a name may read " + pure + " of it");
        }
    }

    private static boolean isOfJdk(Class<?> type) {
        return type.getClassLoader() == null || type.getClassLoader() == ClassLoader.getPlatformClassLoader();
    }

    private BiFunction<Object, Scope, @Nullable Object> index(SpelNode node, String target) {
        // As in SpEL, a[b] is a['b'] for the key of a map.
        Part key = node instanceof PropertyOrFieldReference name ? scope -> name.getName() : value(node);
        Expression element = PARSER.parseExpression("#root[0][#root[1]]");
        return (source, scope) -> {
            if (!(source instanceof Map) && NameText.ordered(source).isEmpty()) {
                throw NameText.refusal(source, "", target);
            }
            return element.getValue(STEPS, new Object[] {source, key.in(scope)});
        };
    }

    private static IllegalArgumentException unsupported(String part) {
        return new IllegalArgumentException("name must not have " + part + " in an expression. It may have properties,"
                + " methods, indexes, projections, selections, beans, arithmetic, comparisons and ?:");
    }

    private static Stream<SpelNode> children(SpelNode node) {
        return IntStream.range(0, node.getChildCount()).mapToObj(node::getChild);
    }

    private static Set<String> words(String words) {
        return Set.of(words.split(" "));
    }

    /** Arguments are passed as they are, or as the text of a name; others would depend on the locale or time zone. */
    private static GenericConversionService conversions() {
        GenericConversionService conversions = new GenericConversionService();
        conversions.addConverter(Object.class, String.class, value -> NameText.of(value, "an argument"));
        conversions.addConverter(Integer.class, Long.class, Integer::longValue);
        return conversions;
    }
}

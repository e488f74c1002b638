package org.mongolocks.reporting;

import freemarker.cache.ClassTemplateLoader;
import freemarker.cache.MultiTemplateLoader;
import freemarker.cache.TemplateLoader;
import freemarker.template.Configuration;
import freemarker.template.TemplateException;
import freemarker.template.TemplateExceptionHandler;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * FreeMarker templates of pages. Each is a resource beside the class that uses it; {@code page.ftlh} has what all pages
 * share. Values are escaped, and the page is well-formed XML too.
 *
 * <p>A page is one file that loads nothing. Its charts are drawn by Observable Plot, which is part of the page.
 */
public final class Template {
    private static final String D3 = "/META-INF/resources/webjars/d3/7.9.0/dist/d3.min.js";
    /** Control characters, unpaired surrogates and non-characters, which XML does not allow. */
    private static final Pattern FORBIDDEN =
            Pattern.compile("[^\\t\\n\\x20-\\uD7FF\\uE000-\\uFFFD\\x{10000}-\\x{10FFFF}]");

    private static final String SCRIPTS = script(D3) + script("plot.umd.min.js") + script("charts.js");

    private Template() {}

    /**
     * Returns a page.
     *
     * @param owner the class beside which the template is; its package must be open
     * @param name the file name of the template
     * @param model the values, by name: strings, numbers, collections, and objects of public classes
     */
    public static String fill(Class<?> owner, String name, Map<String, ?> model) {
        Configuration templates = new Configuration(Configuration.VERSION_2_3_34);
        templates.setTemplateLoader(new MultiTemplateLoader(
                new TemplateLoader[] {new ClassTemplateLoader(owner, ""), new ClassTemplateLoader(Template.class, "")
                }));
        templates.setDefaultEncoding(StandardCharsets.UTF_8.name());
        templates.setLocale(Locale.ROOT);
        templates.setNumberFormat("computer");
        templates.setTemplateExceptionHandler(TemplateExceptionHandler.RETHROW_HANDLER);
        templates.setLogTemplateExceptions(false);
        Map<String, Object> values = new HashMap<>(model);
        values.put("scripts", SCRIPTS);
        StringWriter page = new StringWriter();
        try {
            templates.getTemplate(name).process(values, page);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (TemplateException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
        return FORBIDDEN.matcher(page.toString()).replaceAll("\uFFFD");
    }

    /** Returns a script, which must not end the CDATA section that it is in. */
    private static String script(String name) {
        try (InputStream in = Objects.requireNonNull(Template.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("]]>", "]] >") + "\n";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

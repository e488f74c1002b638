package org.mongolocks.site;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.IdGenerator;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Block;
import org.commonmark.node.Code;
import org.commonmark.node.CustomNode;
import org.commonmark.node.Document;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.IncludeSourceSpans;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/** A page of the site: a Markdown file of the project. */
public final class Page {
    private static final List<Extension> EXTENSIONS = List.of(TablesExtension.create());
    private static final Parser PARSER = Parser.builder()
            .extensions(EXTENSIONS)
            .includeSourceSpans(IncludeSourceSpans.BLOCKS_AND_INLINES)
            .build();
    /** A translation has its language in its name, as in {@code README.zh-CN.md}. */
    private static final Pattern LANGUAGE = Pattern.compile(".*\\.([a-z]{2}(-[A-Z]{2})?)\\.md");

    private static final int MAX_DESCRIPTION = 160;

    private final String source;
    private final Document document;
    private final Map<Node, String> ids = new HashMap<>();
    private final List<Section> sections = new ArrayList<>();

    /**
     * A heading with the text below it.
     *
     * @param level the level of the heading
     * @param id its anchor
     */
    public record Section(int level, String id, String heading, String text) {}

    /**
     * @param source the path of the file, from the directory of the project
     * @param markdown its text
     */
    Page(String source, String markdown) {
        this.source = source;
        this.document = (Document) PARSER.parse(markdown);
        IdGenerator generator = IdGenerator.builder().build();
        for (Node node = document.getFirstChild(); node != null; node = node.getNext()) {
            if (node instanceof Heading heading) {
                String text = text(heading);
                ids.put(heading, generator.generateId(text.toLowerCase(Locale.ROOT)));
                sections.add(new Section(heading.getLevel(), ids.get(heading), text, textBelow(heading)));
            }
        }
        if (sections.stream().filter(section -> section.level() == 1).count() != 1) {
            throw new BrokenPagesException(List.of(source + ": a page has one heading of the first level"));
        }
    }

    /** Returns the words of a node without markup. */
    private static String text(Node node) {
        StringBuilder text = new StringBuilder();
        node.accept(new AbstractVisitor() {
            @Override
            public void visit(Text words) {
                text.append(words.getLiteral());
            }

            @Override
            public void visit(Code code) {
                text.append(code.getLiteral());
            }

            @Override
            public void visit(FencedCodeBlock block) {
                text.append(block.getLiteral());
            }

            @Override
            protected void visitChildren(Node parent) {
                super.visitChildren(parent);
                if (parent instanceof Block || parent instanceof CustomNode) {
                    text.append(' ');
                }
            }

            @Override
            public void visit(SoftLineBreak lineBreak) {
                text.append(' ');
            }
        });
        return text.toString().strip();
    }

    private static String textBelow(Heading heading) {
        StringBuilder text = new StringBuilder();
        for (Node node = heading.getNext(); node != null && !(node instanceof Heading); node = node.getNext()) {
            text.append(text(node)).append(' ');
        }
        return text.toString();
    }

    public String source() {
        return source;
    }

    Document document() {
        return document;
    }

    boolean hasAnchor(String id) {
        return ids.containsValue(id);
    }

    /** Returns the path of the page, from the directory of the version. */
    public String path() {
        return source.replaceFirst("(^|/)README\\.", "$1index.").replaceFirst("md$", "html");
    }

    /** Returns the path from the directory of the page to that of the version: empty, or with a slash at the end. */
    public String root() {
        return "../".repeat((int) source.chars().filter(each -> each == '/').count());
    }

    public String language() {
        Matcher name = LANGUAGE.matcher(source);
        return name.matches() ? name.group(1) : "en";
    }

    /** Returns whether the page is the first one of its language. */
    public boolean isLanding() {
        return source.startsWith("README.");
    }

    public String title() {
        return sections.get(0).heading();
    }

    public List<Section> sections() {
        return sections;
    }

    /** Returns the first paragraph, or the beginning of a long one. */
    public String description() {
        Node node = document.getFirstChild();
        while (node != null && !(node instanceof Paragraph)) {
            node = node.getNext();
        }
        String text = node == null ? title() : text(node);
        return text.length() <= MAX_DESCRIPTION
                ? text
                : text.substring(0, MAX_DESCRIPTION).replaceFirst("\\s+\\S*$", "") + " …";
    }

    /** Returns the content as HTML. A table scrolls by itself. */
    public String html() {
        String html = HtmlRenderer.builder()
                .extensions(EXTENSIONS)
                .attributeProviderFactory(context -> (node, tag, attributes) -> {
                    if (ids.containsKey(node)) {
                        attributes.put("id", ids.get(node));
                    }
                })
                .build()
                .render(document);
        return html.replace("<table>", "<div class=\"scroll\" tabindex=\"0\" role=\"group\"><table>")
                .replace("</table>", "</table></div>");
    }
}

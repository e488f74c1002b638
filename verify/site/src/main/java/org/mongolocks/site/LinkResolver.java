package org.mongolocks.site;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.jspecify.annotations.Nullable;

/**
 * Turns links between files of the project into links of the site. A link to a file that is no page leads to a copy of it
 * if it is in {@code docs}, or else to the public repository.
 */
final class LinkResolver {
    private final Path home;
    private final Map<String, Page> pages;
    private final String repository;
    private final Set<String> copies = new TreeSet<>();
    private final List<String> problems = new ArrayList<>();

    /**
     * @param pages by the paths of their files
     * @param repository the address of the files in the public repository
     */
    LinkResolver(Path home, Map<String, Page> pages, String repository) {
        this.home = home;
        this.pages = pages;
        this.repository = repository;
    }

    /**
     * Changes the links of all pages.
     *
     * @return the files to be copied beside the pages
     * @throws BrokenPagesException if a link leads to nothing
     */
    Set<String> resolve() {
        for (Page page : pages.values()) {
            page.document().accept(new AbstractVisitor() {
                @Override
                public void visit(Link link) {
                    link.setDestination(resolved(page, link, link.getDestination()));
                    visitChildren(link);
                }

                @Override
                public void visit(Image image) {
                    image.setDestination(resolved(page, image, image.getDestination()));
                    visitChildren(image);
                }
            });
        }
        if (!problems.isEmpty()) {
            throw new BrokenPagesException(problems);
        }
        return copies;
    }

    private String resolved(Page page, Node node, String destination) {
        if (destination.matches("[a-z]+:.*")) {
            return destination;
        }
        String[] parts = destination.split("#", 2);
        String anchor = parts.length == 2 ? "#" + parts[1] : "";
        Path from = home.resolve(page.source());
        Path file = parts[0].isEmpty() ? from : from.resolveSibling(parts[0]).normalize();
        String path = home.relativize(file).toString().replace('\\', '/');
        Page target = page(path);
        if (!file.startsWith(home) || !Files.exists(file)) {
            return broken(page, node, destination, "there is no file " + path);
        }
        if (target != null) {
            return anchor.isEmpty() || target.hasAnchor(parts[1])
                    ? (target == page ? "" : page.root() + target.path()) + anchor
                    : broken(page, node, destination, path + " has no heading with this anchor");
        }
        if (path.startsWith("docs/") && Files.isRegularFile(file)) {
            copies.add(path);
            return page.root() + path + anchor;
        }
        return repository + path + anchor;
    }

    /** A directory is the page that its README is. */
    private @Nullable Page page(String path) {
        return pages.getOrDefault(path, pages.get(path + "/README.md"));
    }

    private String broken(Page page, Node node, String destination, String reason) {
        int line = node.getSourceSpans().get(0).getLineIndex() + 1;
        problems.add(page.source() + ":" + line + ": broken link '" + destination + "': " + reason);
        return destination;
    }
}

package org.mongolocks.benchmarks.report.html;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.bson.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** A page that was parsed as XML. A page that is not well-formed is an error. */
public final class Markup {
    private final org.w3c.dom.Document page;

    private Markup(org.w3c.dom.Document page) {
        this.page = page;
    }

    public static Markup of(String html) {
        try {
            return new Markup(DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new InputSource(new StringReader(html))));
        } catch (SAXException | IOException | ParserConfigurationException e) {
            throw new AssertionError("The page is not well formed: " + e.getMessage(), e);
        }
    }

    /** Returns the elements that match an XPath expression. */
    public List<Element> all(String path) {
        try {
            NodeList nodes =
                    (NodeList) XPathFactory.newInstance().newXPath().evaluate(path, page, XPathConstants.NODESET);
            List<Element> elements = new ArrayList<>();
            for (int i = 0; i < nodes.getLength(); i++) {
                elements.add((Element) nodes.item(i));
            }
            return elements;
        } catch (XPathExpressionException e) {
            throw new AssertionError(path, e);
        }
    }

    public Element one(String path) {
        List<Element> found = all(path);
        if (found.size() != 1) {
            throw new AssertionError(found.size() + " elements are " + path);
        }
        return found.get(0);
    }

    public List<String> texts(String path) {
        return all(path).stream().map(Element::getTextContent).toList();
    }

    /** Returns what each chart draws. */
    public List<Document> charts() {
        return texts("//*[@role='img']/script").stream().map(Document::parse).toList();
    }

    List<String> values(String attribute) {
        return all("//*[@" + attribute + "]").stream()
                .map(element -> element.getAttribute(attribute))
                .toList();
    }
}

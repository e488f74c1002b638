import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathFactory;
import javax.xml.xpath.XPathNodes;
import org.w3c.dom.Document;

/**
 * Checks that a staged release has what a public repository demands, and that the BOM lists what is staged.
 *
 * <pre>{@code java .ci/ReleaseCheck.java DIRECTORY VERSION}</pre>
 */
public final class ReleaseCheck {
    private static final Map<String, String> CHECKSUMS =
            Map.of("md5", "MD5", "sha1", "SHA-1", "sha256", "SHA-256", "sha512", "SHA-512");
    private static final List<String> INHERITED = List.of(
            "url", "licenses/license/name", "licenses/license/url", "developers/developer/name", "scm/connection", "scm/url");

    private final Path group;
    private final String version;
    private final Map<String, Document> poms = new TreeMap<>();
    private final List<String> problems = new ArrayList<>();

    private ReleaseCheck(Path repository, String version) {
        this.group = repository.resolve("org/mongolocks");
        this.version = version;
    }

    public static void main(String[] args) throws Exception {
        ReleaseCheck check = new ReleaseCheck(Path.of(args[0]), args[1]);
        check.run();
        check.problems.forEach(System.err::println);
        System.out.println(check.poms.size() + " artifacts staged, " + check.problems.size() + " problems");
        System.exit(check.problems.isEmpty() ? 0 : 1);
    }

    private void run() throws Exception {
        for (Path artifact : children(group)) {
            String name = artifact.getFileName().toString();
            poms.put(name, DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file(name, ".pom").toFile()));
        }
        var jars = new TreeSet<String>();
        for (String name : poms.keySet()) {
            metadata(name);
            if (!text(poms.get(name), "packaging").equals("pom")) {
                jars.add(name);
                jars(name);
            }
            for (Path file : children(group.resolve(name).resolve(version))) {
                checksums(file);
            }
        }
        bom(jars);
    }

    private void metadata(String name) throws Exception {
        Document pom = poms.get(name);
        demand(!text(pom, "name").isEmpty() && !text(pom, "description").isEmpty(), name + ": no name or description");
        demand(!Files.readString(file(name, ".pom")).contains("-SNAPSHOT"), name + ": depends on a snapshot");
        for (String element : INHERITED) {
            Document from = pom;
            while (from != null && text(from, element).isEmpty()) {
                from = poms.get(text(from, "parent/artifactId"));
            }
            demand(from != null, name + ": no " + element + " in the POM or a staged parent");
        }
    }

    private void jars(String name) throws IOException {
        for (String suffix : List.of(".jar", "-sources.jar", "-javadoc.jar")) {
            Path jar = file(name, suffix);
            if (demand(Files.exists(jar), name + ": no " + jar.getFileName())) {
                try (ZipFile zip = new ZipFile(jar.toFile())) {
                    demand(zip.size() > 0, jar.getFileName() + " is empty");
                }
            }
        }
        Path sbom = file(name, "-cyclonedx.json");
        demand(
                Files.exists(sbom) && Files.readString(sbom).contains("pkg:maven/org.mongolocks/" + name + "@" + version),
                name + ": no SBOM, or that of another");
    }

    private void checksums(Path file) throws Exception {
        String name = file.getFileName().toString();
        String suffix = name.substring(name.lastIndexOf('.') + 1);
        if (CHECKSUMS.containsKey(suffix) || suffix.equals("asc")) {
            return;
        }
        for (Map.Entry<String, String> each : CHECKSUMS.entrySet()) {
            byte[] digest = MessageDigest.getInstance(each.getValue()).digest(Files.readAllBytes(file));
            Path stored = file.resolveSibling(name + "." + each.getKey());
            demand(
                    Files.exists(stored)
                            && Files.readString(stored).strip().equals(HexFormat.of().formatHex(digest)),
                    name + ": no right " + each.getKey());
        }
    }

    private void bom(TreeSet<String> jars) throws Exception {
        var listed = new TreeSet<String>();
        var managed = XPathFactory.newInstance()
                .newXPath()
                .evaluateExpression(
                        "/project/dependencyManagement/dependencies/dependency/artifactId",
                        poms.get("mongo-locks-bom"),
                        XPathNodes.class);
        managed.forEach(artifact -> listed.add(artifact.getTextContent()));
        demand(listed.equals(jars), "the BOM lists " + listed + ", but the jars are " + jars);
    }

    private boolean demand(boolean isMet, String problem) {
        if (!isMet) {
            problems.add(problem);
        }
        return isMet;
    }

    private Path file(String name, String suffix) {
        return group.resolve(name).resolve(version).resolve(name + "-" + version + suffix);
    }

    private static List<Path> children(Path directory) throws IOException {
        try (Stream<Path> children = Files.list(directory)) {
            return children.sorted().toList();
        }
    }

    private static String text(Document pom, String element) throws Exception {
        return XPathFactory.newInstance().newXPath().evaluate("/project/" + element, pom).strip();
    }
}

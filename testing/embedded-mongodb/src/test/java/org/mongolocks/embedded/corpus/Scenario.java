package org.mongolocks.embedded.corpus;

import java.util.List;

/**
 * A scenario of the corpus.
 *
 * @param version the version of MongoDB that it was recorded from
 */
record Scenario(String version, String file, String name, boolean isStandalone, List<Step> steps) {
    String title() {
        return version + " " + file + ": " + name;
    }
}

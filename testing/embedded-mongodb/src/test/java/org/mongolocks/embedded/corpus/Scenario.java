package org.mongolocks.embedded.corpus;

import java.util.List;

/** A scenario of the corpus. */
record Scenario(String file, String name, boolean isStandalone, List<Step> steps) {
    String title() {
        return file + ": " + name;
    }
}

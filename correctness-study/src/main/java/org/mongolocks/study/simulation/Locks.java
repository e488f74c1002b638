package org.mongolocks.study.simulation;

import java.util.List;
import java.util.stream.Stream;
import org.mongolocks.LockName;

/** Has the locks of a run: the one that most scenarios have, with the number 0, and several others. */
final class Locks {
    /** How many others there are: any two of them that somebody wants have one in common with any two of another. */
    static final int SEVERAL = 3;

    private static final LockName ONE = LockName.of("invoices");
    /** They differ in case only, in the order in which they sort. */
    private static final List<LockName> OTHERS =
            Stream.of("ACCOUNT", "Account", "account").map(LockName::of).toList();

    private Locks() {}

    static LockName one() {
        return ONE;
    }

    static LockName named(int number) {
        return number == 0 ? ONE : OTHERS.get(number - 1);
    }

    static List<LockName> several() {
        return OTHERS;
    }

    static int number(LockName name) {
        return OTHERS.indexOf(name) + 1;
    }
}

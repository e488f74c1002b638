package org.mongolocks.study.sim.workload;

import java.util.List;
import java.util.stream.Stream;
import org.mongolocks.LockName;

/** The locks of a run: the one of most scenarios, with the number 0, and several others. */
public final class Locks {
    /** The number of other locks: any two pairs of them have one in common. */
    public static final int SEVERAL = 3;

    private static final LockName ONE = LockName.of("invoices");
    /** Their names differ in case only, listed in sort order. */
    private static final List<LockName> OTHERS =
            Stream.of("ACCOUNT", "Account", "account").map(LockName::of).toList();

    private Locks() {}

    public static LockName one() {
        return ONE;
    }

    static LockName named(int number) {
        return number == 0 ? ONE : OTHERS.get(number - 1);
    }

    public static List<LockName> several() {
        return OTHERS;
    }

    public static int number(LockName name) {
        return OTHERS.indexOf(name) + 1;
    }
}

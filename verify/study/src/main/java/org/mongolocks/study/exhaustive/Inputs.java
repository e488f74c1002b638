package org.mongolocks.study.exhaustive;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The inputs of a client so far, the newest last; immutable. */
record Inputs(@Nullable Inputs earlier, @Nullable ClientInput newest) {
    static final Inputs NONE = new Inputs(null, null);

    Inputs with(ClientInput input) {
        return new Inputs(this, input);
    }

    List<ClientInput> all() {
        Deque<ClientInput> all = new ArrayDeque<>();
        for (Inputs each = this; each != null && each.newest() != null; each = each.earlier()) {
            all.addFirst(each.newest());
        }
        return List.copyOf(all);
    }
}

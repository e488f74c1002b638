package org.mongolocks.study.exhaustive;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How far a client is in its script.
 *
 * @param inputs what it has learned, from which it can be built again; null if nothing
 * @param memory what it remembers: two clients with the same one go on alike
 * @param view what the world sees of it
 */
record ProgramPoint(@Nullable Chain<ClientInput> inputs, UUID memory, ClientView view) {}

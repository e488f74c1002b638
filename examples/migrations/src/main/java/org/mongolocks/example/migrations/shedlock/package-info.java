/** The code of docs/migrate/shedlock-mongo.md. */
@NullMarked
package org.mongolocks.example.migrations.shedlock;

import org.jspecify.annotations.NullMarked;

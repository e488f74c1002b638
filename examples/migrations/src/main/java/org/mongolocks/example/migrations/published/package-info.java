/** The code of docs/migrate/published-code.md. */
@NullMarked
package org.mongolocks.example.migrations.published;

import org.jspecify.annotations.NullMarked;

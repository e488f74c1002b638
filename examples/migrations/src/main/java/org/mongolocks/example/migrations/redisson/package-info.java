/** The code of docs/migrate/redisson.md. */
@NullMarked
package org.mongolocks.example.migrations.redisson;

import org.jspecify.annotations.NullMarked;

/** The code of docs/migrate/spring-integration-jdbc.md. */
@NullMarked
package org.mongolocks.example.migrations.jdbc;

import org.jspecify.annotations.NullMarked;

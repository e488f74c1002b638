/** The recipes of docs/spring-data.md: locks beside Spring Data MongoDB. */
@NullMarked
package org.mongolocks.example.data;

import org.jspecify.annotations.NullMarked;

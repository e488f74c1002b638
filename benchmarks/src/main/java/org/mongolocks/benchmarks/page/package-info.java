/** Makes a page of {@code results.json} for people: {@link org.mongolocks.benchmarks.page.Page} is where to begin. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks.page;

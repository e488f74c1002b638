/** The HTML report from {@code results.json}. {@link org.mongolocks.benchmarks.page.HtmlReport} is the entry point. */
@org.jspecify.annotations.NullMarked
package org.mongolocks.benchmarks.page;

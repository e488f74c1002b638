/** Aggregation pipelines: stages that turn documents into documents. */
@NullMarked
package org.mongolocks.embedded.internal.pipeline;

import org.jspecify.annotations.NullMarked;

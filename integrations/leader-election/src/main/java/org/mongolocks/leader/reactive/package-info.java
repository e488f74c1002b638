/** Leader election with the reactive client. */
package org.mongolocks.leader.reactive;

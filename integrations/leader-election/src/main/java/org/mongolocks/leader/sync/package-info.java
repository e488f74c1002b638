/** Leader election with the synchronous client. */
package org.mongolocks.leader.sync;

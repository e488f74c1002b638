/** Leader election: candidates, terms and events, the same for both drivers. */
package org.mongolocks.leader;

/**
 * One acquisition: attempts, waiting, retries after faults, and compensation of what may have been granted. Internal:
 * not exported to users, may change at any time.
 */
package org.mongolocks.internal.acquire;

/** The engine between the clients and the strategies. It is not exported to users and may change at any time. */
package org.mongolocks.internal;

/**
 * The contract of an integration: rules that hold for locks that an application acquires through a framework, whatever
 * its interface is. The author of an integration extends
 * {@link org.mongolocks.contract.integration.IntegrationContract}.
 */
package org.mongolocks.contract.integration;

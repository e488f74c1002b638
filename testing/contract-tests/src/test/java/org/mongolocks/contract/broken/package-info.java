/** Strategies and clients with one mistake each, and the tests that the contract finds every one of them. */
package org.mongolocks.contract.broken;

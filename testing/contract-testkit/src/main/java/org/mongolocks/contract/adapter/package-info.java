/** Both clients behind one blocking interface, so that each rule is written once. */
package org.mongolocks.contract.adapter;

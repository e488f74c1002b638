/** The rules of operation: inspection, stored formats, schema and privileges. */
package org.mongolocks.contract.rules.operate;

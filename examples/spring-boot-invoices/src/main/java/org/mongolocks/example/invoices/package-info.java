/** An application whose instances bill the same invoices, each invoice once. */
package org.mongolocks.example.invoices;

/** An application of which several instances bill the same invoices, each invoice once. */
package org.mongolocks.example.invoices;

/** The course of a candidacy, for both clients and for the study. Not an API. */
package org.mongolocks.leader.internal;

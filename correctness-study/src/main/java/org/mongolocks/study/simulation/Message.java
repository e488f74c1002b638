package org.mongolocks.study.simulation;

/**
 * Is a command on its way, or a reply to one.
 *
 * @param client whose
 * @param purpose what for
 * @param isReply whether it is the reply
 * @param label the place in the protocol
 * @param sending how often this command was sent, this time included
 */
public record Message(int client, Purpose purpose, boolean isReply, String label, int sending) {}

package org.mongolocks.study.sim.net;

/**
 * A command in flight, or its reply.
 *
 * @param client the client
 * @param purpose the purpose of the command
 * @param isReply whether it is the reply
 * @param label the step of the protocol
 * @param sending how often this command was sent, including this time
 */
public record Message(int client, Purpose purpose, boolean isReply, String label, int sending) {}

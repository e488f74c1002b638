package org.mongolocks.study.process.fault;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import org.mongolocks.study.process.observer.RunFailedException;

/**
 * A process paused by SIGSTOP. A separate shell continues it, even if this JVM has exited: the shell waits for the end
 * of its input.
 */
public final class SigstopFault {
    private static final String STOP_AND_GO_ON = "kill -STOP \"$0\" && echo stopped; read -r end; kill -CONT \"$0\"";
    private static final int TIMEOUT_SECONDS = 10;

    private final Process shell;

    private SigstopFault(Process shell) {
        this.shell = shell;
    }

    public static SigstopFault of(long pid) {
        try {
            Process shell = new ProcessBuilder("sh", "-c", STOP_AND_GO_ON, Long.toString(pid))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            BufferedReader answer = shell.inputReader();
            if (!"stopped".equals(answer.readLine())) {
                shell.destroyForcibly();
                throw new RunFailedException("Process " + pid + " could not be paused with kill -STOP");
            }
            return new SigstopFault(shell);
        } catch (IOException e) {
            throw new RunFailedException("No shell was found to pause a process", e);
        }
    }

    /** Continues the process. */
    public void end() throws InterruptedException {
        try {
            shell.getOutputStream().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (!shell.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
            shell.destroyForcibly();
            throw new RunFailedException("A paused process could not be continued");
        }
    }
}

package org.mongolocks.benchmarks.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import org.mongolocks.reporting.server.UnusableInputException;

/**
 * The output directory. It is checked for writability before the first measurement, and files in it are replaced
 * atomically.
 */
final class ResultsDirectory {
    private static final String RESULTS = "results.json";
    private static final String PAGE = "report.html";

    private final Path directory;

    private ResultsDirectory(Path directory) {
        this.directory = directory;
    }

    /**
     * Opens the directory and creates it if missing.
     *
     * @throws UnusableInputException if the directory is not writable
     */
    static ResultsDirectory open(Path directory) {
        try {
            Files.createDirectories(directory);
            Files.delete(Files.createFile(draft(directory)));
            return new ResultsDirectory(directory);
        } catch (IOException e) {
            throw unwritable(directory, e);
        }
    }

    /** Writes {@code results.json}. */
    void write(String results) {
        write(results(), results);
    }

    /** Writes the HTML report. */
    void writePage(String page) {
        write(page(), page);
    }

    Path results() {
        return directory.resolve(RESULTS);
    }

    Path page() {
        return directory.resolve(PAGE);
    }

    private void write(Path file, String content) {
        try {
            Path draft = draft(directory);
            Files.writeString(
                    draft, content + System.lineSeparator(), StandardCharsets.UTF_8, StandardOpenOption.CREATE_NEW);
            Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw unwritable(directory, e);
        }
    }

    /**
     * Returns a name for a new file. A file of {@code createTempFile} could be read by its owner alone, even when
     * moved.
     */
    private static Path draft(Path directory) {
        return directory.resolve(RESULTS + "." + UUID.randomUUID() + ".tmp");
    }

    private static UnusableInputException unwritable(Path directory, IOException e) {
        return new UnusableInputException("cannot write to the directory " + directory + ": " + reason(e), e);
    }

    private static String reason(IOException e) {
        if (e instanceof FileAlreadyExistsException) {
            return "there is a file of that name";
        }
        if (e instanceof AccessDeniedException) {
            return "access denied";
        }
        if (e instanceof NoSuchFileException) {
            return "it is not there and cannot be made";
        }
        return e instanceof FileSystemException fault && fault.getReason() != null
                ? fault.getReason()
                : e.getClass().getSimpleName();
    }
}

package dev.fairlead.adapter.local.directory.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DirectoryFailuresTest {
    private static final DirectoryFailures FAILURES = new DirectoryFailures(new ConnectionName("disk"));

    static Stream<Arguments> answers() {
        return Stream.of(
                Arguments.of(new FileSystemException("/a", null, "No space left on device"), Failure.OutOfSpace.class),
                Arguments.of(new IOException("No space left on device"), Failure.OutOfSpace.class),
                Arguments.of(new FileSystemException("/a", null, "Disk quota exceeded"), Failure.OutOfSpace.class),
                Arguments.of(
                        new IOException("copying", new IOException("No space left on device")),
                        Failure.OutOfSpace.class),
                Arguments.of(
                        new FileSystemException("/a", null, "Read-only file system"), Failure.StorageReadOnly.class),
                Arguments.of(new AccessDeniedException("/a"), Failure.StorageReadOnly.class),
                Arguments.of(
                        new FileSystemException("/a", null, "Operation not permitted"), Failure.StorageReadOnly.class),
                Arguments.of(
                        new FileSystemException("/a", null, "Input/output error"), Failure.BackendUnavailable.class),
                Arguments.of(
                        new FileSystemException("/a", null, "Stale file handle"), Failure.BackendUnavailable.class),
                Arguments.of(
                        new FileSystemException("/a", null, "Transport endpoint is not connected"),
                        Failure.BackendUnavailable.class),
                Arguments.of(new NoSuchFileException("/a"), Failure.BackendUnavailable.class),
                Arguments.of(new DirectoryNotEmptyException("/a"), Failure.BackendUnavailable.class),
                Arguments.of(new IOException("something unheard of"), Failure.BackendUnavailable.class),
                Arguments.of(new IOException(), Failure.BackendUnavailable.class));
    }

    @ParameterizedTest
    @MethodSource("answers")
    void each_answer_of_the_file_system_is_a_failure(IOException answer, Class<? extends Failure> failure) {
        assertThat(FAILURES.of("making volume x", answer).failure())
                .isInstanceOf(failure)
                .extracting(Failure::message)
                .asString()
                .contains("disk")
                .contains("making volume x");
    }

    @Test
    void the_answer_itself_is_kept_as_the_cause() {
        IOException answer = new IOException("x");

        assertThat(FAILURES.of("reading", answer)).hasCause(answer);
    }
}

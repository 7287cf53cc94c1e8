package dev.fairlead.bootstrap.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.config.Problem;
import dev.fairlead.domain.connection.ConnectionName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FailedListenerTest {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    @TempDir
    Path folder;

    @Test
    void a_change_that_the_listener_failed_at_is_told_again_after_the_others() throws IOException {
        var failing = new FailingAtA();
        var connections = new ConnectionFolder(folder, failing, () -> NOW, Duration.ofMillis(200));
        write("a.yaml", "1");
        write("b.yaml", "2");

        assertThatThrownBy(connections::refresh).hasMessage("played");
        assertThatThrownBy(connections::refresh).hasMessage("played");
        connections.refresh();
        connections.refresh();

        assertThat(failing.told).containsExactly("b 2", "a 1");
    }

    private void write(String name, String content) throws IOException {
        Path file = Files.writeString(folder.resolve(name), content);
        Files.setLastModifiedTime(file, FileTime.from(NOW.minusSeconds(10)));
    }

    /** Throws an error that no handler of single errors would list, the first two times that it is told of a. */
    private static final class FailingAtA implements ConnectionListener {
        private final List<String> told = new ArrayList<>();
        private int tries;

        @Override
        public void changed(ConnectionName name, byte[] content) {
            if (name.value().equals("a") && tries++ < 2) {
                throw new AssertionError("played");
            }
            told.add(name + " " + new String(content, StandardCharsets.UTF_8));
        }

        @Override
        public void unreadable(ConnectionName name, Problem problem) {}

        @Override
        public void removed(ConnectionName name) {}

        @Override
        public void looked() {}

        @Override
        public void folder(List<Problem> problems) {}
    }
}

package dev.fairlead.adapter.grpc.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.grpc.UseCaseFakes;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SocketFileTest {
    private static final Set<PosixFilePermission> OWNER =
            Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    @TempDir
    Path folder;

    private static ServerSocketChannel listen(Path path) throws IOException {
        return ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(path));
    }

    private static void assertRefused(Path path, String... reasons) {
        assertThatThrownBy(() -> SocketFile.claim(path))
                .isInstanceOf(StorageException.class)
                .hasMessageContainingAll("FL-NODE-005 listening on socket " + path)
                .hasMessageContainingAll(reasons);
    }

    @Test
    void a_socket_is_bound_where_nobody_may_enter_and_then_appears_in_its_place() throws IOException {
        Path path = folder.resolve("csi.sock");
        SocketFile file = SocketFile.claim(path);
        Path room = Objects.requireNonNull(file.hidden().getParent());
        assertThat(Files.getPosixFilePermissions(room))
                .containsExactlyInAnyOrder(
                        PosixFilePermission.OWNER_READ,
                        PosixFilePermission.OWNER_WRITE,
                        PosixFilePermission.OWNER_EXECUTE);
        assertThat(room.getFileName().toString()).startsWith(".");

        try (ServerSocketChannel server = listen(file.hidden())) {
            assertThat(path).doesNotExist();
            file.reveal(OWNER);

            try (SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
                assertThat(client.isConnected()).isTrue();
            }
            assertThat(Files.getPosixFilePermissions(path)).isEqualTo(OWNER);
            assertThat(room).doesNotExist();
            assertThat(server.isOpen()).isTrue();
        }
        file.remove();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void a_stale_socket_is_replaced() throws IOException {
        Path path = folder.resolve("csi.sock");
        listen(path).close();
        assertThat(path).exists();

        SocketFile file = SocketFile.claim(path);
        try (ServerSocketChannel server = listen(file.hidden())) {
            file.reveal(OWNER);

            try (SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
                assertThat(client.isConnected()).isTrue();
            }
            assertThat(server.isOpen()).isTrue();
        }
    }

    @Test
    void a_socket_on_which_somebody_answers_is_left_alone() throws IOException {
        Path path = folder.resolve("csi.sock");
        try (ServerSocketChannel server = listen(path)) {
            assertRefused(path, "another process serves this socket");

            assertThat(path).exists();
            assertThat(server.isOpen()).isTrue();
        }
    }

    @Test
    void a_busy_socket_with_a_full_queue_counts_as_answered() throws IOException {
        Path path = folder.resolve("csi.sock");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                        .bind(UnixDomainSocketAddress.of(path), 1);
                SocketChannel first = SocketChannel.open(UnixDomainSocketAddress.of(path));
                SocketChannel second = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
            assertRefused(path, "another process serves this socket");

            assertThat(first.isConnected() && second.isConnected() && server.isOpen())
                    .isTrue();
        }
    }

    @Test
    void what_is_no_socket_is_left_alone() throws IOException {
        Path directory = Files.createDirectory(folder.resolve("directory"));
        Path file = Files.writeString(folder.resolve("file"), "precious");
        Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("elsewhere"));

        assertRefused(directory, "a directory");
        assertRefused(file, "a file that is not a socket");
        assertRefused(link, "a symbolic link");

        assertThat(file).hasContent("precious");
        assertThat(Files.isSymbolicLink(link)).isTrue();
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void a_missing_folder_is_named() {
        assertRefused(folder.resolve("missing/csi.sock"), "its folder " + folder.resolve("missing") + " is missing");
    }

    @Test
    void a_path_that_is_too_long_is_refused_and_the_longest_works() throws IOException {
        int room = 107 - folder.toString().length() - 1;
        Path longest = folder.resolve("s".repeat(room));

        SocketFile file = SocketFile.claim(longest);
        try (ServerSocketChannel server = listen(file.hidden())) {
            file.reveal(OWNER);
            assertThat(server.isOpen()).isTrue();
        }
        file.remove();

        assertRefused(folder.resolve("s".repeat(room + 1)), "108 bytes are too long", "at most 107");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void the_socket_of_a_successor_is_not_removed() throws IOException {
        Path path = folder.resolve("csi.sock");
        SocketFile file = SocketFile.claim(path);
        listen(file.hidden()).close();
        file.reveal(OWNER);
        Files.move(path, folder.resolve("first"));
        listen(path).close();

        file.remove();

        assertThat(path).exists();
    }

    @Test
    void what_a_crash_between_two_steps_left_is_cleared_by_the_next_start() throws IOException {
        Path path = folder.resolve("csi.sock");
        listen(SocketFile.claim(path).hidden()).close();

        SocketFile file = SocketFile.claim(path);

        assertThat(file.hidden()).doesNotExist();
        file.remove();
        assertThat(folder).isEmptyDirectory();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/run/csi.sock", "unix:/run/csi.sock", "unix:///run/csi.sock"})
    void a_socket_may_be_written_with_or_without_its_scheme(String text) {
        var endpoint = GrpcSettings.Endpoint.ofSocket(text, "0600");

        assertThat(endpoint).isEqualTo(new GrpcSettings.UnixSocket(Path.of("/run/csi.sock"), OWNER));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "9", "0800", "rw-------", "07777", "-600"})
    void a_mode_that_is_none_is_refused(String mode) {
        assertThatThrownBy(() -> GrpcSettings.Endpoint.ofSocket("/run/csi.sock", mode))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected: three octal digits");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-a", "a-", "a/b", "a b", "ä"})
    void a_csi_name_that_is_none_is_refused(String name) {
        var endpoint = GrpcSettings.Endpoint.ofSocket("/run/csi.sock", "0600");

        assertThatThrownBy(() -> new GrpcSettings.DriverEndpoints(UseCaseFakes.profile(name), List.of(endpoint)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("CSI name: '" + name + "'");
    }
}

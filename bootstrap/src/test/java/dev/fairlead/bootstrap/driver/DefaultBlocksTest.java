package dev.fairlead.bootstrap.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.config.Problem;
import dev.fairlead.bootstrap.settings.MainFileReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The blocks of connections for which a proxy's main file may give defaults. */
class DefaultBlocksTest {
    @TempDir
    Path folder = Path.of("/nonexistent");

    private List<String> unknown(DriverTypes types, String block) throws IOException {
        Path file = Files.writeString(
                folder.resolve("main.yaml"),
                "driver: proxy\nproxy: {configFolder: /c}\n" + block + ": {shareHost: nas}\n");
        return MainFileReader.read(file, Map.of(), types).warnings().stream()
                .map(Problem::path)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sshConnection",
                "httpConnection",
                "zfs",
                "nfs",
                "smb",
                "iscsi",
                "nvmeof",
                "lustre",
                "local-hostpath",
                "local-pool",
                "synology",
                "objectivefs"
            })
    void the_blocks_of_every_type_are_known(String block) throws IOException {
        assertThat(unknown(DriverTypes.all(), block)).isEmpty();
    }

    @Test
    void the_block_of_a_new_type_is_known_by_its_row_alone() throws IOException {
        DriverTypes types = DriverTypes.all();

        assertThat(unknown(types, "acme-files")).containsExactly("acme-files");
        assertThat(unknown(types.with("acme-files", "acme", "acme", "for a test"), "acme-files"))
                .isEmpty();
    }

    @Test
    void a_type_that_reads_the_blocks_of_others_has_none_of_its_name() throws IOException {
        assertThat(unknown(DriverTypes.all(), "zfs-generic-nfs")).containsExactly("zfs-generic-nfs");
    }
}

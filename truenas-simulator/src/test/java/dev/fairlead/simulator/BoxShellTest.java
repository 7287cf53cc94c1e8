package dev.fairlead.simulator;

import static dev.fairlead.simulator.engine.JsonTools.object;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.simulator.profile.Profile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a shell of the box shows and does: the state is that of the API. */
class BoxShellTest {
    @TempDir
    private Path folder;

    /** Runs a line by a real shell; returns what it said and its exit code. */
    private static String sh(Simulator box, String line) throws IOException, InterruptedException {
        var builder = new ProcessBuilder("/bin/sh", "-c", line + "; echo \"exit $?\"").redirectErrorStream(true);
        builder.environment().merge("PATH", box.programs().toString(), (path, first) -> first + ":" + path);
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        var _ = process.waitFor();
        return said;
    }

    @Test
    void what_zfs_makes_the_api_shows_and_the_other_way_round() throws IOException, InterruptedException {
        try (Simulator box = Simulator.start(Profile.V25_10, folder);
                Client client = Client.root(box)) {
            assertThat(sh(box, "zfs create -o refquota=1G -o 'our:note=two words' tank/a"))
                    .isEqualTo("exit 0\n");
            JsonObject shown =
                    client.result("pool.dataset.get_instance", "tank/a").getAsJsonObject();
            assertThat(shown.getAsJsonObject("refquota").get("rawvalue").getAsString())
                    .isEqualTo("1073741824");
            assertThat(shown.getAsJsonObject("user_properties")
                            .getAsJsonObject("our:note")
                            .get("value")
                            .getAsString())
                    .isEqualTo("two words");

            client.result("pool.dataset.create", object("name", "tank/z", "type", "VOLUME", "volsize", 1L << 30));
            assertThat(sh(box, "zfs get -Hp -o name,property,value,source type,volsize,our:note tank/z tank/none"))
                    .isEqualTo("""
                            tank/z\ttype\tvolume\t-
                            tank/z\tvolsize\t1073741824\t-
                            tank/z\tour:note\t-\t-
                            cannot open 'tank/none': dataset does not exist
                            exit 1
                            """);
        }
    }

    @Test
    void a_snapshot_is_cloned_promoted_and_sent() throws IOException, InterruptedException {
        try (Simulator box = Simulator.start(Profile.V26, folder)) {
            assertThat(sh(box, "zfs create tank/a && zfs snapshot -o x:y=z tank/a@s && zfs clone tank/a@s tank/b"))
                    .isEqualTo("exit 0\n");
            assertThat(sh(box, "zfs destroy tank/a@s"))
                    .contains("has dependent clones")
                    .endsWith("exit 1\n");
            assertThat(sh(box, "zfs destroy -d tank/a@s && zfs get -Hp -o value defer_destroy,clones tank/a@s"))
                    .isEqualTo("on\ntank/b\nexit 0\n");
            assertThat(sh(box, "zfs send tank/a@s | zfs receive -u -o x:y=w tank/c@s"))
                    .isEqualTo("exit 0\n");
            assertThat(sh(box, "zfs promote tank/b && zfs get -Hp -d 1 -t snapshot -o name type tank/b tank/c"))
                    .isEqualTo("tank/b@s\ntank/c@s\nexit 0\n");
        }
    }

    @Test
    void what_a_share_has_open_is_busy() throws IOException, InterruptedException {
        try (Simulator box = Simulator.start(Profile.V25_10, folder);
                Client client = Client.root(box)) {
            assertThat(sh(box, "zfs create tank/a")).isEqualTo("exit 0\n");
            client.result("sharing.nfs.create", object("path", "/mnt/tank/a"));

            assertThat(sh(box, "zfs destroy -f tank/a")).contains("dataset is busy");
            client.result("sharing.nfs.delete", 1);
            assertThat(sh(box, "zfs destroy -f tank/a && zfs list -H -o name tank/a"))
                    .isEqualTo("cannot open 'tank/a': dataset does not exist\nexit 1\n");
        }
    }

    @Test
    void the_root_of_a_filesystem_gets_a_mode_unless_an_access_list_is_in_the_way()
            throws IOException, InterruptedException {
        try (Simulator box = Simulator.start(Profile.V25_10, folder);
                Client client = Client.root(box)) {
            assertThat(sh(box, "zfs create tank/a && chmod 0770 /mnt/tank/a && chown 1000:1001 /mnt/tank/a"))
                    .isEqualTo("exit 0\n");
            JsonObject stat = client.result("filesystem.stat", "/mnt/tank/a").getAsJsonObject();
            assertThat(stat.get("mode").getAsInt() & 0x1ff).isEqualTo(0x1f8);
            assertThat(stat.get("gid").getAsInt()).isEqualTo(1001);

            client.result("pool.dataset.create", object("name", "tank/w", "share_type", "SMB"));
            assertThat(sh(box, "chmod 0770 /mnt/tank/w")).contains("Operation not permitted");
            assertThat(sh(box, "chmod 0770 /mnt/tank/none")).contains("No such file or directory");
        }
    }
}

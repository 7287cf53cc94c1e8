package dev.fairlead.bootstrap.serving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.bootstrap.serving.KillablePlugin.Kill;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * A node whose power goes right after one of the plugin's changes, and what the plugin makes of it once the node is up
 * again; {@code lab/power-test} runs both halves.
 *
 * <p>{@code FAIRLEAD_POWER_FOLDER} names a folder of the node's own disk; {@code FAIRLEAD_POWER_PROTOCOL} names the
 * protocol, and {@code FAIRLEAD_POWER_AFTER} the number of changes, zero for a life that nothing disturbs.
 */
@Tag("machine")
@EnabledIfEnvironmentVariable(named = "FAIRLEAD_POWER_FOLDER", matches = "/.+")
class NodePowerTest {
    private final Path folder = Path.of(variable("FAIRLEAD_POWER_FOLDER"));
    private final TriedVolume tried =
            TriedProtocol.valueOf(variable("FAIRLEAD_POWER_PROTOCOL")).volume();
    private final KubeletVolume volume =
            new KubeletVolume("v:nas/pvc-1", folder, tried.block(), tried.context(), tried.secrets());
    private final Path written = folder.resolve("written");
    private final KillablePlugin plugin = new KillablePlugin(folder);

    private static String variable(String name) {
        return Optional.ofNullable(System.getenv(name)).orElse("");
    }

    @AfterEach
    void end_the_plugin() {
        plugin.close();
    }

    private void write(byte[] content) throws IOException {
        VolumeContent.write(volume, content);
        Files.write(
                written,
                content,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE,
                StandardOpenOption.SYNC);
    }

    private void publish() throws Exception {
        plugin.done(volume::stage);
        plugin.done(volume::publish);
    }

    private void unpublish() throws Exception {
        plugin.done(volume::unpublish);
        plugin.done(volume::unstage);
    }

    /** Ends with the power, which the driver cuts, unless it is to go after no change. */
    @Test
    void lives_until_the_power_goes() throws Exception {
        int after = Integer.parseInt(variable("FAIRLEAD_POWER_AFTER"));
        plugin.prepare();
        Files.deleteIfExists(written);
        tried.makeNew();
        plugin.arm(Kill.AFTER_CHANGE, after == 0 ? KillablePlugin.NEVER : after);

        publish();
        write(VolumeContent.random());
        long size = tried.grow();
        if (size > 0) {
            plugin.done(node -> assertThat(volume.expand(node, size)).isEqualTo(size));
        }
        unpublish();

        System.out.println("changes: " + plugin.changes().size());
        assertThat(after).as("the power has not gone").isZero();
    }

    /** Kubelet asks again for what it wants, as if nothing were staged. */
    @Test
    void is_finished_once_the_power_is_back() throws Exception {
        publish();
        if (Files.exists(written)) {
            assertThat(VolumeContent.read(volume)).as(plugin.log()).isEqualTo(Files.readAllBytes(written));
        }
        byte[] content = VolumeContent.random();
        write(content);
        unpublish();

        assertThat(NodeShell.mounts(folder)).as(plugin.log()).isEmpty();
        assertThat(tried.left()).as(plugin.log()).isEmpty();
        assertThat(NodeShell.files(folder.resolve("csi.sock.staged")))
                .as(plugin.log())
                .isEmpty();
        assertThat(plugin.formats()).hasSizeLessThanOrEqualTo(1).allMatch(line -> line.startsWith("blank "));
        publish();
        assertThat(VolumeContent.read(volume)).as(plugin.log()).isEqualTo(content);
        unpublish();
        tried.remove();
    }

    /** Kubelet wants nothing of it any more. */
    @Test
    void is_taken_away_once_the_power_is_back() throws Exception {
        unpublish();

        assertThat(NodeShell.mounts(folder)).as(plugin.log()).isEmpty();
        assertThat(tried.left()).as(plugin.log()).isEmpty();
        assertThat(NodeShell.files(folder.resolve("csi.sock.staged")))
                .as(plugin.log())
                .isEmpty();
        boolean has = Files.exists(written);
        publish();
        if (has) {
            assertThat(VolumeContent.read(volume)).as(plugin.log()).isEqualTo(Files.readAllBytes(written));
        }
        unpublish();
        tried.remove();
    }
}

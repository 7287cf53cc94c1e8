package dev.fairlead.bootstrap.serving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.bootstrap.serving.KillablePlugin.Kill;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A node plugin that is killed after each change that it makes, and in each program that it runs, while it stages,
 * publishes, grows, unpublishes and unstages a volume: what the next process answers to the call when it is repeated,
 * what is left at the end, and what has become of the volume's content.
 *
 * <p>{@code FAIRLEAD_STOR} and {@code FAIRLEAD_STOR_KEY} name the storage machine as for {@link IscsiOverSocketTest};
 * {@code FAIRLEAD_ZFS_POOL} names a pool of this machine. {@code FAIRLEAD_KILLS_EVERY} says that not each of the kills
 * is tried.
 */
@Tag("machine")
class NodeKillsTest {
    private final int every = Integer.parseInt(
            Optional.ofNullable(System.getenv("FAIRLEAD_KILLS_EVERY")).orElse("1"));

    @TempDir
    Path folder = Path.of("/nonexistent");

    private KillablePlugin plugin = new KillablePlugin(folder);

    @BeforeEach
    void make_the_folder() throws Exception {
        plugin = new KillablePlugin(folder);
        plugin.prepare();
    }

    @AfterEach
    void end_the_plugin() throws Exception {
        plugin.close();
        NodeShell.unmountAll(folder);
    }

    @ParameterizedTest
    @EnumSource
    @EnabledIfEnvironmentVariable(named = "FAIRLEAD_STOR", matches = ".+")
    void a_plugin_that_is_killed_leaves_nothing_and_loses_nothing(TriedProtocol protocol) throws Exception {
        assertSafe(protocol.name(), protocol.volume());
    }

    @ParameterizedTest
    @EnumSource
    @EnabledIfEnvironmentVariable(named = "FAIRLEAD_ZFS_POOL", matches = "\\w+")
    void a_plugin_that_is_killed_loses_nothing_of_a_pool_of_its_node(TriedZfs.Kind kind) throws Exception {
        assertSafe(kind.name(), new TriedZfs(System.getenv("FAIRLEAD_ZFS_POOL"), kind));
    }

    private void assertSafe(String name, TriedVolume tried) throws Exception {
        try {
            live(tried, Kill.AFTER_CHANGE, KillablePlugin.NEVER);
            // What a process does once in its life, those that are killed have done.
            Life undisturbed = live(tried, Kill.AFTER_CHANGE, KillablePlugin.NEVER);
            long began = System.nanoTime();
            int kills = killed(tried, Kill.AFTER_CHANGE, undisturbed.changes(), undisturbed)
                    + killed(tried, Kill.IN_PROGRAM, undisturbed.programs(), undisturbed);
            System.out.printf(
                    "%s: %d changes, %d programs from stage to unstage, killed after or in %d, in %d s%n%s%n",
                    name,
                    undisturbed.changes().size(),
                    undisturbed.programs().size(),
                    kills,
                    (System.nanoTime() - began) / 1_000_000_000,
                    String.join("\n", undisturbed.changes()));
        } finally {
            plugin.close();
            NodeShell.unmountAll(folder);
            tried.remove();
        }
    }

    /**
     * What a plugin does in a volume's life.
     *
     * @param remains what there is afterwards
     */
    private record Life(List<String> changes, List<String> programs, List<String> remains) {}

    private int killed(TriedVolume tried, Kill kill, List<String> moments, Life undisturbed) throws Exception {
        int kills = 0;
        for (int nth = 1; nth <= moments.size(); nth += every) {
            System.out.println(kill + " " + nth + ": " + moments.get(nth - 1));
            Life disturbed = live(tried, kill, nth);
            assertThat(disturbed.remains()).as(plugin.log()).isEqualTo(undisturbed.remains());
            kills++;
        }
        return kills;
    }

    private Life live(TriedVolume tried, Kill kill, int nth) throws Exception {
        KubeletVolume volume =
                new KubeletVolume("v:nas/pvc-1", folder, tried.block(), tried.context(), tried.secrets());
        byte[] content = VolumeContent.random();
        tried.makeNew();
        plugin.arm(kill, nth);

        plugin.done(volume::stage);
        plugin.done(volume::publish);
        VolumeContent.write(volume, content);
        long size = tried.grow();
        if (size > 0) {
            plugin.done(node -> assertThat(volume.expand(node, size)).isEqualTo(size));
        }
        plugin.done(volume::unpublish);
        plugin.done(volume::unstage);

        assertThat(plugin.wasKilled()).as(kill + " " + nth).isTrue();
        assertThat(NodeShell.mounts(folder)).as(plugin.log()).isEmpty();
        assertThat(tried.left()).as(plugin.log()).isEmpty();
        assertThat(NodeShell.files(folder.resolve("csi.sock.staged")))
                .as(plugin.log())
                .isEmpty();
        assertThat(volume.staging()).as(plugin.log()).doesNotExist();
        List<String> changes = plugin.changes();
        List<String> programs = plugin.programs();
        List<String> remains = plugin.remains();
        plugin.done(volume::stage);
        plugin.done(volume::publish);
        assertThat(VolumeContent.read(volume)).as(plugin.log()).isEqualTo(content);
        plugin.done(volume::unpublish);
        plugin.done(volume::unstage);
        assertThat(plugin.formats())
                .as(plugin.log())
                .hasSizeLessThanOrEqualTo(1)
                .allMatch(line -> line.startsWith("blank "));
        return new Life(changes, programs, remains);
    }
}

package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.ConfigNode.Unread;
import dev.fairlead.application.config.ConfigValue.Mapping;
import dev.fairlead.application.config.Problem;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.store.StoreFactory;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.testkit.contract.volume.StoreFactoryContract;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PoolStoreFactoryTest implements StoreFactoryContract {
    @TempDir
    Path folder = Path.of("/nowhere");

    @Override
    public StoreFactory factory() {
        return new PoolFixture("existing").factory();
    }

    @Override
    public String driverType() {
        return "local-pool";
    }

    @Override
    public Mapping goodConfig() {
        return PoolSettingsFiles.good();
    }

    @Override
    public List<BadConfig> badConfigs() {
        List<BadConfig> all = new ArrayList<>(PoolSettingsFiles.bad());
        all.add(PoolSettingsFiles.withoutNode());
        return all;
    }

    private List<Problem> told(StoreFactory factory, Mapping file) {
        Problems problems = new Problems("test.yaml");
        ConfigNode node = ConfigNode.root(file, problems);
        node.ignore("driver");
        factory.open(
                        new ConnectionScope(
                                new ConnectionName("test"), "local-pool", Optional.empty(), "dev.fairlead.test", true),
                        node)
                .close();
        node.reportUnread(Unread.WARNING);
        return problems.all();
    }

    @Test
    void the_list_of_kubevirts_provisioner_is_read_as_it_is() {
        Mapping theirs = PoolFixture.mapping(Map.of(
                "local-pool",
                PoolFixture.mapping(Map.of(
                        "datadir",
                        PoolFixture.list(PoolFixture.mapping(Map.of(
                                "name",
                                "legacy",
                                "path",
                                "/csi-data-dir",
                                "snapshotPath",
                                "/snap-dir",
                                "snapshotProvider",
                                "reflink")))))));

        assertThat(told(factory(), theirs))
                .singleElement()
                .satisfies(it -> assertThat(it.isNote()).isTrue());
        assertThat(factory().baseFolders("local-pool", ConfigNode.root(theirs, new Problems("test.yaml"))))
                .containsExactly(Path.of("/csi-data-dir"));
    }

    @Test
    void a_key_too_many_is_an_error_wherever_it_is() {
        Mapping file = PoolSettingsFiles.file(PoolFixture.pool("a", Path.of("/a"), "image", Map.of("quota", "hard")));

        assertThat(told(factory(), file)).singleElement().satisfies(it -> {
            assertThat(it.isError()).isTrue();
            assertThat(it.path()).isEqualTo("local-pool.pools[0].quota");
        });
    }

    @Test
    void sizes_that_do_not_hold_are_noted_of_each_pool_that_is_said_to_be_a_directory() {
        Mapping file = PoolSettingsFiles.file(
                PoolFixture.pool("a", Path.of("/a"), "image"),
                PoolFixture.pool("b", Path.of("/b"), "directory"),
                PoolFixture.unsaid("c", Path.of("/c"), Map.of("shared", "true")),
                PoolFixture.unsaid("d", Path.of("/d"), Map.of()));

        List<Problem> told =
                told(factory(), file).stream().filter(Problem::isNote).toList();

        assertThat(told)
                .extracting(Problem::path)
                .containsExactly("local-pool.pools[1].kind", "local-pool.pools[2].kind");
        assertThat(told)
                .extracting(Problem::what)
                .allMatch(it -> it.contains("are advisory"))
                .first()
                .asString()
                .startsWith("sizes in pool 'b' ");
        assertThat(told).extracting(Problem::remedy).first().asString().contains("kind: image");
        assertThat(told).extracting(Problem::remedy).last().asString().contains("no other kind");
    }

    @Test
    void a_pool_on_the_disk_of_the_operating_system_is_told() {
        StoreFactory here =
                new PoolFixture("existing", new PoolFixture.NoDevices(), new SystemDisk(List.of(folder))).factory();
        Mapping file = PoolSettingsFiles.file(PoolFixture.pool("a", folder, "image"));

        assertThat(told(here, file)).singleElement().satisfies(it -> {
            assertThat(it.isError()).isFalse();
            assertThat(it.what()).contains("operating system");
        });
        assertThat(Files.isDirectory(folder.resolve("v"))).isFalse();
    }
}

package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.ConfigValue.Mapping;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.export.ExporterFactory;
import dev.fairlead.testkit.contract.export.ExporterFactoryContract;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class PoolExporterFactoryTest implements ExporterFactoryContract {
    @Override
    public ExporterFactory factory() {
        return new PoolExporterFactory(PlayedDatasets.NONE);
    }

    @Override
    public String driverType() {
        return "local-pool";
    }

    @Override
    public String mediumPath() {
        return "/nowhere/fast/v/pvc-1/disk.img";
    }

    @Override
    public Mapping goodConfig() {
        return PoolSettingsFiles.good();
    }

    @Override
    public List<BadConfig> badConfigs() {
        return PoolSettingsFiles.bad();
    }

    @Test
    void nodes_may_mount_from_every_pool() {
        assertThat(factory().hostPaths("local-pool", ConfigNode.root(goodConfig(), new Problems("test.yaml"))))
                .containsExactly(Path.of("/nowhere/legacy"), Path.of("/nowhere/fast"));
    }
}

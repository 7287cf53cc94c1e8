package dev.fairlead.adapter.local.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.attachment.Attachment;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LocalPathExporterTest extends PathExporterContract {
    @Override
    public Exporter exporter() {
        var config = DirectoryFixture.mapping(Map.of(
                "local-hostpath",
                DirectoryFixture.mapping(
                        Map.of("controllerBasePath", base().toString(), "shareBasePath", "/on/the/node/"))));
        return LocalPathExporter.open(
                DirectoryFixture.scope("test"), ConfigNode.root(config, new Problems("test.yaml")));
    }

    @Override
    public VolumeStore store() {
        return new DirectoryFixture(base()).open();
    }

    @Override
    public String file() {
        return "data";
    }

    @Test
    void the_path_is_the_one_that_the_node_sees() {
        var plan = exporter().plan(birth("pvc-a"));

        assertThat(plan.attachment()).contains(new Attachment.HostPath("/on/the/node/v/pvc-a"));
    }
}

package dev.fairlead.bootstrap.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.config.Problem;
import dev.fairlead.application.config.Problems;
import dev.fairlead.bootstrap.config.Defaults;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.topology.TopologyPrefix;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** {@code fairlead.foreignSnapshots} of a connection's file, which means something for ZFS alone. */
class ForeignSnapshotsSettingTest {
    private static final String ZFS = "driver: zfs-local-zvol\nzfs: {datasetParentName: tank/v}\n";
    private static final String DIRECTORIES =
            "driver: local-hostpath\nlocal-hostpath: {shareBasePath: /share, controllerBasePath: /controller}\n";

    private String errors(String file, String policy) {
        var problems = new Problems("c.yaml");
        var graph = DaggerFactoryComponent.create();
        var locality = new Locality(TopologyPrefix.DEFAULT, true, Optional.of("n1"));
        String text = file + "fairlead: {foreignSnapshots: " + policy + "}\n";
        new BackendAssembler(DriverTypes.all(), graph.stores(), graph.exporters(), locality, "test", false)
                .assemble(new ConnectionName("c"), text.getBytes(StandardCharsets.UTF_8), Defaults.NONE, problems)
                .ifPresent(it -> {
                    it.backend().exporter().close();
                    it.backend().store().close();
                });
        return problems.errors().stream().map(Problem::toString).toList().toString();
    }

    @Test
    void is_read_where_it_means_something_and_refused_where_it_does_not() {
        assertThat(errors(ZFS, "refuse")).isEqualTo("[]");
        assertThat(errors(ZFS, "destroy")).isEqualTo("[]");
        assertThat(errors(ZFS, "keep")).contains("fairlead.foreignSnapshots", "expected: refuse or destroy");
        assertThat(errors(DIRECTORIES, "destroy")).contains("fairlead.foreignSnapshots", "unknown key");
    }
}

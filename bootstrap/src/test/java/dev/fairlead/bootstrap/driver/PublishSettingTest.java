package dev.fairlead.bootstrap.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.config.Problem;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.service.connection.BackendSettings;
import dev.fairlead.bootstrap.config.Defaults;
import dev.fairlead.bootstrap.config.YamlReader;
import dev.fairlead.bootstrap.driver.BackendAssembler.Assembled;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.topology.TopologyPrefix;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** {@code fairlead.publish} of a connection's file, and of the main file's defaults. */
class PublishSettingTest {
    private static final String NFS = """
            driver: zfs-generic-nfs
            sshConnection: {host: nas, username: csi, password: x, knownHosts: "nas ssh-ed25519 AAAA"}
            zfs: {datasetParentName: tank/v}
            nfs:
              shareHost: nas
              shareStrategy: setDatasetProperties
              shareStrategySetDatasetProperties: {properties: {sharenfs: "rw,no_root_squash"}}
            """;
    private static final String SMB = NFS.replace("zfs-generic-nfs", "zfs-generic-smb")
            .replace("sharenfs", "sharesmb")
            .replace("nfs:", "smb:");
    private static final String NODES = "fairlead: {publish: nodes}\n";

    private final Problems problems = new Problems("c.yaml");

    private Optional<BackendSettings> settings(String text, boolean publishes, String defaults) {
        var graph = DaggerFactoryComponent.create();
        var locality = new Locality(TopologyPrefix.DEFAULT, false, Optional.empty());
        var assembler =
                new BackendAssembler(DriverTypes.all(), graph.stores(), graph.exporters(), locality, "test", publishes);
        Defaults all = YamlReader.read(defaults.getBytes(StandardCharsets.UTF_8), problems)
                .map(Defaults::of)
                .orElse(Defaults.NONE);
        Optional<Assembled> assembled =
                assembler.assemble(new ConnectionName("c"), text.getBytes(StandardCharsets.UTF_8), all, problems);
        assembled.ifPresent(it -> {
            it.backend().exporter().close();
            it.backend().store().close();
        });
        return assembled.map(it -> it.backend().settings());
    }

    private String errors() {
        return problems.errors().stream().map(Problem::toString).toList().toString();
    }

    @Test
    void volumes_are_open_unless_the_file_says_otherwise() {
        assertThat(settings(NFS, true, "{}").orElseThrow().closed()).isFalse();
        assertThat(settings(NFS + "fairlead: {publish: open}\n", true, NODES)
                        .orElseThrow()
                        .closed())
                .isFalse();
        assertThat(settings(NFS + NODES, true, "{}").orElseThrow().closed()).isTrue();
        assertThat(settings(NFS, true, NODES).orElseThrow().closed()).isTrue();
        assertThat(errors()).isEqualTo("[]");
    }

    @Test
    void volumes_that_nobody_could_ever_use_are_refused_at_load() {
        assertThat(settings(NFS + NODES, false, "{}")).isEmpty();
        assertThat(errors()).contains("fairlead.publish", "main file", "attachRequired");
    }

    @Test
    void a_driver_that_cannot_close_volumes_is_told_so_where_its_own_file_asks() {
        assertThat(settings(SMB + NODES, true, "{}")).isEmpty();
        assertThat(errors()).contains("fairlead.publish", "zfs-generic-smb");
    }

    @Test
    void a_share_of_another_form_cannot_be_closed() {
        assertThat(settings(NFS.replace("rw,no_root_squash", "-maproot=root") + NODES, true, "{}"))
                .isEmpty();
        assertThat(errors()).contains("as on Linux");
    }

    /** A default is meant for those whom it concerns. */
    @Test
    void a_driver_that_cannot_close_volumes_lets_a_default_pass() {
        assertThat(settings(SMB, true, NODES)).isPresent();
        assertThat(errors()).isEqualTo("[]");
    }

    @Test
    void another_word_is_refused() {
        assertThat(settings(NFS + "fairlead: {publish: everybody}\n", true, "{}"))
                .isEmpty();
        assertThat(errors()).contains("'everybody' is not known", "open, or nodes");
    }
}

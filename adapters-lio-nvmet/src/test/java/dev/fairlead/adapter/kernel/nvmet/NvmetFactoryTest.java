package dev.fairlead.adapter.kernel.nvmet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.ConfigValue.Mapping;
import dev.fairlead.application.config.Problem;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.export.ExporterFactory;
import dev.fairlead.application.port.out.host.CommandRunnerFactory;
import dev.fairlead.application.port.out.host.StorageHosts;
import dev.fairlead.testkit.ConfigTrees;
import dev.fairlead.testkit.contract.export.ExporterFactoryContract;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NvmetFactoryTest implements ExporterFactoryContract {
    private static final String CLI = "nvmeof.shareStrategyNvmetCli.";

    @Override
    public ExporterFactory factory() {
        CommandRunnerFactory none = (_, _) -> new LocalTarget();
        return NvmetModule.nvmet(new StorageHosts(Map.of("ssh", none, "local", none)));
    }

    @Override
    public String driverType() {
        return "zfs-generic-nvmeof";
    }

    @Override
    public Mapping goodConfig() {
        return ConfigTrees.of(Map.of(
                "driver", "zfs-generic-nvmeof",
                "zfs", Map.of("cli", Map.of("paths", Map.of("sudo", "/usr/local/bin/sudo"))),
                "nvmeof",
                        Map.of(
                                "transport", "tcp://10.0.0.1:4420",
                                "transports", List.of("tcp://[2001:db8::1]:4420?host-iface=eth0"),
                                "nameTemplate", "{{ parameters.ns }}-{{ name }}",
                                "namePrefix", "a-",
                                "nameSuffix", "-b",
                                "shareStrategy", "nvmetCli",
                                "shareStrategyNvmetCli",
                                        Map.of(
                                                "sudoEnabled",
                                                true,
                                                "configPath",
                                                "/etc/nvmet/config.json",
                                                "configIsImportedFilePath",
                                                "/run/nvmet-imported",
                                                "basename",
                                                "nqn.2003-01.org.linux-nvme",
                                                "ports",
                                                List.of(1, "2"),
                                                "subsystem",
                                                Map.of("attributes", Map.of("allow_any_host", true))))));
    }

    @Override
    public Set<String> anyShape() {
        return Set.of("driver");
    }

    @Override
    public List<BadConfig> badConfigs() {
        Mapping several = ConfigTrees.with(
                ConfigTrees.with(
                        ConfigTrees.without(goodConfig(), CLI + "basename"), "nvmeof.transport", "http://10.0.0.1"),
                CLI + "ports",
                List.of());
        return List.of(
                new BadConfig("no block", ConfigTrees.without(goodConfig(), "nvmeof"), List.of("nvmeof.shareStrategy")),
                new BadConfig("several", several, List.of("nvmeof.transport", CLI + "basename", CLI + "ports")),
                bad("another transport", "nvmeof.transports", List.of("tcp://a:1", "ftp://a"), "nvmeof.transports[1]"),
                bad(
                        "too many queues",
                        "nvmeof.transports",
                        List.of("tcp://a?fast_io_fail_tmo=5", "tcp://a?queue-size=4096"),
                        "nvmeof.transports[1]"),
                bad("SPDK", "nvmeof.shareStrategy", "spdkCli", "nvmeof.shareStrategy"),
                bad("no strategy", "nvmeof.shareStrategy", "nvmetcli", "nvmeof.shareStrategy"),
                bad("a port that leads out", CLI + "ports", List.of("1", "../1"), CLI + "ports[1]"),
                bad("a base with blanks", CLI + "basename", "nqn 1", CLI + "basename"),
                bad("a relative file", CLI + "configPath", "config.json", CLI + "configPath"),
                bad("a folder", CLI + "configIsImportedFilePath", "/run/", CLI + "configIsImportedFilePath"),
                bad(
                        "an attribute that leads out",
                        CLI + "subsystem.attributes",
                        Map.of("../x", "1"),
                        CLI + "subsystem.attributes.../x"));
    }

    private BadConfig bad(String mistake, String path, Object value, String reported) {
        return new BadConfig(mistake, ConfigTrees.with(goodConfig(), path, value), List.of(reported));
    }

    private static List<Problem> problems(Mapping file) {
        var problems = new Problems("c.yaml");
        NvmeofSettings.read(ConfigNode.root(file, problems));
        return problems.all();
    }

    @Test
    void spdk_is_refused_with_a_reason_and_what_to_do() {
        assertThat(problems(ConfigTrees.with(goodConfig(), "nvmeof.shareStrategy", "spdkCli")))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.what()).contains("not in the kernel");
                    assertThat(problem.remedy()).contains("nvmetCli").contains("democratic-csi");
                });
    }

    @Test
    void the_path_of_nvmetcli_is_taken_with_a_warning() {
        assertThat(problems(ConfigTrees.with(goodConfig(), CLI + "nvmetcliPath", "/usr/sbin/nvmetcli")))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.isError()).isFalse();
                    assertThat(problem.what()).contains("configfs");
                });
    }

    @Test
    void what_the_file_leaves_out_is_as_it_always_was() {
        Mapping bare = ConfigTrees.without(ConfigTrees.without(goodConfig(), CLI + "subsystem"), CLI + "configPath");

        NvmeofSettings settings = NvmeofSettings.read(ConfigNode.root(bare, new Problems("c.yaml")));

        assertThat(settings.config()).isEqualTo("/etc/nvmet/config.json");
        assertThat(settings.attributes()).containsExactly(Map.entry("allow_any_host", "1"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tcp://server:4420",
                "tcp://127.0.0.1:4420?host-iface=eth0",
                "tcp://[2001:123:456::1]:4420",
                "rdma://127.0.0.1:4420",
                "rdma://127.0.0.1",
                "fc://[nn-0x203b00a098cbcac6:pn-0x203d00a098cbcac6]"
            })
    void every_form_of_a_transport_is_taken(String transport) {
        assertThat(problems(ConfigTrees.with(goodConfig(), "nvmeof.transport", transport)))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "server:4420",
                "tcp://",
                "tcp://a b:1",
                "tcp://a:port",
                "fc://nn-1:pn-2",
                "tcp://a,tcp://b",
                "loop://"
            })
    void what_is_no_transport_is_refused(String transport) {
        assertThat(problems(ConfigTrees.with(goodConfig(), "nvmeof.transport", transport)))
                .extracting(Problem::path)
                .containsExactly("nvmeof.transport");
    }
}

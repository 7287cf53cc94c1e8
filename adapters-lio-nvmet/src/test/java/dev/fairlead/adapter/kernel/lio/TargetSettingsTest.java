package dev.fairlead.adapter.kernel.lio;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.ConfigValue.Mapping;
import dev.fairlead.application.config.Problem;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.export.ExporterFactory;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.host.CommandRunnerFactory;
import dev.fairlead.application.port.out.host.StorageHosts;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.testkit.ConfigTrees;
import dev.fairlead.testkit.contract.export.ExporterFactoryContract;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TargetSettingsTest implements ExporterFactoryContract {
    private static final String CLI = "iscsi.shareStrategyTargetCli";
    private static final String PASSWORD = "wonderland-password";
    private static final String MUTUAL = "looking-glass-password";

    /** Reading settings runs nothing. */
    private static final CommandRunner NOBODY = new CommandRunner() {
        @Override
        public Ended run(Command command, Work work) {
            throw new AssertionError("ran " + command.argv());
        }

        @Override
        public void close() {}
    };

    @Override
    public ExporterFactory factory() {
        CommandRunnerFactory any = (_, _) -> NOBODY;
        return TargetModule.iscsi(new StorageHosts(Map.of("ssh", any, "local", any)));
    }

    @Override
    public String driverType() {
        return "zfs-generic-iscsi";
    }

    /** Democratic-csi's example, all keys. */
    @Override
    public Mapping goodConfig() {
        return ConfigTrees.of(Map.of(
                "driver",
                driverType(),
                "zfs",
                Map.of("cli", Map.of("paths", Map.of("sudo", "/usr/local/bin/sudo"))),
                "iscsi",
                Map.of(
                        "shareStrategy",
                        "targetCli",
                        "shareStrategyTargetCli",
                        Map.of(
                                "sudoEnabled",
                                true,
                                "basename",
                                "iqn.2003-01.org.linux-iscsi.nas.x8664",
                                "tpg",
                                Map.of(
                                        "attributes",
                                        Map.of("authentication", 1, "generate_node_acls", 1),
                                        "auth",
                                        Map.of(
                                                "userid",
                                                "alice",
                                                "password",
                                                PASSWORD,
                                                "mutual_userid",
                                                "hatter",
                                                "mutual_password",
                                                MUTUAL)),
                                "block",
                                Map.of("attributes", Map.of("emulate_tpu", 0))),
                        "targetPortal",
                        "nas.example.org:3260",
                        "targetPortals",
                        List.of("10.0.0.1:3260", "[fd00::1]:3260"),
                        "interface",
                        "default",
                        "nameTemplate",
                        "{{ parameters.[csi.storage.k8s.io/pvc/namespace] }}-{{ name }}",
                        "namePrefix",
                        "csi-",
                        "nameSuffix",
                        "-tank")));
    }

    @Override
    public Set<String> anyShape() {
        return Stream.concat(ExporterFactoryContract.super.anyShape().stream(), Stream.of("iscsi.targetPortals"))
                .collect(Collectors.toSet());
    }

    @Override
    public List<String> secrets() {
        return List.of(PASSWORD, MUTUAL);
    }

    private BadConfig bad(String mistake, String path, Object value, String... paths) {
        return new BadConfig(
                mistake,
                ConfigTrees.with(goodConfig(), path, value),
                paths.length == 0 ? List.of(path) : List.of(paths));
    }

    private BadConfig without(String path, String... paths) {
        return new BadConfig(
                "no " + path,
                ConfigTrees.without(goodConfig(), path),
                paths.length == 0 ? List.of(path) : List.of(paths));
    }

    @Override
    public List<BadConfig> badConfigs() {
        return List.of(
                bad("another strategy", "iscsi.shareStrategy", "scst"),
                bad("no IQN", CLI + ".basename", "nas"),
                bad("an IQN in capitals", CLI + ".basename", "iqn.2003-01.org.Example"),
                without(CLI + ".basename"),
                without("iscsi.shareStrategy"),
                bad("no number", CLI + ".tpg.attributes.authentication", "yes"),
                bad("a second command", CLI + ".block.attributes.emulate_tpu", "1\ndelete x"),
                without(CLI + ".tpg.auth.password", CLI + ".tpg.auth.password", CLI + ".tpg.auth.mutual_password"),
                without(CLI + ".tpg.auth.userid"),
                without(CLI + ".tpg.auth.mutual_userid"),
                bad("a blank in a password", CLI + ".tpg.auth.password", PASSWORD + " x"),
                bad("a second line in a password", CLI + ".tpg.auth.mutual_password", MUTUAL + "\n/ clearconfig"),
                bad("what the kernel takes for none", CLI + ".tpg.auth.password", "NULL" + PASSWORD),
                bad("no address", "iscsi.targetPortal", "nas/3260"),
                bad("no interface", "iscsi.interface", "a b"),
                bad("a prefix that no IQN has", "iscsi.namePrefix", "a_"),
                bad("a suffix that no IQN has", "iscsi.nameSuffix", "/"),
                bad("no template", "iscsi.nameTemplate", "{{ name"),
                bad("a program that is an option", "zfs.cli.paths.sudo", "-x"),
                new BadConfig(
                        "nothing at all",
                        ConfigTrees.of(Map.of("driver", driverType())),
                        List.of("iscsi.shareStrategy", CLI + ".basename", "iscsi.targetPortal")));
    }

    private static List<Problem> problems(Map<String, ?> attributes, List<String> portals) {
        var problems = new Problems("c.yaml");
        Map<String, ?> auth = Map.of("userid", "alice", "password", PASSWORD);
        TargetSettings.read(ConfigNode.root(
                ConfigTrees.of(Map.of(
                        "iscsi",
                        Map.of(
                                "shareStrategy",
                                "targetCli",
                                "targetPortals",
                                portals,
                                "shareStrategyTargetCli",
                                Map.of(
                                        "basename",
                                        "iqn.2003-01.org.example",
                                        "tpg",
                                        Map.of("attributes", attributes, "auth", auth))))),
                problems));
        return problems.all();
    }

    @Test
    void credentials_that_nobody_is_asked_for_are_warned_of() {
        assertThat(problems(Map.of("generate_node_acls", 1), List.of("nas")))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.isError()).isFalse();
                    assertThat(problem.path()).isEqualTo(CLI + ".tpg.auth");
                });
        assertThat(problems(Map.of("authentication", true), List.of("nas"))).isEmpty();
    }

    @Test
    void what_is_no_name_of_an_attribute_and_no_portal_is_reported_where_it_stands() {
        assertThat(problems(Map.of("authentication", 1, "x=1 y", 1, "Capital", 0), List.of("nas", "a,b")))
                .extracting(Problem::path)
                .containsExactlyInAnyOrder(
                        CLI + ".tpg.attributes.x=1 y", CLI + ".tpg.attributes.Capital", "iscsi.targetPortals[1]");
    }
}

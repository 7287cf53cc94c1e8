package dev.fairlead.adapter.freenas;

import dev.fairlead.adapter.freenas.export.HostTurns;
import dev.fairlead.application.config.ConfigValue.Mapping;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.export.ExporterFactory;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.testkit.ConfigTrees;
import dev.fairlead.testkit.contract.export.ExporterFactoryContract;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Nested;

/** The blocks of the protocols in the connection files of TrueNAS boxes. */
class FreenasExportModuleTest {
    @Nested
    class Nfs implements FreenasFileContract<Exporter>, ExporterFactoryContract {
        @Override
        public String protocol() {
            return "nfs";
        }

        @Override
        public ExporterFactory factory() {
            return FreenasModule.nfs(connections(), pending());
        }

        @Override
        public Mapping goodConfig() {
            return fileOf(Map.of("shareHost", "nas.example.org", "shareMaprootUser", "root"));
        }

        @Override
        public List<BadConfig> badConfigs() {
            return List.of(new BadConfig(
                    "no host", ConfigTrees.with(goodConfig(), "nfs.shareHost", ""), List.of("nfs.shareHost")));
        }
    }

    @Nested
    class Smb implements FreenasFileContract<Exporter>, ExporterFactoryContract {
        @Override
        public ExporterFactory factory() {
            return FreenasExportModule.smb(connections(), pending(), new HostTurns());
        }

        @Override
        public String protocol() {
            return "smb";
        }

        @Override
        public Mapping goodConfig() {
            return fileOf(Map.of(
                    "shareHost",
                    "nas.example.org",
                    "namePrefix",
                    "csi-",
                    "nameSuffix",
                    "-x",
                    "shareAllowedHosts",
                    List.of("10.0.0.0/24"),
                    "shareDeniedHosts",
                    List.of("10.0.0.9"),
                    "shareGuestOk",
                    false,
                    "shareRecycleBin",
                    "true",
                    "shareAuxiliaryConfigurationTemplate",
                    "vfs objects = acl_xattr"));
        }

        @Override
        public List<BadConfig> badConfigs() {
            return List.of(
                    new BadConfig("nothing", Mapping.EMPTY, List.of("httpConnection.host", "smb.shareHost")),
                    new BadConfig(
                            "names that no share has, and a template that is none",
                            ConfigTrees.with(
                                    ConfigTrees.with(goodConfig(), "smb.namePrefix", "a/b"),
                                    "smb.nameTemplate",
                                    "{{ name"),
                            List.of("smb.namePrefix", "smb.nameTemplate")),
                    new BadConfig(
                            "a host that is none, and a configuration that is no template",
                            ConfigTrees.with(
                                    ConfigTrees.with(goodConfig(), "smb.shareHost", "nas\nx"),
                                    "smb.shareAuxiliaryConfigurationTemplate",
                                    "a = {{ name"),
                            List.of("smb.shareHost", "smb.shareAuxiliaryConfigurationTemplate")),
                    new BadConfig(
                            "no host", ConfigTrees.with(goodConfig(), "smb.shareHost", ""), List.of("smb.shareHost")));
        }
    }

    @Nested
    class Iscsi implements FreenasFileContract<Exporter>, ExporterFactoryContract {
        @Override
        public ExporterFactory factory() {
            return FreenasExportModule.iscsi(connections(), new HostTurns());
        }

        @Override
        public String protocol() {
            return "iscsi";
        }

        @Override
        public Mapping goodConfig() {
            return fileOf(Map.of(
                    "targetPortal",
                    "nas.example.org:3260",
                    "targetPortals",
                    List.of("[fd00::1]:3260"),
                    "interface",
                    "",
                    "namePrefix",
                    "csi-",
                    "targetGroups",
                    List.of(Map.of(
                            "targetGroupPortalGroup",
                            1,
                            "targetGroupInitiatorGroup",
                            2,
                            "targetGroupAuthType",
                            "CHAP Mutual",
                            "targetGroupAuthGroup",
                            3)),
                    "extentCommentTemplate",
                    "{{ parameters.[csi.storage.k8s.io/pvc/name] }}",
                    "extentInsecureTpc",
                    true,
                    "extentBlocksize",
                    4096,
                    "extentRpm",
                    "SSD",
                    "extentAvailThreshold",
                    0));
        }

        @Override
        public List<BadConfig> badConfigs() {
            return List.of(
                    new BadConfig("nothing", Mapping.EMPTY, List.of("httpConnection.host", "iscsi.targetPortal")),
                    new BadConfig(
                            "groups that nobody reaches, or that ask for what the box has not",
                            ConfigTrees.with(
                                    goodConfig(),
                                    "iscsi.targetGroups",
                                    List.of(
                                            Map.of("targetGroupAuthType", "CHAP"),
                                            Map.of("targetGroupPortalGroup", "x"))),
                            List.of(
                                    "iscsi.targetGroups[0].targetGroupPortalGroup",
                                    "iscsi.targetGroups[0].targetGroupAuthGroup",
                                    "iscsi.targetGroups[1].targetGroupPortalGroup")),
                    new BadConfig(
                            "a portal group twice",
                            ConfigTrees.with(
                                    goodConfig(),
                                    "iscsi.targetGroups",
                                    List.of(
                                            Map.of("targetGroupPortalGroup", 1),
                                            Map.of("targetGroupPortalGroup", "1"))),
                            List.of("iscsi.targetGroups")),
                    new BadConfig(
                            "a size and a speed that no extent has",
                            ConfigTrees.with(
                                    ConfigTrees.with(goodConfig(), "iscsi.extentBlocksize", 500),
                                    "iscsi.extentRpm",
                                    "fast"),
                            List.of("iscsi.extentBlocksize", "iscsi.extentRpm")));
        }

        /** The base of names is the box's: what a node gets is known once the volume is exported. */
        @Override
        public Optional<Attachment> attachment(Exporter exporter) {
            return Optional.of(new Attachment.Iscsi("nas.example.org:3260", List.of(), "", "iqn.2005-10.org.x:a", 0));
        }
    }

    @Nested
    class Nvmeof implements FreenasFileContract<Exporter>, ExporterFactoryContract {
        @Override
        public ExporterFactory factory() {
            return FreenasExportModule.nvmeof(connections(), pending(), new HostTurns());
        }

        @Override
        public String protocol() {
            return "nvmeof";
        }

        @Override
        public Mapping goodConfig() {
            return fileOf(Map.of(
                    "transport",
                    "tcp://nas.example.org:4420",
                    "namePrefix",
                    "csi-",
                    "ports",
                    List.of(1, "2"),
                    "subsystemTemplate",
                    Map.of("allow_any_host", false, "qid_max", 8),
                    "namespaceTemplate",
                    Map.of("enabled", true)));
        }

        @Override
        public List<BadConfig> badConfigs() {
            return List.of(
                    new BadConfig("nothing", Mapping.EMPTY, List.of("httpConnection.host", "nvmeof.transport")),
                    new BadConfig(
                            "ports that are none",
                            ConfigTrees.with(goodConfig(), "nvmeof.ports", List.of("0", "tcp")),
                            List.of("nvmeof.ports[0]", "nvmeof.ports[1]")),
                    new BadConfig(
                            "fields that are not a class's to set",
                            ConfigTrees.with(goodConfig(), "nvmeof.subsystemTemplate.subnqn", "nqn.a"),
                            List.of("nvmeof.subsystemTemplate.subnqn")));
        }

        /** The base of names is the box's: what a node gets is known once the volume is exported. */
        @Override
        public Optional<Attachment> attachment(Exporter exporter) {
            return Optional.of(new Attachment.Nvmeof("tcp://nas.example.org:4420", List.of(), "nqn.2014-08.x:a", 1));
        }
    }
}

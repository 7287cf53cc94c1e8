package dev.fairlead.bootstrap.driver;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.Suggestion;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.application.service.connection.BackendSettings;
import dev.fairlead.domain.template.Template;
import dev.fairlead.domain.topology.Placement;
import dev.fairlead.domain.topology.TopologyLabels;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.CapabilityRules;
import dev.fairlead.domain.volume.IdHash;
import dev.fairlead.domain.volume.IdPolicy;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads the settings that a connection's file may have with any driver type. */
final class CommonSettings {
    private static final int MOST_AT_ONCE = 256;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final ConfigNode file;
    private final Locality locality;

    CommonSettings(ConfigNode file, Locality locality) {
        this.file = file;
        this.locality = locality;
    }

    BackendSettings read(DriverType type, CapabilityRules rules, Placement placement) {
        ConfigNode volume = file.child("_private").child("csi").child("volume");
        ConfigNode own = file.strictChild("fairlead");
        ignoreWhatIsOfOtherPlaces(volume);
        return new BackendSettings(
                instanceId(file),
                idPolicy(volume),
                isRetained(volume),
                accessModes().map(rules::withModes).orElse(rules),
                placement,
                labels(own),
                own.optional(
                                "onDependents",
                                CommonSettings::onDependents,
                                "expected: refuse, promote or defer; see what a volume's clones and snapshots depend on")
                        .orElse(OnDependents.REFUSE),
                own.integer("concurrency", ConnectionScope.USUAL_CONCURRENCY, 1, MOST_AT_ONCE),
                own.optional("patience", Durations::parse, "expected: such as 500ms, 10s or 2m")
                        .orElse(PATIENCE),
                own.optional(Publishing.KEY, Publishing::parse, Publishing.EXPECTED)
                        .filter(Publishing.NODES::equals)
                        .isPresent(),
                type.nodeLocal() && locality.perNode(),
                type.parameters());
    }

    private static Optional<String> instanceId(ConfigNode file) {
        return file.string("instance_id").filter(id -> !id.isEmpty());
    }

    /** Ignores keys that are read elsewhere (the main file's own, the node's), or that have no meaning on Linux. */
    private void ignoreWhatIsOfOtherPlaces(ConfigNode volume) {
        file.ignore("driver", "service", "node", "proxy", "_private", "fairlead", "csi");
        volume.child("volumeContext").ignore("driver");
        file.strictChild("fairlead").ignore("nodeId");
    }

    private static IdPolicy idPolicy(ConfigNode volume) {
        Optional<Template> template = volume.scalar("idTemplate")
                .filter(text -> !text.text().isEmpty())
                .flatMap(_ -> volume.optional(
                        "idTemplate",
                        Template::parse,
                        "expected: a template such as {{name}} or {{parameters.[csi.storage.k8s.io/pvc/name]}}"));
        IdHash hash = volume.child("idHash")
                .optional("strategy", IdHash::named, "expected: md5, crc8, crc16 or crc32")
                .orElse(IdHash.NONE);
        return new IdPolicy(template, hash);
    }

    private static boolean isRetained(ConfigNode volume) {
        return volume.optional(
                        "deleteStrategy",
                        text -> switch (text) {
                            case "" -> false;
                            case "retain" -> true;
                            default -> throw new IllegalArgumentException("'" + text + "' is no strategy");
                        },
                        "expected: retain, or nothing")
                .orElse(false);
    }

    private Optional<Set<AccessMode>> accessModes() {
        ConfigNode csi = file.child("csi");
        if (!csi.has("access_modes")) {
            return Optional.empty();
        }
        Set<AccessMode> modes = EnumSet.noneOf(AccessMode.class);
        List<String> known = Arrays.stream(AccessMode.values()).map(Enum::name).toList();
        for (String name : csi.strings("access_modes")) {
            if (known.contains(name)) {
                modes.add(AccessMode.valueOf(name));
            } else {
                csi.problems()
                        .error(
                                csi.pathOf("access_modes"),
                                csi.lineOf("access_modes"),
                                "'" + name + "' is no access mode",
                                Suggestion.nearest(name, known)
                                        .map(near -> "did you mean " + near + "?")
                                        .orElse("expected: one of " + String.join(", ", known)));
            }
        }
        return Optional.of(modes);
    }

    private static Map<String, String> labels(ConfigNode own) {
        Map<String, String> labels = own.stringMap("labels");
        ConfigNode node = own.child("labels");
        labels.forEach((key, value) -> TopologyLabels.foreignKeyProblem(key)
                .or(() -> TopologyLabels.valueProblem(value))
                .ifPresent(why -> own.problems()
                        .error(node.pathOf(key), node.lineOf(key), why, "write it as a Kubernetes label is written")));
        return labels;
    }

    private static OnDependents onDependents(String text) {
        return switch (text) {
            case "refuse", "promote", "defer" -> OnDependents.valueOf(text.toUpperCase(Locale.ROOT));
            default -> throw new IllegalArgumentException("'" + text + "' is not known");
        };
    }
}

package dev.fairlead.adapter.freenas.store.settings;

import dev.fairlead.adapter.freenas.store.dataset.DatasetFields;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.domain.failure.Excerpt;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.settings.ForeignSnapshots;
import dev.fairlead.zfs.settings.ParentSettings;
import dev.fairlead.zfs.settings.ZfsSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Holds what the store reads of a connection's file.
 *
 * @param zfs the block {@code zfs}, in democratic-csi's keys
 * @param kind the medium of its volumes
 * @param foreign what is done about snapshots that no CSI caller asked for
 * @param parentMark {@code fairlead.parentMark}: the mark that each parent has to have
 */
public record FreenasStoreSettings(
        DatasetLayout layout,
        ZfsSettings zfs,
        VolumeMedium.Kind kind,
        ForeignSnapshots foreign,
        Optional<String> parentMark) {
    private static final String ZFS = "zfs";
    private static final String PERMISSIONS = "datasetPermissions";

    /** Reports every problem of the file; what it returns is of use only if there was none. */
    public static FreenasStoreSettings read(ConfigNode file, VolumeMedium.Kind kind) {
        ConfigNode block = file.child(ZFS);
        block.ignore("cli"); // of democratic-csi's files for SSH
        ZfsSettings zfs = ZfsSettings.read(block);
        checkNames(file, block, zfs);
        checkProperties(block, zfs, kind);
        checkPermissions(block, zfs.permissions());
        return new FreenasStoreSettings(
                new DatasetLayout(ParentSettings.read(file, zfs), zfs.detachedParent()),
                zfs,
                kind,
                ForeignSnapshots.read(file),
                ParentSettings.mark(file));
    }

    /** Returns the names of all datasets that the file lets a connection work below, whatever is wrong with them. */
    public static List<String> parents(ConfigNode file) {
        List<String> names = new ArrayList<>();
        ConfigNode block = file.child(ZFS);
        for (String key : List.of(ZfsSettings.PARENT, ZfsSettings.DETACHED)) {
            block.scalar(key).ifPresent(name -> names.add(plain(name.text())));
        }
        ConfigNode parents = file.strictChild(ParentSettings.OWN).child(ParentSettings.BLOCK);
        parents.keys().forEach(label -> parents.scalar(label).ifPresent(name -> names.add(plain(name.text()))));
        return names;
    }

    /** Says whether its volumes are block devices. */
    public boolean isBlock() {
        return kind == VolumeMedium.Kind.BLOCK_DEVICE;
    }

    /** Says whether new volumes get a mode or an owner. */
    public boolean setsPermissions() {
        return kind == VolumeMedium.Kind.FILESYSTEM
                && (zfs.permissions().mode().isPresent()
                        || zfs.permissions().user().isPresent()
                        || zfs.permissions().group().isPresent());
    }

    private static String plain(String name) {
        return name.endsWith("/") ? name.substring(0, name.length() - 1) : name;
    }

    private static void checkNames(ConfigNode file, ConfigNode block, ZfsSettings zfs) {
        checkLength(block, ZfsSettings.PARENT, zfs.parent());
        ConfigNode parents = file.strictChild(ParentSettings.OWN).child(ParentSettings.BLOCK);
        for (String label : parents.keys()) {
            parents.scalar(label)
                    .flatMap(name -> DatasetName.of(name.text()))
                    .ifPresent(name -> checkLength(parents, label, name));
        }
    }

    private static void checkLength(ConfigNode block, String key, DatasetName name) {
        if (name.value().length() > DatasetLayout.LONGEST_PARENT) {
            error(
                    block,
                    key,
                    "is of " + name.value().length() + " bytes, which leaves too few for its volumes",
                    "name a dataset of at most " + DatasetLayout.LONGEST_PARENT + " bytes");
        }
        if (name.parent().isEmpty()) {
            error(block, key, "'" + name + "' is a whole pool", "name a dataset of it: " + name + "/k8s");
        }
    }

    private static void checkProperties(ConfigNode block, ZfsSettings zfs, VolumeMedium.Kind kind) {
        ConfigNode properties = block.child("datasetProperties");
        zfs.datasetProperties().forEach((key, template) -> {
            if (!DatasetFields.takes(key)) {
                error(properties, key, "cannot be set by the API of TrueNAS", "use one of " + DatasetFields.taken());
            } else if (kind == VolumeMedium.Kind.BLOCK_DEVICE && DatasetFields.isOfFilesystems(key)) {
                error(properties, key, "is of filesystems, and these volumes are block devices", "leave it out");
            } else if (!template.source().contains("{{")) { // what depends on a volume is known with the volume
                checkWord(properties, key, key, template.source());
            }
        });
        if (kind == VolumeMedium.Kind.BLOCK_DEVICE) {
            zfs.compression().ifPresent(word -> checkWord(block, "zvolCompression", "compression", word));
            zfs.dedup().ifPresent(word -> checkWord(block, "zvolDedup", "dedup", word));
        }
        ConfigNode snapshots = block.child("snapshotProperties");
        for (String key : zfs.snapshotProperties().keySet()) {
            if (!key.contains(":")) {
                error(
                        snapshots,
                        key,
                        "is no property that a snapshot has by itself",
                        "use a user property, with a colon");
            }
        }
    }

    private static void checkWord(ConfigNode block, String key, String property, String word) {
        if (!DatasetFields.hasWord(property, word)) {
            error(
                    block,
                    key,
                    Excerpt.of(word) + " is no word that the API of TrueNAS has for " + property,
                    "use one of " + DatasetFields.words(property));
        }
    }

    private static void checkPermissions(ConfigNode block, ZfsSettings.Permissions permissions) {
        permissions
                .mode()
                .filter(mode -> !mode.matches("[0-7]{3,4}"))
                .ifPresent(mode -> error(
                        block,
                        PERMISSIONS + "Mode",
                        "'" + mode + "' is no mode that the API takes",
                        "write it as \"0777\""));
        if (!permissions.acls().isEmpty()) {
            block.problems()
                    .warning(
                            block.pathOf(PERMISSIONS + "Acls"),
                            block.lineOf(PERMISSIONS + "Acls"),
                            "is not set by the API",
                            "use a driver that has an sshConnection, or leave it out");
        }
    }

    private static void error(ConfigNode block, String key, String what, String remedy) {
        block.problems().error(block.pathOf(key), block.lineOf(key), what, remedy);
    }
}

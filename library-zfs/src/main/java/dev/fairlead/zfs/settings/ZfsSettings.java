package dev.fairlead.zfs.settings;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.domain.template.Template;
import dev.fairlead.zfs.dataset.BlockSize;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.property.PropertyTexts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.immutables.value.Value;

/**
 * Holds the {@code zfs} block of a connection's file, in democratic-csi's keys.
 *
 * @param parent {@code datasetParentName}: volumes lie directly below it
 * @param detachedParent {@code detachedSnapshotsDatasetParentName}: detached snapshots lie below it
 * @param quota {@code datasetEnableQuotas}: a filesystem is held to its size
 * @param reservation {@code datasetEnableReservation}: room for a filesystem of that size is set aside
 * @param permissions what is done to a filesystem's root
 * @param datasetProperties {@code datasetProperties}: templates, rendered once, when a volume is created
 * @param snapshotProperties {@code snapshotProperties}: the same for snapshots
 * @param blockSize {@code zvolBlocksize}
 * @param compression {@code zvolCompression}: {@code compression} of a block volume; democratic-csi never applied it
 * @param dedup {@code zvolDedup}: {@code dedup} of a block volume
 * @param thick {@code zvolEnableReservation}: a block volume's size is reserved; otherwise it is sparse
 */
@Value.Builder
public record ZfsSettings(
        DatasetName parent,
        Optional<DatasetName> detachedParent,
        boolean quota,
        boolean reservation,
        Permissions permissions,
        Map<String, Template> datasetProperties,
        Map<String, Template> snapshotProperties,
        BlockSize blockSize,
        Optional<String> compression,
        Optional<String> dedup,
        boolean thick) {
    public static final String PARENT = "datasetParentName";
    public static final String DETACHED = "detachedSnapshotsDatasetParentName";
    private static final DatasetName UNUSED = new DatasetName("unset");

    /** Reports every problem of the block; what it returns is of use only if there was none. */
    public static ZfsSettings read(ConfigNode zfs) {
        DatasetName parent =
                zfs.require(PARENT, ZfsSettings::dataset, UNUSED, "name the dataset that volumes go below: tank/k8s/v");
        Optional<DatasetName> detached = zfs.optional(DETACHED, ZfsSettings::dataset, "name a dataset: tank/k8s/s");
        detached.filter(parent::overlaps)
                .ifPresent(name -> zfs.problems()
                        .error(
                                zfs.pathOf(DETACHED),
                                zfs.lineOf(DETACHED),
                                "'" + name + "' and " + PARENT + " '" + parent + "' lie within each other",
                                "name two datasets of which neither lies below the other"));
        return new ZfsSettingsBuilder()
                .parent(parent)
                .detachedParent(detached)
                .quota(zfs.bool("datasetEnableQuotas", false))
                .reservation(zfs.bool("datasetEnableReservation", false))
                .permissions(Permissions.read(zfs))
                .datasetProperties(templates(zfs, "datasetProperties"))
                .snapshotProperties(templates(zfs, "snapshotProperties"))
                .blockSize(zfs.optional("zvolBlocksize", ZfsSettings::blockSize, "one of 512, 1K, 2K … 128K")
                        .orElse(BlockSize.DEFAULT))
                .compression(zfs.string("zvolCompression").filter(text -> !text.isBlank()))
                .dedup(zfs.string("zvolDedup").filter(text -> !text.isBlank()))
                .thick(zfs.bool("zvolEnableReservation", false))
                .build();
    }

    /** Reads the name of a dataset, without one slash at its end, which democratic-csi drops too. */
    public static DatasetName dataset(String text) {
        return new DatasetName(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
    }

    private static BlockSize blockSize(String text) {
        return BlockSize.of(text)
                .orElseThrow(() -> new IllegalArgumentException("'" + text + "' is no size of a block"));
    }

    private static Map<String, Template> templates(ConfigNode zfs, String key) {
        Map<String, Template> templates = new LinkedHashMap<>();
        ConfigNode block = zfs.child(key);
        for (String name : block.keys()) {
            if (!PropertyTexts.isName(name)) {
                block.problems()
                        .error(
                                block.pathOf(name),
                                block.lineOf(name),
                                "is no name of a ZFS property",
                                "use a property of zfsprops(7), or a user property with a colon in its name");
            }
            block.optional(name, Template::parse, "a text, or a template such as '{{ parameters.[key] }}'")
                    .ifPresent(template -> templates.put(name, template));
        }
        return templates;
    }

    /**
     * Says what is done to the root of a new filesystem.
     *
     * @param mode {@code datasetPermissionsMode}, for {@code chmod}
     * @param user {@code datasetPermissionsUser}, a name or a number, for {@code chown}
     * @param group {@code datasetPermissionsGroup}
     * @param acls {@code datasetPermissionsAcls}: each the words of one call of {@code aclProgram}
     * @param aclProgram {@code datasetPermissionsAclsBinary}
     */
    public record Permissions(
            Optional<String> mode,
            Optional<String> user,
            Optional<String> group,
            List<String> acls,
            String aclProgram) {
        public Permissions {
            acls = List.copyOf(acls);
        }

        static Permissions read(ConfigNode zfs) {
            return new Permissions(
                    zfs.optional("datasetPermissionsMode", Permissions::mode, "write it as \"0777\" or as \"u+rwx\""),
                    zfs.optional("datasetPermissionsUser", Permissions::account, "the name or number of a user"),
                    zfs.optional("datasetPermissionsGroup", Permissions::account, "the name or number of a group"),
                    zfs.strings("datasetPermissionsAcls"),
                    zfs.string("datasetPermissionsAclsBinary", "setfacl"));
        }

        private static String mode(String text) {
            return checked(text, "[0-7]{1,4}|[ugoa]*[-+=][rwxXst]*(,[ugoa]*[-+=][rwxXst]*)*");
        }

        private static String account(String text) {
            return checked(text, "[A-Za-z0-9_][A-Za-z0-9_.@\\\\-]{0,63}\\$?");
        }

        private static String checked(String text, String form) {
            if (!text.matches(form)) {
                throw new IllegalArgumentException("'" + text + "' has not the form");
            }
            return text;
        }
    }
}

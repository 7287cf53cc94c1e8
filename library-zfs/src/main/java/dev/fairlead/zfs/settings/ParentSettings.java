package dev.fairlead.zfs.settings;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.Parents;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Reads {@code fairlead.parents} of a connection's file: more datasets that volumes may lie below, by their labels. */
public final class ParentSettings {
    public static final String OWN = "fairlead";

    public static final String BLOCK = "parents";

    /** The key of the parents' mark, in the block {@link #OWN}. */
    static final String MARK = "parentMark";

    /** The greatest number of parents: the command that lists the volumes names all of them. */
    private static final int MOST = 64;

    private final ConfigNode block;
    private final ZfsSettings zfs;

    private ParentSettings(ConfigNode block, ZfsSettings zfs) {
        this.block = block;
        this.zfs = zfs;
    }

    /** Reports every problem of the block; what it returns is of use only if there was none. */
    public static Parents read(ConfigNode file, ZfsSettings zfs) {
        ConfigNode own = file.strictChild(OWN);
        return new ParentSettings(own.child(BLOCK), zfs).read();
    }

    /** Returns the mark that each parent has to have; empty if any dataset of its name will do. */
    public static Optional<String> mark(ConfigNode file) {
        return file.strictChild(OWN)
                .optional(MARK, ParentSettings::word, "expected: 1 to 64 letters, digits, '.', '_', '-'");
    }

    private static String word(String text) {
        if (!text.matches("[A-Za-z0-9._][A-Za-z0-9._-]{0,63}")) {
            throw new IllegalArgumentException("'" + text + "' is no mark");
        }
        return text;
    }

    private Parents read() {
        if (block.keys().size() > MOST) {
            block.problems()
                    .error(block.path(), block.line(), "names " + block.keys().size() + " datasets", "name " + MOST);
        }
        Map<String, DatasetName> parents = new LinkedHashMap<>();
        for (String label : block.keys()) {
            Optional<DatasetName> name = block.optional(label, ZfsSettings::dataset, "name a dataset: ssd/k8s/v");
            if (!Parents.isLabel(label)) {
                error(
                        label,
                        "is no label",
                        "expected: 1 to " + Parents.LONGEST_LABEL
                                + " lower-case letters, digits and '-', beginning and ending with none of the latter");
            } else if (name.isPresent()) {
                refuseOverlaps(label, name.get(), parents);
                parents.put(label, name.get());
            }
        }
        return new Parents(zfs.parent(), parents);
    }

    private void refuseOverlaps(String label, DatasetName name, Map<String, DatasetName> before) {
        Map<String, DatasetName> others = new LinkedHashMap<>();
        others.put("zfs." + ZfsSettings.PARENT, zfs.parent());
        zfs.detachedParent().ifPresent(detached -> others.put("zfs." + ZfsSettings.DETACHED, detached));
        before.forEach((other, parent) -> others.put(block.pathOf(other), parent));
        others.forEach((key, other) -> {
            if (name.overlaps(other)) {
                error(
                        label,
                        "'" + name + "' and " + key + " '" + other + "' lie within each other",
                        "name datasets of which none lies below another");
            }
        });
    }

    private void error(String label, String what, String remedy) {
        block.problems().error(block.pathOf(label), block.lineOf(label), what, remedy);
    }
}

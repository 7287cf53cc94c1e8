package dev.fairlead.adapter.freenas.iscsi;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.port.out.export.block.IscsiPortals;
import dev.fairlead.application.port.out.export.block.NameForm;
import dev.fairlead.application.port.out.export.block.TargetNaming;
import dev.fairlead.domain.volume.Notes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Holds the {@code iscsi} block of a connection's file, with democratic-csi's keys.
 *
 * @param names the names of targets and extents, without the base, which is the box's
 * @param portals where nodes find the targets
 * @param groups {@code targetGroups}; empty if the portal group is found by the portals' addresses
 * @param extent how volumes are shown
 */
public record IscsiSettings(TargetNaming names, IscsiPortals portals, List<TargetGroup> groups, ExtentSettings extent) {
    /** The base of a box whose administrator has set no other one. */
    private static final String USUAL_BASE = "iqn.2005-10.org.freenas.ctl";

    /** The longest name of an extent, which a target shares. */
    private static final int LONGEST_NAME = 64;

    private static final String GROUPS = "targetGroups";
    private static final String PORTAL = "targetGroupPortalGroup";
    private static final String METHOD = "targetGroupAuthType";
    private static final String CREDENTIALS = "targetGroupAuthGroup";
    private static final String NUMBER = "write the number by which the API knows it, not the one that its pages show";

    public IscsiSettings {
        groups = List.copyOf(groups);
    }

    /** Reports every problem of the block; what it returns is of use only if there was none. */
    public static IscsiSettings read(ConfigNode file) {
        ConfigNode block = file.child(NameForm.IQN.block());
        ExtentSettings extent = ExtentSettings.read(block);
        extent.check(block, file.strictChild("fairlead").string("publish"));
        return new IscsiSettings(
                TargetNaming.read(block, NameForm.IQN, USUAL_BASE)
                        .notedAs(Notes.FREENAS_PREFIX + "iscsi_assets_name")
                        .shortenedTo(LONGEST_NAME),
                IscsiPortals.read(block),
                groups(block),
                extent);
    }

    private static List<TargetGroup> groups(ConfigNode block) {
        List<TargetGroup> groups = new ArrayList<>();
        for (ConfigNode each : block.children(GROUPS)) {
            Optional<Long> portal = each.optional(PORTAL, IscsiSettings::portal, NUMBER);
            if (!each.has(PORTAL)) {
                each.problems()
                        .error(
                                each.pathOf(PORTAL),
                                each.line(),
                                "is missing, so that nobody would reach a volume",
                                NUMBER + "; or leave " + GROUPS + " out, and it is found by the portals' addresses");
            }
            String method = each.optional(METHOD, IscsiSettings::method, "write None, CHAP or CHAP Mutual")
                    .orElse(TargetGroup.NONE);
            Optional<Long> credentials = number(each, CREDENTIALS);
            if (!method.equals(TargetGroup.NONE) && credentials.isEmpty()) {
                each.problems()
                        .error(
                                each.pathOf(CREDENTIALS),
                                each.lineOf(METHOD),
                                "is missing, so that nobody could be asked for CHAP",
                                "name the tag of the credentials that the box has; their secrets stay there");
            }
            groups.add(
                    new TargetGroup(portal.orElse(0L), number(each, "targetGroupInitiatorGroup"), method, credentials));
        }
        repeated(block, groups);
        return groups;
    }

    /** Reports a portal group that is named twice, which the box refuses. */
    private static void repeated(ConfigNode block, List<TargetGroup> groups) {
        long distinct = groups.stream().map(TargetGroup::portal).distinct().count();
        if (distinct < groups.size()) {
            block.problems()
                    .error(
                            block.pathOf(GROUPS),
                            block.lineOf(GROUPS),
                            "names a portal group twice",
                            "name each portal group once");
        }
    }

    /** Returns a number that names something on the box; democratic-csi takes 0 and less for none. */
    private static Optional<Long> number(ConfigNode group, String key) {
        return group.optional(key, IscsiSettings::number, NUMBER).filter(number -> number > 0);
    }

    private static long number(String text) {
        if (!text.matches("-?[0-9]{1,9}")) {
            throw new IllegalArgumentException("'" + text + "' is no number");
        }
        return Long.parseLong(text);
    }

    private static long portal(String text) {
        long number = number(text);
        if (number <= 0) {
            throw new IllegalArgumentException("'" + text + "' is no portal group");
        }
        return number;
    }

    private static String method(String text) {
        String method = text.strip().toUpperCase(Locale.ROOT).replace(' ', '_');
        return switch (method) {
            case "" -> TargetGroup.NONE;
            case TargetGroup.NONE, "CHAP", "CHAP_MUTUAL" -> method;
            default -> throw new IllegalArgumentException("'" + text + "' is not known");
        };
    }
}

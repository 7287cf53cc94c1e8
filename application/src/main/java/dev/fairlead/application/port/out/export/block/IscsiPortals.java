package dev.fairlead.application.port.out.export.block;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.domain.attachment.Attachment;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Says where nodes find a connection's iSCSI targets.
 *
 * @param portal {@code targetPortal}; empty if only {@code targetPortals} are given
 * @param portals {@code targetPortals}: further ones, for multipath
 * @param initiatorInterface {@code interface}: the {@code iface} of open-iscsi that nodes log in by
 */
public record IscsiPortals(String portal, List<String> portals, String initiatorInterface) {
    private static final String PORTAL = "targetPortal";
    private static final String PORTALS = "targetPortals";
    private static final Pattern ADDRESS = Pattern.compile("[A-Za-z0-9_.:%\\[\\]-]{1,255}");
    private static final Pattern INTERFACE = Pattern.compile("[A-Za-z0-9_.:-]{0,64}");
    private static final String REMEDY = "an address or name, with :port if it is not 3260";

    public IscsiPortals {
        portals = List.copyOf(portals);
    }

    /** @param block {@code iscsi} of a connection's file */
    public static IscsiPortals read(ConfigNode block) {
        String portal = block.optional(PORTAL, IscsiPortals::address, REMEDY).orElse("");
        List<String> portals = portals(block);
        if (!block.has(PORTAL) && portals.isEmpty()) {
            block.problems()
                    .error(
                            block.pathOf(PORTAL),
                            block.line(),
                            "is missing",
                            "name the storage host as nodes find it: an address or a name");
        }
        return new IscsiPortals(
                portal,
                portals,
                block.optional("interface", IscsiPortals::iface, "the name of an iface of open-iscsi, such as default")
                        .orElse(""));
    }

    private static String address(String text) {
        if (!ADDRESS.matcher(text).matches()) {
            throw new IllegalArgumentException("'" + text + "' is no name or address");
        }
        return text;
    }

    private static String iface(String text) {
        if (!INTERFACE.matcher(text).matches()) {
            throw new IllegalArgumentException("'" + text + "' is no name of an interface");
        }
        return text;
    }

    private static List<String> portals(ConfigNode block) {
        List<String> portals = block.strings(PORTALS);
        for (int i = 0; i < portals.size(); i++) {
            if (!ADDRESS.matcher(portals.get(i)).matches()) {
                block.problems()
                        .error(
                                block.pathOf(PORTALS) + "[" + i + "]",
                                block.lineOf(PORTALS),
                                "is no name or address",
                                REMEDY);
            }
        }
        return portals;
    }

    /** Returns what a node needs to reach a LUN. */
    public Attachment attachment(String iqn, int lun) {
        return new Attachment.Iscsi(portal, portals, initiatorInterface, iqn, lun);
    }
}

package dev.fairlead.adapter.freenas.iscsi;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.ApiCollection;
import dev.fairlead.adapter.freenas.client.ApiQuery;
import dev.fairlead.adapter.freenas.export.ExportRows;
import dev.fairlead.application.port.out.export.block.IscsiPortals;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.http.Json;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds the portal groups that listen at the addresses by which nodes find a connection's targets, for a file that
 * names no portal group by its number.
 */
record PortalGroups(ExportRows rows, IscsiPortals portals) {
    private static final Set<String> ANYWHERE = Set.of("0.0.0.0", "::");

    /** Returns the ways to an open target: by each portal group that listens at one of the portals, for everybody. */
    List<TargetGroup> ways(Work work) {
        List<String> hosts = Stream.concat(Stream.of(portals.portal()), portals.portals().stream())
                .filter(portal -> !portal.isEmpty())
                .map(PortalGroups::host)
                .toList();
        List<TargetGroup> found = rows.where(ApiCollection.ISCSI_PORTAL, ApiQuery.all(), _ -> true, work).stream()
                .filter(portal -> listensAt(portal, hosts))
                .map(portal -> new TargetGroup(
                        ExportRows.id(portal), Optional.empty(), TargetGroup.NONE, Optional.empty()))
                .toList();
        if (found.isEmpty()) {
            throw rows.rejected("no iSCSI portal of the box listens at " + hosts
                    + "; make one there, or name its number in iscsi.targetGroups");
        }
        return found;
    }

    private static boolean listensAt(JsonObject portal, List<String> hosts) {
        return Json.objects(portal, "listen").stream()
                .flatMap(each -> Json.text(each, "ip").stream())
                .map(PortalGroups::plain)
                .anyMatch(address -> ANYWHERE.contains(address)
                        || hosts.stream().map(PortalGroups::plain).anyMatch(address::equals));
    }

    /** Returns the host of an address that may have a port, and of IPv6 has brackets then. */
    private static String host(String portal) {
        int bracket = portal.lastIndexOf(']');
        if (portal.startsWith("[") && bracket > 0) {
            return portal.substring(1, bracket);
        }
        int colon = portal.indexOf(':');
        return colon >= 0 && colon == portal.lastIndexOf(':') ? portal.substring(0, colon) : portal;
    }

    /** Returns an address in the one form that equal addresses share; a name as it is, since nothing resolves it. */
    private static String plain(String text) {
        try {
            String address = InetAddress.ofLiteral(text).getHostAddress();
            return address.equals("0:0:0:0:0:0:0:0") ? "::" : address;
        } catch (IllegalArgumentException _) {
            return text;
        }
    }
}

package dev.fairlead.adapter.freenas.iscsi;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.ApiCollection;
import dev.fairlead.adapter.freenas.client.ApiQuery;
import dev.fairlead.adapter.freenas.export.ExportRows;
import dev.fairlead.adapter.freenas.export.ListeningAddress;
import dev.fairlead.application.port.out.export.block.IscsiPortals;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.http.Json;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds the portal groups that listen at the addresses by which nodes find a connection's targets, for a file that
 * names no portal group by its number.
 */
record PortalGroups(ExportRows rows, IscsiPortals portals) {
    /** Returns the ways to an open target: by each portal group that listens at one of the portals, for everybody. */
    List<TargetGroup> ways(Work work) {
        List<String> hosts = Stream.concat(Stream.of(portals.portal()), portals.portals().stream())
                .filter(portal -> !portal.isEmpty())
                .map(ListeningAddress::host)
                .toList();
        List<TargetGroup> found = rows.where(ApiCollection.ISCSI_PORTAL, ApiQuery.all(), _ -> true, work).stream()
                .filter(portal -> listensAt(portal, hosts))
                .map(portal ->
                        new TargetGroup(ExportRows.id(portal), Optional.empty(), TargetGroup.NONE, Optional.empty()))
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
                .anyMatch(address -> hosts.stream().anyMatch(host -> ListeningAddress.isFoundBy(address, host)));
    }
}

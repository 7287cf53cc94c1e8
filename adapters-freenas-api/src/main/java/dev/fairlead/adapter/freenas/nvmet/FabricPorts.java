package dev.fairlead.adapter.freenas.nvmet;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.ApiCollection;
import dev.fairlead.adapter.freenas.client.ApiQuery;
import dev.fairlead.adapter.freenas.export.ExportRows;
import dev.fairlead.adapter.freenas.export.ListeningAddress;
import dev.fairlead.application.port.out.export.block.NvmeTransports;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.http.Json;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds the ports that listen at the addresses by which nodes find a connection's subsystems. */
record FabricPorts(ExportRows rows, NvmeTransports transports) {
    private static final String USUAL_PORT = "4420";
    private static final Pattern WAY =
            Pattern.compile("([a-z]+)://(\\[[^]]+\\]|[^:/?\\[]+)(?::([0-9]{1,5}))?/?(?:\\?.*)?");

    /** Describes where a node connects to. */
    private record Way(String type, String host, String port) {
        boolean leadsTo(JsonObject listening) {
            return Json.text(listening, "addr_trtype")
                            .filter(text -> text.equalsIgnoreCase(type))
                            .isPresent()
                    && text(listening, "addr_trsvcid").equals(port)
                    && ListeningAddress.isFoundBy(text(listening, "addr_traddr"), host);
        }

        private static String text(JsonObject row, String key) {
            return Json.text(row, key)
                    .or(() -> Json.number(row, key).map(String::valueOf))
                    .orElse("");
        }
    }

    /** Returns the numbers of the ports. */
    List<Long> numbers(Work work) {
        List<Way> ways = Stream.concat(Stream.of(transports.transport()), transports.transports().stream())
                .map(WAY::matcher)
                .filter(Matcher::matches)
                .map(match -> new Way(
                        match.group(1).toLowerCase(Locale.ROOT),
                        ListeningAddress.host(match.group(2)),
                        match.group(3) == null ? USUAL_PORT : match.group(3)))
                .toList();
        List<Long> found = rows.where(ApiCollection.NVMET_PORT, ApiQuery.all(), _ -> true, work).stream()
                .filter(port -> ways.stream().anyMatch(way -> way.leadsTo(port)))
                .map(ExportRows::id)
                .toList();
        if (found.isEmpty()) {
            throw rows.rejected("no NVMe port of the box listens at "
                    + ways.stream().map(Way::host).toList() + "; make one there, or name its number in nvmeof.ports");
        }
        return found;
    }
}

package dev.fairlead.adapter.linstor;

import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.placement.PlacedVolume;
import dev.fairlead.application.port.out.placement.PlacementSource;
import dev.fairlead.application.port.out.placement.SavedVolumes;
import dev.fairlead.domain.affinity.PlacementReading;
import dev.fairlead.domain.affinity.VolumePlacement;
import dev.fairlead.linstor.LinstorSimulator;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** A simulated cluster of three nodes in two zones, and a source that reads it. */
final class LinstorCluster implements AutoCloseable {
    private static final Map<String, String> LOCAL = Map.of("allowRemoteVolumeAccess", "false");

    private final LinstorSimulator simulator;
    private final HttpClient http = HttpClient.newHttpClient();
    private final String controllers;

    LinstorCluster(Path folder, double pace) throws IOException, InterruptedException {
        int standby;
        try (ServerSocket free = new ServerSocket(0)) {
            standby = free.getLocalPort();
        }
        simulator = LinstorSimulator.start(folder, 0, standby, pace);
        controllers = "127.0.0.1:" + simulator.url().getPort() + ",127.0.0.1:" + standby;
        for (int at = 1; at <= 3; at++) {
            call("POST", "/v1/nodes", """
                    {"name": "node-%1$d", "type": "SATELLITE", "props": {
                     "Aux/topology/kubernetes.io/hostname": "node-%1$d", "Aux/topology/zone": "z%2$d"},
                     "net_interfaces": [{"name": "default", "address": "127.0.0.1%1$d"}]}""".formatted(at, at / 2));
            call(
                    "POST",
                    "/v1/nodes/node-" + at + "/storage-pools",
                    "{\"storage_pool_name\": \"thin\", \"provider_kind\": \"FILE_THIN\"}");
        }
        call("POST", "/v1/resource-groups", """
                {"name": "drbd", "select_filter": {"storage_pool": "thin", "layer_stack": ["DRBD", "STORAGE"]}}""");
        call("POST", "/v1/resource-groups", """
                {"name": "plain", "select_filter": {"storage_pool": "thin", "layer_stack": ["STORAGE"]}}""");
    }

    LinstorSimulator simulator() {
        return simulator;
    }

    PlacementSource source() {
        return source(false);
    }

    PlacementSource source(boolean anywhereIsAllNodes) {
        return LinstorModule.open(
                settings(anywhereIsAllNodes), Thread.ofVirtual().factory());
    }

    SavedVolumes saved() {
        return LinstorModule.saved(settings(false));
    }

    private LinstorSettings settings(boolean anywhereIsAllNodes) {
        return LinstorSettings.read(
                        name -> name.equals("LS_CONTROLLERS") ? controllers : "",
                        Optional.empty(),
                        anywhereIsAllNodes,
                        "test",
                        new Problems("test"))
                .orElseThrow();
    }

    void resource(String group, String name, String... nodes) throws IOException, InterruptedException {
        call(
                "POST",
                "/v1/resource-definitions",
                "{\"resource_definition\": {\"name\": \"%s\", \"resource_group_name\": \"%s\"}}"
                        .formatted(name, group));
        call(
                "POST",
                "/v1/resource-definitions/" + name + "/volume-definitions",
                "{\"volume_definition\": {\"volume_number\": 0, \"size_kib\": 20480}}");
        call(
                "POST",
                "/v1/resource-definitions/" + name + "/autoplace",
                "{\"select_filter\": {\"place_count\": %d, \"node_name_list\": [\"%s\"]}}"
                        .formatted(nodes.length, String.join("\", \"", nodes)));
    }

    String call(String method, String path, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(simulator.url() + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    static PlacedVolume volume(String handle) {
        return volume(handle, LOCAL);
    }

    static PlacedVolume volume(String handle, Map<String, String> parameters) {
        return new PlacedVolume(
                "pv-" + handle,
                "linstor.csi.linbit.com",
                handle,
                Map.of(),
                Map.of(),
                Optional.of("fast"),
                Optional.of(parameters));
    }

    /** Returns a reading in short: the nodes or labels, "anywhere", or "unknown: why". */
    static String read(PlacementSource source, PlacedVolume volume) {
        return inShort(reading(source, volume));
    }

    static PlacementReading reading(PlacementSource source, PlacedVolume volume) {
        return source.read(List.of(volume)).getOrDefault(volume.name(), PlacementReading.unknown("it was left out"));
    }

    static String inShort(PlacementReading reading) {
        return switch (reading.placement()) {
            case VolumePlacement.Anywhere() -> "anywhere";
            case VolumePlacement.Unknown unknown -> "unknown: " + unknown.message();
            case VolumePlacement.Labelled(String key) -> "label " + key;
            case VolumePlacement.Segments(var any) ->
                new TreeSet<>(any.stream()
                                .flatMap(segment -> segment.labels().values().stream())
                                .toList())
                        .toString();
        };
    }

    @Override
    public void close() {
        simulator.close();
    }
}

package dev.fairlead.lab.affinity;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Answers as a LINSTOR controller with thousands of resources of two replicas each does, to the few calls that a source
 * makes; what the simulator takes minutes for is counted out here.
 */
final class ManyResources implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final int count;
    private final Map<Integer, List<Integer>> places = new ConcurrentHashMap<>();
    private final List<LinkedBlockingQueue<String>> promotions = new CopyOnWriteArrayList<>();
    private final AtomicLong asked = new AtomicLong();
    private final AtomicLong looks = new AtomicLong();
    private final Map<Integer, Long> firstLook = new ConcurrentHashMap<>();

    ManyResources(int count) throws IOException {
        this.count = count;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    static String name(int resource) {
        return "pvc-%s".formatted(uuid("r", resource));
    }

    private static UUID uuid(String kind, int number) {
        return UUID.nameUUIDFromBytes((kind + number).getBytes(StandardCharsets.UTF_8));
    }

    List<Integer> places(int resource) {
        return places.getOrDefault(resource, List.of(resource % 5, (resource + 1) % 5));
    }

    void place(int resource, List<Integer> nodes) {
        places.put(resource, nodes);
        firstLook.put(resource, 0L);
    }

    /** Returns when a resource was first shown with the places that it has now; 0 if it was not. */
    long firstLook(int resource) {
        return firstLook.getOrDefault(resource, 0L);
    }

    /** Tells those who listen that a resource may become primary somewhere. */
    void hint(int resource) {
        promotions.forEach(
                queue -> queue.add("{\"resource_name\": \"" + name(resource) + "\", \"may_promote\": true}"));
    }

    /** Returns how many requests came, those for events among them. */
    long asked() {
        return asked.get();
    }

    /** Returns how many times all replicas were shown to their end. */
    long looks() {
        return looks.get();
    }

    private void handle(HttpExchange exchange) throws IOException {
        asked.incrementAndGet();
        exchange.getRequestBody().readAllBytes();
        Map<String, String> query = new HashMap<>();
        String raw = exchange.getRequestURI().getRawQuery();
        for (String pair : raw == null ? new String[0] : raw.split("&", -1)) {
            query.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
        }
        switch (exchange.getRequestURI().getPath()) {
            case "/v1/nodes" -> answer(exchange, nodes());
            case "/v1/resource-definitions" -> answer(exchange, definitions(query));
            case "/v1/view/resources" -> answer(exchange, views(query));
            case "/v1/events/drbd/promotion" -> events(exchange, true);
            default -> events(exchange, false);
        }
    }

    private static List<String> nodes() {
        List<String> all = new ArrayList<>();
        for (int node = 0; node < 5; node++) {
            all.add("""
                    {"name": "node-%1$d", "type": "SATELLITE", "connection_status": "ONLINE", "uuid": "%2$s",
                     "props": {"Aux/topology/kubernetes.io/hostname": "node-%1$d", "CurStltConnName": "default"},
                     "net_interfaces": [{"name": "default", "address": "10.0.0.%1$d", "satellite_port": 3366}]}""".formatted(node, uuid("n", node)));
        }
        return all;
    }

    private List<String> definitions(Map<String, String> query) {
        List<String> all = new ArrayList<>();
        for (int resource : wanted(query, "resource_definitions", count)) {
            all.add("""
                    {"name": "%s", "props": {"Aux/csi-provisioning-completed-by": "linstor-csi/v1.8.0",
                     "DrbdOptions/Resource/quorum": "majority", "DrbdOptions/Resource/on-no-quorum": "suspend-io"},
                     "layer_data": [{"type": "DRBD", "data": {"peer_slots": 7, "port": %d, "secret": "x",
                     "transport_type": "IP"}}, {"type": "STORAGE"}], "uuid": "%s", "resource_group_name": "sc-a",
                     "volume_definitions": [{"volume_number": 0, "size_kib": 1048576, "props":
                     {"DrbdCurrentGi": "BEB16C50BC373804"}, "layer_data": [{"type": "DRBD", "data":
                     {"volume_number": 0, "minor_number": %d}}, {"type": "STORAGE"}], "uuid": "%s"}]}""".formatted(name(resource), 7000 + resource, uuid("d", resource), resource, uuid("v", resource)));
        }
        return all;
    }

    private List<String> views(Map<String, String> query) {
        List<String> all = new ArrayList<>();
        // Pages count replicas, so a resource may be on two of them.
        int at = 0;
        int from = Integer.parseInt(query.getOrDefault("offset", "0"));
        int to = from + Integer.parseInt(query.getOrDefault("limit", "1000000"));
        for (int resource : wanted(Map.copyOf(only(query, "resources")), "resources", count)) {
            for (int node : places(resource)) {
                if (at >= from && at < to) {
                    firstLook.computeIfPresent(resource, (_, seen) -> seen == 0 ? System.nanoTime() : seen);
                }
                if (at >= from && at < to) {
                    all.add(view(resource, node));
                }
                at++;
            }
        }
        if (!query.containsKey("resources") && to > at) {
            looks.incrementAndGet();
        }
        return all;
    }

    private static Map<String, String> only(Map<String, String> query, String name) {
        return query.containsKey(name) ? Map.of(name, query.getOrDefault(name, "")) : Map.of();
    }

    private static String view(int resource, int node) {
        return """
                {"name": "%1$s", "node_name": "node-%2$d", "props": {"StorPoolName": "thin"}, "layer_object":
                 {"children": [{"type": "STORAGE", "storage": {"storage_volumes": [{"volume_number": 0, "device_path":
                 "/dev/vg/%1$s_00000", "allocated_size_kib": 1052672, "usable_size_kib": 1052672, "disk_state": "[]"}]}}],
                 "type": "DRBD", "drbd": {"drbd_resource_definition": {"peer_slots": 7, "al_stripes": 1,
                 "al_stripe_size_kib": 32, "port": %3$d, "transport_type": "IP", "secret": "x", "down": false},
                 "node_id": %2$d, "peer_slots": 7, "al_stripes": 1, "al_size": 32, "drbd_volumes":
                 [{"drbd_volume_definition": {"volume_number": 0, "minor_number": %3$d}, "device_path": "/dev/drbd%3$d",
                 "backing_device": "/dev/vg/%1$s_00000", "allocated_size_kib": 1049008, "usable_size_kib": 1048576}],
                 "connections": {"node-9": {"connected": true, "message": "Connected"}}, "promotion_score": 10102,
                 "may_promote": true}}, "state": {"in_use": false}, "uuid": "%4$s", "create_timestamp": 1795380983559,
                 "volumes": [{"volume_number": 0, "storage_pool_name": "thin", "provider_kind": "LVM_THIN",
                 "device_path": "/dev/drbd%3$d", "allocated_size_kib": 105267, "state": {"disk_state": "UpToDate"},
                 "layer_data_list": [{"type": "DRBD", "data": {"device_path": "/dev/drbd%3$d"}}, {"type": "STORAGE"}],
                 "uuid": "%5$s"}]}""".formatted(
                        name(resource),
                        node,
                        7000 + resource,
                        uuid("p" + node + "-", resource),
                        uuid("w" + node + "-", resource));
    }

    private List<Integer> wanted(Map<String, String> query, String filter, int all) {
        List<Integer> found = new ArrayList<>();
        String named = query.getOrDefault(filter, "");
        int from = Integer.parseInt(query.getOrDefault("offset", "0"));
        int to = (int) Math.min(all, from + Long.parseLong(query.getOrDefault("limit", Integer.toString(all))));
        for (int resource = from; resource < to; resource++) {
            if (named.isEmpty() || named.equals(name(resource))) {
                found.add(resource);
            }
        }
        return found;
    }

    private static void answer(HttpExchange exchange, List<String> entries) throws IOException {
        byte[] bytes = ("[" + String.join(",", entries) + "]").getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    private void events(HttpExchange exchange, boolean ofPromotion) throws IOException {
        LinkedBlockingQueue<String> queue = new LinkedBlockingQueue<>();
        if (ofPromotion) {
            promotions.add(queue);
        }
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream out = exchange.getResponseBody()) {
            out.flush();
            while (true) {
                String text = "event: may-promote-change\ndata: " + queue.take() + "\n\n";
                out.write(text.getBytes(StandardCharsets.UTF_8));
                out.flush();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            promotions.remove(queue);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
